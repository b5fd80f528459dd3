"""Quick Draw's house bots: how they value hands, how they read a request, and a game over TCP."""

import json

import pytest

from server.bots.house.strength import strength
from server.bots.house.styles import Situation, styles
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.venue.house import situation_in
from server.game.cards import parse_cards
from tests.bots.views import table_view
from tests.game.table import deal

STYLES = sorted(styles())


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("As Ah", "Ks Kh", ""),
        ("As Ks", "As Kh", ""),
        ("As Ks", "9s 8s", ""),
        ("9s 8s", "9s 4h", ""),
        ("7s 7h", "7s 2h", ""),
        ("As 9h", "Ks Qh", "9s 5d 2c"),
        ("5s 5h", "As 9h", "9s 5d 2c"),
        ("9s 5h", "As 9h", "9c 5d 2c"),
        ("Ah 3h", "As 9d", "9h 5h 2h"),
        ("8s 7s", "As Ah", "9h 6d 5c"),
        ("Ah 3h", "As 3d", "9h 5h 2c"),
        ("As 9s", "4s 3c", "9h 9d 5c 5s Kd"),
        ("Ah Kh", "As Ad", "Qh Jh Th"),
    ],
)
def test_better_hand_is_worth_more(better: str, worse: str, board: str) -> None:
    cards = parse_cards(board)
    assert 1 >= strength(parse_cards(better), cards) > strength(parse_cards(worse), cards) >= 0


def test_request_becomes_a_situation() -> None:
    table = deal("5000 0 5000 5000", "As Kd, -, 7h 7c, 2c 3d", "Ah 9s 4d Jc 2s").play("raise:300 call fold / raise:200")
    situation = situation_in(json.loads(QuickDraw().ask(table_view(table))))
    assert situation == Situation(("7h", "7c"), ("Ah", "9s", "4d"), 0, 4700, 200, 900, 1)
