"""How many simultaneous games can the practice server run, and how long do its bots wait for it?

500 bots, each with its own address, take turns in 100 simultaneous games. All run in one process and use hardly any
processor time. The tables have five seats, so that 500 seats are taken. Goals: if house bots act at once, 200 hands per
second on two processors; and at the 99th percentile (p99), the server's share of a turn is under 20 ms, not counting
its pause between two messages to a bot. Run: `make bench BENCH=practice_load ARGS="--seconds 30"`.
"""

import asyncio
import itertools
import json
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from msgspec import Struct

from server.bots.transports.tcp import GAP_SECONDS
from server.game.events import ActionTaken, GameStarted
from server.journal.journal import read_journal
from tests.bench.common.scales import family, options, print_machine, processor_seconds
from tests.support.program import serving_program

HOST = "127.0.0.1"
TABLES, SEATS, BOTS = 100, 5, 500
"""The number of simultaneous tables, of seats at each table, and of bots that take turns."""
THINKS_MS = 60
"""The longest time that a house bot takes to answer, if it thinks."""
WARM_SECONDS = 8.0
FOLDS = 0.6
"""The probability that a bot folds, so high that games last long."""
_FOLD, _CALL = (json.dumps({"command": "take_action", "action": act}).encode() for act in ("fold", "call"))


class Load(Struct, frozen=True):
    """The server's port, how long its house bots think at most, and for how long the bots are measured."""

    port: int
    thinks_ms: int
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
        names = itertools.cycle(range(BOTS))
        tables = [asyncio.create_task(self._table(names, table)) for table in range(TABLES)]
        await asyncio.sleep(WARM_SECONDS)
        self._measured = True
        await asyncio.sleep(self._load.seconds)
        self._measured = False
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        return self._played

    async def _table(self, names: Iterator[int], number: int) -> None:
        """Plays one game after the other, each with the next bot and from this bot's address."""
        await asyncio.sleep(number * WARM_SECONDS / TABLES / 2)
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
            {"name": name, "test_game_size": SEATS, "test_hand_count": 24, "house_think_ms": load.thinks_ms}
        ).encode()
        reader, writer = await asyncio.open_connection(HOST, load.port, local_addr=(address, 0))
        head = f"POST /register HTTP/1.1\r\nHost: {HOST}:{load.port}\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        answered = await reader.read(-1)
        writer.close()
        good = answered.startswith(b"HTTP/1.1 200")
        return int(json.loads(answered.partition(b"\r\n\r\n")[2])["port_number"]) if good else 0


def play(load: Load, pipe: Connection) -> None:
    """Runs the bots in a separate process; sends what they saw through `pipe`."""
    pipe.send(asyncio.run(_Crowd(load).play()))


GOAL_HANDS, GOAL_MS = 200, 20
"""Hands per second, and the p99 of the server's share of a turn."""


def measure(load: Load, pid: int) -> tuple[Played, list[float]]:
    """Lets the bots play; returns what they saw, and how many processors each process of the server used."""
    ours, theirs = multiprocessing.Pipe()
    bots = multiprocessing.get_context("spawn").Process(target=play, args=(load, theirs), daemon=True)
    bots.start()
    time.sleep(WARM_SECONDS)
    begun, at = {each: processor_seconds(each) for each in family(pid)}, time.monotonic()
    time.sleep(load.seconds)
    spent = time.monotonic() - at
    busy = [(processor_seconds(each) - before) / spent for each, before in begun.items()]
    played: Played = ours.recv()
    bots.join()
    return played, busy


def print_load(what: str, load: Load, played: Played, busy: list[float]) -> tuple[float, float]:
    """Prints a line; returns the hands per second, and the p99 of the server's share of a turn in milliseconds."""
    shares = sorted(played.shares_ms) or [0.0]
    hands, half, most = played.hands / load.seconds, shares[len(shares) // 2], shares[len(shares) * 99 // 100]
    print(
        f"{what:22} {hands:5.0f} hands/s, {hands / sum(busy):5.0f} for each second of a processor   "
        f"share of a turn: p50 {half:5.1f} ms, p99 {most:5.1f} ms   busy {' + '.join(f'{each:.2f}' for each in busy)}"
        f"{f'   {played.refused} refused' if played.refused else ''}",
        flush=True,
    )
    return hands, most


def count_late_turns(recordings: Path) -> int:
    """Counts the turns in which a bot that answers at once was judged late."""
    late = 0
    for path in recordings.glob("*.jsonl"):
        seat = -1
        for entry in read_journal(path).entries:
            if isinstance(entry.event, GameStarted):
                seat = entry.event.seats.index(1)
            elif isinstance(entry.event, ActionTaken) and entry.event.seat == seat:
                late += entry.event.fault == "timeout"
    return late


def main() -> int:
    flags = options(__doc__, seconds=20.0)
    print_machine()

    good = True
    for what, thinks, least in (("house bots think", THINKS_MS, 0), ("house bots act at once", 0, GOAL_HANDS)):
        with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data) as server:
            assert server.process.stdout
            # A full pipe would block the server.
            threading.Thread(target=server.process.stdout.read, daemon=True).start()
            load = Load(server.port, thinks, flags.seconds)
            hands, share = print_load(what, load, *measure(load, server.process.pid))
            late = count_late_turns(Path(data) / "recordings" / "practice")
            goal = f"{least} hands/s, " if least else ""
            print(f"{'':22} {late} turns judged late   (goal: {goal}p99 under {GOAL_MS} ms, none late)", flush=True)
            good &= hands >= least and share < GOAL_MS and not late
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
