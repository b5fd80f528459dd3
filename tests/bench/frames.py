"""What does a busy half minute of the overlay cost at 1920x1080, in a browser without a GPU?

Frames a second, how many were late, and the processor time of all of the browser, while a hand follows the other: bets,
cards that fly, chances, wins. At another commit it tells what a change of the picture costs.
Run: `make bench BENCH=frames`.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import dropwhile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import sync_playwright

from broadcast.on_air.events import OnAirEntry
from broadcast.video.chromium import find_chromium
from server.game.events import HandStarted
from tests.bench.common.scales import options, print_machine
from tests.bench.overlay import WATCH, spent
from tests.overlay.support.scenes import contest
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS

LATE_MS = 50


def main(seconds: float, speed: float) -> None:
    entries = contest(speed).entries
    with (
        tempfile.TemporaryDirectory() as media,
        ShowServer(Path(media)) as shows,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        screen = Screen(shows, chromium, "busy")
        screen.page.add_init_script(f"({WATCH})()")
        screen.page.reload()
        screen.wait("() => window.highnoon && document.documentElement.dataset.wire === 'up'")
        played = list(dropwhile(lambda entry: not isinstance(entry.event, HandStarted), entries))
        screen.put(entries[: len(entries) - len(played)])
        screen.settle()
        screen.page.evaluate("window.frames = []")
        before, begun = spent(chromium), time.perf_counter()
        shown = 0
        for entry in due(played, seconds):
            shows.put(screen.air, [entry])
            shown += 1
        took = time.perf_counter() - begun
        core = (spent(chromium) - before) / took
        frames = sorted(screen.page.evaluate("window.frames"))
        chromium.close()
    late = sum(each > LATE_MS for each in frames)
    p50, p99 = frames[len(frames) // 2], frames[len(frames) * 99 // 100]
    print(f"{shown} events in {took:.0f} s, at {speed:g}x")
    times = f"p50 {p50:.1f} ms   p99 {p99:.1f} ms   {late} above {LATE_MS} ms"
    print(f"{'frames':12} {len(frames) / took:5.1f} a second   {times}")
    print(f"{'processor':12} {core * 100:5.1f} % of one")


def due(entries: list[OnAirEntry], seconds: float) -> Iterator[OnAirEntry]:
    """The entries of the first seconds, each at its time."""
    begun = time.perf_counter()
    for entry in entries:
        at = (entry.at_ms - entries[0].at_ms) / 1000
        if at > seconds:
            return
        time.sleep(max(0.0, begun + at - time.perf_counter()))
        yield entry


if __name__ == "__main__":
    flags = options(__doc__, seconds=30.0, speed=2.0)
    print_machine()
    main(flags.seconds, flags.speed)
