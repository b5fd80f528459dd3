"""Quick Draw's hand_result and confirm_action."""

import json

import pytest

from server.bots.dialects.messages import Malformed, Outcome
from server.contests.quick_draw.dialect import QuickDraw
from tests.bots.views import words
from tests.contests.quick_draw.quickdraw_messages import BOARD, HANDS, result
from tests.game.table import deal


def test_hand_result_reveals_each_players_hand_and_the_winners() -> None:
    table = deal("5000 5000 5000", HANDS, BOARD).play("raise:300 call fold / check check / check check / check check")
    message = result(table)
    assert list(message) == [
        "command", "game_number", "hand_number", "community_cards", "center_cards", "players", "pots",
    ]  # fmt: skip
    assert message["command"] == "hand_result"
    assert words(message["community_cards"]) == ("Ah", "9s", "4d", "Jc", "2s")
    assert [words(player["hand"]) for player in message["players"]] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
    assert [player["bank"] for player in message["players"]] == [5400, 4700, 4900]
    assert message["pots"] == [{"pot_amount": 700, "winners": [message["players"][0]]}]
    assert message == result(table, seat=2)


def test_five_board_cards_are_shown_even_when_everybody_folded_early() -> None:
    message = result(deal("5000 5000 5000", HANDS, BOARD).play("fold fold"))
    assert words(message["center_cards"]) == ("Ah", "9s", "4d", "Jc", "2s")
    assert [words(player["hand"]) for player in message["players"]] == [("As", "Kd"), ("7h", "7c"), ("2c", "3d")]
    assert [player["bank"] for player in message["players"]] == [5000, 4950, 5050]


def test_side_pots_come_with_their_own_winners() -> None:
    table = deal("500 250 750", "As Ad, Ks Kd, 7s 2d", "Ah 9c 4d Jc 2s").play("all-in all-in call")
    message = result(table)
    assert [(pot["pot_amount"], [winner["name"] for winner in pot["winners"]]) for pot in message["pots"]] == [
        (750, ["Ann"]),
        (500, ["Ann"]),
    ]
    assert [(player["state"], player["bank"]) for player in message["players"]] == [
        ("all_in", 1250),
        ("all_in", 0),
        ("not_played", 250),  # on the river, where nobody was left to bet against
    ]


def test_split_pot_names_all_who_split_it() -> None:
    message = result(deal("500 500", "As Ks, Ad Kd", "Ah Kc 4d Jc 2s").play("all-in call"))
    assert [winner["name"] for winner in message["pots"][0]["winners"]] == ["Ann", "Bob"]
    assert [player["bank"] for player in message["players"]] == [500, 500]


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ("taken", {"command": "confirm_action", "result": "success"}),
        (Malformed("?"), {"command": "confirm_action", "result": "error", "error": "INVALID_INPUT"}),
        ("not expected", {"command": "confirm_action", "result": "error", "error": "NOT_EXPECTED"}),
        ("illegal", {"command": "confirm_action", "result": "error", "error": "INVALID_RAISE_AMOUNT"}),
        (Malformed("?", "BAD_VALUE"), {"command": "confirm_action", "result": "error", "error": "BAD_VALUE"}),
    ],
)
def test_confirm_action_says_success_or_which_error(outcome: Outcome, message: dict[str, str]) -> None:
    assert json.loads(QuickDraw().answer(outcome)) == message
