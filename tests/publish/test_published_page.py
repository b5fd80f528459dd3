"""In a real browser, a show's pages work during the show and afterwards. A static host serves them below a path."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from broadcast.live.channel import HANDS_PER_BLOCK
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.picture_state import State
from server.game.events import HandStarted, TournamentEnded
from tests.publish.hosted_show import HostedShow
from tests.publish.test_site import IS_PAGE_READY, publish
from tests.support.games.recordings import aired, of_kind, small_contest, write
from tests.support.programs.in_node import Node
from tests.support.programs.nginx import nginx, static_host
from tests.support.programs.reused_pages import ReusedPages
from tests.support.published import published_index

Visit = Callable[..., Page]
HOUR_MS = 3_600_000
MAX_ERROR_MS = 14
"""How wrong a page's clock may be."""
# Simulates a page that asks a host for the time. The device's clock is wrong by `off` milliseconds. A request and its
# answer take up to `slow` milliseconds each, and a timer rings up to 3 ms late. Nothing else takes time. Answers to
# the requests with the numbers in `lost` never arrive. In the result, `error` is how wrong the page's clock is, in ms.
_RUN_CLOCK = """async ({ off, lost = [], slow = 4 }, load) => {
  const { ServerClock } = await load("/static/js/replay/film/server-clock.js");
  const { setTimeout } = globalThis;
  let now = 1_000_000_123;
  let requests = 0;
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  globalThis.setTimeout = (done, ms) => setTimeout(() => { now += Math.max(0, ms) + 3 * random(); done(); }, 0);
  globalThis.fetch = async () => {
    requests += 1;
    now += random() * slow;
    const date = new Date(Math.floor(now / 1000) * 1000).toUTCString();
    now += random() * slow;
    if (lost.includes(requests)) throw new TypeError("lost");
    return new Response("", { headers: { date } });
  };
  const clock = new ServerClock(() => now + off);
  await clock.fetch("http://127.0.0.1/");
  await clock.probe("http://127.0.0.1/");
  return { settled: clock.settled, requests, error: Math.abs(clock.now - now) };
}"""
# Simulates a cache that answers with the same date forever. Returns whether the page knows the time, and by how much
# the page's clock differs from the device's.
_READ_FROZEN_DATES = """async (_, load) => {
  const { ServerClock } = await load("/static/js/replay/film/server-clock.js");
  let deviceTime = 50_000_400;
  const clock = new ServerClock(() => deviceTime);
  for (; deviceTime < 50_100_000; deviceTime += 5000) clock.narrowBounds(50_000_000, deviceTime - 20, deviceTime);
  return [clock.known, clock.now - deviceTime];
}"""
# Returns whether the page's list of hands, without the current hand, equals `hands`. For each hand, `hands` has the
# number of its first entry, and its pot.
_KNOWS_HANDS = """(hands) => {
  const shown = window.highnoon.film.outline.hands.slice(0, -1).map(({ seq, pot }) => [seq, pot]);
  return JSON.stringify(shown) === JSON.stringify(hands);
}"""
# Moves the browser's clocks forward by `wrong` milliseconds.
_MOVE_CLOCKS = """(wrong) => {
  const [{ now }, { timeOrigin }] = [Date, performance];
  Date.now = () => now() + wrong;
  Object.defineProperty(performance, "timeOrigin", { value: timeOrigin + wrong });
}"""


@pytest.fixture(scope="module")
def entries() -> Sequence[OnAirEntry]:
    return aired(small_contest())


@pytest.fixture
def show(tmp_path: Path) -> Iterator[HostedShow]:
    with HostedShow(tmp_path / "host/a/b") as opened:
        yield opened


@pytest.fixture
def host(show: HostedShow, tmp_path: Path) -> Iterator[str]:
    with nginx(tmp_path / "nginx", static_host(tmp_path / "host")) as address:
        yield f"{address}/a/b"


