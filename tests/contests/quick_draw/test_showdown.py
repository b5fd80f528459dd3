"""The Quick Draw rule book, sentence by sentence: which cards are shown and which hand wins.

In every table here the last seat has the big blind.
"""

import pytest

from server.game.events import HandShown
from tests.game.table import deal


def test_all_cards_are_revealed_at_the_end_of_every_hand_regardless_of_any_actions() -> None:
    table = deal("5000 5000 0 5000", "As Ah, Kc Kd, -, 7h 2c").play("raise:300 fold fold")
    shown = [event for event in table.events if isinstance(event, HandShown)]
    assert {event.seat: event.cards for event in shown} == {0: ("As", "Ah"), 1: ("Kc", "Kd"), 3: ("7h", "2c")}


def test_at_a_showdown_the_live_hands_are_named_and_their_best_five_known() -> None:
    table = deal("5000 5000 5000", "As Ah, Kc Kd, 7h 2c", "Ac Kh 8d 9h Jd")
    table.play("call call fold / check check / check check / check check")
    assert table.shown == {0: "three of a kind, aces, king kicker", 1: "three of a kind, kings, ace kicker", 2: ""}
    best = ["".join(card[0] for card in event.best) for event in table.events if isinstance(event, HandShown)]
    assert best == ["AAAKJ", "KKKAJ", ""]


@pytest.mark.parametrize(
    ("hands", "board", "winner"),
    [
        pytest.param("Ah 9d, 6h 9c", "2c 3d 4s 5h Kd", 1, id="a straight from the ace up is the lowest"),
        pytest.param("Ah 9d, Ad 8c", "As 3d 4s 7h Kd", 0, id="ties are broken by the kicker"),
        pytest.param("Ah 2d, Kh Qc", "As 2c Ks Qd 7h", 0, id="two pair is decided by the higher pair first"),
    ],
)
def test_better_hand_wins(hands: str, board: str, winner: int) -> None:
    assert deal("1000 1000", hands, board).play("all-in call").awards == [{winner: 2000}]
