"""The Quick Draw rule book, sentence by sentence: which cards are shown, which hand wins, the deck's key.

In every table here the last seat has the big blind.
"""

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.cards import Deck
from server.game.events import HandShown
from tests.game.table import Table, deal


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


def test_busted_bot_shows_nothing() -> None:
    table = deal("5000 0 5000 5000").play("fold fold")
    assert set(table.shown) == {0, 2, 3}


def test_straight_from_the_ace_up_is_the_lowest() -> None:
    table = deal("1000 1000", "Ah 9d, 6h 9c", "2c 3d 4s 5h Kd").play("all-in call")
    assert table.shown == {0: "straight, five high", 1: "straight, six high"}
    assert table.awards == [{1: 2000}]


def test_ties_are_broken_by_the_kicker() -> None:
    table = deal("1000 1000", "Ah 9d, Ad 8c", "As 3d 4s 7h Kd").play("all-in call")
    assert table.awards == [{0: 2000}]


def test_two_pair_is_decided_by_the_higher_pair_first() -> None:
    table = deal("1000 1000", "Ah 2d, Kh Qc", "As 2c Ks Qd 7h").play("all-in call")
    assert table.awards == [{0: 2000}]


def test_commitment_is_in_the_first_event_and_the_key_in_the_last() -> None:
    table = Table(QUICK_DRAW, 1, 0, [1000, 1000, 1000], Deck(deal("1 1 1").hand.deck.cards, "committed", "key"))
    started, *_, ended = table.play("fold fold").events
    assert getattr(started, "deck_commitment", "") == "committed"
    assert getattr(ended, "deck_key", "") == "key"
    assert not any("key" in repr(event) for event in table.events[:-1])
