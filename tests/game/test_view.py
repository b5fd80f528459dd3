"""What one seat sees of a hand, and what it sees after the end."""

import msgspec
import pytest

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.cards import Deck
from tests.bots.views import seen
from tests.game.table import deal

HANDS = "As Kd, 7h 7c, 2c 3d"


@pytest.mark.parametrize(("script", "seat", "cards"), [("", 1, ("7h", "7c")), ("fold", 0, ("As", "Kd"))])
def test_a_seat_sees_only_its_own_cards(script: str, seat: int, cards: tuple[str, ...]) -> None:
    view = seen(deal("500 500 500", HANDS).play(script), seat)
    assert [each.cards for each in view.hand.seats] == [cards if at == seat else () for at in range(3)]
    assert view.hand.deck == Deck()
    assert view.full_board == ()


def test_all_cards_are_revealed_at_the_end_of_every_hand() -> None:
    table = deal("500 500 500", HANDS, "Ah 9s 4d Jc 2s").play("fold fold")
    for seat in range(3):
        view = seen(table, seat)
        assert [shown.cards for shown in view.hand.seats] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
        assert view.full_board == ("Ah", "9s", "4d", "Jc", "2s")
        assert view.hand.deck == Deck()


@pytest.mark.parametrize("show", ["showdown", "loser_if_aggressor"])
def test_rules_that_show_fewer_hands_do_not_reveal_all_cards(show: str) -> None:
    rules = msgspec.convert({**msgspec.to_builtins(QUICK_DRAW), "show": show}, type(QUICK_DRAW))
    view = seen(deal("500 500 500", HANDS, rules=rules).play("fold fold"), 2)
    assert [seat.cards for seat in view.hand.seats] == [(), (), ("2c", "3d")]
    assert view.full_board == ()
