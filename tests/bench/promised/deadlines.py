"""Promises about time and dying bots: three seconds to answer, clock steps, and bots that die at any moment."""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from unittest import mock

from msgspec.structs import replace

from server.bots.bot import Bot
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import ActionTaken, Entrant, GameStarted
from server.game.formats import Format, StagePlan
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bench.common.scales import Outcome, on_all_processors
from tests.bench.promised import dying_bot
from tests.bench.promised.dying_bot import MOMENTS, WAYS
from tests.bots.tcp_client import CALL, HOST
from tests.bots.views import asked_view, resolve_action
from tests.journal.killed_contest import SEED, decided_events, play, run_bot, run_contest
from tests.support.games.recordings import of_kind

DELAYS, LIMIT = (2.9, 3.1), 3.0
"""Bots answer after one of DELAYS, in seconds. After LIMIT, an answer is too late."""
MARGIN = 0.1
"""Only answers at least this many seconds before or after the limit are judged."""
AT_ONCE = 40
"""How many bots are asked within the same second."""
SHORT_FORMAT = Format(
    "quick-draw", "The last one", replace(QUICK_DRAW, think_ms=300), 5000, (StagePlan("High Noon", games=1, hands=6),)
)
SECONDS = 120.0
"""The longest time that a contest with a dying bot may take."""
SPAWNING = get_context("spawn")


# -- three seconds ---------------------------------------------------------------------------------


def try_time_limit(answers: int) -> Outcome:
    """Judges answers that come after 2.90 or 3.10 seconds, while other processes keep all processors busy."""
    with ExitStack() as running:
        for _ in range(os.cpu_count() or 1):
            burning = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            running.callback(running.enter_context(burning).kill)
        asked = asyncio.run(_ask_all(answers))
    sure = [(fault, seconds) for fault, seconds in asked if abs(seconds - LIMIT) > MARGIN - 0.01]
    wrong = sum((fault == "timeout") != (seconds > LIMIT) for fault, seconds in sure)
    figure = f"{answers // 2} after 2.90 s, {answers // 2} after 3.10 s, on a busy machine"
    return Outcome("answers", len(sure), wrong, figure, "0 misjudged outside 100 ms")


async def _ask_all(answers: int) -> Sequence[tuple[str, float]]:
    """Returns, for each answer, its fault ("" if it was on time) and after how many seconds it was sent."""
    found = list[tuple[str, float]]()
    while len(found) < answers:
        numbers = range(min(AT_ONCE, answers - len(found)))
        found += await asyncio.gather(*(_ask(number) for number in numbers))
    return found


async def _ask(number: int) -> tuple[str, float]:
    """Asks one bot, and answers as this bot after one of DELAYS."""
    listener = await listen_for_bot(HOST, HOST, 30.0)
    reader, writer = await asyncio.open_connection(HOST, listener.port)
    bot = Bot(1, QuickDrawDialect(), await listener.accept(), lambda _: None)
    await asyncio.sleep(number / AT_ONCE)
    asking = asyncio.create_task(bot.ask(asked_view(), resolve_action))
    await reader.readuntil(b"\n")
    asked_at = time.monotonic()
    await asyncio.sleep(DELAYS[number % 2])
    seconds = time.monotonic() - asked_at
    writer.write(CALL)
    fault = (await asking).fault
    bot.hang_up()
    writer.close()
    return fault, seconds


# -- clock steps -----------------------------------------------------------------------------------


def try_clock_steps(contests: int) -> Outcome:
    """Plays contests whose wall clock jumps by up to an hour at each reading; compares them with a normal contest."""
    with tempfile.TemporaryDirectory() as name:
        run_contest(Path(name) / "quiet.jsonl")
        right, broken = decided_events(Path(name) / "quiet.jsonl"), 0
        for number in range(contests):
            journal = Path(name) / f"{number}.jsonl"
            process = SPAWNING.Process(target=_play_with_clock_steps, args=(journal, number))
            process.start()
            process.join()
            broken += process.exitcode != 0 or decided_events(journal) != right
    return Outcome("contests", contests, broken, "wall clock an hour to and fro", "0 changed decisions")


def _play_with_clock_steps(journal: Path, number: int) -> None:
    dice, real = random.Random(number), time.time
    with mock.patch("time.time", side_effect=lambda: real() + dice.uniform(-3600, 3600)):
        asyncio.run(play(journal))


# -- bots that die ---------------------------------------------------------------------------------


def try_bot_deaths(rounds: int) -> Outcome:
    """Lets a bot die at each of ten moments in each of five ways, in a contest of four bots or of two."""
    deaths = list(product(MOMENTS, WAYS)) * rounds
    broken = sum(on_all_processors(partial(_try_death, deaths), len(deaths), "deaths", 1))
    figure = f"{len(MOMENTS)} moments, {len(WAYS)} ways, {rounds} times each"
    return Outcome("deaths", len(deaths), broken, figure, "all games end rightly")


def _try_death(deaths: list[tuple[str, str]], number: int) -> int:
    """Returns 1 if the contest cannot be verified to its end or another bot has a fault, else 0."""
    with tempfile.TemporaryDirectory() as name:
        journal = Path(name) / "contest.jsonl"
        died = asyncio.run(_play_with_dying_bot(journal, *deaths[number]))
        assert died, f"the bot did not die: {deaths[number]}"
        entries = read_journal(journal).entries
    (game,) = of_kind(entries, GameStarted)
    faulty = {action.seat for action in of_kind(entries, ActionTaken) if action.fault}
    return int(bool(faulty - {game.seats.index(dying_bot.ID)}) or not verify(entries).finished)


async def _play_with_dying_bot(journal: Path, moment: str, way: str) -> bool:
    """Plays the contest to its end; returns whether the dying bot reached its moment."""
    bus = Bus(Journal(journal), asyncio.get_running_loop().time)
    entrants = [Entrant(bot, f"Bot {bot}") for bot in range(1, 3 if moment == "one of the last two" else 5)]
    director = Director(SHORT_FORMAT, entrants, seed=SEED, bus=bus)
    listeners = [await listen_for_bot(HOST, HOST, 1.0 if moment == "registered" else SECONDS) for _ in entrants]
    command = (sys.executable, "-S", dying_bot.__file__, str(listeners[0].port), moment, way)
    async with AsyncExitStack() as closing:
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL)
        closing.push_async_callback(process.wait)
        closing.callback(_end, process)
        for listener in listeners[1:]:
            closing.callback(asyncio.create_task(run_bot(listener.port)).cancel)
        for entrant, listener in zip(entrants, listeners, strict=True):
            if (entrant.bot, moment) != (dying_bot.ID, "registered"):
                bot = Bot(entrant.bot, QuickDrawDialect(), await listener.accept(), director.record_bot_event)
                closing.callback(bot.hang_up)
                director.add_bot(bot)
        async with asyncio.timeout(SECONDS):
            await director.run()
        bus.close()
        _end(process)
        return (await process.communicate())[0] == b"dying\n"


def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
