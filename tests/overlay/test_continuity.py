"""A page that was reloaded or hidden, is slow, or has no motion shows the same as a page that was always open."""

import random
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from broadcast.on_air.events import OnAirEntry, TroubleShown
from server.game.events import ControlSet, Event
from tests.overlay.support.scenes import SCENES, short_contest
from tests.overlay.support.show_server import ShowServer

MOMENTS = 7
"""The number of moments at which a new page is loaded: alternately right after an entry and after a wait."""
WAITS_MS = (1700, 2600, 5200, 9000)
"""How long a wait may last, so that speech and notices appear and disappear."""
OPEN_PAGES = {"stays": "motion=full", "hides": "motion=full", "calm": "motion=off"}
"""Pages that are always open, with their settings. "hides" is slow, and sometimes hidden."""
OPERATOR_CHANGES: tuple[tuple[Event, ...], ...] = (
    (ControlSet("media", value=False, was=True, bot=3), ControlSet("chat", value=False, was=True, bot=2)),
    (ControlSet("card", "break", ""),),
    (ControlSet("card", "", "break"), TroubleShown("The disk of the card room is full.")),
    (ControlSet("graphics", value=False, was=True), TroubleShown("")),
    (ControlSet("graphics", value=True, was=False), ControlSet("media", value=True, was=False, bot=3)),
)
"""The operator's changes: one group before each moment except the first."""
_SCRIPT = Path(__file__).parent / "support" / "continuity.js"


class Pages:
    """Several pages of one show in the same window, which share their clock with the studio."""

    def __init__(self, shows: ShowServer, page: Page, clock: list[float]) -> None:
        self.complaints: list[str] = []
        self._shows = shows
        self._page = page
        self._clock = clock
        self._air = shows.channel("continuity")
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.add_init_script(path=_SCRIPT)
        page.goto(f"{shows.address}/healthz")

    def open(self, name: str, settings: str = "motion=full") -> None:
        address = f"{self._shows.address}/overlay?channel=continuity&debug&{settings}"
        self._page.evaluate("([name, address]) => pages.open(name, address)", [name, address])

    def close(self, name: str) -> None:
        self._page.evaluate("(name) => document.getElementById(name).remove()", name)

    def pass_time(self, ms: int) -> None:
        now_ms = self._page.evaluate("(ms) => pages.pass(ms)", ms)
        self._clock[0] = now_ms / 1000

    def put(self, entries: Sequence[OnAirEntry], frames: int = 0) -> None:
        """Puts entries on air 300 ms later; all pages apply the entries and paint `frames` frames."""
        self.pass_time(300)
        self._shows.put(self._air, [replace(entry, at_ms=round(self._clock[0] * 1000)) for entry in entries])
        self.play(frames)

    def play(self, frames: int = 0) -> None:
        self._page.evaluate("([seq, frames]) => pages.play(seq, frames)", [self._air.last_seq, frames])

    def on_page(self, name: str, call: str) -> Any:
        """Calls a function of one page, such as "hide(true)"; returns the result."""
        return self._page.evaluate(f"(name) => pages.of(name).{call}", name)

    def look(self, name: str) -> str:
        """Makes a page visible; returns a list of everything on it, one line each, once nothing moves."""
        seen: str = self._page.evaluate("([name, seq]) => pages.look(name, seq)", [name, self._air.last_seq])
        return seen


@pytest.fixture
def pages(tmp_path: Path, browser: Browser) -> Iterator[Pages]:
    clock = [0.0]
    with ShowServer(tmp_path, lambda: clock[0]) as shows:
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        yield Pages(shows, page, clock)
        page.close()


def test_page_shows_the_same_after_every_reload(pages: Pages) -> None:
    dice = random.Random(1889)
    entries = [*short_contest(speed=1).entries, *SCENES["replay"]().entries]
    for name, settings in OPEN_PAGES.items():
        pages.open(name, settings)
    done = count = 0
    for moment, end in enumerate(sorted(dice.sample(range(2, len(entries)), MOMENTS))):
        ordered = OPERATOR_CHANGES[moment - 1] if 1 <= moment <= len(OPERATOR_CHANGES) else ()
        quick = [replace(entry, hold_ms=0) for entry in entries[done : end - 1]]
        pages.put([*quick, *(OnAirEntry(0, 0, 0, order) for order in ordered)])
        pages.put(entries[end - 1 : end], frames=2)
        newcomer = "opens in the middle" if moment % 2 else "opens late"
        if moment % 2:
            pages.open(newcomer)
            pages.play()
        pages.pass_time(dice.choice(WAITS_MS))
        if not moment % 2:
            pages.open(newcomer)
        stays = pages.look("stays")
        when = f"moment {moment}, after entry {end}, {type(entries[end - 1].event).__name__}"
        for name in (newcomer, *(("hides", "calm") if moment % 3 == 0 else ())):
            lines = unified_diff(stays.splitlines(), pages.look(name).splitlines(), "stays", name, n=0, lineterm="")
            difference = [*lines]
            assert not difference, "\n".join([when, *difference[:8]])
        assert not pages.on_page("calm", "moving()"), when
        if moment % 3 == 1:
            pages.on_page("hides", "hide(true)")
        pages.close(newcomer)
        done = end
        count += len(stays) > 2000
    assert count > MOMENTS / 2, "at most moments, the page must show more than hidden graphics"
    assert not pages.complaints


def test_page_that_wakes_up_drops_missed_motion_and_animates_new_entries(pages: Pages) -> None:
    entries = short_contest(speed=1).entries
    for name in ("stays", "hides", "sleeps"):
        pages.open(name)
    pages.put(entries[:60])
    pages.on_page("hides", "hide(true)")
    pages.on_page("sleeps", "sleep(true)")
    pages.pass_time(9000)
    pages.put(entries[60:100], frames=2)
    pages.on_page("sleeps", "sleep(false)")
    pages.on_page("hides", "hide(false)")
    pages.put([], frames=2)
    assert [pages.on_page(name, "moving()") > 0 for name in ("stays", "hides", "sleeps")] == [True, False, False]
    pages.pass_time(3000)
    pages.put(entries[100:130], frames=2)
    assert all(pages.on_page(name, "moving()") > 0 for name in ("stays", "hides", "sleeps"))
    assert not pages.complaints
