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
from tests.live.conftest import ENTRY_NUMBERS, Entries
from tests.overlay.support.show_server import ShowServer

DELAY_MS = 12_000
SLACK_MS = 600
"""A page may lag this much beyond its delay, because when it opens, it knows only the time of the last entry."""
_READY = "() => document.body?.dataset.ready === 'yes' && window.highnoon.film.up"
# Everything that the page knows; `newest` is the number of the last entry about which the outline reveals anything.
_KNOWLEDGE = """() => {
  const { film, head } = window.highnoon;
  const { hands, entries, finished } = film.outline;
  const newest = Math.max(...hands.flatMap(({ seq, last_seq, out }) => [seq, last_seq, ...out.map(([, at]) => at)]));
  return { seq: head.state.seq, end: film.end, entries, hands, newest, finished, following: head.following };
}"""
_HAS = "(seq) => window.highnoon.head.state.seq >= seq"
_SHOWS = "(seq) => window.highnoon?.state().seq >= seq"


@dataclass
class Evening:
    """A channel, and a clock that the channel shares with its pages. Only the test moves the clock."""

    server: ShowServer
    clock: list[float]
    entries: Entries
    name: str
    air: AirLog
    page: Page | None = None
    aired_count: int = 0
    """How many entries are on air so far."""

    @property
    def now_ms(self) -> int:
        return round(self.clock[0] * 1000)

    def due(self, at_ms: int) -> int:
        """Returns the number of the last entry that is on air at `at_ms`."""
        return max((entry.seq for entry in self.entries if entry.at_ms <= at_ms), default=0)

    def advance(self, ms: int) -> None:
        """Lets time pass for studio and page; each entry goes on air when it is due."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            coming_ms = [entry.at_ms for entry in self.entries[self.aired_count :]]
            next_ms = min([end_ms, *(at_ms for at_ms in coming_ms if at_ms > self.now_ms)])
            passed_ms = next_ms - self.now_ms
            self.clock[0] += passed_ms / 1000
            if self.page:
                self.page.clock.run_for(passed_ms)
            self.put()

    def put(self) -> None:
        due_seq = self.due(self.now_ms)
        self.server.put(self.air, self.entries[self.aired_count : due_seq])
        self.aired_count = max(self.aired_count, due_seq)

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
        page.goto(f"{self.server.address}/watch?channel={self.name}&debug&motion=off&behind=12")
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
def server(tmp_path_factory: pytest.TempPathFactory, clock: list[float]) -> Iterator[ShowServer]:
    with ShowServer(tmp_path_factory.mktemp("media"), lambda: clock[0]) as opened:
        yield opened


StartEvening = Callable[[str, int], Evening]


@pytest.fixture
def evening(server: ShowServer, clock: list[float], entries: Entries) -> StartEvening:
    """`evening(name, at_ms)` returns a show that has been on air for `at_ms`."""

    def start_show(name: str, at_ms: int) -> Evening:
        clock[0] = at_ms / 1000
        show = Evening(server, clock, entries, name, server.channel(name))
        show.put()
        return show

    return start_show


def test_delayed_page_has_nothing_newer(evening: StartEvening, context: BrowserContext, entries: Entries) -> None:
    show = evening("held", time_of_hand(entries, 3) + 2000)
    page = show.open(context)
    for ms in (0, 500, 3000, 12_000, 8000):
        show.advance(ms)
        knowledge = check_delay(page, show)
        assert knowledge["following"]
        assert knowledge["seq"] == knowledge["entries"], "the page must be at the newest moment that its delay allows"
    page.reload()
    page.wait_for_function(_READY)
    assert check_delay(page, show)["following"]


def test_delay_survives_a_new_studio(evening: StartEvening, context: BrowserContext, entries: Entries) -> None:
    show = evening("broken", time_of_hand(entries, 2) + 3000)
    page = show.open(context)
    before = check_delay(page, show)["seq"]
    show.reconnect(page)
    show.advance(9000)
    assert check_delay(page, show)["seq"] > before
    revision = page.evaluate("() => window.highnoon.film.revision")
    show.server.close(show.air)
    show.air = show.server.channel(show.name)
    show.server.put(show.air, entries[: show.aired_count])
    show.reconnect(page)
    page.wait_for_function("(was) => window.highnoon.film.revision > was", arg=revision)
    for ms in (4000, 15_000, 8000):
        show.advance(ms)
        check_delay(page, show)
    numbers = page.evaluate(ENTRY_NUMBERS)
    assert numbers == list(range(1, len(numbers) + 1))


def test_delayed_front_page_has_nothing_newer(evening: StartEvening, context: BrowserContext, entries: Entries) -> None:
    show = evening("front", time_of_hand(entries, 3) + 2000)
    page = show.open(context)
    page.goto(f"{show.server.address}/?debug&motion=off")
    for ms in (0, 4000, 20_000):
        show.advance(ms)
        page.wait_for_function(_SHOWS, arg=show.due(show.now_ms - DELAY_MS - SLACK_MS))
        assert page.evaluate("() => window.highnoon.state().seq") <= show.due(show.now_ms - DELAY_MS)


def test_show_is_listed_as_over_after_the_longest_delay(
    server: ShowServer, clock: list[float], entries: Entries
) -> None:
    server.channel("ended", entries, title="The one that ended")
    with httpx.Client(base_url=server.address, timeout=60) as web:
        clock[0] += MAX_PAGE_LAG_SECONDS - 1
        before = web.get("/").text
        clock[0] += 1
        after = web.get("/").text
    assert "Just over" not in before
    assert "The one that ended" in before
    assert "The one that ended" in after.partition("Just over")[2]


def time_of_hand(entries: Entries, number: int) -> int:
    return [entry.at_ms for entry in entries if isinstance(entry.event, HandStarted)][number]


def check_delay(page: Page, show: Evening) -> Any:
    """Waits until the page has what its delay allows, checks that nothing is newer, and returns what the page knows."""
    due_seq = show.due(show.now_ms - DELAY_MS)
    page.wait_for_function(_HAS, arg=show.due(show.now_ms - DELAY_MS - SLACK_MS))
    knowledge = page.evaluate(_KNOWLEDGE)
    assert knowledge["end"] <= show.now_ms - DELAY_MS
    assert max(knowledge["seq"], knowledge["entries"], knowledge["newest"]) <= due_seq
    hands_started = sum(isinstance(entry.event, HandStarted) for entry in show.entries[:due_seq])
    assert len(knowledge["hands"]) <= hands_started + 1
    assert not knowledge["finished"]
    return knowledge
