"""In whole shows, nothing is covered and flashes are rare. Reloaded, hidden and slow pages show what others show."""

import asyncio
import base64
import io
import random
import time
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Browser, Page

from broadcast.app import Studio
from broadcast.film.film import film_recording
from broadcast.on_air.events import OnAirEntry, TroubleShown
from broadcast.video.chromium import open_tab
from broadcast.web.serve import serving
from server.game.events import ControlSet, Event, TurnStarted
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.lively_show import play_lively_show
from tests.overlay.support.pictures import Floats, luminance
from tests.overlay.support.scenes import SCENES, play_short_contest
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.browsers import chromium_or_skip

MOMENTS = 7
"""A page is opened at this many moments: right after an entry, then some seconds after an entry, and so on."""
OPERATOR_CHANGES: tuple[tuple[Event, ...], ...] = (
    (ControlSet("media", value=False, was=True, bot=3), ControlSet("chat", value=False, was=True, bot=2)),
    (ControlSet("card", "break", ""),),
    (ControlSet("card", "", "break"), TroubleShown("The disk of the card room is full.")),
    (ControlSet("graphics", value=False, was=True), TroubleShown("")),
    (ControlSet("graphics", value=True, was=False), ControlSet("media", value=True, was=False, bot=3)),
)
"""What the operator changes before each moment except the first and the last."""
_SCRIPTS = Path(__file__).parent / "support"


class Pages:
    """Several pages of one show in one window. They share a clock with the show's server."""

    def __init__(self, server: ShowServer, page: Page, clock: list[float]) -> None:
        self.complaints: list[str] = []
        self._shows = server
        self._page = page
        self._clock = clock
        self._air = server.channel("continuity")
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.add_init_script(path=_SCRIPTS / "continuity.js")
        page.goto(f"{server.address}/healthz")

    def open(self, name: str, settings: str = "motion=full") -> None:
        address = f"{self._shows.address}/overlay?channel=continuity&debug&{settings}"
        self._page.evaluate("([name, address]) => pages.open(name, address)", [name, address])

    def close(self, name: str) -> None:
        self._page.evaluate("(name) => document.getElementById(name).remove()", name)

    def pass_time(self, ms: int) -> None:
        now_ms = self._page.evaluate("(ms) => pages.pass(ms)", ms)
        self._clock[0] = now_ms / 1000

    def put(self, entries: Sequence[OnAirEntry], frames: int = 0) -> None:
        """Lets 300 ms pass, and puts entries on air. Then all pages apply the entries and paint `frames` frames."""
        self.pass_time(300)
        self._shows.put(self._air, [replace(entry, at_ms=round(self._clock[0] * 1000)) for entry in entries])
        self.play(frames)

    def play(self, frames: int = 0) -> None:
        self._page.evaluate("([seq, frames]) => pages.play(seq, frames)", [self._air.last_seq, frames])

    def on_page(self, name: str, call: str) -> Any:
        """Calls a function of one page, such as "hide(true)". Returns the result."""
        return self._page.evaluate(f"(name) => pages.of(name).{call}", name)

    def look(self, name: str) -> str:
        """Makes a page visible, and waits until nothing moves. Returns a line for each part of the picture."""
        picture: str = self._page.evaluate("([name, seq]) => pages.look(name, seq)", [name, self._air.last_seq])
        return picture


@pytest.fixture
def pages(tmp_path: Path, browser: Browser) -> Iterator[Pages]:
    clock = [0.0]
    with ShowServer(tmp_path, lambda: clock[0]) as server:
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        yield Pages(server, page, clock)
        page.close()


def test_page_shows_the_same_after_every_reload(pages: Pages) -> None:
    dice = random.Random(1889)
    entries = [*play_short_contest(speed=1), *SCENES["replay"]().entries]
    pages.open("stays")
    pages.open("hides")  # sometimes hidden, and slow: it paints only every other frame
    pages.open("calm", "motion=off")
    entries_done = full_pictures = 0
    for moment, end in enumerate(sorted(dice.sample(range(2, len(entries)), MOMENTS))):
        desk_events = OPERATOR_CHANGES[moment - 1] if 1 <= moment <= len(OPERATOR_CHANGES) else ()
        instant_entries = [replace(entry, hold_ms=0) for entry in entries[entries_done : end - 1]]
        pages.put([*instant_entries, *(OnAirEntry(0, 0, 0, event) for event in desk_events)])
        pages.put(entries[end - 1 : end], frames=2)
        new_page = "opens in the middle" if moment % 2 else "opens late"
        if moment % 2:
            pages.open(new_page)
            pages.play()
        pages.pass_time(dice.choice((1700, 2600, 5200, 9000)))  # so that speech and notices appear and disappear
        if not moment % 2:
            pages.open(new_page)
        reference = pages.look("stays")
        moment_text = f"moment {moment}, after entry {end}, {type(entries[end - 1].event).__name__}"
        for name in (new_page, *(("hides", "calm") if moment % 3 == 0 else ())):
            both_pages = reference.splitlines(), pages.look(name).splitlines()
            difference = [*unified_diff(*both_pages, "stays", name, n=0, lineterm="")]
            assert not difference, "\n".join([moment_text, *difference[:8]])
        assert not pages.on_page("calm", "moving()"), moment_text
        if moment % 3 == 1:
            pages.on_page("hides", "hide(true)")
        pages.close(new_page)
        entries_done = end
        full_pictures += len(reference) > 2000
    assert full_pictures > MOMENTS / 2, "most moments must have a full picture"
    assert not pages.complaints


