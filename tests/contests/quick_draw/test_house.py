"""Quick Draw's house bots: how they read a request, and a game over TCP."""

import asyncio
import json
import random

from server.bots.house.styles import Situation, styles
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.venue.house import play, situation_in
from server.game.events import ActionTaken, BotDisconnected, ChatSent, FaultNoted
from tests.bots.tcp_client import HOST
from tests.bots.tcp_table import Program, play_hands
from tests.bots.views import seen
from tests.game.table import deal

STYLES = sorted(styles())


def test_request_becomes_a_situation() -> None:
    table = deal("5000 0 5000 5000", "As Kd, -, 7h 7c, 2c 3d", "Ah 9s 4d Jc 2s").play("raise:300 call fold / raise:200")
    situation = situation_in(json.loads(QuickDraw().ask(seen(table))))
    assert situation == Situation(("7h", "7c"), ("Ah", "9s", "4d"), 0, 4700, 200, 900, 1)


def test_six_styles_play_a_game_without_a_fault() -> None:
    stacks, events = asyncio.run(play_hands([_program(style) for style in STYLES], 6))
    assert sum(stacks) == 6 * 5000
    assert not [event for event in events if isinstance(event, FaultNoted | BotDisconnected)]
    assert not [event for event in events if isinstance(event, ActionTaken) and event.fault]
    assert [event for event in events if isinstance(event, ChatSent)]


def _program(style: str) -> Program:
    async def program(port: int, name: str) -> None:
        await play(HOST, port, name, styles()[style], random.Random(style), 0.0)

    return program
