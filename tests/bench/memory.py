"""Does a page that shows hours of play use more and more memory? Contests run one after the other at high speed.

All motion and sound is on; garbage is collected before each measurement. The peer: the page after the first contest.
Run: `make bench BENCH=memory ARGS="--minutes 10"`; without ARGS one.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import sync_playwright

from broadcast.video.chromium import find_chromium
from tests.bench.common.scales import options, print_machine
from tests.overlay.support.page_memory import PageMemory, page_memory
from tests.overlay.support.scenes import contest
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS

SPEED = 80
AT_ONCE = 60
"""Entries put on air together: about a hand."""
HEARD = "--autoplay-policy=no-user-gesture-required"


def main(minutes: float) -> None:
    with (
        tempfile.TemporaryDirectory() as media,
        ShowServer(Path(media)) as shows,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=[*FLAGS, HEARD])
        screen = Screen(shows, chromium, "evening", "audio=1")
        entries = contest(SPEED).entries
        each = entries[-1].at_ms * SPEED / 3_600_000
        begun, weighed = time.monotonic(), list[PageMemory]()
        while len(weighed) < 3 or time.monotonic() - begun < minutes * 60:
            for at in range(0, len(entries), AT_ONCE):
                screen.put(entries[at : at + AT_ONCE])
            weighed.append(page_memory(screen))
        assert not screen.complaints, screen.complaints
        chromium.close()
    shown = (len(weighed) - 1) * each
    print(f"{shown:.1f} hours of show after the first contest, in {time.monotonic() - begun:.0f} s")
    print_weights(weighed, shown)


def print_weights(weighed: list[PageMemory], hours: float) -> None:
    """Prints a line for each thing that could grow: first, in the middle, at the end, and its growth an hour."""
    middle = weighed[len(weighed) // 2]
    print_growth("JS heap", "kB", [each.heap / 1000 for each in (weighed[0], middle, weighed[-1])], hours)
    print_growth("DOM nodes", "", [each.nodes for each in (weighed[0], middle, weighed[-1])], hours)
    print_growth("listeners", "", [each.listeners for each in (weighed[0], middle, weighed[-1])], hours)
    for kind in middle.things:
        print_growth(kind, "", [each.things[kind] for each in (weighed[0], middle, weighed[-1])], hours)


def print_growth(what: str, measure: str, sizes: list[float], hours: float) -> None:
    first, middle, last = sizes
    growth = (last - first) / hours
    print(
        f"{what:24} first {first:9,.0f}   middle {middle:9,.0f}   last {last:9,.0f} {measure:2}   "
        f"{last / max(first, 1):.2f}x   {growth:+,.1f} {measure} an hour  (goal 1.0x)"
    )


if __name__ == "__main__":
    flags = options(__doc__, minutes=1.0)
    print_machine()
    main(flags.minutes)
