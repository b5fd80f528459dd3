"""The schedule of a running show has past, current and coming games, and its forecasts of times are reliable."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

import pytest
from msgspec.structs import replace

from broadcast.live.contest_plan import Item, Moment
from broadcast.live.schedule import MAX_GAMES_PLAYED, RestOfSeason, Schedule, ScheduleRecorder
from broadcast.on_air.events import OnAirEntry
from server.contests.arena.rules import ARENA_FORMAT
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import Event, GameEnded, GameStarted, HandEnded, HandStarted, StageEnded, TournamentEnded
from server.game.view import View
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.recordings import aired

SHOW_START_MS = 1_800_000_000_000
"""When these tests' shows start, in milliseconds since 1970."""
MINUTE = 60_000


def schedule_at(recorder: ScheduleRecorder, now_ms: int, pace: float = 1.0) -> Schedule:
    return recorder.schedule_at(now_ms, SHOW_START_MS + now_ms, pace)


def schedules(entries: Iterable[OnAirEntry], *kinds: type[Event]) -> Iterator[tuple[OnAirEntry, Schedule]]:
    """Yields each entry, or each entry of `kinds` if given, with the schedule right after the entry."""
    recorder = ScheduleRecorder()
    for entry in entries:
        recorder.record(entry, 1.0, is_replay=False)
        if not kinds or isinstance(entry.event, kinds):
            yield entry, schedule_at(recorder, entry.at_ms)


def after(entries: Iterable[OnAirEntry], kind: type[Event], times: int = 1) -> Schedule:
    following = schedules(entries, kind)
    return [next(following)[1] for _ in range(times)][-1]


def lines(schedule: Schedule) -> list[tuple[str, str, int]]:
    return [(item.state, item.title, item.game) for item in schedule.items]


def test_schedule_lists_past_present_and_coming_games_and_then_the_next_stage(on_air: Sequence[OnAirEntry]) -> None:
    second = after(on_air, GameStarted, 2)
    assert lines(second) == [("played", "The Trials", 1), ("on", "The Trials", 2), ("to come", "High Noon", 0)]
    final = after(on_air, GameStarted, 3)
    assert lines(final) == [("played", "The Trials", 1), ("played", "The Trials", 2), ("on", "High Noon", 1)]
    assert (second.played, final.played) == (1, 2)
    over = after(on_air, TournamentEnded)
    assert ({item.state for item in over.items}, over.played, over.left) == ({"played"}, 3, 0)


def test_bots_that_have_not_played_are_due_and_sure_to_play_next(on_air: Sequence[OnAirEntry]) -> None:
    first, second, _ = (entry.event for entry in on_air if isinstance(entry.event, GameStarted))
    schedule = after(on_air, GameStarted)
    waiting = set(range(1, 9)) - set(first.seats)
    assert set(schedule.due) == waiting
    assert set(schedule.items[1].bots) == waiting <= set(second.seats)
    assert set(schedule.names) == {str(bot) for bot in range(1, 9)}


class CarefulBot(DiceBot):
    """A bot that folds more often and risks less, so that a show lasts as long as with real bots."""

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        assert turn is not None, "a bot is asked only on its turn"
        if turn.max_raise_to and self._dice.random() < 0.1:
            high = self._dice.choice([1, 1, 1, 1, 1, 20])
            return RaiseTo(min(turn.max_raise_to, high * turn.min_raise_to))
        return Fold() if turn.to_call and self._dice.random() < 0.5 else Call()


@pytest.fixture(scope="module")
def evening() -> Sequence[OnAirEntry]:
    return aired(play_contest(1, kind=CarefulBot))


def is_within(moment: Moment, at_ms: int) -> bool:
    return moment.earliest <= SHOW_START_MS + at_ms <= moment.latest


ENDS: dict[type[Event], str] = {GameEnded: "game", StageEnded: "stage", TournamentEnded: "show"}


