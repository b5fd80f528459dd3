"""During and after a hand, a seat sees only the cards that the rules let it see."""

import pytest
from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.cards import Deck
from server.game.rules import Rules
from tests.bots.views import table_view
from tests.game.table import deal

HANDS = "As Kd, 7h 7c, 2c 3d"


@pytest.mark.parametrize(
    ("rules", "script", "seat", "cards"),
    [
        (QUICK_DRAW, "", 1, ("7h", "7c")),
        (QUICK_DRAW, "fold", 0, ("As", "Kd")),
        *(
            (replace(QUICK_DRAW, show=show), "fold fold", 2, ("2c", "3d"))
            for show in ("showdown", "loser_if_aggressor")
        ),
    ],
)
def test_a_seat_sees_only_its_own_cards(rules: Rules, script: str, seat: int, cards: tuple[str, ...]) -> None:
    view = table_view(deal("500 500 500", HANDS, rules=rules).play(script), seat)
    assert [each.cards for each in view.hand.seats] == [cards if at == seat else () for at in range(3)]
    assert view.hand.deck == Deck()
    assert view.full_board == ()
