"""Quick Draw's chat, and the log a bot asks for."""

import json

import pytest

from server.bots.dialects.messages import Chatted, Malformed
from server.contests.quick_draw.dialect import QuickDraw
from server.game.events import ChatSent
from tests.bots.views import seen
from tests.contests.quick_draw.quickdraw_messages import HANDS, received
from tests.game.table import deal


@pytest.mark.parametrize("text", ["a {brace", "a brace}", "a\\nnewline", "a\\rreturn", "", "   ", "\\u200b\\u202e"])
def test_chats_with_forbidden_characters_are_refused(text: str) -> None:
    (piece,) = received(f'{{"command":"send_chat","message":"{text}"}}')
    assert isinstance(piece, Malformed)


def test_escaped_double_quote_is_allowed_in_a_chat() -> None:
    assert received('{"command":"send_chat","message":"Say \\"draw\\"!"}') == [Chatted('Say "draw"!')]
    (piece, *_) = received('{"command":"send_chat","message":"Say "draw"!"}')
    assert isinstance(piece, Malformed)


def test_receive_chat_has_its_author_as_a_player() -> None:
    table = deal("5000 5000 5000", HANDS).play("call")
    line = QuickDraw().notify(ChatSent(11, 'Howdy, "Señor"'), seen(table, 2))
    assert line is not None
    assert json.loads(line) == {
        "command": "receive_chat",
        "message": 'Howdy, "Señor"',
        "author": {
            "id": 11,
            "name": "Ann",
            "hand": [],
            "State": "called",
            "state": "called",
            "round_bet": 100,
            "hand_bet": 100,
            "bank": 4900,
        },
    }


def test_chat_of_a_bot_that_is_not_at_the_table_is_not_sent() -> None:
    assert QuickDraw().notify(ChatSent(99, "Howdy"), seen(deal("500 500"))) is None


def test_log_data_holds_the_newest_lines_that_fit_into_2000_bytes() -> None:
    lines = [f'{number} > {{"é":"♠"}}' for number in range(200)]
    line = QuickDraw().logs(lines)
    logs = json.loads(line)["logs"]
    assert line.endswith(b"\n")
    assert len(line) <= 2000
    assert logs == lines[-len(logs) :]
    assert len(QuickDraw().logs(lines[-len(logs) - 1 :])) == len(line)
    assert json.loads(QuickDraw().logs([])) == {"command": "log_data", "logs": []}
    assert json.loads(QuickDraw().logs(["x" * 5000])) == {"command": "log_data", "logs": []}
