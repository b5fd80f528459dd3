"""The Quick Draw rule book, sentence by sentence: what each bot can win, and how pots are split.

In every table here the last seat has the big blind.
"""

from tests.game.table import deal


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
