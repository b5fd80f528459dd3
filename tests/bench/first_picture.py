"""How soon does a phone on a slow line show the table with its seats: `/watch`, `/replay`, a published page?

At 1.6 Mbit/s and 150 ms. Chromium does not slow down the WebSocket, but the picture does not wait for it.
Run: `make bench BENCH=first_picture`.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[2]))

import httpx
from playwright.sync_api import Browser, sync_playwright

from broadcast.archive.archive import INDEX, Archive
from broadcast.live.channel import KEPT_BYTES, LiveChannel
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.publish.live_publisher import LivePublisher, LiveSite
from broadcast.video.chromium import find_chromium
from tests.bench.common.scales import options, print_machine
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS
from tests.support.nginx import nginx, static_host
from tests.support.recordings import aired, small_contest, write

BYTES_A_SECOND, LATENCY_MS = 1_600_000 / 8, 150
GOAL_MS = 1500
PATIENCE_SECONDS = 60
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}
# The frame after which the table stands, text included: seats are drawn and all fonts are loaded.
WATCH = """() => {
  const look = () => {
    const seats = document.querySelectorAll("#screen .seat").length;
    const stands = document.body?.dataset.ready && seats > 1 && document.fonts.status === "loaded";
    if (!stands) return requestAnimationFrame(look);
    requestAnimationFrame(() => { window.stood = performance.now(); });
  };
  look();
}"""
LOADED = """() => [["page", performance.getEntriesByType("navigation")[0]],
  ...performance.getEntriesByType("resource").map((entry) => [entry.name.replace(location.origin, ""), entry])]
  .map(([name, { startTime, responseEnd, transferSize }]) => [name, startTime, responseEnd, transferSize])
  .filter(([, start]) => start < window.stood)"""


def main(visits: int, verbose: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ShowServer(Path(folder) / "media") as shows,
        sync_playwright() as tools,
        ExitStack() as stack,
    ):
        recordings = Path(folder) / "recordings"
        write(recordings / "one.jsonl", small_contest())
        shows.studio.add_archive(Archive(recordings, recordings / INDEX, again_seconds=0))
        entries = aired(small_contest())
        shows.channel("main", entries[: len(entries) * 2 // 3])
        wait_for(f"{shows.address}/films/one/index.json")
        browser = tools.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        site = stack.enter_context(published(Path(folder), entries[: len(entries) * 2 // 3]))
        for path in (f"{shows.address}/watch", f"{shows.address}/replay/one?hand=3&step=9", f"{site}/watch/"):
            looked = [visit(browser, path) for _ in range(visits)]
            times = [stood for stood, _ in looked]
            size = sum(each[3] for each in looked[-1][1])
            median = statistics.median(times)
            print(
                f"{urlsplit(path).path}: the picture stands after {median:,.0f} ms "
                f"({min(times):,.0f} to {max(times):,.0f}), goal {GOAL_MS:,}; "
                f"{size / 1000:.0f} kB in {len(looked[-1][1])} requests"
            )
            if verbose:
                for name, start, end, size in looked[-1][1]:
                    print(f"  {start:6.0f} to {end:6.0f} ms {size:8,.0f} bytes  {name}")
        browser.close()


@contextmanager
def published(folder: Path, entries: Sequence[OnAirEntry]) -> Iterator[str]:
    """A host that compresses, as most do, with a show that has aired all of `entries`."""
    air = AirLog("main", 1.0)
    live = LiveChannel(air, time.monotonic, KEPT_BYTES, world=a_minute_ago)
    for entry in entries:
        air.recall(entry.event, entry.at_ms, entry.hold_ms)
    site = LiveSite("Friday", folder / "media", lambda: air.picture)
    publisher = LivePublisher(str(folder / "site"), live, "friday", site=site, world=a_minute_ago)
    with ThreadPoolExecutor(1) as aside:  # playwright has a running loop in this thread
        aside.submit(lambda: asyncio.run(publisher.publish())).result()
    squeezed = "gzip on; gzip_types text/css text/javascript application/json;"
    with nginx(folder / "nginx", static_host(folder / "site"), squeezed) as host:
        yield host


def a_minute_ago() -> float:
    """So that viewers, who are seconds behind, have reached the last entry."""
    return time.time() - 60


def wait_for(address: str) -> None:
    """Waits until the film of the recording is made, as it is for every visitor but the first."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (answer := httpx.get(address, timeout=PATIENCE_SECONDS)).status_code != httpx.codes.OK:
        if time.monotonic() > until:
            raise SystemExit(f"{address}: {answer.text}")
        time.sleep(0.1)


def visit(browser: Browser, address: str) -> tuple[float, list[tuple[str, float, float, float]]]:
    """When the picture stood, in milliseconds since the visit began, and everything loaded before."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    speed = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
    line.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY_MS, **speed})
    page.add_init_script(f"({WATCH})()")
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => window.stood")
    stood: float = page.evaluate("() => window.stood")
    loaded: list[tuple[str, float, float, float]] = page.evaluate(LOADED)
    context.close()
    return stood, loaded


if __name__ == "__main__":
    flags = options(__doc__, visits=5, verbose=0)
    print_machine()
    main(flags.visits, flags.verbose)
