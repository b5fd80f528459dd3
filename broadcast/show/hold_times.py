"""Computes how long each event holds the screen, in milliseconds at speed 1. No I/O.

The pace of a hand depends on how dramatic the whole hand is, so the pace hints at how the hand ends. Nothing else in
these times may hint at the end.
"""

from collections.abc import Mapping, Sequence

from broadcast.on_air.events import (
    CaptionSpoken,
    DealCompared,
    SceneShown,
    StakesShown,
    StandingsChanged,
    StatisticsChanged,
)
from broadcast.on_air.picture_hand import is_nod
from broadcast.on_air.scenes import SCENES
from broadcast.on_air.shared_types import DealComparison
from broadcast.on_air.table_state import FULL_COVERAGE, Coverage
from server.game import events
from server.game.events import Event

SEATED_MS = 3000
_HOLD_MS: dict[type[Event], int] = {
    events.TournamentOpened: 6000,
    events.StageStarted: 7000,
    events.GameStarted: SEATED_MS,
    events.HandStarted: 1000,
    events.BlindPosted: 500,
    events.SeatVacated: 3000,
    events.BetReturned: 500,
    events.BetsCollected: 600,
    events.HandEnded: 400,
    events.GameForfeited: 4000,
    events.BotRated: 2500,
    events.BotEliminated: 4000,
    events.StageCut: 2500,
    events.StageEnded: 4000,
    events.TournamentEnded: 20000,
}
_NEVER_SLOWER = (events.HandStarted, events.BlindPosted, events.HoleDealt, events.TurnStarted)
"""Events that drama never slows down: the beginning of a hand, and bots' turns to act. So drama does not make a bot's
thinking seem longer than it was.
"""
_ACTION_MS = {"fold": 800, "check": 900, "call": 1200, "bet": 1700, "raise": 1700}
_STREET_MS = {"flop": 2200, "turn": 1800, "river": 1800}
ALL_IN_MS = 3000
DEAL_MS = 2400
MIN_WIN_MS = 3500
NOD_MS = 2000
"""How long the win of a small uncontested pot is shown. The winner's sound stops when this time is over."""
MAX_WIN_MS = 5000
LEADERBOARD_MS = 15000
COMPARISON_MS, COMPARISON_ROW_MS, ALIKE_DEAL_MS = 6000, 500, 3000
"""In a deal, several tables play the same cards. The comparison of these tables is shown for COMPARISON_MS, and for
COMPARISON_ROW_MS more for each row. If all tables played alike, the comparison is shown for ALIKE_DEAL_MS.
"""
LAST_STANDINGS_MS = 7000
"""How long the last standings of a stage of deals are shown."""
HAND_RESULT_MS, BRIEF_COMPARISON_MS = 2600, 4500
"""If a deal is told briefly, each hand's result is shown for HAND_RESULT_MS, and the comparison for
BRIEF_COMPARISON_MS.
"""
STATISTICS_MS, STATISTICS_BOT_MS, MAX_STATISTICS_BOTS = 8000, 1000, 12
"""The closing statistics are shown for STATISTICS_MS, and for STATISTICS_BOT_MS more for each bot on screen. At most
MAX_STATISTICS_BOTS bots are on screen.
"""
REPLAY_START_MS = 2600
REPLAY_END_MS = 500
FILLER_WAIT_MS = 10_000
"""Once the show has waited this long for the next hand, a replay fills the time."""
SHOWDOWN_MS = 4500
SHOWN_HAND_MS = 2000
RUN_OUT_PAUSE_MS = 2500
MAX_THINK_SHOWN_MS = 1200
CAPTIONED_HAND_END_MS = 2600
"""The end of a hand is shown for at least this long if the end has a caption."""
STAKES_MS = 2600
"""A bot's turn is shown for at least this long if the picture says what is at stake."""
MAX_FOLDS_MS = 4000
"""The maximum time for all folds before the flop, including the thinking. The folds then look like one moment."""
MAX_SMALL_HAND_MS = 12_000
"""The maximum time for a hand in which every win is a small uncontested pot."""
ORDINARY_SCORE, MAX_ORDINARY_HAND_MS = 30, 17_000
"""A hand is ordinary if its drama, from 0 to 100, is at most ORDINARY_SCORE. An ordinary hand takes at most
MAX_ORDINARY_HAND_MS.
"""
DULL_FACTOR, DRAMATIC_FACTOR = 0.6, 2.6
"""DULL_FACTOR multiplies the times of a dull hand, and DRAMATIC_FACTOR the times of a dramatic hand."""
MIN_HURRIED_FACTOR = 0.25
"""`min_hold_ms` assumes that each event of a shortened hand keeps at least this part of its time."""
DULL_SCORE, DRAMATIC_SCORE = 10, 80
"""A hand is dull if its drama is at most DULL_SCORE, and dramatic if its drama is at least DRAMATIC_SCORE. For a score
in between, the factor is interpolated.
"""
MAX_PAUSE_FACTOR = 2.2
"""The largest factor for the pause before a run-out."""


