"""The Quick Draw rule book, sentence by sentence: who is still asked when somebody is all in.

In every table here the last seat has the big blind.
"""

from tests.game.table import deal


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
