"""Viewers who join late get all entries (events) that a show has put on air so far, and no more.

The schedule of a running show lists past, current and coming games. Its forecasts of times are reliable.
"""

import asyncio
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from statistics import fmean
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from broadcast.film.film import run_show
from broadcast.live.channel import HANDS_PER_BLOCK, LiveChannel
from broadcast.live.contest_plan import Item, Moment
from broadcast.live.schedule import MAX_GAMES_PLAYED, RestOfSeason, Schedule, ScheduleRecorder
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from server.contests.arena.rules import ARENA_FORMAT
from server.game import events
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.view import View
from server.journal.bus import Bus
from tests.live.conftest import Entries
from tests.overlay.support.show_server import ShowServer
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.recordings import aired, small_contest

UNLIMITED = 10**9


def index_of(channel: LiveChannel) -> Any:
    answer = channel.index()
    assert gzip.decompress(answer.gzip) == answer.plain
    return json.loads(answer.plain)


class RecordedChannel:
    """A channel that remembers when it put each entry on air."""

    def __init__(self, air: AirLog, clock: ManualClock, kept_bytes: int = UNLIMITED) -> None:
        self.air = air
        self.aired: list[tuple[OnAirEntry, float]] = []
        """Each entry, and when it went on air, in seconds."""
        self.channel = LiveChannel(air, lambda: clock.now, kept_bytes, utc_clock=lambda: 1000 + clock.now)
        air.recorders.add(lambda entry, _, __: self.aired.append((entry, clock.now)))


async def test_index_depends_only_on_aired_entries_while_the_journal_is_ahead() -> None:
    bus = Bus(None, lambda: 0.0)
    bus.load(small_contest())
    show = ShowOnFakeClock(bus=bus)
    live = RecordedChannel(show.air, show.clock)
    check_count = 0
    async with show.running_task():
        while index_of(live.channel)["state"] != "over":
            await show.clock.run(7)
            clock = ManualClock()
            channel_copy = RecordedChannel(AirLog("again", 1), clock)
            for entry, clock.now in live.aired:  # `recall` puts an entry into the log, as after a restart.
                channel_copy.air.recall(entry.event, entry.at_ms, entry.hold_ms)
            clock.now = show.clock.now
            for part_name in ("outline", "schedule"):
                assert index_of(live.channel)[part_name] == index_of(channel_copy.channel)[part_name]
            check_count += 1
    assert check_count > 20


def test_index_says_whether_the_show_is_live_waiting_or_paused() -> None:
    clock = ManualClock()
    live = RecordedChannel(AirLog("main", 1), clock)
    live.air.put(events.ChatSent(1, "howdy"), 0, 2000)
    index = index_of(live.channel)
    assert (index["state"], index["now_utc_ms"], index["at_ms"], index["last"]) == ("live", 1_000_000, 0, 1)
    clock.now = 3
    assert index_of(live.channel)["state"] == "live", "a show must stay live until 1.5 s after its last entry has ended"
    clock.now = 4
    assert (index_of(live.channel)["state"], index_of(live.channel)["at_ms"]) == ("waiting", 4000)
    live.air.put(events.ControlSet("paused", True, False), 4000, 0)
    assert index_of(live.channel)["state"] == "paused"
    live.air.put(events.ControlSet("paused", False, True), 4000, 0)
    assert index_of(live.channel)["state"] == "live"
    live.air.put(events.ControlSet("card", "break", ""), 4000, 0)
    assert index_of(live.channel)["state"] == "paused"


def test_index_is_made_at_most_twice_until_something_changes() -> None:
    """An index (list of hands) is costly to make. So all pages share two indexes.

    `since` is the number of hands that a page already has.
    """
    clock = ManualClock()
    live = RecordedChannel(AirLog("main", 1), clock)
    play_contest_on(live.air)
    assert len({id(answer) for answer in [live.channel.index(since) for since in range(1000)]}) == 2
    old_index = live.channel.index()
    live.air.put(events.ChatSent(1, "howdy"), live.air.at_ms, 0)
    assert index_of(live.channel)["last"] == json.loads(old_index.plain)["last"] + 1
    clock.now += 1
    assert index_of(live.channel)["at_ms"] == live.air.at_ms + 1000