def hold_times(
    hand: Sequence[Event],
    sounds_ms: Mapping[int, int] | None = None,
    score: int | None = None,
    coverage: Coverage = FULL_COVERAGE,
) -> list[int]:
    """Returns how long each event of `hand` holds the screen, in ms at speed 1. `hand` may also be one event between
    hands.

    `sounds_ms` has the length of each seat's sound. A win is shown until the winner's sound ends, within limits.
    `score` is the drama of the hand, from 0 to 100. Without a score, drama does not change the times. `coverage` says
    how much of the hand's deal is told. If the deal is not told in full, only the result of the hand is shown.
    """
    if coverage.detail != "full":
        return _show_result(hand, coverage.hand_ms or 0)
    hands_dealt = sum(isinstance(event, events.HoleDealt) for event in hand) or 1
    times = [_base_hold_ms(event, hands_dealt, sounds_ms or {}) for event in hand]
    _show_thinking(hand, times)
    pause_index = _slow_run_out(hand, times)
    _show_hands_together(hand, times)
    _shorten_nods(hand, times)
    drama_factor = 1 if score is None else _factor_for(DULL_FACTOR, DRAMATIC_FACTOR, score)
    for index, event in enumerate(hand):
        if not isinstance(event, events.PotAwarded):  # wins keep their times
            times[index] = round(
                times[index] * (min(drama_factor, 1) if isinstance(event, _NEVER_SLOWER) else drama_factor)
            )
    _hurry_folds(hand, times)
    _hurry_small(hand, times, score)
    if pause_index is not None:
        times[pause_index] += round(RUN_OUT_PAUSE_MS * _factor_for(1, MAX_PAUSE_FACTOR, score or 0))
    if coverage.hand_ms is not None and isinstance(hand[0], events.HandStarted):
        _limit_hand(hand, times, coverage.hand_ms)
    return times


def min_hold_ms(event: Event) -> int:
    """Returns the shortest time that `event` can be on screen in any hand, in ms at speed 1. 0 means no minimum."""
    if isinstance(event, events.TurnStarted | events.HandShown) or getattr(event, "act", "") == "fold":
        return 0
    return round(_base_hold_ms(event, 1, {}) * MIN_HURRIED_FACTOR)


def hold_with_commentary(hold_ms: int, event: Event, added: Sequence[Event], coverage: Coverage = FULL_COVERAGE) -> int:
    """Returns how long `event` holds the screen with its commentary, in ms at speed 1. `added` are the events of the
    commentary, such as captions.

    `hold_ms` is how long the event holds the screen without the added events. `coverage` says how much of the event's
    deal is told. If the deal is not told in full, the added events of its hands get no extra time.
    """
    if coverage.detail != "full" and not isinstance(event, events.GameStarted | events.DealEnded):
        added = ()
    for extra in added:
        if isinstance(extra, SceneShown):
            standings_ms = LAST_STANDINGS_MS if isinstance(event, events.StageEnded) else 0
            return max(hold_ms, standings_ms, SCENES[extra.scene].hold_ms)
        if isinstance(extra, DealCompared):
            return _comparison_ms(extra.deal, coverage)
    if any(isinstance(extra, StandingsChanged) for extra in added):
        return LEADERBOARD_MS
    if any(isinstance(extra, StakesShown) for extra in added):
        return max(hold_ms, STAKES_MS)
    for extra in added:
        if isinstance(extra, StatisticsChanged) and extra.closing:
            return STATISTICS_MS + STATISTICS_BOT_MS * min(len(extra.rows), MAX_STATISTICS_BOTS)
    is_captioned = isinstance(event, events.HandEnded) and any(isinstance(extra, CaptionSpoken) for extra in added)
    return max(hold_ms, CAPTIONED_HAND_END_MS) if is_captioned else hold_ms


def _comparison_ms(deal: DealComparison, coverage: Coverage) -> int:
    if deal.alike or coverage.detail == "only comparison":
        return ALIKE_DEAL_MS
    return BRIEF_COMPARISON_MS if coverage.detail == "brief" else COMPARISON_MS + COMPARISON_ROW_MS * len(deal.held)


def _show_result(hand: Sequence[Event], ms: int) -> list[int]:
    """Returns times that show a whole hand at once. Only the award of the last pot holds the screen, for `ms`."""
    last_award = max((index for index, event in enumerate(hand) if isinstance(event, events.PotAwarded)), default=-1)
    return [ms if index == last_award else 0 for index in range(len(hand))]


def _factor_for(lowest: float, highest: float, score: int) -> float:
    share = (min(max(score, DULL_SCORE), DRAMATIC_SCORE) - DULL_SCORE) / (DRAMATIC_SCORE - DULL_SCORE)
    return lowest + (highest - lowest) * share


