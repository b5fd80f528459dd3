"""A contest in a process that is killed at a chosen write, sync or send. The contest can then be resumed.

Its bots use real TCP connections. A bot's decision depends only on the request, so the same request gets the same
decision.
"""

import asyncio
import json
import os
import random
import signal
import socket
from collections.abc import Callable, Iterator
from itertools import count, cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from server.bots.bot import Bot
from server.bots.transports import tcp
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import ANYTIME_EVENTS, ActionTaken, Entrant, Event
from server.game.formats import Format, StagePlan
from server.game.prizes import standard_prizes
from server.journal.begin_journal import begin_journal
from server.journal.bus import Bus
from server.journal.journal import read_journal
from server.tournament.director import Director
from tests.end_to_end.evening import decide

HOST = "127.0.0.1"
SEED = bytes(range(32))
BOTS = 4
CONTEST = Format(
    "quick-draw",
    "A short one",
    QUICK_DRAW,
    5000,
    (StagePlan("The Trials", games=2, hands=3, advance=3), StagePlan("High Noon", games=1, hands=4)),
)
POINTS = ("write before", "write half", "write after", "sync before", "sync after", "send before", "send after")
SECONDS = 180.0


class Failpoint(Struct, frozen=True):
    """The moment when a process is killed: when it reaches `point`, one of POINTS, for the `count`-th time."""

    point: str
    count: int


def run_contest(journal: Path, end: Failpoint | None = None) -> int:
    """Runs the contest with `journal` in a new process until it ends or reaches `end`. Returns the exit status.

    0: the contest has ended; -9: the process was killed.
    """
    process = _PROCESSES.Process(target=_run_in_process, args=(journal, end))
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
        raise AssertionError(f"the contest hung before it reached {end}")
    assert process.exitcode in (0, -signal.SIGKILL), f"the contest crashed before it reached {end}: see above"
    return process.exitcode


def decided_events(journal: Path) -> list[Event]:
    """Returns the events that must be the same in each run: all but ANYTIME_EVENTS, and without thinking times."""
    events = [entry.event for entry in read_journal(journal).entries]
    return [
        replace(event, think_ms=0) if isinstance(event, ActionTaken) else event
        for event in events
        if not isinstance(event, ANYTIME_EVENTS)
    ]


_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])


def _run_in_process(journal: Path, end: Failpoint | None) -> None:
    tcp.MESSAGE_GAP_SECONDS = 0.0  # the pace of messages does not matter here
    if end:
        _set_trap(end)
    asyncio.run(play(journal))


async def play(journal: Path) -> None:
    """Plays a whole contest with `journal`, or resumes it."""
    journal_state = begin_journal(journal)
    bus = Bus(journal_state.journal, asyncio.get_running_loop().time)
    bus.load(journal_state.entries)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot}") for bot in range(1, BOTS + 1)]
    director = Director(CONTEST, entrants, seed=SEED, bus=bus, prizes_cents=standard_prizes(500 * BOTS))
    bot_programs, bots = [], []
    for entrant in entrants:
        listener = await listen_for_bot(HOST, HOST, SECONDS)
        bot_programs.append(asyncio.create_task(run_bot(listener.port)))
        bots.append(Bot(entrant.bot, QuickDrawDialect(), await listener.accept(), director.record_bot_event))
        director.add_bot(bots[-1])
    await director.run()
    for bot in bots:
        bot.hang_up()
    await asyncio.gather(*bot_programs)
    bus.close()


async def run_bot(port: int) -> None:
    reader, writer = await asyncio.open_connection(HOST, port)
    while line := await reader.readline():
        message = json.loads(line)
        if message["command"] == "request_action":
            writer.write(json.dumps({"command": "take_action", **decide(message, 0.1)}).encode())
    writer.close()


def _set_trap(end: Failpoint) -> None:
    """Replaces the system call that `end` names: call number `end.count` kills this process."""
    call_name, moment = end.point.split()
    owner: Any = {"write": os, "sync": os, "send": socket.socket}[call_name]
    name = {"write": "write", "sync": "fdatasync", "send": "send"}[call_name]
    setattr(owner, name, _make_trap(getattr(owner, name), moment, end.count))


def _make_trap(real_call: Callable[..., Any], moment: str, count: int) -> Callable[..., Any]:
    calls = 0

    def trapped(file_or_socket: Any, *rest: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls != count:
            return real_call(file_or_socket, *rest)
        if moment == "half":
            real_call(file_or_socket, rest[0][: len(rest[0]) // 2])
        elif moment == "after":
            real_call(file_or_socket, *rest)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("SIGKILL did not end this process")

    return trapped


def killed_contests(folder: Path, kills: int) -> Iterator[tuple[Path, int]]:
    """Kills and resumes contests at random moments, at least `kills` times in all.

    Yields the journal of each contest that has ended, and how often it was killed.
    """
    dice, points, contest = random.Random(1871), cycle(POINTS), count()
    while kills > 0:
        journal, killed = folder / f"{next(contest)}.jsonl", 0
        while run_contest(journal, Failpoint(next(points), dice.randrange(1, 60))) != 0:
            killed += 1
        kills -= killed
        yield journal, killed
