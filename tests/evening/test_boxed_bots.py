"""Before an evening starts, each boxed bot has its own log, and a bot that floods its registration harms no other."""

import asyncio
import json
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from broadcast.web.connections.limits import MAX_BOT_CONNECTIONS
from broadcast.web.serve import listen
from server.app.decisions.author_reports import AuthorReports, Ended
from server.app.evening.boxed_bots import BotEntry, BoxedBots
from server.app.evening.card_room import CardRoom, begin_recording
from server.bots.sandbox.runner import CannotRun, Exit, Limits, Runner, Say, Usage
from server.contests import CONTESTS
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotConnected, Entrant, Event, FaultNoted

CONNECTIONS = 3 * MAX_BOT_CONNECTIONS
NAMES = ("Ann", "Bob")


class Unboxed:
    """A runner without boxes and processes, which also acts as the bot that it starts.

    Building Bob raises a KeyError.
    """

    kind = box = "none"
    notes: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.register, self.game = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
        self.crashed = asyncio.Event()

    async def build(self, name: str, folder: Path, say: Say) -> str:
        if name == "Bob":
            raise KeyError(name)
        return ""

    async def start(self, name: str, built: str, log: Path, *, strict: bool = True) -> "Unboxed":
        if not strict:
            raise CannotRun("one attempt is enough")
        await asyncio.to_thread(log.write_text, "Traceback\nZeroDivisionError\n")
        return self

    async def ended(self) -> Exit:
        await self.crashed.wait()
        return Exit(1, "ended with status 1")

    async def usage(self) -> Usage:
        return Usage(5 << 20, 9 << 20, 0.5)

    async def stop(self) -> None:
        self.register.close()
        self.game.close()

    close = stop


class KeptReports(AuthorReports):
    """Reports that also keep each bot's latest usage, and how its program ended."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "quick-draw")
        self.used: dict[int, Usage] = {}
        self.ends = asyncio.Queue[tuple[int, Ended]]()

    def record_usage(self, bot: int, usage: Usage) -> None:
        super().record_usage(bot, usage)
        self.used[bot] = usage

    def record_end(self, bot: int, ended: Ended) -> None:
        super().record_end(bot, ended)
        if ended.how:
            self.ends.put_nowait((bot, ended))


def test_log_is_named_after_its_bot() -> None:
    for name, file_name in (
        ("Calamity José ☠ 牛仔", "calamity-josé-牛仔-07"),
        ("../../etc/passwd", "etc-passwd-07"),
        ("-rf_*\n", "rf-07"),
    ):
        assert BotEntry(7, name).file_name == file_name


def flood(register: tuple[str, int], game: tuple[str, int]) -> tuple[Sequence[bytes], socket.socket]:
    """Registers under a wrong name over many connections, which stay open; then connects to the game port."""
    body = json.dumps({"name": "Zoe"}).encode()
    request = b"POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    connections = [socket.create_connection(register, timeout=60) for _ in range(CONNECTIONS)]
    answers = []
    for connection in connections:
        with suppress(ConnectionError):
            connection.sendall(request)
            answers.append(connection.recv(4096))
    bot = socket.create_connection(game)
    for connection in connections:
        connection.close()
    return answers, bot


async def test_bot_that_floods_its_registration_does_not_affect_others(tmp_path: Path) -> None:
    events: list[Event] = []
    entrants = [Entrant(number, name, name) for number, name in enumerate(NAMES, 1)]
    begun = begin_recording(tmp_path / "x.jsonl")
    room = CardRoom(begun, entrants, contest=QUICK_DRAW_FORMAT, seed=bytes(32), prizes_cents=())
    room.bus.listeners.append(events.append)
    runner, reports = Unboxed(), KeptReports(tmp_path / "reports")
    boxed_bots = BoxedBots(cast(Runner, runner), room, reports, tmp_path / "logs", CONTESTS["quick-draw"])
    filling = asyncio.create_task(boxed_bots.fill([BotEntry(each.bot, each.name, tmp_path) for each in entrants]))
    await asyncio.sleep(0)
    addresses = [listener.getsockname() for listener in (runner.register, runner.game)]
    answers, bot = await asyncio.to_thread(flood, *addresses)
    with bot:
        await filling
        health = room.health.bots[1]
        assert (health.memory_bytes, health.peak_memory_bytes, health.cpu_seconds) == (5 << 20, 9 << 20, 0.5)
        assert health.memory_limit_bytes == Limits().memory_bytes
        assert reports.used[1] == Usage(5 << 20, 9 << 20, 0.5), "the author must see the same numbers"
        ended = [reports.ends.get_nowait() for _ in range(reports.ends.qsize())]
        assert 1 not in dict(ended)
        runner.crashed.set()
        how = Ended("its program ended with status 1", "Traceback\nZeroDivisionError")
        assert await reports.ends.get() == (1, how)
        await boxed_bots.empty()
    await reports.wait_until_written()
    room.bus.close()
    assert 0 < sum(map(bool, answers)) <= MAX_BOT_CONNECTIONS, "further connections must be closed"
    faults = [event for event in events if isinstance(event, FaultNoted) and event.fault == "illegal"]
    assert len(faults) == 1, "the wrong name must be recorded only once"
    assert BotConnected(1) in events, "Bob's failure must not affect Ann"
