"""Viewers who join late get everything that a channel has put on air, as a film, and nothing newer."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from broadcast.film.film import run_show
from broadcast.live.channel import HANDS_PER_BLOCK, LiveChannel
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from server.game.events import ChatSent, ControlSet
from server.journal.bus import Bus
from tests.overlay.support.show_server import ShowServer
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock
from tests.support.games.recordings import small_contest

MOST = 10**9
Json = dict[str, Any]


def index_of(channel: LiveChannel, since: int = 0) -> Json:
    answer = channel.index(since)
    assert gzip.decompress(answer.gzip) == answer.plain
    read: Json = json.loads(answer.plain)
    return read


def read_segments(channel: LiveChannel) -> list[Json]:
    closed = (channel.segment(number) for number in range(index_of(channel)["open"]))
    return [json.loads(gzip.decompress(each)) for each in closed if each] + [json.loads(channel.open_segment().plain)]


class Recorded:
    """A channel, and every entry that it put on air."""

    def __init__(self, air: AirLog, clock: ManualClock, kept_bytes: int = MOST) -> None:
        self.air = air
        self.entries: list[OnAirEntry] = []
        self.seconds: list[float] = []
        """When each entry went on air."""
        self.channel = LiveChannel(air, lambda: clock.now, kept_bytes, utc_clock=lambda: 1000 + clock.now)
        air.recorders.add(lambda entry, _, __: self.entries.append(entry))
        air.recorders.add(lambda _, __, ___: self.seconds.append(clock.now))


async def test_only_what_has_been_on_air_is_served_though_the_journal_is_ahead() -> None:
    bus = Bus(None, lambda: 0.0)
    bus.load(small_contest())  # the studio already knows everything, up to the champion
    show = ShowOnFakeClock(bus=bus)
    live = Recorded(show.air, show.clock)
    checks = 0
    with show.begun():
        while index_of(live.channel)["state"] != "over":
            await show.clock.run(7)
            segments = read_segments(live.channel)
            seen = [entry["seq"] for segment in segments for entry in segment["entries"]]
            assert seen == list(range(1, show.air.last_seq + 1))
            assert all(segment["last_seq"] <= show.air.last_seq for segment in segments)
            index, expected = index_of(live.channel), index_from_entries(live, show.clock.now)
            assert index["outline"] == expected["outline"]
            assert index["schedule"] == expected["schedule"]
            checks += 1
    assert checks > 20


def index_from_entries(live: Recorded, now: float) -> Json:
    """Returns the index at the second `now`, computed only from what has been on air."""
    clock = ManualClock()
    again = Recorded(AirLog("again", 1), clock)
    for entry, clock.now in zip(live.entries, live.seconds, strict=True):
        again.air.recall(entry.event, entry.at_ms, entry.hold_ms)
    clock.now = now
    return index_of(again.channel)


def test_index_says_whether_the_show_is_live_waiting_or_paused() -> None:
    clock = ManualClock()
    live = Recorded(AirLog("main", 1), clock)
    live.air.put(ChatSent(1, "howdy"), 0, 2000)
    index = index_of(live.channel)
    assert (index["state"], index["now_utc_ms"], index["at_ms"], index["last"]) == ("live", 1_000_000, 0, 1)
    clock.now = 3
    assert index_of(live.channel)["state"] == "live", (
        "the entry's hold time of two seconds, and the slack after it, must not be over yet"
    )
    clock.now = 4
    assert (index_of(live.channel)["state"], index_of(live.channel)["at_ms"]) == ("waiting", 4000)
    live.air.put(ControlSet("paused", True, False), 4000, 0)
    assert index_of(live.channel)["state"] == "paused"
    live.air.put(ControlSet("paused", False, True), 4000, 0)
    assert index_of(live.channel)["state"] == "live"
    live.air.put(ControlSet("card", "break", ""), 4000, 0)
    assert index_of(live.channel)["state"] == "paused"


def test_index_is_made_at_most_twice_until_something_changes() -> None:
    """An index costs more the more hands a season has, and strangers may request it a thousand times a second."""
    clock = ManualClock()
    live = Recorded(AirLog("main", 1), clock)
    play(live.air)
    made = {id(answer) for answer in [live.channel.index(since) for since in range(1000)]}
    assert len(made) == 2
    before = live.channel.index()
    live.air.put(ChatSent(1, "howdy"), live.air.at_ms, 0)
    assert index_of(live.channel)["last"] == json.loads(before.plain)["last"] + 1
    clock.now += 1
    assert index_of(live.channel)["at_ms"] == live.air.at_ms + 1000


def test_index_stays_small_all_evening_and_every_hand_can_be_found() -> None:
    live = Recorded(AirLog("main", 1), ManualClock())
    sizes = []
    while len(live.channel.segments.closed_segments) < 2 * HANDS_PER_BLOCK:
        play(live.air)
        sizes.append(len(live.channel.index().gzip))
    assert max(sizes) < 1.1 * max(sizes[: len(sizes) // 2])
    index = index_of(live.channel)
    blocks = [live.channel.block(number) for number in range(index["blocks"])]
    assert live.channel.block(index["blocks"]) is None
    read = [hand for block in blocks if block for hand in json.loads(block.plain)["hands"]]
    assert len(read) == index["since"] == 2 * HANDS_PER_BLOCK
    hands = msgspec.to_builtins(live.channel.segments.outline.hands)
    assert read + index["outline"]["hands"] == json.loads(json.dumps(hands))


def test_channel_keeps_the_latest_hands_up_to_its_limit_and_always_the_last() -> None:
    whole, small, least = (Recorded(AirLog("main", 1), ManualClock(), room) for room in (MOST, 15_000, 1))
    for live in (whole, small, least):
        play(live.air)
    last = index_of(whole.channel)["open"]
    assert index_of(whole.channel)["first"] == 0
    first = index_of(small.channel)["first"]
    assert 0 < first < last - 1
    kept = [small.channel.segment(number) for number in range(last)]
    assert sum(map(len, kept)) <= 15_000
    assert [bool(each) for each in kept] == [number >= first for number in range(last)]
    assert kept[first:] == [whole.channel.segment(number) for number in range(first, last)]
    hands = index_of(small.channel)["outline"]["hands"]
    assert [hand["seq"] for hand in hands] == [hand["seq"] for hand in index_of(whole.channel)["outline"]["hands"]]
    assert not any(hand["stacks"] for hand in hands[:first])
    assert index_of(least.channel)["first"] == last - 1


def play(air: AirLog) -> None:
    asyncio.run(run_show(air, small_contest()))


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Requests to a studio that has had a whole contest on air on the channel `main`."""
    with ShowServer(tmp_path_factory.mktemp("media")) as server:
        play(server.channel("main"))
        with httpx.Client(base_url=server.address, timeout=60) as client:
            yield client


