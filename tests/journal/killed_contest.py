"""Runs a contest in a process that is killed at a chosen write, sync or send. The contest can then be resumed."""

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path

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
from tests.end_to_end.evening import decide  # `decide` goes all-in with a given probability, or folds or calls
from tests.support.program import ROOT

HOST = "127.0.0.1"
SEED = bytes(range(32))
STAGES = (StagePlan("The Trials", games=2, hands=3, advance=3), StagePlan("High Noon", games=1, hands=4))
SHORT_FORMAT = Format("quick-draw", "A short one", QUICK_DRAW, 5000, STAGES)
POINTS = ("write", "fdatasync", "torn line", "sendto")
"""A contest is killed at one of three system calls or, at "torn line", when its last line is half written."""
TIME_LIMIT_SECONDS = 180.0


class Failpoint(Struct, frozen=True):
    """The process is killed when it reaches `point` (one of POINTS) for the `count`-th time."""

    point: str
    count: int


def run_contest(journal: Path, failpoint: Failpoint | None = None) -> int:
    """Begins or resumes the contest in a new process. Returns 0 if it ended, or -9 if it was killed."""
    command = [*(_strace_prefix(journal, failpoint) if failpoint else ()), sys.executable, "-m", __name__, str(journal)]
    status = subprocess.run(command, cwd=ROOT, timeout=TIME_LIMIT_SECONDS, check=False).returncode
    assert status in (0, -signal.SIGKILL), f"the contest crashed before it reached {failpoint}: see above"
    if status and failpoint and failpoint.point == "torn line":
        _tear_last_line(journal)
    return status


def _strace_prefix(journal: Path, failpoint: Failpoint) -> Iterator[str]:
    """Yields the start of a command: strace runs the program that follows, and kills it just before a system call."""
    system_call = "fdatasync" if failpoint.point == "torn line" else failpoint.point
    yield from ("strace", "-o", "/dev/null", "-e", f"inject={system_call}:signal=KILL:when={failpoint.count}")
    if system_call != "sendto":
        yield from ("-P", str(journal))


def _tear_last_line(journal: Path) -> None:
    """Cuts the last line in half. The line was not yet synced when the contest was killed, so no bot has seen it."""
    content = journal.read_bytes()
    last_line = content.rfind(b"\n", 0, -1) + 1
    journal.write_bytes(content[: (last_line + len(content)) // 2])


def deterministic_events(journal: Path) -> list[Event]:
    """Returns the events that every run must repeat (no chats or other ANYTIME_EVENTS). Sets thinking times to 0."""
    decided = [entry.event for entry in read_journal(journal).entries if not isinstance(entry.event, ANYTIME_EVENTS)]
    return [replace(event, think_ms=0) if isinstance(event, ActionTaken) else event for event in decided]


async def play(journal: Path) -> None:
    """Begins or resumes the contest, and plays it to its end."""
    journal_state = begin_journal(journal)
    bus = Bus(journal_state.journal, asyncio.get_running_loop().time)
    bus.load(journal_state.entries)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot}") for bot in range(1, 5)]
    director = Director(SHORT_FORMAT, entrants, seed=SEED, bus=bus, prizes_cents=standard_prizes(500 * len(entrants)))
    bot_programs, bots = [], []
    for entrant in entrants:
        listener = await listen_for_bot(HOST, HOST, TIME_LIMIT_SECONDS)
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


def killed_contests(folder: Path, kills: int) -> Iterator[tuple[Path, int]]:
    """Kills contests at least `kills` times in all. Yields each contest's journal, and the number of its kills."""
    dice, points, contest_numbers = random.Random(1871), cycle(POINTS), count()
    while kills > 0:
        journal, killed = folder / f"{next(contest_numbers)}.jsonl", 0
        while run_contest(journal, Failpoint(next(points), dice.randrange(1, 60))) != 0:
            killed += 1
        kills -= killed
        yield journal, killed


if __name__ == "__main__":
    tcp.MESSAGE_GAP_SECONDS = 0.0  # There is no pause between two messages to a bot.
    asyncio.run(play(Path(sys.argv[1])))
