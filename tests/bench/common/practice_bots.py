"""Quick Draw bots that use hardly any processor time: many in one process, which register and play again and again.

They measure the server's share of a turn: the time from a bot's answer to its confirmation, without the pause that the
server makes between two messages to a bot.
"""

import asyncio
import itertools
import json
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection

from msgspec import Struct

from server.bots.transports.tcp import GAP_SECONDS

HOST = "127.0.0.1"
FOLDS = 0.6
"""The probability that a bot folds, so high that games last long."""
_FOLD, _CALL = (json.dumps({"command": "take_action", "action": act}).encode() for act in ("fold", "call"))


class Load(Struct, frozen=True):
    """How the bots play: at `tables` tables at once with `seats` seats each; `bots` different bots take turns."""

    port: int
    tables: int
    bots: int
    seats: int
    thinks_ms: int
    """The longest time that a house bot takes to answer."""
    warm_seconds: float
    seconds: float


class Played(Struct):
    """What the bots saw during the measurement; `shares_ms` is the server's share of each turn."""

    hands: int = 0
    refused: int = 0
    shares_ms: list[float] = []


class _Crowd:
    """All bots of one process."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._dice = random.Random(1)
        self._played = Played()
        self._measured = False

    async def play(self) -> Played:
        load = self._load
        names = itertools.cycle(range(load.bots))
        tables = [asyncio.create_task(self._table(names, table)) for table in range(load.tables)]
        await asyncio.sleep(load.warm_seconds)
        self._measured = True
        await asyncio.sleep(load.seconds)
        self._measured = False
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        return self._played

    async def _table(self, names: Iterator[int], number: int) -> None:
        """Plays one game after the other, each with the next bot, which has an address of its own."""
        await asyncio.sleep(number * self._load.warm_seconds / self._load.tables / 2)
        while True:
            bot = next(names)
            address = f"127.1.{bot // 200}.{bot % 200 + 1}"
            port = await self._register(f"Bot {bot}", address)
            if not port:
                self._played.refused += 1
                await asyncio.sleep(1.0)
                continue
            reader, writer = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
            try:
                with suppress(ConnectionError):
                    await self._game(reader, writer)
            finally:
                writer.transport.abort()

    async def _game(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Folds and calls until the server closes the connection."""
        before = answered = 0.0
        while line := await reader.readline():
            now = time.perf_counter()
            if b'"command":"request_action"' in line:
                writer.write(_FOLD if self._dice.random() < FOLDS else _CALL)
                answered = time.perf_counter()
            elif b'"command":"confirm_action"' in line and answered:
                if self._measured:
                    self._played.shares_ms.append((now - max(answered, before + GAP_SECONDS)) * 1000)
                answered = 0.0
            elif b'"command":"hand_result"' in line:
                self._played.hands += self._measured
            before = now

    async def _register(self, name: str, address: str) -> int:
        """Registers a bot; returns the port for its game, or 0 if it is refused."""
        load = self._load
        body = json.dumps(
            {"name": name, "test_game_size": load.seats, "test_hand_count": 24, "house_think_ms": load.thinks_ms}
        ).encode()
        reader, writer = await asyncio.open_connection(HOST, load.port, local_addr=(address, 0))
        head = f"POST /register HTTP/1.1\r\nHost: {HOST}:{load.port}\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        answered = await reader.read(-1)
        writer.close()
        good = answered.startswith(b"HTTP/1.1 200")
        return int(json.loads(answered.partition(b"\r\n\r\n")[2])["port_number"]) if good else 0


def play(load: Load, pipe: Connection) -> None:
    """Plays in a process of its own, and sends the result through `pipe`."""
    pipe.send(asyncio.run(_Crowd(load).play()))
