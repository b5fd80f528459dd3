"""The Quick Draw rule book, sentence by sentence. In every table here the last seat has the big blind."""

import pytest

from server.game.cards import Deck
from server.game.decide import decide, fault_decision, resolve
from server.game.decisions import Call, Fold, IllegalAction, RaiseTo
from server.game.events import BlindPosted, HandShown, HoleDealt, StreetDealt
from server.game.hand import next_blind
from server.game.rules import QUICK_DRAW
from tests.game.table import Table, deal

SIX = "5000 5000 5000 5000 5000 5000"


# -- blinds ----------------------------------------------------------------------------------------


def test_small_blind_50_second_to_last_and_big_blind_100_last_in_betting_order() -> None:
    table = deal(SIX)
    posted = [event for event in table.events if isinstance(event, BlindPosted)]
    assert posted == [BlindPosted(4, "small", 50, False), BlindPosted(5, "big", 100, False)]
    assert table.hand.order == (0, 1, 2, 3, 4, 5)


def test_every_hand_each_bot_is_dealt_2_cards() -> None:
    dealt = [event for event in deal(SIX).events if isinstance(event, HoleDealt)]
    assert sorted(event.seat for event in dealt) == [0, 1, 2, 3, 4, 5]
    assert len({card for event in dealt for card in event.cards}) == 12


def test_in_six_hands_each_player_acts_as_both_blinds_once() -> None:
    big, smalls, bigs = 4, [], []
    for _ in range(6):
        button, big = next_blind(QUICK_DRAW, big, [5000] * 6)
        small, posted = blinds(start(button, [5000] * 6))
        smalls.append(small)
        bigs.append(posted)
    assert bigs == [5, 0, 1, 2, 3, 4], "the blinds rotate clockwise"
    assert smalls == [4, 5, 0, 1, 2, 3]


def test_the_big_blind_passes_over_busted_seats_and_nobody_skips_it() -> None:
    stacks = [5000, 0, 5000, 0, 0, 5000]
    big, bigs = 5, []
    for _ in range(4):
        button, big = next_blind(QUICK_DRAW, big, stacks)
        assert start(button, stacks).hand.order[-1] == big
        bigs.append(big)
    assert bigs == [0, 2, 5, 0]


def test_when_the_next_big_blind_busts_the_one_after_it_posts() -> None:
    _, big = next_blind(QUICK_DRAW, 2, [5000, 5000, 5000, 0, 5000, 5000])
    assert big == 4


def test_when_the_last_small_blind_busts_the_last_big_blind_becomes_small_blind() -> None:
    button, big = next_blind(QUICK_DRAW, 3, [5000, 5000, 0, 5000, 5000, 5000])
    posted = blinds(start(button, [5000, 5000, 0, 5000, 5000, 5000]))
    assert (posted, big) == ([3, 4], 4)


def test_heads_up_the_blinds_alternate() -> None:
    stacks, big, bigs = [0, 5000, 0, 5000], 3, []
    for _ in range(4):
        button, big = next_blind(QUICK_DRAW, big, stacks)
        posted = blinds(start(button, stacks))
        assert posted == [4 - big, big]
        bigs.append(big)
    assert bigs == [1, 3, 1, 3]


def test_busted_bots_stay_in_the_list_and_are_not_dealt_in() -> None:
    table = deal("5000 0 5000 5000").play("call call check / check")
    assert table.hand.order == (0, 1, 2, 3)
    assert [seat.dealt_in for seat in table.hand.seats] == [True, False, True, True]
    assert table.asked == [0, 2, 3, 0, 2]


def test_short_blinds_post_what_they_have_and_are_all_in() -> None:
    table = deal("5000 5000 30 70")
    posted = [event for event in table.events if isinstance(event, BlindPosted)]
    assert posted == [BlindPosted(2, "small", 30, True), BlindPosted(3, "big", 70, True)]


def test_the_bet_to_match_is_100_even_when_the_big_blind_is_short() -> None:
    table = deal("5000 5000 5000 70")
    assert table.turn.to_call == 100
    assert table.hand.current_bet == 100
    table.play("call call")
    assert table.bets == [100, 100, 50, 70]


# -- order of action -------------------------------------------------------------------------------


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


# -- fold, call, raise -----------------------------------------------------------------------------


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
    with pytest.raises(IllegalAction, match="at least 300"):
        resolve(table.hand, RaiseTo(amount))
    with pytest.raises(IllegalAction, match="at least 300"):
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
        decide(table.hand, Call())


def test_with_fewer_than_two_bots_with_chips_there_is_no_hand() -> None:
    with pytest.raises(ValueError, match="at least two"):
        start(0, [5000, 0, 0])


# -- the cap on laps -------------------------------------------------------------------------------


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


# -- all-in ----------------------------------------------------------------------------------------


def test_the_last_live_bot_is_always_asked_before_an_all_in_is_settled() -> None:
    table = deal("1000 5000 5000").play("all-in fold")
    assert table.turn.seat == 2
    assert table.turn.to_call == 900
    assert not table.hand.over


