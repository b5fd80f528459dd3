"""The Quick Draw rule book, sentence by sentence: who acts when, what actions do, the cap on laps.

In every table here the last seat has the big blind.
"""

import pytest

from server.game.decide import fault_decision, resolve, take_turn
from server.game.decisions import Call, Fold, IllegalAction, RaiseTo
from server.game.events import StreetDealt
from tests.game.table import deal


def test_first_in_the_list_acts_first_on_every_street() -> None:
    table = deal("5000 5000 5000").play("call call check / check check check / check check check / check check check")
    assert table.asked == [0, 1, 2] * 4


def test_heads_up_the_small_blind_acts_first_on_every_street() -> None:
    table = deal("5000 5000").play("call check / check check / check check / check check")
    assert table.asked == [0, 1] * 4


def test_the_streets_show_3_then_1_then_1_cards() -> None:
    table = deal("5000 5000", board="2c 7d 9h Ts As").play("call check / check check / check check / check check")
    streets = [event for event in table.events if isinstance(event, StreetDealt)]
    assert streets == [
        StreetDealt("flop", ("2c", "7d", "9h")),
        StreetDealt("turn", ("Ts",)),
        StreetDealt("river", ("As",)),
    ]


def test_preflop_everyone_must_call_up_to_100_or_raise_or_fold() -> None:
    table = deal("5000 5000 5000")
    assert table.turn.to_call == 100
    assert table.play("call").turn.to_call == 50, "the blind bets count as bets for this round"
    assert table.play("call").turn.to_call == 0, "the big blind may check"


def test_the_big_blind_may_raise_when_everybody_called() -> None:
    table = deal("5000 5000 5000").play("call call raise:300")
    assert table.last_act == "2 raise 300"
    assert table.turn.seat == 0
    assert table.turn.to_call == 200


def test_everyone_that_called_or_raised_must_respond_to_a_raise() -> None:
    table = deal("5000 5000 5000 5000").play("call raise:300 call call call / check")
    assert table.asked == [0, 1, 2, 3, 0, 0, 1]


def test_one_that_is_all_in_is_out_of_the_bidding_order() -> None:
    table = deal("5000 300 5000 5000").play("call raise:300 call raise:600 call call / check check check")
    assert table.asked == [0, 1, 2, 3, 0, 2, 0, 2, 3, 0]


def test_one_that_folded_is_not_asked_again() -> None:
    table = deal("5000 5000 5000").play("fold call check / check check / check check / check check")
    assert table.asked == [0, 1, 2, 1, 2, 1, 2, 1, 2]


def test_calling_raises_your_bet_to_the_current_highest_bid() -> None:
    table = deal("5000 5000 5000").play("raise:250 call")
    assert table.bets == [250, 250, 100]
    assert table.stacks == [4750, 4750, 4900]


def test_if_you_have_already_bet_the_highest_bid_a_call_does_nothing() -> None:
    table = deal("5000 5000").play("call call")
    assert table.last_act == "1 check 100"
    assert table.stacks == [4900, 4900]


def test_a_raise_brings_your_bet_to_exactly_the_amount() -> None:
    table = deal("5000 5000 5000").play("raise:160 raise:250")
    assert table.bets == [160, 250, 100], "with 50 in for the round, raising to 250 puts 200 into the pot"
    assert table.stacks == [4840, 4750, 4900]


def test_a_raise_equal_to_the_current_highest_bid_is_a_call() -> None:
    table = deal("5000 5000 5000").play("raise:100")
    assert table.last_act == "0 call 100"
    table.play("raise:300 raise:300")
    assert table.last_act == "2 call 300"


def test_a_raise_to_nothing_when_nobody_bet_is_a_check() -> None:
    table = deal("5000 5000").play("call check / raise:0")
    assert table.last_act == "0 check 0"


@pytest.mark.parametrize("amount", [299, 100, 1, 0, -1, -5000])
def test_a_raise_below_the_current_highest_bid_is_invalid_and_changes_nothing(amount: int) -> None:
    table = deal("5000 5000 5000").play("raise:300")
    before, events = table.hand, len(table.events)
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        resolve(table.hand, RaiseTo(amount))
    with pytest.raises(IllegalAction, match="is below the highest bet, 300"):
        table.take(RaiseTo(amount))
    assert table.hand == before
    assert len(table.events) == events
    table.play("call call / check check check")


def test_the_minimum_raise_is_1_chip() -> None:
    table = deal("5000 5000 5000")
    assert table.raises == (101, 5000)
    assert table.play("raise:101").raises == (102, 5000)
    assert table.play("raise:1000").raises == (1001, 5000), "a big raise does not widen the next"