def _base_hold_ms(event: Event, hands_dealt: int, sounds_ms: Mapping[int, int]) -> int:
    match event:
        case events.HoleDealt():
            return DEAL_MS // hands_dealt
        case events.ActionTaken(act=act, all_in=all_in):
            return ALL_IN_MS if all_in else _ACTION_MS[act]
        case events.StreetDealt(street=street):
            return _STREET_MS[street]
        case events.PotAwarded(awards=awards):
            longest = max((sounds_ms.get(award.seat, 0) for award in awards), default=0)
            return min(max(MIN_WIN_MS, longest), MAX_WIN_MS)
        case _:
            return _HOLD_MS.get(type(event), 0)


def _show_thinking(hand: Sequence[Event], times: list[int]) -> None:
    """Makes each turn last for as long as the bot really thought, up to a limit."""
    turn = -1
    for index, event in enumerate(hand):
        if isinstance(event, events.TurnStarted):
            turn = index
        elif isinstance(event, events.ActionTaken) and turn >= 0:
            times[turn] = min(event.think_ms, MAX_THINK_SHOWN_MS)


def _slow_run_out(hand: Sequence[Event], times: list[int]) -> int | None:
    """Slows down the streets of a run-out. Returns the index of the event before the first slow street, or None."""
    last_turn = max(
        (index for index, event in enumerate(hand) if isinstance(event, events.TurnStarted)), default=len(hand)
    )
    run_out_indices = [
        index for index, event in enumerate(hand) if isinstance(event, events.StreetDealt) and index > last_turn
    ]
    for index in run_out_indices:
        times[index] = times[index] * 8 // 5
    return run_out_indices[0] - 1 if run_out_indices else None


def _shorten_nods(hand: Sequence[Event], times: list[int]) -> None:
    """Shortens the wins of small uncontested pots, which the picture shows as a "nod"."""
    chips = sum(sum(event.stacks) for event in hand if isinstance(event, events.HandStarted))
    is_walk = not any(isinstance(event, events.ActionTaken) and event.act != "fold" for event in hand)
    is_contested = any(isinstance(event, events.HandShown) and event.ranking for event in hand)
    for index, event in enumerate(hand):
        if isinstance(event, events.PotAwarded) and is_nod(
            event.amount, chips, is_walk=is_walk, is_contested=is_contested
        ):
            times[index] = NOD_MS


def _hurry_folds(hand: Sequence[Event], times: list[int]) -> None:
    """Shortens the folds before the flop, and the thinking before each, so that all folds look like one moment."""
    flop = next((index for index, event in enumerate(hand) if isinstance(event, events.StreetDealt)), len(hand))
    folds = [
        index
        for index, event in enumerate(hand[:flop])
        if isinstance(event, events.ActionTaken) and event.act == "fold"
    ]
    _limit([index for fold in folds for index in (fold - 1, fold)], times, MAX_FOLDS_MS)


def _hurry_small(hand: Sequence[Event], times: list[int], score: int | None) -> None:
    """Limits the time of a small or ordinary hand. Wins keep their times."""
    wins = [times[index] for index, event in enumerate(hand) if isinstance(event, events.PotAwarded)]
    is_small, is_ordinary = {*wins} == {NOD_MS}, score is not None and score <= ORDINARY_SCORE
    if wins and (is_small or is_ordinary):
        _limit_hand(hand, times, MAX_SMALL_HAND_MS if is_small else MAX_ORDINARY_HAND_MS)


def _limit_hand(hand: Sequence[Event], times: list[int], max_ms: int) -> None:
    """Shortens a hand, so that it takes at most `max_ms` milliseconds. Wins keep their times."""
    wins = sum(times[index] for index, event in enumerate(hand) if isinstance(event, events.PotAwarded))
    others = [index for index, event in enumerate(hand) if not isinstance(event, events.PotAwarded)]
    _limit(others, times, max(0, max_ms - wins))


def _limit(indexes: Sequence[int], times: list[int], max_ms: int) -> None:
    """Shortens the times at `indexes` in proportion, so that their sum is at most `max_ms`."""
    total = sum(times[index] for index in indexes)
    for index in indexes:
        times[index] = times[index] * min(max_ms, total) // max(1, total)


def _show_hands_together(hand: Sequence[Event], times: list[int]) -> None:
    """Makes all hands at a showdown appear at once. Only the hand that is shown last holds the screen."""
    shown_indices = [index for index, event in enumerate(hand) if isinstance(event, events.HandShown)]
    if shown_indices:
        is_showdown = any(event.ranking for event in hand if isinstance(event, events.HandShown))
        times[shown_indices[-1]] = SHOWDOWN_MS if is_showdown else SHOWN_HAND_MS