def test_index_stays_small_all_evening_and_every_hand_can_be_found() -> None:
    live = RecordedChannel(AirLog("main", 1), ManualClock())
    sizes = []
    while len(live.channel.segments.closed_segments) < 2 * HANDS_PER_BLOCK:  # A segment has the entries of one hand.
        play_contest_on(live.air)
        sizes.append(len(live.channel.index().gzip))
    assert max(sizes) < 1.1 * max(sizes[: len(sizes) // 2])
    index = index_of(live.channel)
    blocks = [live.channel.block(number) for number in range(index["blocks"])]
    assert live.channel.block(index["blocks"]) is None
    hands_in_blocks = [hand for block in blocks if block for hand in json.loads(block.plain)["hands"]]
    assert len(hands_in_blocks) == index["since"] == 2 * HANDS_PER_BLOCK
    hands = msgspec.to_builtins(live.channel.segments.outline.hands)
    assert hands_in_blocks + index["outline"]["hands"] == json.loads(json.dumps(hands))


def test_channel_keeps_the_latest_hands_up_to_its_limit() -> None:
    full, small, tiny = (RecordedChannel(AirLog("main", 1), ManualClock(), limit) for limit in (UNLIMITED, 15_000, 1))
    for live in (full, small, tiny):
        play_contest_on(live.air)
    last = index_of(full.channel)["open"]
    assert index_of(full.channel)["first"] == 0
    first = index_of(small.channel)["first"]
    assert 0 < first < last - 1
    kept_segments = [small.channel.segment(number) for number in range(last)]
    assert sum(map(len, kept_segments)) <= 15_000
    assert [bool(segment) for segment in kept_segments] == [number >= first for number in range(last)]
    assert kept_segments[first:] == [full.channel.segment(number) for number in range(first, last)]
    hands = index_of(small.channel)["outline"]["hands"]
    assert [hand["seq"] for hand in hands] == [hand["seq"] for hand in index_of(full.channel)["outline"]["hands"]]
    assert not any(hand["stacks"] for hand in hands[:first])
    assert index_of(tiny.channel)["first"] == last - 1


def play_contest_on(air: AirLog) -> None:
    asyncio.run(run_show(air, small_contest()))


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a studio (a show's server) that has put a whole contest on air on the channel `main`."""
    with ShowServer(tmp_path_factory.mktemp("media")) as server:
        play_contest_on(server.channel("main"))
        with httpx.Client(base_url=server.address, timeout=60) as client:
            yield client


def test_closed_segments_are_cached_forever_and_the_open_one_never(web: httpx.Client) -> None:
    index_answer = web.get("/live/main/index.json")
    assert index_answer.headers["cache-control"] == "max-age=1"
    index = index_answer.json()
    base = f"/live/main/{index['epoch']}"  # The epoch changes when a show is restarted.
    for number in range(index["open"]):
        answer = web.get(f"{base}/{number}.seg")
        assert (answer.headers["content-encoding"], answer.headers["content-type"]) == ("gzip", "application/json")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert (answer.json()["n"], answer.json()["first_seq"]) == (number, index["outline"]["hands"][number]["seq"])
    open_segment = web.get(f"{base}/open.json")
    assert (open_segment.headers["cache-control"], open_segment.json()["last_seq"]) == ("no-store", index["last"])
    unpacked = web.get(f"{base}/1.seg", headers={"Accept-Encoding": "identity"})
    assert ("content-encoding" in unpacked.headers, unpacked.json()) == (False, web.get(f"{base}/1.seg").json())


def test_index_has_only_the_hands_that_a_page_lacks(web: httpx.Client) -> None:
    all_hands = web.get("/live/main/index.json").json()["outline"]["hands"]
    later_index = web.get("/live/main/index.json?since=5").json()
    assert 0 < later_index["since"] <= 5
    assert later_index["outline"]["hands"] == all_hands[later_index["since"] :]
    for nonsense in ("x", "-1", "1e3", "9" * 9999):
        assert web.get(f"/live/main/index.json?since={nonsense[:5000]}").json()["outline"]["hands"] == all_hands


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


SHOW_START_MS = 1_800_000_000_000
"""When the shows start, in milliseconds since 1970."""


def schedule_at(recorder: ScheduleRecorder, now_ms: int, pace: float = 1.0) -> Schedule:
    return recorder.schedule_at(now_ms, SHOW_START_MS + now_ms, pace)


def follow_schedules(entries: Entries, *event_types: type[events.Event]) -> Iterator[tuple[OnAirEntry, Schedule]]:
    """Yields each entry whose event has one of `event_types`, and the schedule just after this entry."""
    recorder = ScheduleRecorder()
    for entry in entries:
        recorder.record(entry, 1.0, is_replay=False)
        if isinstance(entry.event, event_types):
            yield entry, schedule_at(recorder, entry.at_ms)


def schedule_after(entries: Entries, event_type: type[events.Event], number: int = 1) -> Schedule:
    """Returns the schedule just after an event of `event_type`. The first event of this type has the `number` 1."""
    return next(islice(follow_schedules(entries, event_type), number - 1, None))[1]


def test_schedule_lists_games_and_the_bots_that_play_next(entries: Entries) -> None:
    in_second, in_final = (schedule_after(entries, events.GameStarted, number) for number in (2, 3))
    games = [[(item.state, item.title, item.game) for item in schedule.items] for schedule in (in_second, in_final)]
    assert games == [
        [("played", "The Trials", 1), ("on", "The Trials", 2), ("to come", "High Noon", 0)],
        [("played", "The Trials", 1), ("played", "The Trials", 2), ("on", "High Noon", 1)],
    ]
    assert (in_second.played, in_final.played) == (1, 2)
    at_end = schedule_after(entries, events.TournamentEnded)
    assert ({item.state for item in at_end.items}, at_end.played, at_end.left) == ({"played"}, 3, 0)
    first_game, second_game, _ = (entry.event for entry in entries if isinstance(entry.event, events.GameStarted))
    schedule = schedule_after(entries, events.GameStarted)
    waiting = set(range(1, 9)) - set(first_game.seats)
    assert set(schedule.due) == waiting  # The bots that are due play next.
    assert set(schedule.items[1].bots) == waiting <= set(second_game.seats)
    assert set(schedule.names) == {str(bot) for bot in range(1, 9)}


class CarefulBot(DiceBot):
    """A DiceBot plays at random. This bot folds more and risks less, so that shows last as long as with real bots."""

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        assert turn is not None, "a bot is asked only on its turn"
        if turn.max_raise_to and self._dice.random() < 0.1:
            high = self._dice.choice([1, 1, 1, 1, 1, 20])
            return RaiseTo(min(turn.max_raise_to, high * turn.min_raise_to))
        return Fold() if turn.to_call and self._dice.random() < 0.5 else Call()


@pytest.fixture(scope="module")
def contest() -> Entries:
    return aired(play_contest(1, kind=CarefulBot))


def is_within(moment: Moment, at_ms: int) -> bool:
    return moment.earliest <= SHOW_START_MS + at_ms <= moment.latest


def test_nine_of_ten_forecasts_come_true(contest: Entries) -> None:
    outcomes = defaultdict[str, list[bool]](list)
    last_events = {"game": events.GameEnded, "stage": events.StageEnded, "show": events.TournamentEnded}
    ends = {name: [each.at_ms for each in contest if isinstance(each.event, last_events[name])] for name in last_events}
    starts = [entry.at_ms for entry in contest if isinstance(entry.event, events.GameStarted)]
    for entry, schedule in follow_schedules(contest, events.HandStarted, events.HandEnded):
        for name, ends_ms in ends.items():
            if moment := getattr(schedule.ends, name):
                end_ms = next(at_ms for at_ms in ends_ms if at_ms >= entry.at_ms)
                outcomes[name].append(is_within(moment, end_ms))
        coming = [item.begins for item in schedule.items if item.state == "to come" and item.begins]
        for moment, at_ms in zip(coming, [at for at in starts if at > entry.at_ms], strict=False):
            outcomes["begins"].append(is_within(moment, at_ms))
    assert len(outcomes) == 4
    for name, came_true in outcomes.items():
        assert len(came_true) > 100, name
        assert fmean(came_true) >= 0.9, name


def test_forecast_end_is_later_after_a_wait_and_earlier_at_a_higher_speed(contest: Entries) -> None:
    recorder, last_entry = ScheduleRecorder(), contest[399]
    for entry in contest[:400]:
        recorder.record(entry, 1.0, is_replay=False)
    now_ms = last_entry.at_ms
    schedule, late_schedule = schedule_at(recorder, now_ms), schedule_at(recorder, now_ms + 600_000)
    ends = [forecast.ends.stage for forecast in (schedule, late_schedule, schedule_at(recorder, now_ms, pace=2.0))]
    likely_ms, later_ms, sooner_ms = [forecast.likely - SHOW_START_MS - now_ms for forecast in ends if forecast]
    assert 540_000 <= later_ms - likely_ms <= 600_000
    assert likely_ms / sooner_ms == pytest.approx(2, abs=0.1)
    assert late_schedule.items[0].began == schedule.items[0].began
    for entry in contest[:400]:
        recorder.record(replace(entry, at_ms=last_entry.at_ms, hold_ms=last_entry.hold_ms), 1.0, is_replay=True)
    assert schedule_at(recorder, now_ms) == schedule, "a replay must leave the schedule unchanged"


def test_long_season_lists_the_latest_games_and_counts_the_others(entries: Entries) -> None:
    recorder, games_ended = ScheduleRecorder(), 0
    rest_of_season = RestOfSeason(0, 7, ((90, (1, 2)), (91, (3, 4))), (5, 6), {5: "Five", 1: "One"})
    recorder.rest_of_season = lambda: replace(rest_of_season, game=games_ended + 1)
    for _ in range(20):
        for entry in entries:
            recorder.record(entry, 1.0, is_replay=False)
            games_ended += isinstance(entry.event, events.GameEnded)
    schedule = schedule_at(recorder, 10**9)
    assert [item.game for item in schedule.items] == [*range(61 - MAX_GAMES_PLAYED, 61), 90, 91]
    assert (schedule.played, schedule.left, schedule.due) == (60, 7, (5, 6))
    assert (schedule.names["1"], schedule.names["5"], schedule.names["6"] != "") == ("One", "Five", True)
    assert (schedule.ends.stage, schedule.ends.show) == (None, None)
    assert schedule.items[-1] == Item("", "to come", 91, bots=(3, 4))


def test_next_blinds_have_an_approximate_time() -> None:
    rules = ARENA_FORMAT.rules
    contest_entries = play_contest(3, 6, ARENA_FORMAT, kind=CarefulBot)
    starts = [entry.seq for entry in contest_entries if isinstance(entry.event, events.HandStarted)]
    aired_entries = aired(contest_entries[: starts[rules.hands_per_level + 1]])
    blinds = schedule_after(aired_entries, events.HandStarted).blinds
    assert blinds
    assert blinds.begins
    assert (blinds.small, blinds.big) == (rules.levels[1].small, rules.levels[1].big)
    starts_ms = [entry.at_ms for entry in aired_entries if isinstance(entry.event, events.HandStarted)]
    late_blinds = schedule_after(aired_entries, events.HandStarted, rules.hands_per_level).blinds
    assert late_blinds
    assert late_blinds.begins
    assert is_within(late_blinds.begins, starts_ms[rules.hands_per_level])
