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
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
from msgspec import Struct

from server.bots.transports.tcp import MESSAGE_GAP_SECONDS
from server.game.events import ActionTaken, GameStarted
from server.journal.journal import read_journal
from tests.bench.common.scales import options, percentile
from tests.support.games.recordings import of_kind
from tests.support.program import serving_program

HOST = "127.0.0.1"
GOAL_HANDS, GOAL_MS = 200, 20
"""Hands per second, and the p99 of the server's share of a turn."""
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
        self._load, self._dice = load, random.Random(1)
        self._names, self._played, self._measured = itertools.cycle(range(BOTS)), Played(), False

    async def play(self) -> Played:
        tables = [asyncio.create_task(self._table(table)) for table in range(TABLES)]
        await asyncio.sleep(WARM_SECONDS)
        self._measured = True
        await asyncio.sleep(self._load.seconds)
        self._measured = False
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        return self._played

    async def _table(self, number: int) -> None:
        """Plays one game after the other, each with the next bot and from this bot's address."""
        await asyncio.sleep(number * WARM_SECONDS / TABLES / 2)
        for bot in self._names:
            address = f"127.1.{bot // 200}.{bot % 200 + 1}"
            port = await self._register(f"Bot {bot}", address)
            if not port:
                self._played.refused += 1
                await asyncio.sleep(1.0)
                continue
            reader, writer = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
            with closing(writer.transport), suppress(ConnectionError):
                await self._game(reader, writer)

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
                    self._played.shares_ms.append((now - max(answered, before + MESSAGE_GAP_SECONDS)) * 1000)
                answered = 0.0
            elif b'"command":"hand_result"' in line:
                self._played.hands += self._measured
            before = now

    async def _register(self, name: str, address: str) -> int:
        """Registers a bot from its address; returns the port for its game, or 0 if it is refused."""
        sent = {"name": name, "test_game_size": SEATS, "test_hand_count": 24, "house_think_ms": self._load.thinks_ms}
        body, host = json.dumps(sent), f"{HOST}:{self._load.port}"
        reader, writer = await asyncio.open_connection(HOST, self._load.port, local_addr=(address, 0))
        head = f"POST /register HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write((head + body).encode())
        status, _, answer = (await reader.read(-1)).partition(b"\r\n")
        writer.close()
        good = status == b"HTTP/1.1 200 OK"
        return int(json.loads(answer.partition(b"\r\n\r\n")[2])["port_number"]) if good else 0


def play(load: Load, pipe: Connection) -> None:
    """Runs the bots in a separate process; sends what they saw through `pipe`."""
    pipe.send(asyncio.run(_Crowd(load).play()))


def processor_seconds(process: psutil.Process) -> float:
    """The seconds of processor time that the threads of a process have used."""
    times = process.cpu_times()
    return times.user + times.system


def measure(load: Load, pid: int) -> tuple[float, float]:
    """Lets the bots play, and prints a line.

    Returns the hands per second, and the 99th percentile of the server's share of a turn in milliseconds.
    """
    ours, theirs = multiprocessing.Pipe()
    bots = multiprocessing.get_context("spawn").Process(target=play, args=(load, theirs), daemon=True)
    bots.start()
    time.sleep(WARM_SECONDS)
    processes = [psutil.Process(pid), *psutil.Process(pid).children()]
    seconds_before, started_at = [processor_seconds(each) for each in processes], time.monotonic()
    time.sleep(load.seconds)
    spent = time.monotonic() - started_at
    busy = [(processor_seconds(each) - before) / spent for each, before in zip(processes, seconds_before, strict=True)]
    played: Played = ours.recv()
    bots.join()
    hands, p99 = played.hands / load.seconds, percentile(played.shares_ms, 99)
    print(
        f"| {hands:5.0f} hands/s, {hands / sum(busy):5.0f} for each second of a processor   share of a turn: "
        f"p50 {percentile(played.shares_ms, 50):5.1f} ms, p99 {p99:5.1f} ms   "
        f"busy {' + '.join(f'{each:.2f}' for each in busy)}   {played.refused} refused"
    )
    return hands, p99


def count_late_turns(recordings: Path) -> int:
    """Counts the turns in which a bot that answers at once was judged late."""
    late = 0
    for path in recordings.glob("*.jsonl"):
        entries = read_journal(path).entries
        for game in of_kind(entries, GameStarted):
            seat = game.seats.index(1)
            late += sum(each.fault == "timeout" for each in of_kind(entries, ActionTaken) if each.seat == seat)
    return late


def main(seconds: float) -> int:
    good = True
    for what, thinks, least in (("think", THINKS_MS, 0), ("act at once", 0, GOAL_HANDS)):
        with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data) as server:
            assert server.process.stdout
            # A full pipe would block the server.
            threading.Thread(target=server.process.stdout.read, daemon=True).start()
            print(f"house bots {what} (goal: {least} hands/s, p99 under {GOAL_MS} ms, no turn judged late)")
            hands, p99 = measure(Load(server.port, thinks, seconds), server.process.pid)
            late = count_late_turns(Path(data) / "recordings" / "practice")
            print(f"{late} turns judged late", flush=True)
            good &= hands >= least and p99 < GOAL_MS and not late
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(options(__doc__, seconds=20.0).seconds))
