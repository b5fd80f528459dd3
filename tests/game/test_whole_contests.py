"""The events of whole Quick Draw contests follow the rules: the right bots are seated, advance and are paid.

The results of hands are random. Some bots never connect, and the operator ends some stages early.
"""

import random
from collections import Counter
from collections.abc import Sequence

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.formats import StagePlan
from server.game.tournament import Tournament, evolve, open_tournament
from tests.support.games.random_contests import STACK, RandomContest, opening, random_contests

TRIALS = QUICK_DRAW_FORMAT.stages[0]


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


def test_a_single_bot_wins_without_a_hand_and_gets_its_money_back() -> None:
    *history, ended = RandomContest(random.Random(1), 1).events()
    assert not [event for event in history if isinstance(event, events.GameStarted | events.HandEnded)]
    assert isinstance(ended, events.TournamentEnded)
    assert ended.placings == (events.Placing(1, 1, STACK, 500),)
