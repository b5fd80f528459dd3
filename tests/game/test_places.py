"""Which bots are seated, and how bots with equal stacks are ranked by lot."""

import pytest

from server.game.events import BotEliminated
from server.game.tournament import StagePlan, evolve
from tests.game.tournaments import TRIALS, in_order, reversed_order, started


def test_bots_with_equal_stacks_that_are_out_in_one_hand_are_ranked_by_lot() -> None:
    broke = [(4, 900), (2, 900), (5, 1000)]
    assert started(6).eliminated(broke, in_order) == [(4, 6), (2, 5), (5, 4)]
    assert started(6).eliminated(broke, reversed_order) == [(2, 6), (4, 5), (5, 4)]
    assert started(6).eliminated(broke[::-1], reversed_order) == [(2, 6), (4, 5), (5, 4)], "no seat is favoured"


def test_equal_stacks_are_ranked_by_lot() -> None:
    assert started(3).rank(in_order) == (1, 2, 3)
    assert started(3).rank(reversed_order) == (3, 2, 1)


@pytest.mark.parametrize(
    ("plan", "seats"),
    [(TRIALS, (8, 7, 6, 4, 3, 2)), (StagePlan("Practice", games=1, hands=6, draw=False), (1, 2, 3, 4, 6, 7))],
    ids=["by lot", "in the order of entry"],
)
def test_bots_with_chips_are_seated(plan: StagePlan, seats: tuple[int, ...]) -> None:
    assert evolve(started(8), BotEliminated(5, 0, 8)).draw_seats(plan, reversed_order) == seats