def test_the_last_live_bot_may_fold_to_the_all_in() -> None:
    table = deal("1000 5000 5000").play("all-in fold fold")
    assert table.stacks == [1150, 4950, 4900]


def test_each_of_several_live_bots_is_asked_about_the_all_in() -> None:
    table = deal("1000 1000 5000 5000").play("all-in all-in call")
    assert table.turn.seat == 3
    assert table.turn.to_call == 900


def test_no_bot_is_asked_once_everybody_is_all_in() -> None:
    table = deal("1000 1000").play("all-in call")
    assert table.hand.over
    assert table.asked == [0, 1]
    assert len(table.hand.board) == 5


def test_a_lone_live_bot_with_nothing_to_match_is_not_asked() -> None:
    table = deal("100 5000").play("call")
    assert table.hand.over
    assert table.asked == [0]


def test_two_live_bots_play_on_beside_an_all_in() -> None:
    table = deal("300 5000 5000", "As Ah, Kc Kd, 7h 2c", "3s 4s 8d 9h Jd")
    table.play("all-in call call / bet:500 call / check check / check check")
    assert table.awards == [{0: 900}, {1: 1000}]
    assert table.stacks == [900, 5200, 4200]


def test_the_small_blind_all_in_with_its_last_chip_can_win_one_chip_from_each() -> None:
    table = deal("5000 1 5000", "3h 2c, As Ah, Kc Kd", "3s 4s 8d 9h Jd").play("call check / check check /")
    table.play("check check / check check")
    assert table.awards == [{1: 3}, {2: 198}]


def test_everybody_all_in_on_the_blinds_needs_no_decision() -> None:
    table = deal("50 60", "As Ah, Kc Kd", "3s 4s 8d 9h Jd")
    assert table.hand.over
    assert table.returned == {1: 10}
    assert table.stacks == [100, 10]


def test_the_small_blind_facing_a_short_big_blind_is_asked_to_match() -> None:
    table = deal("5000 70", "As Ah, Kc Kd", "3s 4s 8d 9h Jd")
    assert table.turn.seat == 0
    assert table.play("call").returned == {0: 30}
    assert table.stacks == [5070, 0]


def test_the_small_blind_that_covers_the_short_big_blind_is_not_asked() -> None:
    table = deal("5000 40", "As Ah, Kc Kd", "3s 4s 8d 9h Jd")
    assert table.asked == []
    assert table.returned == {0: 10}
    assert table.stacks == [5040, 0]


# -- pots ------------------------------------------------------------------------------------------


def test_you_can_only_win_from_each_player_as_much_as_you_bet_yourself() -> None:
    table = deal("500 5000 5000", "As Ah, Kc Kd, 7h 2c", "3s 4s 8d 9h Jd").play(
        "all-in raise:2000 call / check check /"
    )
    table.play("check check / check check")
    assert table.pots == [(1500, (0, 1, 2)), (3000, (1, 2))]
    assert table.awards == [{0: 1500}, {1: 3000}], "all remaining chips go to the second-best hand"


def test_three_all_ins_of_different_size_make_three_pots() -> None:
    table = deal("300 600 900 900", "As Ah, Kc Kd, Qc Qd, 7h 2c", "3s 4s 8d 9h Jd").play("all-in all-in all-in call")
    assert table.pots == [(1200, (0, 1, 2, 3)), (900, (1, 2, 3)), (600, (2, 3))]
    assert table.awards == [{0: 1200}, {1: 900}, {2: 600}]


def test_tied_all_ins_of_different_size_are_split_by_side_pots() -> None:
    hands = "As Kd, Ad Ks, 7h 2c, 7d 2h, 8c 3d, 8d 3h"
    table = deal("750 250 500 500 500 500", hands, "Ah Kh Qs 9s 4c").play("all-in all-in all-in all-in all-in all-in")
    assert table.pots == [(1500, (0, 1, 2, 3, 4, 5)), (1250, (0, 2, 3, 4, 5))]
    assert table.awards == [{0: 750, 1: 750}, {0: 1250}]
    assert table.stacks == [2250, 750, 0, 0, 0, 0], "of 3000 chips, 250 of which nobody called"


def test_tied_all_ins_share_the_folded_chips_of_the_main_pot() -> None:
    stacks = "5000 5000 5000 5000 750 250 500 500 500 500"
    hands = "-, -, -, -, As Kd, Ad Ks, 7h 2c, 7d 2h, 8c 3d, 8d 3h"
    table = deal(stacks, hands, "Ah Kh Qs 9s 4c").play(
        "raise:250 call call call all-in call all-in all-in all-in all-in"
    )
    table.play("fold fold fold fold")
    assert table.stacks[4:] == [2750, 1250, 0, 0, 0, 0]