@pytest.fixture
def visit(reused_pages: ReusedPages, host: str) -> Iterator[Visit]:
    """A function that opens the page, sets its clock fast by `clock_ahead_ms`, and waits for entry `last_seq`."""

    def open_and_wait(last_seq: int, clock_ahead_ms: int = 0) -> Page:
        page = reused_pages.open({"width": 640, "height": 480}, script=f"({_MOVE_CLOCKS})({clock_ahead_ms})")
        page.goto(f"{host}/watch/?debug&motion=off")
        wait_until_shown(page, last_seq)
        return page

    yield open_and_wait
    reused_pages.leave()


def wait_until_shown(page: Page, seq: int) -> None:
    page.wait_for_function("(seq) => window.highnoon?.state().seq === seq", arg=seq)


def read_state(page: Page) -> State:
    return msgspec.json.decode(page.evaluate("() => JSON.stringify(window.highnoon.state())"), type=State)


def hand_starts(entries: Sequence[OnAirEntry]) -> list[int]:
    """Returns the index of the first entry of each hand."""
    return [entry.seq - 1 for entry in entries if isinstance(entry.event, HandStarted)]


def test_page_with_wrong_clock_follows_the_index(show: HostedShow, visit: Visit, entries: Sequence[OnAirEntry]) -> None:
    first, second, third, *_ = hand_starts(entries)
    show.put(entries[: first + 5])
    page = visit(clock_ahead_ms=HOUR_MS, last_seq=first + 5)
    assert read_state(page) == show.air.picture  # `picture`: the state of the show
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    for begin, end in ((first + 5, second - 3), (second - 3, second + 4), (second + 4, third), (third, third + 9)):
        show.put(entries[begin:end])
        wait_until_shown(page, end)
    assert read_state(page) == show.air.picture
    # Of the live files, the page requested only the index, perhaps with a query to get past caches.
    assert {urlsplit(url).path.rpartition("/")[2] for url in requested if "/live/" in url} == {"index.json"}
    expect(page.locator("#live")).to_have_text("Live")
    page.keyboard.press("k")  # pauses: otherwise, the page would soon be live again
    page.keyboard.press("Home")
    page.wait_for_function("() => window.highnoon.head.place.hand === 0")
    page.keyboard.press("End")
    wait_until_shown(page, third + 9)


def test_page_opened_late_has_every_hand(show: HostedShow, visit: Visit, entries: Sequence[OnAirEntry]) -> None:
    while len(show.live.segments.closed_segments) <= 2 * HANDS_PER_BLOCK:  # a segment has one hand
        show.put(entries)
    page = visit(last_seq=show.air.last_seq)
    assert len(list(show.folder.rglob("*.hands"))) == 2
    page.wait_for_function(_KNOWS_HANDS, arg=[[hand.seq, hand.pot] for hand in show.live.segments.outline.hands[:-1]])
    page.goto(f"{page.url}&hand=1")
    page.wait_for_function("() => window.highnoon?.head.place.hand === 1")


