"""The Quick Draw rule book, sentence by sentence: who posts which blind, and who is dealt in.

In every table here the last seat has the big blind.
"""

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import BlindPosted
from server.game.hand import next_blind
from tests.game.table import SIX, Table, deal


def test_small_blind_50_second_to_last_and_big_blind_100_last_in_betting_order() -> None:
    table = deal(SIX)
    assert posted(table) == [BlindPosted(4, "small", 50, False), BlindPosted(5, "big", 100, False)]
    assert table.hand.order == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("stacks", "last_big", "blinds"),
    [
        pytest.param([5000] * 6, 4, [(4, 5), (5, 0), (0, 1), (1, 2), (2, 3), (3, 4)],
                     id="in six hands each player acts as both blinds once"),
        pytest.param([5000, 0, 5000, 0, 0, 5000], 5, [(5, 0), (0, 2), (2, 5), (5, 0)],
                     id="the big blind passes over busted seats and nobody skips it"),
        pytest.param([5000, 5000, 0, 5000, 5000, 5000], 3, [(3, 4)],
                     id="when the last small blind busts the last big blind becomes small blind"),
        pytest.param([0, 5000, 0, 5000], 3, [(3, 1), (1, 3), (3, 1), (1, 3)], id="heads-up the blinds alternate"),
    ],
)  # fmt: skip
def test_blinds_rotate_clockwise(stacks: list[int], last_big: int, blinds: list[tuple[int, int]]) -> None:
    big = last_big
    for expected in blinds:
        button, big = next_blind(QUICK_DRAW, big, stacks)
        table = Table(QUICK_DRAW, 1, button, stacks, deal(SIX).hand.deck)
        assert tuple(event.seat for event in posted(table)) == expected
        assert table.hand.order[-1] == big == expected[1]


def test_busted_bots_stay_in_the_list_and_are_not_dealt_in() -> None:
    table = deal("5000 0 5000 5000").play("call call check / check")
    assert table.hand.order == (0, 1, 2, 3)
    assert [seat.dealt_in for seat in table.hand.seats] == [True, False, True, True]
    assert table.asked == [0, 2, 3, 0, 2]


def test_short_blinds_post_what_they_have_and_100_is_still_to_match() -> None:
    table = deal("5000 5000 30 70")
    assert posted(table) == [BlindPosted(2, "small", 30, True), BlindPosted(3, "big", 70, True)]
    table = deal("5000 5000 5000 70")
    assert (table.turn.to_call, table.hand.current_bet) == (100, 100)
    assert table.play("call call").bets == [100, 100, 50, 70]


def posted(table: Table) -> list[BlindPosted]:
    return [event for event in table.events if isinstance(event, BlindPosted)]
