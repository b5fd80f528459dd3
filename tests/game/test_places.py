"""Who is seated and who comes out ahead, where a lot or the stage decides."""

import pytest

from server.game.events import BotEliminated
from server.game.tournament import StagePlan, evolve
from tests.game.tournaments import TRIALS, as_they_come, backwards, started


def test_a_lot_ranks_bots_out_in_one_hand_with_equal_stacks() -> None:
    broke = [(4, 900), (2, 900), (5, 1000)]
    assert started(6).eliminated(broke, as_they_come) == [(4, 6), (2, 5), (5, 4)]
    assert started(6).eliminated(broke, backwards) == [(2, 6), (4, 5), (5, 4)]
    assert started(6).eliminated(broke[::-1], backwards) == [(2, 6), (4, 5), (5, 4)], "no seat is favoured"


def test_equal_stacks_are_ranked_by_lot() -> None:
    assert started(3).rank(as_they_come) == (1, 2, 3)
    assert started(3).rank(backwards) == (3, 2, 1)


@pytest.mark.parametrize(
    ("plan", "seats"),
    [
        (TRIALS, (8, 7, 6, 4, 3, 2)),
        (StagePlan("Practice", games=1, hands=6, draw=False), (1, 2, 3, 4, 6, 7)),
    ],
    ids=["by lot", "in the order of entry"],
)
def test_bots_with_chips_are_seated(plan: StagePlan, seats: tuple[int, ...]) -> None:
    assert evolve(started(8), BotEliminated(5, 0, 8)).draw_seats(plan, backwards) == seats
