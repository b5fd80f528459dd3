"""The page of a show on a static host, in a real browser: everybody sees the same, and it recovers from errors."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from broadcast.live.channel import BLOCK
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.picture_state import State
from server.game.events import HandStarted
from tests.publish.hosted_show import HostedShow
from tests.support.browsers import PATIENCE_MS
from tests.support.nginx import nginx, static_host
from tests.support.recordings import aired, small_contest
from tests.support.reused_pages import ReusedPages

HOUR_MS = 3_600_000
_SEQ = "(seq) => window.highnoon?.state().seq === seq"
_KNOWS = """(hands) => {
  const shown = window.highnoon.film.outline.hands.slice(0, -1).map(({ seq, pot }) => [seq, pot]);
  return JSON.stringify(shown) === JSON.stringify(hands);
}"""
_CLOCK = """(wrong) => {
  const [{ now }, { timeOrigin }] = [Date, performance];
  Date.now = () => now() + wrong;
  Object.defineProperty(performance, "timeOrigin", { value: timeOrigin + wrong });
}"""


@pytest.fixture(scope="module")
def on_air() -> Sequence[OnAirEntry]:
    """The entries that a small contest puts on air."""
    return aired(small_contest())


@pytest.fixture
def show(tmp_path: Path) -> Iterator[HostedShow]:
    with HostedShow(tmp_path / "site") as opened:
        yield opened


@pytest.fixture
def host(show: HostedShow, tmp_path: Path) -> Iterator[str]:
    """The address of a static host with the show."""
    with nginx(tmp_path / "nginx", static_host(show.folder)) as address:
        yield address


Visit = Callable[..., Page]


@pytest.fixture
def visit(reused_pages: ReusedPages, host: str) -> Iterator[Visit]:
    """Opens the page with a clock that is wrong by this many milliseconds; waits until it shows an entry."""
    yield lambda **how: visited(reused_pages, host, **how)
    reused_pages.leave()


def visited(pages: ReusedPages, host: str, wrong_ms: int = 0, shows: int = 0) -> Page:
    page = pages.open({"width": 640, "height": 480}, script=f"({_CLOCK})({wrong_ms})")
    page.goto(f"{host}/watch/?debug&motion=off")
    if shows:
        shown(page, shows)
    return page


def shown(page: Page, seq: int) -> None:
    """Waits until the page shows entry `seq`."""
    page.wait_for_function(_SEQ, arg=seq, timeout=PATIENCE_MS)


def state(page: Page) -> State:
    return msgspec.json.decode(page.evaluate("() => JSON.stringify(window.highnoon.state())"), type=State)


def hands(entries: Sequence[OnAirEntry]) -> list[int]:
    """How many entries precede each hand."""
    return [entry.seq - 1 for entry in entries if isinstance(entry.event, HandStarted)]


def test_page_follows_the_show_by_indexes_alone_whatever_its_clock_says(
    show: HostedShow, visit: Visit, on_air: Sequence[OnAirEntry]
) -> None:
    first, second, third, *_ = hands(on_air)
    show.put(on_air[: first + 5])
    page = visit(wrong_ms=HOUR_MS, shows=first + 5)
    assert state(page) == show.air.picture
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for begin, end in ((first + 5, second - 3), (second - 3, second + 4), (second + 4, third), (third, third + 9)):
        show.put(on_air[begin:end])
        shown(page, end)
    assert state(page) == show.air.picture
    assert {name.rpartition("/")[2] for name in asked if "/live/" in name} == {"index.json"}
    expect(page.locator("#live")).to_have_text("Live")
    page.keyboard.press("k")  # otherwise it would catch up at once, as all this was on air within seconds
    page.keyboard.press("Home")
    page.wait_for_function("() => window.highnoon.head.place.hand === 0", timeout=PATIENCE_MS)
    page.keyboard.press("End")
    shown(page, third + 9)


def test_page_opened_late_in_the_evening_knows_every_hand(
    show: HostedShow, visit: Visit, on_air: Sequence[OnAirEntry]
) -> None:
    while len(show.live.segments.closed) <= 2 * BLOCK:
        show.put(on_air)
    page = visit(shows=show.air.last)
    assert len(list(show.folder.rglob("*.hands"))) == 2
    known = [[hand.seq, hand.pot] for hand in show.live.segments.outline.hands[:-1]]
    page.wait_for_function(_KNOWS, arg=known, timeout=PATIENCE_MS)
    page.goto(f"{page.url}&hand=1")
    page.wait_for_function("() => window.highnoon?.head.place.hand === 1", timeout=PATIENCE_MS)


def test_page_follows_a_restarted_show_into_another_epoch(
    show: HostedShow, visit: Visit, on_air: Sequence[OnAirEntry]
) -> None:
    begun = hands(on_air)[1]
    show.put(on_air[:begun])
    page = visit(shows=begun)
    show.begin(recalled=[entry_at(entry, show) for entry in on_air[:begun]])
    show.put(on_air[begun : begun + 12])
    shown(page, begun + 12)
    assert state(page) == show.air.picture


def entry_at(entry: OnAirEntry, show: HostedShow) -> OnAirEntry:
    """The entry as it was on air then."""
    return OnAirEntry(entry.seq, min(entry.at_ms, show.air.at_ms), entry.hold_ms, entry.event)


def test_missing_part_is_requested_again(show: HostedShow, visit: Visit, on_air: Sequence[OnAirEntry]) -> None:
    begun = hands(on_air)[0]
    show.put(on_air[: begun + 5])
    page = visit(shows=begun + 5)
    answers = iter([404])

    def once(route: Route) -> None:
        status = next(answers, 0)
        if status:
            route.fulfill(status=status)
        else:
            route.continue_()

    page.route("**/1-1.part", once)
    page.route("**/index.json*", lambda route: route.abort())  # so it misses the index with the part itself
    show.put(on_air[begun + 5 : begun + 12])
    show.put(on_air[begun + 12 : begun + 14])
    page.unroute("**/index.json*")
    shown(page, begun + 14)
    assert not list(answers)
