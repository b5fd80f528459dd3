"""Do live, rewound and replayed show the same? State and pixels of the three at random moments of real shows.

Run: `make bench BENCH=moments`; 20 moments only: `make bench BENCH=moments ARGS="--moments 20"`.
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from broadcast.archive.archive import INDEX, Archive
from broadcast.film.film import run_show
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.log import AirLog
from broadcast.video.chromium import find_chromium
from server.journal.journal import Entry
from tests.bench.common.scales import options, print_machine
from tests.overlay.support.compare_pictures import farthest, same_picture
from tests.overlay.support.screen import SETTLED, Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS, PATIENCE_MS
from tests.support.recordings import small_contest, until_listed, write

Compared = tuple[bool, bool, int]
"""Whether the state is another one, whether the picture is, and by how much the farthest pixel is off, of 255."""
Seen = dict[int, tuple[Any, bytes]]
"""State and picture after an entry, by its number."""
STILL = "debug&motion=off&still"
LEAST = 2
"""The first entries have no picture of their own."""
_READY = "() => document.body?.dataset.ready === 'yes'"
_SEEK = "(seq) => window.highnoon.head.seek(seq).then(() => window.highnoon.head.pause())"
# The picture alone, as large as the window: what a stage is on the pages of the show.
_ALONE = """() => new Promise((done) => {
  const screen = document.getElementById("screen");
  Object.assign(screen.style, { position: "fixed", inset: "0", zIndex: "9", borderRadius: "0" });
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def main(moments: int, shows: int) -> None:
    dice = random.Random(1)
    rows: dict[str, list[Compared]] = {"rewound": [], "replayed": []}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        flags = [*FLAGS, "--disable-partial-raster", "--disable-checker-imaging"]
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        for number in range(shows):
            contest = small_contest(number + 2)
            found = compared(Path(folder) / str(number), chromium, contest, -(-moments // shows), dice)
            for name, seen in found.items():
                rows[name] += seen
        chromium.close()
    print(f"{'against live':12} {'moments':>8} {'other state':>12} {'other picture':>14} {'farthest of 255':>16}")
    for name, seen in rows.items():
        states, pictures, far = zip(*seen, strict=True)
        print(f"{name:12} {len(seen):8} {sum(states):12} {sum(pictures):14} {max(far):16}")


def compared(
    folder: Path, chromium: Browser, contest: Sequence[Entry], moments: int, dice: random.Random
) -> dict[str, list[Compared]]:
    """Whether states differ and how far pictures do at moments of one show, rewound and replayed."""
    rows: dict[str, list[Compared]] = {"rewound": [], "replayed": []}
    write(folder / "recordings" / "one.jsonl", contest)
    entries = aired(contest)
    chosen = sorted(dice.sample(range(LEAST, len(entries)), min(moments, len(entries) - LEAST)))
    opened = ShowServer(folder / "media")
    opened.studio.add_archive(Archive(folder / "recordings", folder / "recordings" / INDEX, again_seconds=0))
    with opened as shows:
        with httpx.Client(base_url=shows.address, timeout=60) as web:
            until_listed(web, "one")
        live = live_at(shows, chromium, entries, chosen)
        for name, address in (("rewound", "watch?channel=show"), ("replayed", "replay/one?")):
            page = chromium.new_page(viewport={"width": 1920, "height": 1080})
            page.goto(f"{shows.address}/{address}&{STILL}")
            page.wait_for_function(_READY, timeout=PATIENCE_MS)
            page.evaluate(_ALONE)
            for seq in dice.sample(chosen, len(chosen)):
                state, picture = seen_at(page, seq)
                far, same = farthest(picture, live[seq][1]), same_picture(picture, live[seq][1])
                rows[name].append((state != live[seq][0], not same, far))
                if not same:
                    tell(f"{name}-{seq}", type(entries[seq - 1].event).__name__, far, picture, live[seq][1])
            page.close()
    return rows


def tell(which: str, event: str, far: int, picture: bytes, live: bytes) -> None:
    """Says that a moment has another picture, and keeps both."""
    kept = Path(tempfile.mkdtemp(prefix="moment-"))
    (kept / f"{which}.png").write_bytes(picture)
    (kept / "live.png").write_bytes(live)
    print(f"{which}: {event} is {far} of 255 off; the pictures are in {kept}", flush=True)


def aired(contest: Sequence[Entry]) -> list[OnAirEntry]:
    """What a contest puts on air."""
    air, taken = AirLog("taken", 1.0), list[OnAirEntry]()
    air.recorders.add(lambda entry, _, __: taken.append(entry))
    with ThreadPoolExecutor(1) as aside:  # Playwright has an event loop in this thread
        aside.submit(lambda: asyncio.run(run_show(air, contest))).result()
    return taken


def live_at(shows: ShowServer, chromium: Browser, entries: Sequence[OnAirEntry], chosen: Sequence[int]) -> Seen:
    """What the projector shows at the chosen moments while the show goes on."""
    screen = Screen(shows, chromium, "show", STILL, page="projector")
    seen, shown = Seen(), 0
    for seq in chosen:
        screen.put(entries[shown:seq])
        shown = seq
        screen.settle()
        seen[seq] = screen.state(), screen.page.screenshot()
    screen.put(entries[shown:])
    screen.close()
    return seen


def seen_at(page: Page, seq: int) -> tuple[Any, bytes]:
    """What a page of a film shows at a moment."""
    page.evaluate(_SEEK, seq)
    page.evaluate(SETTLED)
    return page.evaluate("() => window.highnoon.state()"), page.screenshot()


if __name__ == "__main__":
    asked = options(__doc__, moments=500, shows=2)
    print_machine()
    main(int(asked.moments), int(asked.shows))