def test_page_survives_lost_files_and_restarts(show: HostedShow, visit: Visit, entries: Sequence[OnAirEntry]) -> None:
    first, second, *_ = hand_starts(entries)
    show.put(entries[: first + 5])
    page = visit(last_seq=first + 5)
    refused_urls = list[str]()

    def refuse(route: Route) -> None:
        refused_urls.append(route.request.url)
        route.fulfill(status=404)

    page.route("**/1-1.part", refuse, times=1)
    page.route("**/index.json*", lambda route: route.abort())  # otherwise the page would find part 1-1 here
    show.put(entries[first + 5 : first + 12])
    show.put(entries[first + 12 : first + 14])
    page.unroute("**/index.json*")
    wait_until_shown(page, first + 14)
    assert refused_urls
    show.put(entries[first + 14 : second])
    wait_until_shown(page, second)
    show.begin([replace(entry, at_ms=min(entry.at_ms, show.air.at_ms)) for entry in entries[:second]])
    show.put(entries[second : second + 12])
    wait_until_shown(page, second + 12)
    assert read_state(page) == show.air.picture


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with two recordings of the same bots."""
    folder = tmp_path_factory.mktemp("bots")
    for name in ("one", "two"):
        write(folder / "recordings" / f"{name}.jsonl", small_contest())
    publish(folder / "recordings", folder / "host/some/where")
    with nginx(folder / "nginx", static_host(folder / "host")) as address:
        yield f"{address}/some/where"


@pytest.fixture
def page(reused_pages: ReusedPages, strict_listeners: dict[str, Any]) -> Iterator[Page]:
    yield reused_pages.open({"width": 390, "height": 844}, is_mobile=True, has_touch=True, **strict_listeners)
    reused_pages.leave()


def test_bot_page_hides_results_until_the_visitor_wants_them(archive: str, page: Page) -> None:
    (tournament_ended,) = of_kind(small_contest(), TournamentEnded)
    name = f"Bot {tournament_ended.placings[-1].bot}"
    page.goto(f"{archive}/recordings/one/index.html")
    page.get_by_role("link", name=name, exact=True).click()
    page.wait_for_function(IS_PAGE_READY)
    expect(page.locator("h1").locator("visible=true")).to_have_text(name)
    expect(page.locator("#played li")).to_have_count(2)
    for words in ("Place", "of 8", "Out of chips"):
        expect(page.locator("body")).not_to_contain_text(words)
    assert not page.locator("#chips-box").is_visible()
    page.get_by_role("link", name="Show results").click()
    page.wait_for_function(IS_PAGE_READY)
    expect(page.locator("#played")).to_contain_text("Place 8")
    assert page.inner_text("#place") == "8th of 8"
    assert page.locator("#chips .chart__mine").count() == 1
    page.locator("#played a").get_by_text("Watch").first.click()
    page.wait_for_url("**/replay/**")


def test_publishing_an_earlier_recording_does_not_change_the_live_pages(
    show: HostedShow, host: str, page: Page, entries: Sequence[OnAirEntry], tmp_path: Path
) -> None:
    show.clock_lag = 0
    show.put(entries[:40])
    pages = {path: path.read_bytes() for name in ("watch", "bots") for path in (show.folder / name).glob("*.html")}
    with show.publishing():  # publishes all the time, because a show that falls silent counts as over
        publish(write(tmp_path / "older.jsonl", small_contest(3)), show.folder)
    assert {path: path.read_bytes() for path in pages} == pages
    assert "recording" not in published_index(show.folder)
    recordings = (show.folder / "recordings/index.html").read_text()
    assert "On now" in recordings
    assert "replay/older/index.html" in recordings
    page.goto(f"{host}/bots/index.html?bot={quote('Bot 1')}")
    page.wait_for_function(IS_PAGE_READY)
    expect(page.locator("#played li")).to_have_count(1)
    expect(page.locator("#live")).to_be_visible()


def test_page_finds_the_hosts_time_as_exactly_as_its_network_allows(node: Node) -> None:
    assert node.evaluate(_READ_FROZEN_DATES) == [False, 0], "a date that never changes must not be believed"
    networks: list[tuple[dict[str, Any], int, int]] = [
        *(({"off": off}, MAX_ERROR_MS, 10) for off in (0, 3, 500, -HOUR_MS, HOUR_MS, 777)),
        ({"off": 500, "lost": [2, 3, 5, 6]}, MAX_ERROR_MS, 15),
        ({"off": 500, "slow": 300}, 300, 15),
        ({"off": 500, "lost": list(range(2, 50))}, 520, 15),
    ]
    for network, max_error_ms, max_requests in networks:
        clock = node.evaluate(_RUN_CLOCK, network)
        assert clock["settled"], network
        assert (clock["error"] <= max_error_ms, clock["requests"] <= max_requests) == (True, True), (network, clock)
