"""Quick Draw's request_action: the example of its document, and every field on every street."""

import json

import pytest

from server.contests.quick_draw.dialect import QuickDraw
from tests.bots.views import seen, words
from tests.contests.quick_draw.quickdraw_messages import BOARD, HANDS, asked
from tests.game.table import deal


def test_request_action_before_the_flop() -> None:
    table = deal("5000 5000 5000", HANDS, BOARD, number=3)
    hand = [{"value": "A", "suit": "S"}, {"value": "K", "suit": "D"}]
    waiting = {"State": "not_played", "state": "not_played"}
    assert json.loads(QuickDraw().ask(seen(table, game=4))) == {
        "command": "request_action",
        "hand": hand,
        "community_cards": [],
        "center_cards": [],
        "game_number": 3,
        "hand_number": 2,
        "round_number": 0,
        "players": [
            {"id": 11, "name": "Ann", "hand": hand, **waiting, "round_bet": 0, "hand_bet": 0, "bank": 5000},
            {"id": 12, "name": "Bob", "hand": [], **waiting, "round_bet": 50, "hand_bet": 50, "bank": 4950},
            {"id": 13, "name": "Cid", "hand": [], **waiting, "round_bet": 100, "hand_bet": 100, "bank": 4900},
        ],
        "highest_bid_value": 100,
        "total_pot_value": 150,
    }


def test_rounds_count_from_0_to_3_the_board_grows_and_players_keep_betting_order() -> None:
    """ "The first player in the list is 'under the gun', and the last person in the list is the big blind"."""
    table = deal("5000 5000 5000", HANDS, BOARD)
    seen_rounds = []
    for script in ("", "call call call", "call call call", "call call call"):
        message = asked(table.play(script))
        seen_rounds.append((message["round_number"], words(message["community_cards"])))
        assert message["community_cards"] == message["center_cards"]
        assert [player["name"] for player in message["players"]] == ["Ann", "Bob", "Cid"]
        assert table.turn.seat == 0
    board = ("Ah", "9s", "4d", "Jc", "2s")
    assert seen_rounds == [(0, ()), (1, board[:3]), (2, board[:4]), (3, board)]


def test_round_bet_is_of_the_street_and_hand_bet_of_the_hand() -> None:
    message = asked(deal("5000 5000 5000").play("raise:300 call call / raise:200"))
    ann, bob, cid = message["players"]
    assert [(player["round_bet"], player["hand_bet"], player["bank"]) for player in (ann, bob, cid)] == [
        (200, 500, 4500),
        (0, 300, 4700),
        (0, 300, 4700),
    ]
    assert (message["highest_bid_value"], message["total_pot_value"]) == (200, 1100)


@pytest.mark.parametrize(
    ("stacks", "script", "states"),
    [
        ("5000 5000 700 5000 5000", "fold raise:300 all-in call", "folded raised all_in called not_played"),
        ("5000 5000 5000 5000", "raise:300 call fold", "raised called folded not_played"),
        ("5000 5000 5000 5000", "raise:300 call fold call / check", "called not_played folded not_played"),
        ("5000 300 5000", "raise:300 call call /", "not_played all_in not_played"),
        ("5000 0 5000 5000", "", "not_played folded not_played not_played"),
    ],
)
def test_states_are_the_last_action_of_the_street(stacks: str, script: str, states: str) -> None:
    table = deal(stacks, "", BOARD).play(script)
    players = asked(table)["players"]
    assert [player["State"] for player in players] == [player["state"] for player in players] == states.split()
    assert [player["bank"] for player in players] == table.stacks
