"""The events of whole Quick Draw contests follow the rules: the right bots are seated, advance and are paid.

The results of hands are random. Some bots never connect, and the operator ends some stages early.
"""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.formats import StagePlan
from server.game.tournament import Tournament, evolve, next_stage, open_tournament
from tests.support.games.random_contests import STACK, RandomContest, opening, random_contests

TRIALS, FINALS = QUICK_DRAW_FORMAT.stages


def opened(bots: int) -> events.TournamentOpened:
    return opening(tuple(events.Entrant(bot, f"Bot {bot}") for bot in range(1, bots + 1)))


def started(bots: int) -> Tournament:
    """Returns a tournament of `bots` bots at the start of The Trials."""
    tournament = open_tournament(opened(bots))
    return evolve(
        tournament, events.StageStarted(1, "The Trials", 15, 6, tuple(tournament.records), (STACK,) * bots, 6)
    )


def in_order(bots: Sequence[int], _drawn: str) -> list[int]:
    """A shuffle that keeps the order of the bots."""
    return list(bots)


def reversed_order(bots: Sequence[int], _drawn: str) -> list[int]:
    """A shuffle that puts the highest numbers first."""
    return sorted(bots, reverse=True)


def test_bots_with_equal_stacks_are_ranked_by_lot() -> None:
    broke = [(4, 900), (2, 900), (5, 1000)]
    assert started(6).eliminated(broke, in_order) == [(4, 6), (2, 5), (5, 4)]
    assert started(6).eliminated(broke, reversed_order) == [(2, 6), (4, 5), (5, 4)]
    assert started(6).eliminated(broke[::-1], reversed_order) == [(2, 6), (4, 5), (5, 4)], (
        "the order of seats must not matter"
    )
    assert started(3).rank(in_order) == (1, 2, 3)
    assert started(3).rank(reversed_order) == (3, 2, 1)


def test_bots_with_chips_are_seated_by_lot_or_in_the_order_of_entry() -> None:
    in_entry_order = StagePlan("Practice", games=1, hands=6, draw=False)
    for plan, seats in ((TRIALS, (8, 7, 6, 4, 3, 2)), (in_entry_order, (1, 2, 3, 4, 6, 7))):
        assert evolve(started(8), events.BotEliminated(5, 0, 8)).draw_seats(plan, reversed_order) == seats


def test_the_trials_end_after_15_games_or_with_6_bots_left_or_when_cut() -> None:
    ends = Counter[str]()
    for contest in random_contests("trials", 200):
        before = contest.tournament
        for event in contest.events():
            if isinstance(event, events.StageEnded) and event.advancing:
                left = len(before.alive())
                assert before.cut or before.games_in_stage == 15 or left <= 6
                ends["cut" if before.cut else "left" if left <= 6 else "games"] += 1
            before = contest.tournament
    assert min(ends["cut"], ends["left"], ends["games"]) > 10


@pytest.mark.parametrize(("bots", "stages"), [(8, ["The Trials", "High Noon"]), (6, ["High Noon"]), (1, ["High Noon"])])
def test_with_6_bots_or_fewer_there_are_no_trials(bots: int, stages: list[str]) -> None:
    contest = RandomContest(random.Random(bots), 8, absent=8 - bots)
    assert [event.title for event in contest.events() if isinstance(event, events.StageStarted)] == stages


def test_a_single_bot_wins_without_a_hand_and_gets_its_money_back() -> None:
    *history, ended = RandomContest(random.Random(1), 1).events()
    assert not [event for event in history if isinstance(event, events.GameStarted | events.HandEnded)]
    assert isinstance(ended, events.TournamentEnded)
    assert ended.placings == (events.Placing(1, 1, STACK, 500),)


def test_a_bot_may_be_withdrawn_only_once_and_only_before_the_first_stage() -> None:
    waiting = open_tournament(opened(8))
    assert waiting.may_withdraw(3)
    assert not waiting.may_withdraw(9)
    gone = evolve(waiting, events.BotWithdrawn(3, "it never came"))
    assert not gone.may_withdraw(3)
    assert (gone.records[3].place, gone.records[3].stack, gone.alive()) == (8, 0, [1, 2, 4, 5, 6, 7, 8])
    assert not started(8).may_withdraw(3)
    assert evolve(started(8), events.BotWithdrawn(3, "too late")) == started(8)


def test_ending_a_stage_early_does_not_shorten_the_next_one() -> None:
    cut = evolve(started(8), events.StageCut(1))
    over = evolve(cut, events.StageEnded(1, tuple(range(1, 9)), (STACK,) * 8, (1, 2, 3, 4, 5, 6)))
    assert next_stage(QUICK_DRAW_FORMAT, over) == (2, FINALS)
    finals = evolve(over, events.StageStarted(2, "High Noon", 1, 24, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    assert not finals.stage_over(FINALS)
    assert not finals.decided(FINALS)