def test_folded_chips_go_to_whoever_wins_the_pot_they_are_in() -> None:
    table = deal("300 5000 5000", "As Ah, Kc Kd, 7h 2c", "3s 4s 8d 9h Jd")
    table.play("all-in call call / bet:400 raise:800 fold")
    assert table.returned == {2: 400}
    assert table.awards == [{0: 900}, {2: 800}]
    assert table.stacks == [900, 4300, 5100]


def test_chips_that_nobody_called_are_returned() -> None:
    table = deal("5000 800", "As Ah, Kc Kd", "3s 4s 8d 9h Jd").play("raise:3000 call")
    assert table.returned == {0: 2200}
    assert table.pots == [(1600, (0, 1))]


def test_the_pot_of_a_hand_everybody_else_folded_is_what_was_called() -> None:
    table = deal("5000 5000 5000").play("raise:3000 fold fold")
    assert table.returned == {0: 2900}
    assert table.awards == [{0: 250}]


def test_if_the_best_5_cards_are_identical_the_pot_is_split() -> None:
    table = deal("1000 1000 1000", "As Kd, Ad Ks, 7h 2c", "Ah Kh Qs 9s 4c").play("all-in all-in all-in")
    assert table.awards == [{0: 1500, 1: 1500}]


def test_the_board_may_play_for_everybody() -> None:
    table = deal("1000 1000 1000", "2s 3d, 2d 3s, 4h 2c", "Ah Kh Qh Jh Th").play("all-in all-in all-in")
    assert table.awards == [{0: 1000, 1: 1000, 2: 1000}]


def test_odd_chips_go_to_the_first_seat_in_betting_order() -> None:
    table = deal("1001 1001 1001", "7h 2c, Ad Ks, As Kd", "Ah Kh Qs 9s 4c").play("all-in all-in all-in")
    assert table.awards == [{1: 1502, 2: 1501}]


def test_odd_chips_are_never_destroyed() -> None:
    table = deal("101 101 101 101", "As 2c, Ad 2d, Ac 2h, 3s 5d", "Ah Kh Qs 9s 8c").play("all-in all-in all-in all-in")
    assert table.awards == [{0: 136, 1: 134, 2: 134}]
    assert sum(table.stacks) == 404


# -- showdown --------------------------------------------------------------------------------------


def test_all_cards_are_revealed_at_the_end_of_every_hand_regardless_of_any_actions() -> None:
    table = deal("5000 5000 5000", "As Ah, Kc Kd, 7h 2c").play("raise:300 fold fold")
    shown = [event for event in table.events if isinstance(event, HandShown)]
    assert {event.seat: event.cards for event in shown} == {0: ("As", "Ah"), 1: ("Kc", "Kd"), 2: ("7h", "2c")}


def test_at_a_showdown_the_live_hands_are_named_and_their_best_five_known() -> None:
    table = deal("5000 5000 5000", "As Ah, Kc Kd, 7h 2c", "Ac Kh 8d 9h Jd")
    table.play("call call fold / check check / check check / check check")
    assert table.shown == {0: "three of a kind, aces, king kicker", 1: "three of a kind, kings, ace kicker", 2: ""}
    best = ["".join(card[0] for card in event.best) for event in table.events if isinstance(event, HandShown)]
    assert best == ["AAAKJ", "KKKAJ", ""]


def test_a_busted_bot_shows_nothing() -> None:
    table = deal("5000 0 5000 5000").play("fold fold")
    assert set(table.shown) == {0, 2, 3}


def test_a_straight_from_the_ace_up_is_the_lowest() -> None:
    table = deal("1000 1000", "Ah 9d, 6h 9c", "2c 3d 4s 5h Kd").play("all-in call")
    assert table.shown == {0: "straight, five high", 1: "straight, six high"}
    assert table.awards == [{1: 2000}]


def test_ties_are_broken_by_the_kicker() -> None:
    table = deal("1000 1000", "Ah 9d, Ad 8c", "As 3d 4s 7h Kd").play("all-in call")
    assert table.awards == [{0: 2000}]


def test_two_pair_is_decided_by_the_higher_pair_first() -> None:
    table = deal("1000 1000", "Ah 2d, Kh Qc", "As 2c Ks Qd 7h").play("all-in call")
    assert table.awards == [{0: 2000}]


# -- what the deck says ----------------------------------------------------------------------------


def test_the_commitment_is_in_the_first_event_and_the_key_in_the_last() -> None:
    table = Table(QUICK_DRAW, 1, 0, [1000, 1000, 1000], Deck(deal("1 1 1").hand.deck.cards, "committed", "key"))
    started, *_, ended = table.play("fold fold").events
    assert getattr(started, "deck_commitment", "") == "committed"
    assert getattr(ended, "deck_key", "") == "key"
    assert not any("key" in repr(event) for event in table.events[:-1])


# -- notation --------------------------------------------------------------------------------------


def start(button: int, stacks: list[int]) -> Table:
    return Table(QUICK_DRAW, 1, button, stacks, deal(SIX).hand.deck)


def blinds(table: Table) -> list[int]:
    """The seats that posted, in order."""
    return [event.seat for event in table.events if isinstance(event, BlindPosted)]
