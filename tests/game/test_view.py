"""What one seat may know and no more: decks that differ only in hidden cards give the same view until the end."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import start_hand
from server.game.cards import DECK, Deck
from server.game.events import ChatSent, HandEnded
from server.game.view import view_of
from tests.bots.views import entrants_of, seen
from tests.game.random_hands import random_decision
from tests.game.table import Table, deal

HANDS = "As Kd, 7h 7c, 2c 3d"


def test_a_seat_sees_its_own_cards_and_nobody_elses() -> None:
    view = seen(deal("500 500 500", HANDS), 1)
    assert [seat.cards for seat in view.hand.seats] == [(), ("7h", "7c"), ()]
    assert view.hand.deck == Deck()
    assert view.full_board == ()


def test_folding_shows_nothing() -> None:
    view = seen(deal("500 500 500", HANDS).play("fold"), 0)
    assert [seat.cards for seat in view.hand.seats] == [("As", "Kd"), (), ()]


def test_all_cards_are_revealed_at_the_end_of_every_hand() -> None:
    table = deal("500 500 500", HANDS, "Ah 9s 4d Jc 2s").play("fold fold")
    for seat in range(3):
        view = seen(table, seat)
        assert [shown.cards for shown in view.hand.seats] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
        assert view.full_board == ("Ah", "9s", "4d", "Jc", "2s")
        assert view.hand.deck == Deck()


@pytest.mark.parametrize("show", ["showdown", "loser_if_aggressor"])
def test_other_rules_do_not_reveal_all(show: str) -> None:
    rules = msgspec.convert({**msgspec.to_builtins(QUICK_DRAW), "show": show}, type(QUICK_DRAW))
    view = seen(deal("500 500 500", HANDS, rules=rules).play("fold fold"), 2)
    assert [seat.cards for seat in view.hand.seats] == [(), (), ("2c", "3d")]
    assert view.full_board == ()


def test_hidden_cards_change_no_byte_that_a_bot_gets() -> None:
    """The same visible cards and the same actions, other hidden cards: the same requests, chats and views."""
    dice = random.Random(7)
    for number in range(300):
        seats = dice.randint(2, 6)
        eyes = dice.randrange(seats)
        one, two = _pair(seats, eyes, dice)
        for turn in range(40):
            if one.hand.over or two.hand.over:
                break
            assert view_of(one.hand, eyes, 1, entrants_of(seats)) == view_of(two.hand, eyes, 1, entrants_of(seats))
            assert _sent(one, eyes) == _sent(two, eyes), f"hand {number}, turn {turn}"
            decision = random_decision(dice, one.hand)
            one.take(decision)
            two.take(decision)


def _pair(seats: int, eyes: int, dice: random.Random) -> tuple[Table, Table]:
    """Two tables that differ in what `eyes` cannot see."""
    cards = tuple(dice.sample(DECK, 52))
    stacks = [dice.choice((300, 1000, 5000)) for _ in range(seats)]
    hand, _ = start_hand(QUICK_DRAW, 1, 0, stacks, Deck(cards))
    board = hand.runout()
    known = {*hand.seats[eyes].cards, *board}
    hidden = iter(dice.sample([card for card in cards if card not in known], 52 - len(known)))
    other = Deck(tuple(card if card in known else next(hidden) for card in cards))
    return Table(QUICK_DRAW, 1, 0, stacks, Deck(cards)), Table(QUICK_DRAW, 1, 0, stacks, other)


def _sent(table: Table, eyes: int) -> tuple[bytes, bytes | None, bytes | None]:
    view = seen(table, eyes)
    return (
        QuickDraw().ask(view),
        QuickDraw().notify(ChatSent(11, "Howdy"), view),
        QuickDraw().notify(HandEnded((), ""), view),
    )


def test_the_future_of_the_board_is_hidden_too() -> None:
    table = deal("500 500", "As Kd, 7h 7c", "Ah 9s 4d Jc 2s").play("call call")
    other = replace(table.hand, deck=Deck(tuple(sorted(table.hand.deck.cards))))
    assert view_of(table.hand, 0, 1, entrants_of(2)) == view_of(other, 0, 1, entrants_of(2))