def test_page_that_wakes_up_drops_missed_motion_and_animates_new_entries(pages: Pages) -> None:
    entries = play_short_contest(speed=1)
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


FIELDS = (8, 6)
"""Flashes are counted in each field of a grid with 8 columns and 6 rows. The grid is finer than WCAG requires."""
# Returns whether all motion is over. A fuse (a bot's burning clock) counts as motion only if `fuses` is true.
_MOTION_IS_OVER = """(fuses) => !document.querySelector(".flight") &&
  document.getAnimations().every(({ effect }) => !fuses && effect.target.closest(".fuse"))"""


def test_show_flashes_at_most_three_times_a_second(open_screen: OpenScreen) -> None:
    script = Script(speed=8).connect().stage().game(stacks=(4350, 700, 6120, 1500, 11900, 3480))
    script.hand("raise:1500 raise:11900 fold fold call call").eliminate(1, 12)
    before = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, TurnStarted))
    screen = open_screen("motion=full", width=320, height=180)
    screen.recall(script.entries[:before])
    screen.settle()
    frames = record_frames(screen, script, before)
    assert len(frames) > 30
    for field_number in range(FIELDS[0] * FIELDS[1]):
        assert count_flashes([(at, float(field[field_number])) for at, field in frames]) <= 3, f"field {field_number}"


def record_frames(screen: Screen, script: Script, first: int) -> list[tuple[float, Floats]]:
    """Plays the show from entry `first`. Returns the time of each frame in seconds, and the luminance of each field."""
    frames: list[tuple[float, Floats]] = []
    camera = screen.context.new_cdp_session(screen.page)

    def add_frame(frame: dict[str, Any]) -> None:
        small = Image.open(io.BytesIO(base64.b64decode(frame["data"]))).resize(FIELDS, Image.Resampling.BOX)
        pixels = np.asarray(small.convert("RGB"), np.float64).reshape(-1, 3)
        frames.append((frame["metadata"]["timestamp"], luminance(pixels)))
        camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    camera.on("Page.screencastFrame", add_frame)
    camera.send("Page.startScreencast", {"format": "jpeg", "quality": 60, "maxWidth": 320, "everyNthFrame": 2})
    fuse_has_burnt = False
    for _, (entry, *rest) in groupby(script.entries[first:], key=lambda entry: entry.at_ms):
        screen.put([entry, *rest])
        if entry.hold_ms:
            waits_for_fuse = isinstance(entry.event, TurnStarted) and not fuse_has_burnt
            screen.wait(_MOTION_IS_OVER, waits_for_fuse)
            fuse_has_burnt |= waits_for_fuse
    camera.send("Page.stopScreencast")
    return frames


def count_flashes(brightness: list[tuple[float, float]]) -> float:
    """Returns the largest number of flashes within a second. `brightness` has times in seconds, each with a luminance.

    In WCAG 2.3.1, a flash is two opposing changes of luminance by at least 0.1 each, with the darker image below 0.8.
    """
    changes_at: list[float] = []
    direction, extreme = 0, brightness[0][1]
    for at, value in brightness:
        change = value - extreme
        if abs(change) >= 0.1 and min(value, extreme) < 0.8 and change * direction <= 0:
            changes_at.append(at)
            direction = 1 if change > 0 else -1
            extreme = value
        elif change * direction > 0:
            extreme = value
    return max((sum(begin <= at < begin + 1 for at in changes_at) / 2 for begin in changes_at), default=0)


SHOWS = {
    "quick-draw": ((1920, 1080), "wide", "western"),
    "enova": ((390, 844), "tall", "western"),
    "arena": ((1280, 720), "wide", "plain"),
    "upac": ((390, 844), "tall", "plain"),
}
"""For each contest, the size of the window in pixels, and the shape and theme of the picture in it."""
SAMPLES, STRETCHES, RATE = 240, 12, 2
"""Each show is checked in STRETCHES short, equal parts, at RATE pictures a second. That makes SAMPLES pictures."""


@pytest.mark.programs
@pytest.mark.parametrize("contest", SHOWS)
async def test_nothing_is_covered_while_all_bots_talk_and_think(contest: str, tmp_path: Path) -> None:
    window, shape, theme = SHOWS[contest]
    film = await asyncio.to_thread(lambda: film_recording(play_lively_show(contest)))  # `film`: all that the show airs
    samples_per_stretch = SAMPLES // STRETCHES
    starts = [film.outline.length_ms * at // STRETCHES for at in range(STRETCHES)]
    cuts = "".join(f"&cut={start}:{samples_per_stretch}" for start in starts)
    speaking, thinking, covered = 0, 0, list[str]()
    studio = Studio(tmp_path, time.monotonic)
    studio.add_clip(film)
    async with serving(studio.app, "127.0.0.1", 0) as address:
        page = f"{address}/clip?shape={shape}&theme={theme}&rate={RATE}{cuts}"
        async with open_tab(chromium_or_skip(), page, window) as tab:
            await tab.evaluate((_SCRIPTS / "covers.js").read_text(encoding="utf-8"))
            for number in range(SAMPLES):
                speaks, thinks, parts = await tab.evaluate(f"clip.show({number}).then(window.findCovered)")
                speaking, thinking = speaking + speaks, thinking + thinks
                at_ms = starts[number // samples_per_stretch] + number % samples_per_stretch * 1000 // RATE
                covered += [f"{at_ms} ms: {part}" for part in parts]
    assert covered == []
    assert min(speaking, thinking) > SAMPLES / 6
