"""Hands at a showdown have their right names, with a kicker only if it decides."""

import pytest

from broadcast.commentary.hand_names import POOR, made_name, showdown_name
from server.game.cards import parse_cards


@pytest.mark.parametrize(
    ("mine", "board", "others", "name"),
    [
        ("7s Jd", "7h Ac Qd 2c 3s", ["7d Td"], "pair of sevens, jack kicker"),
        ("7d Td", "7h Ac Qd 2c 3s", ["7s Jd", "7c 5d"], "pair of sevens, ten kicker"),
        ("7d Ad", "7h Kc Qd 2c 3s", ["7s Jd"], "pair of sevens, ace kicker"),
        ("7d Ad", "7h Kc Qd 2c 3s", ["Ks Jd"], "pair of sevens"),
        ("7d 5d", "7h Ac Qd Jc 9s", ["7s 4d"], "pair of sevens"),
        ("Ah 4d", "Kc Qd 9c 7s 2d", ["As 3d"], "ace high"),
        ("Ah Jd", "Kc Qd 9c 7s 2d", ["As Td"], "ace high, jack kicker"),
        ("Ah Jd", "Kc Qd 9c 7s 2d", ["Ks Td"], "ace high"),
        ("Ad 2d", "Kd 9d 7d 4c 2s", ["Qd 3d"], "flush, ace high"),
        ("Qd 2c", "Kd 9d 7d 4d 2s", ["Jd 3c"], "flush, king-queen high"),
        ("Td 2c", "Kd Qd 7d 4d 2s", ["9d 3c"], "flush, king-queen-ten high"),
        ("Ks 8d", "Kc 4h 4d 9s 2c", ["Kd 7d"], "two pair, kings and fours"),
        ("Ks Jd", "Kc 4h 4d 9s 2c", ["Kd Td"], "two pair, kings and fours, jack kicker"),
        ("9s Ad", "9c 9h 2d 5s 7h", ["9d Kd"], "three of a kind, nines, ace kicker"),
        ("2s Ad", "9c 9h 9d 9s 7h", ["3c Kd"], "four of a kind, nines, ace kicker"),
        ("9s 9d", "9c 2h 2d 5s 7h", ["2c 2s"], "full house, nines over twos"),
        ("4h 3d", "Ac Kh Qd Js Tc", ["5h 5d"], "straight, ace high, on the board"),
        ("4h 3d", "Kc Kh 9d 9s Ac", ["5h 2d"], "two pair, kings and nines, on the board"),
        ("4h 3d", "Ah Kh Qh Jh Th", ["5h 2d"], "royal flush, on the board"),
    ],
)
def test_kicker_is_named_only_where_it_decides(mine: str, board: str, others: list[str], name: str) -> None:
    assert showdown_name(parse_cards(mine), parse_cards(board), [parse_cards(each) for each in others]) == name


@pytest.mark.parametrize(
    ("cards", "board"),
    [
        ("4h Qc", "3h 3s Th 3d"),
        ("2c 3d", "9c 9d Jc Jd"),
        ("Ac 2d", "9c 9d 9h 9s"),
    ],
)
def test_hand_that_lies_on_the_board_is_nobodys(cards: str, board: str) -> None:
    assert made_name(parse_cards(cards), parse_cards(board)) in POOR
