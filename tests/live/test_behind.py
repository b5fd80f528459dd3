"""A page with a delay, for viewers of a video stream, never has anything newer than the delay allows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from broadcast.app import MAX_PAGE_LAG_SECONDS
from broadcast.on_air.air_log import AirLog
from server.game.events import HandStarted
from tests.live.conftest import NUMBERS, OnAir
from tests.overlay.support.show_server import ShowServer

BEHIND_MS = 12_000
SLACK_MS = 600
"""How far a page may lag behind its delay: a page opened between two entries knows only the time of the first."""
_READY = "() => document.body?.dataset.ready === 'yes' && window.highnoon.film.up"
# Everything that the page knows; `newest` is the number of the last entry about which the outline reveals anything.
_KNOWN = """() => {
  const { film, head } = window.highnoon;
  const { hands, entries, finished } = film.outline;
  const newest = Math.max(...hands.flatMap(({ seq, last_seq, out }) => [seq, last_seq, ...out.map(([, at]) => at)]));
  return { seq: head.state.seq, end: film.end, entries, hands, newest, finished, following: head.following };
}"""
_HAS = "(seq) => window.highnoon.head.state.seq >= seq"
_SHOWS = "(seq) => window.highnoon?.state().seq >= seq"


@dataclass
class Evening:
    """A channel, and a clock for the channel and its pages, which only the test moves."""

    shows: ShowServer
    clock: list[float]
    entries: OnAir
    name: str
    air: AirLog
    page: Page | None = None
    shown: int = 0
    """How many entries are on air so far."""

    @property
    def now_ms(self) -> int:
        return round(self.clock[0] * 1000)

    def due(self, at_ms: int) -> int:
        """Returns the number of the entry that is on air at a moment."""
        return max((entry.seq for entry in self.entries if entry.at_ms <= at_ms), default=0)

    def advance(self, ms: int) -> None:
        """Lets time pass for studio and page; each entry goes on air when it is due."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            later = [entry.at_ms for entry in self.entries[self.shown :]]
            moment = min([end_ms, *(at_ms for at_ms in later if at_ms > self.now_ms)])
            passed = moment - self.now_ms
            self.clock[0] += passed / 1000
            if self.page:
                self.page.clock.run_for(passed)
            self.put()

    def put(self) -> None:
        due = self.due(self.now_ms)
        self.shows.put(self.air, self.entries[self.shown : due])
        self.shown = max(self.shown, due)

    def reconnect(self, page: Page) -> None:
        """Breaks the page's connection, and lets time pass until the page has reconnected."""
        page.evaluate("() => window.highnoon.film.drop()")
        page.wait_for_function("() => !window.highnoon.film.up")
        while not page.evaluate("() => window.highnoon.film.up"):
            self.advance(100)

    def open(self, context: BrowserContext) -> Page:
        """Opens the watch page with a delay of twelve seconds and its clock stopped."""
        page = self.page = context.new_page()
        page.clock.install(time=0)
        page.clock.pause_at(1)
        page.goto(f"{self.shows.address}/watch?channel={self.name}&debug&motion=off&behind=12")
        page.wait_for_function(_READY)
        return page


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as opened:
        yield opened


@pytest.fixture(scope="module")
def clock() -> list[float]:
    return [0.0]


@pytest.fixture(scope="module")
def shows(tmp_path_factory: pytest.TempPathFactory, clock: list[float]) -> Iterator[ShowServer]:
    with ShowServer(tmp_path_factory.mktemp("media"), lambda: clock[0]) as opened:
        yield opened


EveningAt = Callable[[str, int], Evening]


@pytest.fixture
def evening(shows: ShowServer, clock: list[float], on_air: OnAir) -> EveningAt:
    """`evening(name, at_ms)` returns a show that has been on air for `at_ms`."""

    def started(name: str, at_ms: int) -> Evening:
        clock[0] = at_ms / 1000
        show = Evening(shows, clock, on_air, name, shows.channel(name))
        show.put()
        return show

    return started


def test_delayed_page_has_nothing_newer(evening: EveningAt, context: BrowserContext, on_air: OnAir) -> None:
    show = evening("held", hand_at(on_air, 3) + 2000)
    page = show.open(context)
    for ms in (0, 500, 3000, 12_000, 8000):
        show.advance(ms)
        known = check_delay(page, show)
        assert known["following"]
        assert known["seq"] == known["entries"], "the button for the live edge must lead to the delayed edge"
    page.reload()
    page.wait_for_function(_READY)
    assert check_delay(page, show)["following"]


def test_delay_survives_a_new_studio(evening: EveningAt, context: BrowserContext, on_air: OnAir) -> None:
    show = evening("broken", hand_at(on_air, 2) + 3000)
    page = show.open(context)
    before = check_delay(page, show)["seq"]
    show.reconnect(page)
    show.advance(9000)
    assert check_delay(page, show)["seq"] > before
    revision = page.evaluate("() => window.highnoon.film.revision")
    show.shows.close(show.air)
    show.air = show.shows.channel(show.name)
    show.shows.put(show.air, on_air[: show.shown])
    show.reconnect(page)
    page.wait_for_function("(was) => window.highnoon.film.revision > was", arg=revision)
    for ms in (4000, 15_000, 8000):
        show.advance(ms)
        check_delay(page, show)
    numbers = page.evaluate(NUMBERS)
    assert numbers == list(range(1, len(numbers) + 1))


def test_delayed_front_page_has_nothing_newer(evening: EveningAt, context: BrowserContext, on_air: OnAir) -> None:
    show = evening("front", hand_at(on_air, 3) + 2000)
    page = show.open(context)
    page.goto(f"{show.shows.address}/?debug&motion=off")
    for ms in (0, 4000, 20_000):
        show.advance(ms)
        page.wait_for_function(_SHOWS, arg=show.due(show.now_ms - BEHIND_MS - SLACK_MS))
        assert page.evaluate("() => window.highnoon.state().seq") <= show.due(show.now_ms - BEHIND_MS)


def test_show_is_listed_as_over_after_the_longest_delay(shows: ShowServer, clock: list[float], on_air: OnAir) -> None:
    shows.channel("ended", on_air, title="The one that ended")
    with httpx.Client(base_url=shows.address, timeout=60) as web:
        clock[0] += MAX_PAGE_LAG_SECONDS - 1
        before = web.get("/").text
        clock[0] += 1
        after = web.get("/").text
    assert "Just over" not in before
    assert "The one that ended" in before
    assert "The one that ended" in after.partition("Just over")[2]


def hand_at(on_air: OnAir, number: int) -> int:
    return [entry.at_ms for entry in on_air if isinstance(entry.event, HandStarted)][number]


def check_delay(page: Page, show: Evening) -> Any:
    """Waits until the page has everything that its delay allows, and nothing newer; returns what the page knows."""
    due = show.due(show.now_ms - BEHIND_MS)
    page.wait_for_function(_HAS, arg=show.due(show.now_ms - BEHIND_MS - SLACK_MS))
    known = page.evaluate(_KNOWN)
    assert known["end"] <= show.now_ms - BEHIND_MS
    assert max(known["seq"], known["entries"], known["newest"]) <= due
    started = sum(isinstance(entry.event, HandStarted) for entry in show.entries[:due])
    assert len(known["hands"]) <= started + 1
    assert not known["finished"]
    return known
