"""The Quick Draw rule book, sentence by sentence: what each bot can win, how pots are split, which cards are shown.

In every table here the last seat has the big blind.
"""

import pytest

from server.game.events import HandShown
from tests.game.table import deal

LOW, TIE = "3s 4s 8d 9h Jd", "Ah Kh Qs 9s 4c"


@pytest.mark.parametrize(
    ("stacks", "hands", "board", "script", "pots"),
    [
        pytest.param(
            "500 5000 5000", "As Ah, Kc Kd, 7h 2c", LOW,
            "all-in raise:2000 call / check check / check check / check check",
            [(1500, (0, 1, 2), {0: 1500}), (3000, (1, 2), {1: 3000})],
            id="you win from each player only as much as you bet; the rest goes to the second-best hand",
        ),
        pytest.param(
            "750 250 500 500 500 500", "As Kd, Ad Ks, 7h 2c, 7d 2h, 8c 3d, 8d 3h", TIE, "all-in " * 6,
            [(1500, (0, 1, 2, 3, 4, 5), {0: 750, 1: 750}), (1250, (0, 2, 3, 4, 5), {0: 1250})],
            id="tied all-ins of different size are split by side pots",
        ),
        pytest.param(
            "1000 1000 1000", "As Kd, Ad Ks, 7h 2c", TIE, "all-in all-in all-in",
            [(3000, (0, 1, 2), {0: 1500, 1: 1500})], id="identical best 5 cards split the pot",
        ),
        pytest.param(
            "1001 1001 1001", "7h 2c, Ad Ks, As Kd", TIE, "all-in all-in all-in",
            [(3003, (0, 1, 2), {1: 1502, 2: 1501})], id="an odd chip goes to the first seat in betting order",
        ),
        pytest.param(
            "101 101 101 101", "As 2c, Ad 2d, Ac 2h, 3s 5d", "Ah Kh Qs 9s 8c", "all-in all-in all-in all-in",
            [(404, (0, 1, 2, 3), {0: 136, 1: 134, 2: 134})], id="odd chips are never destroyed",
        ),
    ],
)  # fmt: skip
def test_pots_and_their_winners(
    stacks: str, hands: str, board: str, script: str, pots: list[tuple[int, tuple[int, ...], dict[int, int]]]
) -> None:
    table = deal(stacks, hands, board).play(script)
    assert [(*pot, won) for pot, won in zip(table.pots, table.awards, strict=True)] == pots


def test_folded_chips_go_to_the_winner_of_their_pot() -> None:
    table = deal("300 5000 5000", "As Ah, Kc Kd, 7h 2c", LOW)
    table.play("all-in call call / bet:400 raise:800 fold")
    assert table.returned == {2: 400}
    assert table.awards == [{0: 900}, {2: 800}]
    assert table.stacks == [900, 4300, 5100]


def test_chips_that_nobody_called_are_returned() -> None:
    table = deal("5000 800", "As Ah, Kc Kd", LOW).play("raise:3000 call")
    assert (table.returned, table.pots) == ({0: 2200}, [(1600, (0, 1))])
    table = deal("5000 5000 5000").play("raise:3000 fold fold")
    assert (table.returned, table.awards) == ({0: 2900}, [{0: 250}]), "the pot is what was called"


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
