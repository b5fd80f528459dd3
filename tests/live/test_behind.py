"""A page can have the same delay as a show's video. Such a page knows nothing that the video has not shown yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from broadcast.app import MAX_PAGE_LAG_SECONDS
from broadcast.on_air.air_log import AirLog
from server.game.events import HandStarted
from tests.live.conftest import ENTRY_NUMBERS, Entries
from tests.overlay.support.show_server import ShowServer

DELAY_MS = 12_000
SLACK_MS = 600
"""After its delay, a page may take this many milliseconds to show an entry (an event on air)."""
_READY = "() => document.body?.dataset.ready === 'yes' && window.highnoon.film.up"  # `film.up`: the page is connected
# Returns what the page knows. `newest` is the highest entry number in the page's outline (its list of hands). `head`
# is the playhead. It is `following` while it shows each new entry at once.
_KNOWLEDGE = """() => {
  const { film, head } = window.highnoon;
  const { hands, entries, finished } = film.outline;
  const newest = Math.max(...hands.flatMap(({ seq, last_seq, out }) => [seq, last_seq, ...out.map(([, at]) => at)]));
  return { seq: head.state.seq, end: film.end, entries, hands, newest, finished, following: head.following };
}"""
_SHOWS_ENTRY = "(seq) => window.highnoon?.state().seq >= seq"


@dataclass
class DelayedShow:
    """A show, its watch page with a delay of twelve seconds, and their common clock. Only the test moves the clock."""

    server: ShowServer
    clock: list[float]
    entries: Entries
    air: AirLog  # `air`: all that the show has put on air
    page: Page
    aired_count: int = 0

    @property
    def now_ms(self) -> int:
        return round(self.clock[0] * 1000)

    def last_due_seq(self, at_ms: int) -> int:
        """Returns the number of the last entry that is on air at `at_ms`."""
        return max((entry.seq for entry in self.entries if entry.at_ms <= at_ms), default=0)

    def advance(self, ms: int) -> None:
        """Lets time pass for the server and the page. Each entry goes on air when it is due."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            coming_ms = [entry.at_ms for entry in self.entries[self.aired_count :]]
            next_ms = min([end_ms, *(at_ms for at_ms in coming_ms if at_ms > self.now_ms)])
            passed_ms = next_ms - self.now_ms
            self.clock[0] += passed_ms / 1000
            self.page.clock.run_for(passed_ms)
            self.put_due_entries()

    def put_due_entries(self) -> None:
        due_seq = self.last_due_seq(self.now_ms)
        self.server.put(self.air, self.entries[self.aired_count : due_seq])
        self.aired_count = max(self.aired_count, due_seq)

    def reconnect(self) -> None:
        """Breaks the page's connection, and lets time pass until the page has reconnected."""
        self.page.evaluate("() => window.highnoon.film.drop()")
        self.page.wait_for_function("() => !window.highnoon.film.up")
        while not self.page.evaluate("() => window.highnoon.film.up"):
            self.advance(100)

    def check_delay(self) -> Any:
        """Waits until the page shows all that its delay allows. Fails if the page knows more. Returns what it knows."""
        due_seq = self.last_due_seq(self.now_ms - DELAY_MS)
        self.page.wait_for_function(_SHOWS_ENTRY, arg=self.last_due_seq(self.now_ms - DELAY_MS - SLACK_MS))
        knowledge = self.page.evaluate(_KNOWLEDGE)
        assert knowledge["end"] <= self.now_ms - DELAY_MS
        assert max(knowledge["seq"], knowledge["entries"], knowledge["newest"]) <= due_seq
        hands_started = sum(isinstance(entry.event, HandStarted) for entry in self.entries[:due_seq])
        assert len(knowledge["hands"]) <= hands_started + 1
        assert not knowledge["finished"]
        return knowledge


@pytest.fixture(scope="module")
def clock() -> list[float]:
    return [0.0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, clock: list[float]) -> Iterator[ShowServer]:
    with ShowServer(tmp_path_factory.mktemp("media"), lambda: clock[0]) as opened:
        yield opened


@pytest.fixture
def show(
    request: pytest.FixtureRequest, server: ShowServer, clock: list[float], entries: Entries, browser: Browser
) -> Iterator[DelayedShow]:
    """Yields a show, two seconds after the start of its third hand."""
    clock[0] = [entry.at_ms for entry in entries if isinstance(entry.event, HandStarted)][2] / 1000 + 2
    with browser.new_context() as context:
        show = DelayedShow(server, clock, entries, server.channel(request.node.name), context.new_page())
        show.put_due_entries()
        show.page.clock.install(time=0)
        show.page.clock.pause_at(1)
        show.page.goto(f"{server.address}/watch?channel={show.air.channel}&debug&motion=off&behind=12")
        show.page.wait_for_function(_READY)
        yield show


def test_delayed_page_has_nothing_newer(show: DelayedShow) -> None:
    for ms in (0, 500, 3000, 12_000, 8000):
        show.advance(ms)
        knowledge = show.check_delay()
        assert knowledge["following"]
        assert knowledge["seq"] == knowledge["entries"], "the page must be at the newest moment that its delay allows"
    show.page.reload()
    show.page.wait_for_function(_READY)
    assert show.check_delay()["following"]


def test_delay_survives_a_new_studio(show: DelayedShow) -> None:
    page, seq_before = show.page, show.check_delay()["seq"]
    show.reconnect()
    show.advance(9000)
    assert show.check_delay()["seq"] > seq_before
    revision = page.evaluate("() => window.highnoon.film.revision")
    show.server.close(show.air)
    # A new studio (the show's server) puts the same entries on air.
    show.air = show.server.channel(show.air.channel, show.entries[: show.aired_count])
    show.reconnect()
    page.wait_for_function("(was) => window.highnoon.film.revision > was", arg=revision)
    for ms in (4000, 15_000, 8000):
        show.advance(ms)
        show.check_delay()
    numbers = page.evaluate(ENTRY_NUMBERS)
    assert numbers == list(range(1, len(numbers) + 1))


def test_delayed_front_page_has_nothing_newer(show: DelayedShow) -> None:
    show.page.goto(f"{show.server.address}/?debug&motion=off")
    show.page.wait_for_function("() => window.highnoon?.film.up")  # From now on, the page has the show's time.
    for ms in (0, 4000, 20_000):
        show.advance(ms)
        show.page.wait_for_function(_SHOWS_ENTRY, arg=show.last_due_seq(show.now_ms - DELAY_MS - SLACK_MS))
        assert show.page.evaluate("() => window.highnoon.state().seq") <= show.last_due_seq(show.now_ms - DELAY_MS)


def test_show_is_over_after_the_longest_delay(server: ShowServer, clock: list[float], entries: Entries) -> None:
    server.channel("ended", entries, title="The one that ended")
    with httpx.Client(base_url=server.address, timeout=60) as web:
        clock[0] += MAX_PAGE_LAG_SECONDS - 1
        text_before = web.get("/").text
        clock[0] += 1
        text_after = web.get("/").text
    assert "Just over" not in text_before
    assert "The one that ended" in text_before
    assert "The one that ended" in text_after.partition("Just over")[2]
