"""Can one nginx on one core serve 10,000 viewers of a show that is published live?

The requests of a page are recorded in a browser; a client in C makes the same ones for each viewer. The peer is the
same nginx with a fixed file of 200 bytes in place of all files, including the index.

Run: `make bench BENCH=static_host`; shorter: `ARGS="--viewers 100 --arrival 2 --seconds 12"`.
"""

import asyncio
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import Request, sync_playwright

from broadcast.live.channel import KEPT_BYTES, LiveChannel
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.publish.live_files import EVERY_SECONDS
from broadcast.publish.live_publisher import LivePublisher, LiveSite
from broadcast.publish.show_there import INDEX
from broadcast.show.showrunner import Showrunner
from server.journal.bus import Bus
from tests.bench.common.scales import on_processor, options, print_machine
from tests.support.browsers import FLAGS, find_browser
from tests.support.contests import play_contest
from tests.support.nginx import nginx, static_host
from tests.support.published import published_index

CLIENT = Path(__file__).parent / "common/viewers.c"
SPARE_FILES = 1000
"""How many files nginx has open in addition to its connections."""
LATE_MS = 2500
"""An answer that is slower than this may arrive too late to be shown on time."""
RECORDED_SECONDS = 25
"""The time in which a page fetches everything and learns the host's time."""
FLOOR = "/floor.txt"


async def publishing(folder: Path) -> None:
    """Shows a contest of twelve bots at its real pace, and publishes it to `folder`."""
    bus = Bus(None, time.monotonic)
    bus.load(play_contest(0, 12))
    air = AirLog("main", 1.0)
    live = LiveChannel(air, time.monotonic, KEPT_BYTES)
    site = LiveSite("Friday", folder, lambda: air.picture)
    show = Showrunner(air, clock=time.monotonic, odds=OddsCalculator())
    publisher = LivePublisher(str(folder), live, "friday", site=site)
    await asyncio.gather(show.run(bus.follow()), publisher.run())


def record_requests(host: str) -> list[str]:
    """Opens the page; returns its requests in order, as "METHOD path"."""
    found: list[str] = []

    def record(request: Request) -> None:
        line = f"{request.method} {urlsplit(request.url).path}"
        again = line in found and request.method == "GET"  # the index, which it keeps requesting
        if request.url.startswith(host) and not again:
            found.append(line)

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = browser.new_page()
        page.on("request", record)
        page.goto(f"{host}/watch/")
        page.wait_for_function("() => document.body?.dataset.ready === 'yes'", timeout=60_000)
        page.wait_for_timeout(RECORDED_SECONDS * 1000)
        browser.close()
    return found


async def run_client(client: Sequence[str], pid: int) -> tuple[dict[str, Any], list[float]]:
    """Returns what the client reports, and the share of a core that the process `pid` used in each second."""
    shares: list[float] = []
    running = await asyncio.create_subprocess_exec(*client, stdout=subprocess.PIPE)
    assert running.stdout
    reading = asyncio.ensure_future(running.stdout.read())
    while not reading.done():
        began, used = time.monotonic(), on_processor(pid)
        await asyncio.wait([reading], timeout=1)
        shares.append((on_processor(pid) - used) / (time.monotonic() - began))
    return msgspec.json.decode(await reading), shares


def print_answers(what: str, found: dict[str, Any], shares: Sequence[float], seconds: float) -> None:
    """Prints two lines about the answers to all requests."""
    print(f"{what:12} {found['answers'] / seconds:7,.0f} answers/s, {found['bytes'] / seconds / 1e6:6.2f} MB/s", end="")
    print(f"   p50 {found['p50_ms']:.1f} ms, p99 {found['p99_ms']:.1f} ms, slowest {found['slowest_ms']:.0f} ms")
    mean, most = sum(shares) / len(shares), max(shares)
    print(f"{'':12} nginx {mean:.0%} of a core, {most:.0%} in its busiest second;", end=" ")
    print(f"{found['late']:,} answers late, {found['errors']:,} wrong", end=" ")
    print(f"({found['answers']:,} answers, {found['indexes']:,} of them an index; client {found['client_s']:.0f} s)")


async def measure(folder: Path, viewers: int, arrival: float, seconds: float) -> None:
    """Measures the answers to viewers of a show, and to the same number of requests for one small file."""
    site = folder / "site"
    show = asyncio.ensure_future(publishing(site))
    while not (site / INDEX).exists():
        await asyncio.wait([show], timeout=0.1)
        assert not show.done(), "the show is running"
    (site / FLOOR[1:]).write_bytes(b"x" * 200)
    build = ["cc", "-O2", "-D_GNU_SOURCE", "-o", str(folder / "viewers"), str(CLIENT)]
    await asyncio.to_thread(lambda: subprocess.run(build, check=True))
    with nginx(folder / "nginx", static_host(site), connections=viewers + SPARE_FILES) as host:
        pid = int((folder / "nginx/pid").read_text())
        first, *others = sorted(os.sched_getaffinity(0))
        if others:  # so that nginx has the first core to itself
            os.sched_setaffinity(pid, {first})
            os.sched_setaffinity(0, others)
        coming = await asyncio.to_thread(record_requests, host)
        print(f"{viewers:,} viewers come within {arrival:.0f} s: {len(coming)} requests each, then an index", end=" ")
        print(f"every {EVERY_SECONDS:.0f} s; {seconds:.0f} s in all, load {os.getloadavg()[0]:.1f}", flush=True)
        every = round(EVERY_SECONDS * 1000)
        small = [f"GET {FLOOR}"] * len(coming)
        for what, index, requests in (("the show", f"/{INDEX}", coming), ("200 bytes", FLOOR, small)):
            (folder / "coming").write_text("".join(f"{each}\n" for each in requests))
            numbers = (host.rpartition(":")[2], viewers, arrival * 1000, seconds * 1000, every)
            phase = published_index(site)["now_utc_ms"] % every
            words = map(str, (folder / "viewers", *numbers, phase, LATE_MS, index, folder / "coming"))
            print_answers(what, *await run_client(list(words), pid), seconds)
    show.cancel()


if __name__ == "__main__":
    flags = options(__doc__, viewers=10_000, arrival=60.0, seconds=90.0)
    print_machine()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    viewers = min(flags.viewers, most - SPARE_FILES)
    if not which("nginx") or not which("cc"):
        print("left out: nginx and cc are needed: apt-get install nginx-light gcc")
    else:
        with tempfile.TemporaryDirectory() as name:
            asyncio.run(measure(Path(name), viewers, flags.arrival, flags.seconds))