def test_the_first_bet_of_a_later_street_may_be_1_chip() -> None:
    table = deal("5000 5000").play("call check / bet:1")
    assert table.last_act == "0 bet 1"
    assert table.raises == (2, 4900)


def test_a_raise_of_1_chip_reopens_the_betting() -> None:
    table = deal("5000 5000 5000").play("raise:300 call raise:301")
    assert table.turn.seat == 0
    assert table.raises == (302, 5000)


def test_an_all_in_of_1_chip_more_reopens_the_betting() -> None:
    table = deal("5000 301 5000 5000").play("raise:300 raise:301 call call")
    assert table.turn.seat == 0
    assert table.raises == (302, 5000)


def test_you_may_bet_as_much_as_you_have() -> None:
    table = deal("5000 5000 5000").play("raise:5000")
    assert table.last_act == "0 raise 5000"
    assert table.hand.seats[0].all_in


def test_raising_to_more_chips_than_you_have_bets_all_your_chips() -> None:
    table = deal("700 5000 5000").play("raise:1000000")
    assert table.last_act == "0 raise 700"
    assert table.hand.seats[0].all_in


def test_calling_more_chips_than_you_have_bets_all_your_chips() -> None:
    table = deal("5000 200 5000 5000").play("raise:1000 call")
    assert table.last_act == "1 call 200"
    assert table.hand.seats[1].all_in
    assert table.hand.current_bet == 1000


def test_a_raise_beyond_the_highest_bid_that_you_cannot_afford_is_an_all_in_call() -> None:
    table = deal("5000 200 5000 5000").play("raise:1000 raise:3000")
    assert table.last_act == "1 call 200"


def test_a_raise_that_nobody_could_match_is_a_call() -> None:
    table = deal("5000 300 5000 5000").play("fold all-in fold raise:4000")
    assert table.last_act == "3 call 300"
    assert table.hand.over


def test_folding_forfeits_the_chips_you_have_bet_on_this_hand() -> None:
    table = deal("5000 5000 5000").play("raise:400 fold fold")
    assert table.stacks == [5150, 4950, 4900]
    assert table.hand.over


def test_a_fold_is_allowed_where_a_check_is_free() -> None:
    table = deal("5000 5000 5000").play("call call check / fold fold")
    assert table.stacks == [4900, 4900, 5200]


def test_a_fault_costs_the_hand_even_where_a_check_is_free() -> None:
    assert fault_decision(deal("5000 5000").play("call").hand, "illegal") == Fold()


def test_nobody_can_act_after_the_hand() -> None:
    table = deal("5000 5000").play("fold")
    with pytest.raises(IllegalAction, match="nobody's turn"):
        take_turn(table.hand, Call())


def test_any_raise_after_circling_the_table_5_times_is_a_call() -> None:
    table = deal("5000 5000 5000").play("raise:101 raise:102 raise:103 raise:104 raise:105 raise:106")
    table.play("raise:107 raise:108 raise:109 raise:110 raise:111 raise:112 raise:113 raise:114 raise:115")
    assert table.last_act == "2 raise 115", "the fifth lap may still raise"
    assert table.raises == (0, 0)
    table.play("raise:500")
    assert table.last_act == "0 call 115"
    table.play("raise:500 / check")


def test_a_lap_is_a_lap_of_the_table_whoever_raises() -> None:
    table = deal("5000 5000 5000").play("call raise:110 raise:120 fold raise:130 raise:140 raise:150 raise:160")
    table.play("raise:170 raise:180 raise:190 raise:200")
    assert table.last_act == "2 raise 200"
    assert table.play("raise:5000 / check").asked[-3:] == [1, 1, 2], "the sixth time round it is a call"


def test_below_the_highest_bid_a_raise_stays_invalid_on_the_sixth_lap() -> None:
    table = deal("5000 5000").play(" ".join(f"raise:{amount}" for amount in range(101, 111)))
    with pytest.raises(IllegalAction):
        table.play("raise:109")
    assert table.play("raise:5000 / check").last_act == "0 check 0"


def test_the_laps_are_counted_anew_on_every_street() -> None:
    table = deal("5000 5000").play(" ".join(f"raise:{amount}" for amount in range(101, 111)))
    table.play("call / bet:1 raise:2 raise:3 raise:4 raise:5 raise:6 raise:7 raise:8 raise:9 raise:10 raise:11")
    assert table.last_act == "0 call 10"
    assert table.play("bet:5").last_act == "0 bet 5"