def check_forecasts(evening: Sequence[OnAirEntry]) -> Iterator[tuple[str, bool]]:
    """Yields every forecast that was made at the start or the end of a hand, and whether it came true."""
    ends = {kind: [entry.at_ms for entry in evening if isinstance(entry.event, kind)] for kind in ENDS}
    starts = [entry.at_ms for entry in evening if isinstance(entry.event, GameStarted)]
    for entry, schedule in schedules(evening, HandStarted, HandEnded):
        for kind, name in ENDS.items():
            if moment := getattr(schedule.ends, name):
                yield name, is_within(moment, next(at_ms for at_ms in ends[kind] if at_ms >= entry.at_ms))
        coming = [item.begins for item in schedule.items if item.state == "to come" and item.begins]
        for moment, at_ms in zip(coming, [at for at in starts if at > entry.at_ms], strict=False):
            yield "begins", is_within(moment, at_ms)


def test_nine_of_ten_forecasts_come_true(evening: Sequence[OnAirEntry]) -> None:
    outcomes = list(check_forecasts(evening))
    for name in (*ENDS.values(), "begins"):
        results = [came_true for each, came_true in outcomes if each == name]
        assert len(results) > 100, name
        assert fmean(results) >= 0.9, name


def test_show_that_waits_ends_later_and_a_faster_one_earlier_whatever_is_replayed(
    evening: Sequence[OnAirEntry],
) -> None:
    recorder = ScheduleRecorder()
    for entry in evening[:400]:
        recorder.record(entry, 1.0, is_replay=False)
    now = evening[399].at_ms
    plain, waited = schedule_at(recorder, now), schedule_at(recorder, now + 10 * MINUTE)
    ends = [each.ends.stage for each in (plain, waited, schedule_at(recorder, now, pace=2.0))]
    likely, later, sooner = [each.likely - SHOW_START_MS - now for each in ends if each]
    assert 9 * MINUTE <= later - likely <= 10 * MINUTE
    assert likely / sooner == pytest.approx(2, abs=0.1)
    assert waited.items[0].began == plain.items[0].began
    last = evening[399]
    for entry in evening[:400]:
        recorder.record(replace(entry, at_ms=last.at_ms, hold_ms=last.hold_ms), 1.0, is_replay=True)
    assert schedule_at(recorder, now) == plain, "a replay must leave the schedule unchanged"


def test_long_season_lists_the_latest_games_and_counts_the_others(on_air: Sequence[OnAirEntry]) -> None:
    recorder, games = ScheduleRecorder(), 0
    recorder.rest_of_season = lambda: RestOfSeason(
        games + 1, 7, ((90, (1, 2)), (91, (3, 4))), (5, 6), {5: "Five", 1: "One"}
    )
    for _ in range(20):
        for entry in on_air:
            recorder.record(entry, 1.0, is_replay=False)
            games += isinstance(entry.event, GameEnded)
    schedule = schedule_at(recorder, 10**9)
    assert [item.game for item in schedule.items] == [*range(61 - MAX_GAMES_PLAYED, 61), 90, 91]
    assert (schedule.played, schedule.left, schedule.due) == (60, 7, (5, 6))
    assert (schedule.names["1"], schedule.names["5"], schedule.names["6"] != "") == ("One", "Five", True)
    assert (schedule.ends.stage, schedule.ends.show) == (None, None)
    assert schedule.items[-1] == Item("", "to come", 91, bots=(3, 4))


def test_next_blinds_have_an_approximate_time() -> None:
    rules = ARENA_FORMAT.rules
    played = play_contest(3, 6, ARENA_FORMAT, kind=CarefulBot)
    starts = [entry.seq for entry in played if isinstance(entry.event, HandStarted)]
    shown = aired(played[: starts[rules.hands_per_level + 1]])
    blinds = after(shown, HandStarted).blinds
    assert blinds
    assert blinds.begins
    assert (blinds.small, blinds.big) == (rules.levels[1].small, rules.levels[1].big)
    rises = [entry.at_ms for entry in shown if isinstance(entry.event, HandStarted)][rules.hands_per_level]
    late = after(shown, HandStarted, rules.hands_per_level).blinds
    assert late
    assert late.begins
    assert is_within(late.begins, rises)
