"""The Quick Draw rule book, sentence by sentence: who posts which blind, who is dealt in, and who is asked.

In every table here the last seat has the big blind.
"""

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import BlindPosted
from server.game.hand import next_blind
from tests.game.table import SIX, Table, deal

ACES_KINGS, LOW = "As Ah, Kc Kd", "3s 4s 8d 9h Jd"


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


@pytest.mark.parametrize(
    ("stacks", "script", "seat"),
    [("1000 5000 5000", "all-in fold", 2), ("1000 1000 5000 5000", "all-in all-in call", 3)],
)
def test_each_live_bot_is_asked_before_an_all_in_is_settled(stacks: str, script: str, seat: int) -> None:
    table = deal(stacks).play(script)
    assert (table.turn.seat, table.turn.to_call, table.hand.over) == (seat, 900, False)


def test_last_live_bot_may_fold_to_the_all_in() -> None:
    assert deal("1000 5000 5000").play("all-in fold fold").stacks == [1150, 4950, 4900]


@pytest.mark.parametrize(
    ("stacks", "script", "asked", "returned", "left"),
    [
        pytest.param("1000 1000", "all-in call", [0, 1], {}, [2000, 0], id="nobody is asked once everybody is all in"),
        pytest.param("100 5000", "call", [0], {}, [200, 4900], id="a lone live bot with nothing to match is not asked"),
        pytest.param("50 60", "", [], {1: 10}, [100, 10], id="everybody all in on the blinds"),
        pytest.param("5000 40", "", [], {0: 10}, [5040, 0], id="a small blind that covers the big one is not asked"),
        pytest.param("5000 70", "call", [0], {0: 30}, [5070, 0], id="the small blind matches a short big blind"),
    ],
)
def test_hand_ends_when_nobody_has_to_act(
    stacks: str, script: str, asked: list[int], returned: dict[int, int], left: list[int]
) -> None:
    table = deal(stacks, ACES_KINGS, LOW).play(script)
    assert (table.hand.over, table.asked, len(table.hand.board)) == (True, asked, 5)
    assert (table.returned, table.stacks) == (returned, left)


def test_two_live_bots_play_on_beside_an_all_in() -> None:
    table = deal("300 5000 5000", "As Ah, Kc Kd, 7h 2c", LOW)
    table.play("all-in call call / bet:500 call / check check / check check")
    assert table.awards == [{0: 900}, {1: 1000}]
    assert table.stacks == [900, 5200, 4200]


def test_small_blind_all_in_with_its_last_chip_can_win_one_chip_from_each() -> None:
    table = deal("5000 1 5000", "3h 2c, As Ah, Kc Kd", LOW).play("call check / check check /")
    table.play("check check / check check")
    assert table.awards == [{1: 3}, {2: 198}]
