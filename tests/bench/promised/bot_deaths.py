"""A contest in which one bot, in a process of its own, dies at a chosen moment in a chosen way."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from msgspec.structs import replace

from server.bots.bot import Bot
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import ActionTaken, Entrant, GameStarted
from server.game.prizes import prizes
from server.game.tournament import Format, StagePlan
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bench.promised import dying_bot
from tests.bots.tcp_client import HOST
from tests.journal.killed_contest import SEED, program

CONTEST = Format(
    "quick-draw", "The last one", replace(QUICK_DRAW, think_ms=300), 5000, (StagePlan("High Noon", games=1, hands=6),)
)
SECONDS = 120.0


def play_with_a_dying_bot(folder: Path, moment: str, way: str) -> int:
    """Returns 1 if the contest cannot be verified to its end or another bot has a fault, else 0."""
    journal = folder / f"{moment} {way}.jsonl"
    died = asyncio.run(_play(journal, moment, way))
    assert died, f"it did not die {moment}"
    entries = read_journal(journal).entries
    actions = [entry.event for entry in entries if isinstance(entry.event, ActionTaken)]
    (game,) = [entry.event for entry in entries if isinstance(entry.event, GameStarted)]
    others = [action for action in actions if action.fault and action.seat != game.seats.index(dying_bot.ID)]
    return int(bool(others) or not verify(entries).finished)


async def _play(journal: Path, moment: str, way: str) -> bool:
    """Plays the contest to its end; returns whether the dying bot reached its moment."""
    bots = 2 if moment == "one of the last two" else 4
    bus = Bus(Journal(journal), asyncio.get_running_loop().time)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot}") for bot in range(1, bots + 1)]
    director = Director(CONTEST, entrants, seed=SEED, bus=bus, prizes_cents=prizes(500 * bots))
    listeners = [await listen_for_bot(HOST, HOST, 1.0 if moment == "registered" else SECONDS) for _ in entrants]
    command = (sys.executable, "-S", dying_bot.__file__, str(listeners[0].port), moment, way)
    async with AsyncExitStack() as closing:
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL)
        closing.push_async_callback(process.wait)
        closing.callback(_end, process)
        for listener in listeners[1:]:
            closing.callback(asyncio.create_task(program(listener.port)).cancel)
        for entrant, listener in zip(entrants, listeners, strict=True):
            if (entrant.bot, moment) != (dying_bot.ID, "registered"):
                bot = Bot(entrant.bot, QuickDraw(), await listener.accept(), director.hear)
                closing.callback(bot.hang_up)
                director.welcome(bot)
        async with asyncio.timeout(SECONDS):
            await director.run()
        bus.close()
        _end(process)
        return (await process.communicate())[0] == b"dying\n"


def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
