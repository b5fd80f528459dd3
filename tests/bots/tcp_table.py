"""Whole hands over real TCP at a real table of the server, with bots that are functions in the test."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from server.bots.bot import Bot
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import Entrant, Event
from server.game.hand import next_blind
from server.journal.bus import Bus
from server.shuffle import deck_of
from server.tournament.dealer import Table
from server.tournament.resumable_log import ResumableLog
from tests.bots.tcp_client import HOST, connect

Program = Callable[[int, str], Coroutine[Any, Any, None]]
"""A bot: called with the port to connect to, and its name."""


async def play_hands(programs: Sequence[Program], hands: int) -> tuple[list[int], list[Event]]:
    """Plays up to `hands` hands of Quick Draw among `programs`; returns the stacks after them, and all events."""
    bus = Bus(None, lambda: 0.0)
    bots: list[Bot] = []
    tasks: list[asyncio.Task[None]] = []
    names = [f"Bot {seat}" for seat in range(len(programs))]
    for seat, program in enumerate(programs):
        listener = await listen_for_bot(HOST, HOST, 5.0)
        tasks.append(asyncio.create_task(program(listener.port, names[seat])))
        bots.append(Bot(seat + 1, QuickDraw(), await listener.accept(), bus.publish))
    entrants = tuple(Entrant(seat + 1, name) for seat, name in enumerate(names))
    table = Table(QUICK_DRAW, 1, entrants, tuple(bots), ResumableLog(bus, lambda _: None))
    stacks, big = [5000] * len(programs), len(programs) - 2
    for number in range(1, hands + 1):
        if sum(stack > 0 for stack in stacks) < 2:
            break
        button, big = next_blind(QUICK_DRAW, big, stacks)
        hand = await table.play_hand(number, button, stacks, deck_of(number.to_bytes(32, "big")))
        stacks = [seat.stack for seat in hand.seats]
    for bot in bots:
        bot.hang_up()
    async with asyncio.timeout(10):
        await asyncio.gather(*tasks)
    return stacks, [entry.event for entry in bus.entries]


class SampleBot:
    """A bot like the original sample bot: `recv(4096)`, split at newlines; its answers have no newline.

    A line over 4096 bytes, or one that arrives in two pieces, breaks it.
    """

    def __init__(self, choose: Callable[[dict[str, Any]], tuple[str, int]]) -> None:
        self._choose = choose
        self.heard: list[dict[str, Any]] = []

    async def __call__(self, port: int, name: str) -> None:
        loop = asyncio.get_running_loop()
        connection = await connect(port)
        try:
            while received := await loop.sock_recv(connection, 4096):
                for line in filter(None, received.decode().split("\n")):
                    message = json.loads(line)
                    self.heard.append(message)
                    if message["command"] == "request_action":
                        action, amount = self._choose(message)
                        await self._send(connection, action_type=action, raise_amount=str(amount))
        except ConnectionError:
            pass
        finally:
            connection.close()

    async def _send(self, connection: socket.socket, **action: str) -> None:
        text = json.dumps({"command": "take_action", **action})
        await asyncio.get_running_loop().sock_sendall(connection, text.encode())
