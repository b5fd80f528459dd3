"""The Quick Draw rule book, sentence by sentence: who posts which blind, and who is dealt in.

In every table here the last seat has the big blind.
"""

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import BlindPosted, HoleDealt
from server.game.hand import next_blind
from tests.game.table import SIX, Table, deal


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


def test_big_blind_passes_over_busted_seats_and_nobody_skips_it() -> None:
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


def test_bet_to_match_is_100_even_when_the_big_blind_is_short() -> None:
    table = deal("5000 5000 5000 70")
    assert table.turn.to_call == 100
    assert table.hand.current_bet == 100
    table.play("call call")
    assert table.bets == [100, 100, 50, 70]


def test_with_fewer_than_two_bots_with_chips_there_is_no_hand() -> None:
    with pytest.raises(ValueError, match="at least two"):
        start(0, [5000, 0, 0])


def start(button: int, stacks: list[int]) -> Table:
    return Table(QUICK_DRAW, 1, button, stacks, deal(SIX).hand.deck)


def blinds(table: Table) -> list[int]:
    """The seats that posted, in order."""
    return [event.seat for event in table.events if isinstance(event, BlindPosted)]
