"""How many simultaneous games can the practice server run, and how long do its bots wait for it?

500 bots with different addresses take turns at 100 tables, each against four house bots. If house bots act at once, two
processors must play 200 hands per second. After 99 % of the answers, the bot must wait less than 20 ms for the server's
confirmation. The server's pauses between two messages do not count.
Run: `make bench BENCH=practice_load ARGS="--seconds 30"`.
"""

import asyncio
import itertools
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from multiprocessing import get_context
from pathlib import Path

import psutil

from server.bots.transports.tcp import MESSAGE_GAP_SECONDS
from server.game.events import ActionTaken, GameStarted
from server.journal.journal import read_journal
from tests.bench.common.scales import options, percentile
from tests.support.games.recordings import of_kind
from tests.support.program import Running, serving_program

HOST = "127.0.0.1"
GOAL_HANDS, GOAL_MS = 200, 20
TABLES, SEATS, BOTS = 100, 5, 500
WARM_UP_SECONDS = 8.0
FOLD, CALL = (json.dumps({"command": "take_action", "action": act}).encode() for act in ("fold", "call"))


class Crowd:
    """Plays all bots. While `is_measuring` is true, counts hands, and the ms that bots wait after each answer."""

    def __init__(self, port: int, think_ms: int) -> None:
        self.hands = self.refused = 0
        self.waits_ms: list[float] = []
        self.is_measuring = False
        self._port, self._think_ms = port, think_ms
        self._bot_numbers, self._dice = itertools.cycle(range(BOTS)), random.Random(1)

    async def play_at_table(self, table: int) -> None:
        """Plays one game after another, each as a different bot."""
        await asyncio.sleep(table * WARM_UP_SECONDS / TABLES / 2)
        for number in self._bot_numbers:
            address = f"127.1.{number // 200}.{number % 200 + 1}"
            if port := await self._register(f"Bot {number}", address):
                reader, writer = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
                with closing(writer.transport), suppress(ConnectionError):
                    await self._play(reader, writer)
            else:
                self.refused += 1
                await asyncio.sleep(1.0)

    async def _play(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        previous_at = answered_at = 0.0
        while line := await reader.readline():
            now = time.perf_counter()
            if b'"command":"request_action"' in line:
                writer.write(FOLD if self._dice.random() < 0.6 else CALL)  # many folds make games long
                answered_at = time.perf_counter()
            elif b'"command":"confirm_action"' in line and answered_at:
                if self.is_measuring:
                    self.waits_ms.append((now - max(answered_at, previous_at + MESSAGE_GAP_SECONDS)) * 1000)
                answered_at = 0.0
            elif b'"command":"hand_result"' in line:
                self.hands += self.is_measuring
            previous_at = now

    async def _register(self, name: str, address: str) -> int:
        """Returns the port for the bot's game, or 0 if the bot is refused."""
        registration = {"name": name, "test_game_size": SEATS, "test_hand_count": 24, "house_think_ms": self._think_ms}
        body = json.dumps(registration)
        reader, writer = await asyncio.open_connection(HOST, self._port, local_addr=(address, 0))
        head = f"POST /register HTTP/1.1\r\nHost: {HOST}:{self._port}\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n{body}".encode())
        head, _, answer = (await reader.read(-1)).decode().partition("\r\n\r\n")
        writer.close()
        return int(json.loads(answer)["port_number"]) if head.startswith("HTTP/1.1 200 ") else 0


def play(port: int, think_ms: int, seconds: float) -> tuple[int, list[float], int]:
    """Lets all bots play. Returns hands, waits in ms, and the sum of refused registrations and crashed tables."""

    async def play_all() -> tuple[int, list[float], int]:
        crowd = Crowd(port, think_ms)
        tables = [asyncio.create_task(crowd.play_at_table(table)) for table in range(TABLES)]
        await asyncio.sleep(WARM_UP_SECONDS)
        crowd.is_measuring = True
        await asyncio.sleep(seconds)
        crowd.is_measuring = False
        crowd.refused += sum(table.done() for table in tables)  # only a crash ends a table
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        return crowd.hands, crowd.waits_ms, crowd.refused

    return asyncio.run(play_all())


def processor_seconds(processes: Sequence[psutil.Process]) -> float:
    return sum(times.user + times.system for times in (process.cpu_times() for process in processes))


def measure(server: Running, think_ms: int, seconds: float) -> tuple[float, float, int]:
    """Lets the bots play in a process of their own, and prints the figures.

    Returns the hands per second, the 99th percentile of the waits for the server in milliseconds, and the sum of
    refused registrations and crashed tables.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        playing = pool.submit(play, server.port, think_ms, seconds)
        time.sleep(WARM_UP_SECONDS)
        parent = psutil.Process(server.process.pid)
        processes = [parent, *parent.children()]
        before = processor_seconds(processes)
        time.sleep(seconds)
        busy = (processor_seconds(processes) - before) / seconds
        hands, waits_ms, refused = playing.result()
    p50, p99 = percentile(waits_ms, 50), percentile(waits_ms, 99)
    wait_text = f"share of a turn: p50 {p50:5.1f} ms, p99 {p99:5.1f} ms"
    print(f"| {hands / seconds:5.0f} hands/s on {busy:.2f} processors, {wait_text}, {refused} refused")
    return hands / seconds, p99, refused


def count_late_turns(recordings: Path) -> int:
    """Counts the turns in which the server judged one of the 500 bots late, although these bots answer at once."""
    late, paths = 0, [*recordings.glob("*.jsonl")]
    assert paths, "the server recorded no game"
    for path in paths:
        entries = read_journal(path).entries
        for game in of_kind(entries, GameStarted):
            seat = game.seats.index(1)
            late += sum(action.fault == "timeout" for action in of_kind(entries, ActionTaken) if action.seat == seat)
    return late


def main(seconds: float) -> int:
    are_goals_met = True
    for behaviour, think_ms, min_hands in (("think for up to 60 ms", 60, 1), ("act at once", 0, GOAL_HANDS)):
        with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data) as server:
            assert server.process.stdout
            # A full pipe would block the server.
            threading.Thread(target=server.process.stdout.read, daemon=True).start()
            print(f"house bots {behaviour} (goal: {min_hands} hands/s, p99 under {GOAL_MS} ms, none late or refused)")
            hands, p99, refused = measure(server, think_ms, seconds)
            late = count_late_turns(Path(data) / "recordings" / "practice")
            print(f"{late} turns judged late", flush=True)
            are_goals_met &= hands >= min_hands and p99 < GOAL_MS and not late and not refused
    return 0 if are_goals_met else 1


if __name__ == "__main__":
    sys.exit(main(options(__doc__, seconds=20.0).seconds))
