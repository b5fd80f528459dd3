"""Promises about time and dying bots: three seconds to answer, clock steps, and bots that die at any moment."""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from itertools import product
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from unittest import mock

from msgspec.structs import replace

from server.bots.bot import Bot
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import ActionTaken, Entrant, GameStarted
from server.game.formats import Format, StagePlan
from server.game.prizes import prizes
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bench.common.scales import in_all_processors
from tests.bench.promised import dying_bot
from tests.bench.promised.dying_bot import MOMENTS, WAYS
from tests.bench.promised.outcome import Outcome
from tests.bots.tcp_client import CALL, HOST
from tests.bots.views import asked_view, resolved
from tests.journal.killed_contest import SEED, decided_events, play, program, run_contest

DELAYS = (2.9, 3.1)
"""After how many seconds bots answer."""
LIMIT = 3.0
MARGIN = 0.1
"""Only answers at least this many seconds before or after the limit are judged."""
AT_ONCE = 40
"""How many bots are asked within the same second."""


# -- three seconds ---------------------------------------------------------------------------------


def try_time_limit(answers: int = 400) -> Outcome:
    """Judges answers after 2.90 and after 3.10 seconds, while one process per processor burns processor time."""
    ours, theirs = get_context("spawn").Pipe()
    clients = get_context("spawn").Process(target=_answer_all, args=(theirs, answers))
    clients.start()
    with _busy_processors():
        faults = asyncio.run(_ask_all(ours, answers))
    took = ours.recv()
    clients.join()
    answered = zip(faults, took, strict=True)
    sure = [(fault, seconds) for fault, seconds in answered if abs(seconds - LIMIT) > MARGIN - 0.01]
    wrong = sum((fault == "timeout") != (seconds > LIMIT) for fault, seconds in sure)
    figure = f"{answers // 2} after 2.90 s, {answers // 2} after 3.10 s, on a busy machine"
    return Outcome("answers", len(sure), wrong, figure, "0 misjudged outside 100 ms")


async def _ask_all(clients: Connection, answers: int) -> list[str]:
    """Returns the fault of each answer, "" if it was on time."""
    found: dict[int, str] = {}

    async def ask(number: int) -> None:
        listener = await listen_for_bot(HOST, HOST, 30.0)
        clients.send(listener.port)
        bot = Bot(1, QuickDraw(), await listener.accept(), lambda _: None)
        await asyncio.sleep(number % AT_ONCE / AT_ONCE)
        found[number] = (await bot.ask(asked_view(), resolved)).fault
        bot.hang_up()

    for begin in range(0, answers, AT_ONCE):
        await asyncio.gather(*(ask(number) for number in range(begin, min(answers, begin + AT_ONCE))))
    clients.send(0)
    return [found[number] for number in range(answers)]


def _answer_all(server: Connection, answers: int) -> None:
    server.send(asyncio.run(_answer_ports(server, answers)))


async def _answer_ports(server: Connection, answers: int) -> list[float]:
    """Answers one request at each port; returns the seconds between request and answer, as measured here."""
    loop, ports = asyncio.get_running_loop(), asyncio.Queue[int]()
    loop.add_reader(server.fileno(), lambda: ports.put_nowait(server.recv()))
    took: dict[int, float] = {}

    async def answer(number: int, port: int) -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        await reader.readuntil(b"\n")
        asked = time.monotonic()
        await asyncio.sleep(DELAYS[number % 2])
        took[number] = time.monotonic() - asked
        writer.write(CALL)
        await reader.read(-1)
        writer.close()

    async with asyncio.TaskGroup() as tasks:
        number = 0
        while port := await ports.get():
            tasks.create_task(answer(number, port))
            number += 1
    loop.remove_reader(server.fileno())
    return [took[number] for number in range(answers)]


@contextmanager
def _busy_processors() -> Iterator[None]:
    """Runs one process per processor that burns processor time."""
    command = [sys.executable, "-c", "while True: pass"]
    with ExitStack() as running:
        for _ in range(os.cpu_count() or 1):
            running.callback(running.enter_context(subprocess.Popen(command)).kill)
        yield


# -- clock steps -----------------------------------------------------------------------------------


def try_clock_steps(contests: int = 50) -> Outcome:
    """Plays contests whose wall clock jumps by up to an hour at each reading; compares them with a normal contest."""
    with tempfile.TemporaryDirectory() as name:
        run_contest(Path(name) / "quiet.jsonl")
        right = decided_events(Path(name) / "quiet.jsonl")
        lost = 0
        for number in range(contests):
            journal = Path(name) / f"{number}.jsonl"
            process = get_context("spawn").Process(target=_live_with_jumps, args=(journal, number))
            process.start()
            process.join()
            lost += process.exitcode != 0 or decided_events(journal) != right
    return Outcome("contests", contests, lost, "wall clock an hour to and fro", "0 changed decisions")


def _live_with_jumps(journal: Path, number: int) -> None:
    dice, real = random.Random(number), time.time
    with mock.patch("time.time", side_effect=lambda: real() + dice.uniform(-3600, 3600)):
        asyncio.run(play(journal))


# -- bots that die ---------------------------------------------------------------------------------


def try_bot_deaths(rounds: int = 4) -> Outcome:
    """Lets a bot die at each of ten moments in each of five ways, in a contest of four bots or of two."""
    deaths = list(product(MOMENTS, WAYS)) * rounds
    lost = sum(in_all_processors(_try_death, len(deaths), "deaths", 1))
    figure = f"{len(MOMENTS)} moments, {len(WAYS)} ways, {rounds} times each"
    return Outcome("deaths", len(deaths), lost, figure, "all games end rightly")


def _try_death(number: int) -> int:
    moment, way = list(product(MOMENTS, WAYS))[number % (len(MOMENTS) * len(WAYS))]
    with tempfile.TemporaryDirectory() as name:
        return play_with_a_dying_bot(Path(name), moment, way)


CONTEST = Format(
    "quick-draw", "The last one", replace(QUICK_DRAW, think_ms=300), 5000, (StagePlan("High Noon", games=1, hands=6),)
)
SECONDS = 120.0
"""The longest time that a contest may take."""


def play_with_a_dying_bot(folder: Path, moment: str, way: str) -> int:
    """Returns 1 if the contest cannot be verified to its end or another bot has a fault, else 0."""
    journal = folder / f"{moment} {way}.jsonl"
    died = asyncio.run(_play(journal, moment, way))
    assert died, f"the bot did not die: {moment}"
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
