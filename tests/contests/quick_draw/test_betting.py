"""The Quick Draw rule book, sentence by sentence: who acts when, what actions do, the cap on laps.

In every table here the last seat has the big blind.
"""

import pytest

from server.game.betting import resolve
from server.game.decisions import IllegalAction, RaiseTo
from tests.game.table import deal

TWO, THREE, FOUR = "5000 5000", "5000 5000 5000", "5000 5000 5000 5000"


@pytest.mark.parametrize(
    ("stacks", "script", "asked"),
    [
        pytest.param(
            THREE, "call call check / check check check / check check check / check check check", [0, 1, 2] * 4,
            id="the first in the list acts first on every street",
        ),
        pytest.param(
            FOUR, "call raise:300 call call call / check", [0, 1, 2, 3, 0, 0, 1],
            id="everyone that called or raised must respond to a raise",
        ),
        pytest.param(
            "5000 300 5000 5000", "call raise:300 call raise:600 call call / check check check",
            [0, 1, 2, 3, 0, 2, 0, 2, 3, 0], id="one that is all in is out of the bidding order",
        ),
        pytest.param(
            THREE, "fold call check / check check / check check / check check", [0, 1, 2, 1, 2, 1, 2, 1, 2],
            id="one that folded is not asked again",
        ),
    ],
)  # fmt: skip
def test_who_is_asked(stacks: str, script: str, asked: list[int]) -> None:
    assert deal(stacks).play(script).asked == asked


def test_preflop_everyone_must_call_up_to_100_or_raise_or_fold() -> None:
    table = deal(THREE)
    assert table.turn.to_call == 100
    assert table.play("call").turn.to_call == 50, "the blind bets count as bets for this round"
    assert table.play("call").turn.to_call == 0, "the big blind may check"
    assert table.play("raise:300").last_act == "2 raise 300", "or raise when everybody called"
    assert (table.turn.seat, table.turn.to_call) == (0, 200)


@pytest.mark.parametrize(
    ("stacks", "script", "last_act"),
    [
        pytest.param(TWO, "call call", "1 check 100", id="a call of a bid that you have already bet does nothing"),
        pytest.param(THREE, "raise:100", "0 call 100", id="a raise to the big blind is a call"),
        pytest.param(THREE, "raise:300 raise:300", "1 call 300", id="a raise to the highest bid is a call"),
        pytest.param(TWO, "call check / raise:0", "0 check 0", id="a raise to nothing when nobody bet is a check"),
        pytest.param(TWO, "call check / bet:1", "0 bet 1", id="the first bet of a later street may be 1 chip"),
        pytest.param(THREE, "raise:5000", "0 raise 5000", id="you may bet as much as you have"),
        pytest.param("700 5000 5000", "raise:1000000", "0 raise 700", id="a raise to more than you have bets it all"),
        pytest.param("5000 200 5000 5000", "raise:1000 call", "1 call 200", id="a call of more bets it all"),
        pytest.param("5000 200 5000 5000", "raise:1000 raise:3000", "1 call 200",
                     id="a raise beyond the highest bid that you cannot afford is an all-in call"),
        pytest.param("5000 300 5000 5000", "fold all-in fold raise:4000", "3 call 300",
                     id="a raise that nobody could match is a call"),
    ],
)  # fmt: skip
def test_act_that_an_action_becomes(stacks: str, script: str, last_act: str) -> None:
    assert deal(stacks).play(script).last_act == last_act


@pytest.mark.parametrize("amount", [299, 100, 1, 0, -1, -5000])
def test_raise_below_the_current_highest_bid_is_invalid_and_changes_nothing(amount: int) -> None:
    table = deal(THREE).play("raise:300")
    before, events = table.hand, len(table.events)
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        resolve(table.hand, RaiseTo(amount))
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        table.take(RaiseTo(amount))
    assert table.hand == before
    assert len(table.events) == events
    table.play("call call / check check check")


@pytest.mark.parametrize(
    ("stacks", "script", "raises"),
    [
        pytest.param(THREE, "", (101, 5000), id="the minimum raise is 1 chip"),
        pytest.param(THREE, "raise:101", (102, 5000), id="also after a raise"),
        pytest.param(THREE, "raise:1000", (1001, 5000), id="a big raise does not widen the next"),
        pytest.param(TWO, "call check / bet:1", (2, 4900), id="on a later street"),
        pytest.param(THREE, "raise:300 call raise:301", (302, 5000), id="a raise of 1 chip reopens the betting"),
        pytest.param("5000 301 5000 5000", "raise:300 raise:301 call call", (302, 5000),
                     id="so does an all-in of 1 chip more"),
    ],
)  # fmt: skip
def test_minimum_raise_is_1_chip(stacks: str, script: str, raises: tuple[int, int]) -> None:
    assert deal(stacks).play(script).raises == raises


@pytest.mark.parametrize(
    ("stacks", "script", "bets", "left"),
    [
        pytest.param(THREE, "raise:250 call", [250, 250, 100], [4750, 4750, 4900],
                     id="a call raises your bet to the current highest bid"),
        pytest.param(THREE, "raise:160 raise:250", [160, 250, 100], [4840, 4750, 4900],
                     id="with 50 in for the round, raising to 250 puts 200 into the pot"),
        pytest.param("5000 200 5000 5000", "raise:1000 call call", [1000, 200, 1000, 100], [4000, 0, 4000, 4900],
                     id="a short call leaves the highest bid where it is"),
        pytest.param(THREE, "raise:400 fold fold", [0, 0, 0], [5150, 4950, 4900],
                     id="folding forfeits the chips you have bet on this hand"),
        pytest.param(THREE, "call call check / fold fold", [0, 0, 0], [4900, 4900, 5200],
                     id="a fold is allowed where a check is free"),
    ],
)  # fmt: skip
def test_chips_that_an_action_puts_in(stacks: str, script: str, bets: list[int], left: list[int]) -> None:
    table = deal(stacks).play(script)
    assert (table.bets, table.stacks, table.hand.over) == (bets, left, not any(bets))


def test_any_raise_after_circling_the_table_5_times_is_a_call() -> None:
    table = deal(THREE).play(one_chip_raises(101, 115))
    assert table.last_act == "2 raise 115", "the fifth lap may still raise"
    assert table.raises == (0, 0)
    table.play("raise:500")
    assert table.last_act == "0 call 115"
    table.play("raise:500 / check")


def test_lap_is_a_lap_of_the_table_whichever_bot_raises() -> None:
    table = deal(THREE).play("call raise:110 raise:120 fold raise:130 raise:140 raise:150 raise:160")
    table.play("raise:170 raise:180 raise:190 raise:200")
    assert table.last_act == "2 raise 200"
    assert table.play("raise:5000 / check").asked[-3:] == [1, 1, 2], "the sixth time round it is a call"


def test_laps_start_again_on_every_street_and_a_raise_below_the_highest_bid_stays_invalid() -> None:
    table = deal(TWO).play(one_chip_raises(101, 110))
    with pytest.raises(IllegalAction):
        table.play("raise:109")
    table.play(f"raise:5000 / {one_chip_raises(1, 11)}")
    assert table.last_act == "0 call 10"
    assert table.play("bet:5").last_act == "0 bet 5"


def one_chip_raises(low: int, high: int) -> str:
    """A script of raises by one chip each."""
    return " ".join(f"raise:{amount}" for amount in range(low, high + 1))
