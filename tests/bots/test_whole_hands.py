"""Hands from the deal to the result over real TCP, with bots like the original sample bot and bots that die."""

import asyncio
import json
import socket
import struct
from collections import Counter
from typing import Any

import pytest

from server.game.events import ActionTaken, BotDisconnected, FaultNoted, HandEnded
from tests.bots.tcp_client import connect
from tests.bots.tcp_table import SampleBot, play_hands


def caller(_: dict[str, Any]) -> tuple[str, int]:
    return "call", 0


def raiser(request: dict[str, Any]) -> tuple[str, int]:
    return "raise", request["highest_bid_value"] + 100


def folder(_: dict[str, Any]) -> tuple[str, int]:
    return "fold", 0


def test_original_sample_bot_plays_unmodified() -> None:
    bots = [SampleBot(choose) for choose in (caller, raiser, folder, caller, raiser, folder)]
    stacks, events = asyncio.run(play_hands(bots, 6))
    assert sum(stacks) == 6 * 5000
    assert not [event for event in events if isinstance(event, FaultNoted | BotDisconnected)]
    assert not [event for event in events if isinstance(event, ActionTaken) and event.fault]
    ended = sum(isinstance(event, HandEnded) for event in events)
    for bot in bots:
        commands = Counter(message["command"] for message in bot.heard)
        assert commands["hand_result"] == ended, "folded and busted bots get it too"
        assert commands["confirm_action"] == commands["request_action"]
        assert {message["result"] for message in bot.heard if message["command"] == "confirm_action"} <= {"success"}


class DyingBot(SampleBot):
    """Calls until it is asked for the `fatal`-th time, then dies before or after its answer."""

    def __init__(self, fatal: int, how: str) -> None:
        super().__init__(caller)
        self._fatal = fatal
        self._how = how

    async def __call__(self, port: int, name: str) -> None:
        with await connect(port) as connection:
            await self._live(connection)
            if "reset" in self._how:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def _live(self, connection: socket.socket) -> None:
        asked = 0
        while received := await asyncio.get_running_loop().sock_recv(connection, 4096):
            for line in received.splitlines():
                command = json.loads(line)["command"]
                asked += command == "request_action"
                fatal = command == "hand_result" if self._how == "in hand_result" else asked == self._fatal
                if command == "request_action" and (not fatal or "after" in self._how):
                    await self._send(connection, action_type="call", raise_amount="0")
                if fatal:
                    return


@pytest.mark.parametrize("how", ["close", "reset", "close after answer", "reset after answer", "in hand_result"])
@pytest.mark.parametrize("fatal", [1, 2, 4, 6])
def test_hands_go_on_wherever_a_bot_dies(fatal: int, how: str) -> None:
    bots = [SampleBot(caller), DyingBot(fatal, how), SampleBot(raiser)]
    stacks, events = asyncio.run(play_hands(bots, 3))
    assert sum(stacks) == 3 * 5000
    assert sum(isinstance(event, HandEnded) for event in events) == 3
    assert [event.bot for event in events if isinstance(event, BotDisconnected)] == [2]
    faults = [
        (event.seat, event.act, event.fault) for event in events if isinstance(event, ActionTaken) and event.fault
    ]
    assert set(faults) <= {(1, "fold", "disconnected")}


def test_one_of_the_last_two_bots_or_all_bots_may_die() -> None:
    stacks, events = asyncio.run(play_hands([SampleBot(caller), DyingBot(1, "reset")], 4))
    assert sum(stacks) == 10_000
    assert stacks[0] > stacks[1]
    assert sum(isinstance(event, HandEnded) for event in events) == 4
    stacks, events = asyncio.run(play_hands([DyingBot(1, "close"), DyingBot(1, "reset"), DyingBot(1, "close")], 3))
    assert sum(stacks) == 15_000
    assert sum(isinstance(event, HandEnded) for event in events) == 3
