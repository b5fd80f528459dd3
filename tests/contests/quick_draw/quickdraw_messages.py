"""Shared by the tests of Quick Draw's messages: a table, what is read from a bot, and what a bot is sent."""

import json
from typing import Any

from server.bots.dialects.messages import Said
from server.contests.quick_draw.dialect import QuickDraw
from server.game.events import HandEnded
from tests.bots.views import seen
from tests.game.table import Table

HANDS = "As Kd, 7h 7c, 2c 3d"
BOARD = "Ah 9s 4d Jc 2s"


def received(text: str) -> list[Said]:
    return [heard.said for heard in QuickDraw().receive(text.encode())]


def asked(table: Table) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(QuickDraw().ask(seen(table)))
    return message


def result(table: Table, seat: int = 0) -> dict[str, Any]:
    line = QuickDraw().notify(HandEnded((), ""), seen(table, seat))
    assert line is not None
    message: dict[str, Any] = json.loads(line)
    return message
