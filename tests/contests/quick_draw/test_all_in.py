"""The Quick Draw rule book, sentence by sentence: who is still asked when somebody is all in.

In every table here the last seat has the big blind.
"""

import pytest

from tests.game.table import deal

ACES_KINGS, LOW = "As Ah, Kc Kd", "3s 4s 8d 9h Jd"


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