def test_closed_segments_are_cached_forever_and_the_open_one_never(web: httpx.Client) -> None:
    about = web.get("/live/main/index.json")
    assert about.headers["cache-control"] == "max-age=1"
    index = about.json()
    at = f"/live/main/{index['epoch']}"
    for number in range(index["open"]):
        answer = web.get(f"{at}/{number}.seg")
        assert (answer.headers["content-encoding"], answer.headers["content-type"]) == ("gzip", "application/json")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert (answer.json()["n"], answer.json()["first_seq"]) == (number, index["outline"]["hands"][number]["seq"])
    growing = web.get(f"{at}/open.json")
    assert (growing.headers["cache-control"], growing.json()["last_seq"]) == ("no-store", index["last"])
    plain = web.get(f"{at}/1.seg", headers={"Accept-Encoding": "identity"})
    assert ("content-encoding" in plain.headers, plain.json()) == (False, web.get(f"{at}/1.seg").json())


def test_index_has_only_the_hands_that_a_page_lacks(web: httpx.Client) -> None:
    whole = web.get("/live/main/index.json").json()["outline"]["hands"]
    part = web.get("/live/main/index.json?since=5").json()
    assert 0 < part["since"] <= 5
    assert part["outline"]["hands"] == whole[part["since"] :]
    for nonsense in ("x", "-1", "1e3", "9" * 9999):
        assert web.get(f"/live/main/index.json?since={nonsense[:5000]}").json()["outline"]["hands"] == whole


def test_missing_parts_are_answered_with_a_sentence(web: httpx.Client) -> None:
    index = web.get("/live/main/index.json").json()
    missing = {
        "There is no channel nothing yet.": ("nothing/index.json", "nothing/0/1.seg"),
        "This show was restarted: the index has its new epoch.": ("main/0123/1.seg", "main/0123/open.json"),
        "This segment has not been on air, or is no longer kept": (
            f"main/{index['epoch']}/{name}.seg" for name in (index["open"], 99, "x", "9" * 5000)
        ),
    }
    for why, paths in missing.items():
        for path in paths:
            answer = web.get(f"/live/{path}")
            assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store"), path
            assert answer.json()["error"].startswith(why), path
