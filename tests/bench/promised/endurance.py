"""Tests promises about endurance: busy machines, a clock that jumps, dying bots, long runs and silent networks."""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack, closing, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import psutil
from msgspec.structs import replace
from playwright.sync_api import Browser

from server.bots.bot import Bot
from server.bots.house.styles import styles
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW
from server.contests.quick_draw.venue import house
from server.game.events import ActionTaken, Entrant, Event, GameStarted
from server.game.formats import Format, StagePlan
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bench.common.scales import Outcome, on_all_processors
from tests.bench.promised import dying_bot
from tests.bots.tcp_client import CALL, HOST
from tests.bots.views import first_turn_view, resolve_action
from tests.desk.desk_server import DeskServer, contest_events
from tests.desk.test_any_browser import STUDIO_PAGES, fall_silent
from tests.end_to_end.evening import NAMES, RemoteBots, play_remotely, tournament, write_evening
from tests.end_to_end.killed_evening import baseline_events, deterministic_events
from tests.support.games.contests import SEED
from tests.support.games.recordings import of_kind
from tests.support.program import SHIFTED_CLOCK, Running, serving_program
from tests.support.programs.browsers import Browsers

BOTS_ASKED_PER_SECOND = 40
IMPATIENT_RULES = replace(QUICK_DRAW, think_ms=300)
SHORT_FORMAT = Format("quick-draw", "The last one", IMPATIENT_RULES, 5000, (StagePlan("High Noon", games=1, hands=6),))
MAX_CONTEST_SECONDS = 120.0
MIN_SKEW_SECONDS, MAX_SKEW_SECONDS, JUMP_SECONDS = 600, 3600, 0.02
"""The smallest and the largest error of the wall clock, and the time between two of its jumps."""


def try_time_limit(answers: int) -> Outcome:
    """Lets bots answer after 2.90 or 3.10 s while all processors are busy. Only answers after 3 s are late."""
    with ExitStack() as running:
        for _ in range(os.cpu_count() or 1):
            busy_loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            running.callback(running.enter_context(busy_loop).kill)
        judgements = asyncio.run(_ask_all(answers))
    clear_cases = [(is_late, seconds) for is_late, seconds in judgements if abs(seconds - 3.0) > 0.09]
    wrong = sum(is_late != (seconds > 3.0) for is_late, seconds in clear_cases)
    figure = f"{answers // 2} after 2.90 s, {answers // 2} after 3.10 s, on a busy machine"
    return Outcome("answers", len(clear_cases), wrong, figure, "0 misjudged outside 100 ms")


async def _ask_all(answers: int) -> list[tuple[bool, float]]:
    """Returns for each answer whether the server judged it late, and the seconds between the request and the answer."""
    judgements = list[tuple[bool, float]]()
    while len(judgements) < answers:
        judgements += await asyncio.gather(*map(_ask, range(min(BOTS_ASKED_PER_SECOND, answers - len(judgements)))))
    return judgements


async def _ask(number: int) -> tuple[bool, float]:
    listener = await listen_for_bot(HOST, HOST, 30.0)
    reader, writer = await asyncio.open_connection(HOST, listener.port)
    bot = Bot(1, QuickDrawDialect(), await listener.accept(), lambda _: None)
    await asyncio.sleep(number / BOTS_ASKED_PER_SECOND)
    asking = asyncio.create_task(bot.ask(first_turn_view(), resolve_action))
    await reader.readuntil(b"\n")
    asked_at = time.monotonic()
    await asyncio.sleep(2.9 if number % 2 == 0 else 3.1)
    seconds = time.monotonic() - asked_at
    writer.write(CALL)
    is_late = (await asking).fault == "timeout"
    bot.hang_up()
    writer.close()
    return is_late, seconds


def try_clock_steps(evenings: int) -> Outcome:
    """Compares a normal evening (tournament and show) with evenings whose wall clock is wrong and keeps jumping."""
    with tempfile.TemporaryDirectory() as name:
        right_events = baseline_events(Path(name))
        folders = [Path(name, str(number)) for number in range(evenings)]
        broken = sum(_play_with_clock_steps(folder) != right_events for folder in folders)
    return Outcome("evenings", evenings, broken, "wall clock up to an hour off", "0 changed decisions")


def _play_with_clock_steps(folder: Path) -> Sequence[Event]:
    """Plays an evening while its wall clock jumps. Returns the events that every run must repeat, or () on failure."""
    evening, is_over, dice = write_evening(folder, NAMES), threading.Event(), random.Random(folder.name)
    offset, new_offset = folder / "offset", folder / "offset.new"

    def keep_jumping() -> None:
        while not is_over.wait(JUMP_SECONDS):
            new_offset.write_text(f"{dice.choice('+-')}{dice.randint(MIN_SKEW_SECONDS, MAX_SKEW_SECONDS)}")
            new_offset.replace(offset)  # so that the program never reads an unfinished file

    jumping = threading.Thread(target=keep_jumping)
    jumping.start()
    clock = {**SHIFTED_CLOCK, "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1"}
    prefix = ("env", *(f"{name}={value}" for name, value in clock.items()))
    try:
        with RemoteBots(evening.register, NAMES), tournament(evening, prefix=prefix) as terminal:
            if terminal.wait_for_end() != 0:
                print(terminal.text)
                return ()
    finally:
        is_over.set()
        jumping.join()
    begun_at = datetime.fromisoformat(read_journal(evening.journal).header.begun)
    skew_seconds = abs(datetime.now(UTC) - begun_at).total_seconds()
    assert skew_seconds > MIN_SKEW_SECONDS / 2, "the program's clock was right: is libfaketime installed?"
    return deterministic_events(evening.journal)


def try_bot_deaths(rounds: int) -> Outcome:
    deaths = list(product(dying_bot.MOMENTS, dying_bot.WAYS)) * rounds
    broken = sum(on_all_processors(partial(_try_death, deaths), len(deaths)))
    figure = f"{len(dying_bot.MOMENTS)} moments, {len(dying_bot.WAYS)} ways, {rounds} times each"
    return Outcome("deaths", len(deaths), broken, figure, "all games end rightly")


def _try_death(deaths: list[tuple[str, str]], number: int) -> int:
    """Plays a contest in which a bot dies. Returns 1 if another bot has a fault or the contest does not end, else 0."""
    with tempfile.TemporaryDirectory() as name:
        journal = Path(name) / "contest.jsonl"
        died = asyncio.run(_play_with_dying_bot(journal, *deaths[number]))
        assert died, f"the bot did not die: {deaths[number]}"
        entries = read_journal(journal).entries
    (game,) = of_kind(entries, GameStarted)
    faulty_seats = {action.seat for action in of_kind(entries, ActionTaken) if action.fault}
    return int(bool(faulty_seats - {game.seats.index(dying_bot.DYING_BOT)}) or not verify(entries).finished)


async def _play_with_dying_bot(journal: Path, moment: str, way: str) -> bool:
    """Plays a contest to its end. Returns whether the dying bot reached the moment of its death."""
    bus = Bus(Journal(journal), asyncio.get_running_loop().time)
    entrants = [Entrant(bot, f"Bot {bot}") for bot in range(1, 3 if moment == "one of the last two" else 5)]
    director = Director(SHORT_FORMAT, entrants, seed=SEED, bus=bus)
    wait_seconds = 1.0 if moment == "registered" else MAX_CONTEST_SECONDS
    listeners = [await listen_for_bot(HOST, HOST, wait_seconds) for _ in entrants]
    command = (sys.executable, "-S", dying_bot.__file__, str(listeners[0].port), moment, way)
    async with AsyncExitStack() as stack:
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL)
        stack.push_async_callback(process.wait)
        stack.callback(_end, process)
        for listener in listeners[1:]:
            stack.callback(asyncio.create_task(play_remotely(listener.port, 0.1)).cancel)
        for entrant, listener in zip(entrants, listeners, strict=True):
            if (entrant.bot, moment) != (dying_bot.DYING_BOT, "registered"):
                bot = Bot(entrant.bot, QuickDrawDialect(), await listener.accept(), director.record_bot_event)
                stack.callback(bot.hang_up)
                director.add_bot(bot)
        async with asyncio.timeout(MAX_CONTEST_SECONDS):
            await director.run()
        bus.close()
        _end(process)
        return (await process.communicate())[0] == b"dying\n"


def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


# -- long runs and silent networks ---------------------------------------------------------------

PLAYERS = 60
"""With so many players, the server soon keeps as many shows as it can."""
PAUSE_SECONDS = 2.0
MAX_MB_PER_HOUR = 1.0
NOTICED_SECONDS, BACK_SECONDS = 10.0, 25.0
"""Every page must report a silent network within NOTICED_SECONDS, and must be connected again within BACK_SECONDS. Both
times are measured from the start of the silence.
"""


def try_uptime(minutes: float) -> Outcome:
    """Lets bots register and play again and again. Measures the growth of memory and of the number of open files."""
    with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data, "--speed", "0") as practice:
        printed = practice.process.stdout
        assert printed is not None
        threading.Thread(target=printed.read, daemon=True).start()  # otherwise a full pipe would block the server
        games, more_files, mb_per_hour = asyncio.run(_watch_practice(practice, minutes * 60))
    figure = f"{games:,} games in {minutes:.0f} minutes: {more_files:+d} files, {mb_per_hour:+.1f} MB an hour"
    broken = (more_files > 0) + (mb_per_hour > MAX_MB_PER_HOUR)
    return Outcome("games", games, broken, figure, "files constant, below 1 MB an hour")


async def _watch_practice(practice: Running, seconds: float) -> tuple[int, int, float]:
    server, until = psutil.Process(practice.process.pid), time.monotonic() + seconds
    await _play_again_and_again(practice.port, time.monotonic() + PAUSE_SECONDS, [0], 0)
    files_before = await _files_at_rest(server)
    sizes, games = list[tuple[float, int]](), [0] * PLAYERS
    players = asyncio.gather(*(_play_again_and_again(practice.port, until, games, player) for player in range(PLAYERS)))
    while not players.done():
        sizes.append((time.monotonic(), server.memory_info().rss))
        await asyncio.sleep(PAUSE_SECONDS)
    await players
    files_after = await _files_at_rest(server)
    # Memory growth is measured only over the last 40 % of the time. By then, the server keeps as many shows as it can.
    times, memory_bytes = zip(*sizes[int(len(sizes) * 0.6) :], strict=True)
    return sum(games), files_after - files_before, float(np.polyfit(times, memory_bytes, 1)[0]) * 3600 / 1e6


async def _files_at_rest(server: psutil.Process) -> int:
    """Watches the server for 30 s while the last connections end. Returns the smallest number of open files."""
    ends, fewest = time.monotonic() + 30, int(server.num_fds())
    while time.monotonic() < ends:
        await asyncio.sleep(PAUSE_SECONDS)
        fewest = min(fewest, server.num_fds())
    return fewest


async def _play_again_and_again(port: int, until: float, games: list[int], player: int) -> None:
    while time.monotonic() < until:
        try:
            game_port = await house.register(HOST, port, f"Bot {player} {games[player]}", test_hand_count=2)
            await house.play(HOST, game_port, "Bot", styles()["aggressive"], random.Random(games[player]), 0.0)
        except (house.RegistrationRefused, OSError):
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            games[player] += 1


def try_silent_network(times: int) -> Outcome:
    """Silences the network between pages and server. Every other time, only messages to the pages are lost."""
    noticed, back = [0.0], [0.0]

    def silence_network(browser: Browser, *, to_server: bool) -> tuple[dict[str, float], dict[str, float]]:
        with tempfile.TemporaryDirectory() as media, DeskServer(Path(media), contest_events(hands=2), speed=0) as desk:
            return fall_silent(browser, desk.port, STUDIO_PAGES, to_server=to_server)

    with closing(Browsers()) as browsers, browsers.opened() as browser:
        for number in range(times):
            found = browsers.run_in_thread(partial(silence_network, browser, to_server=number % 2 == 0))
            noticed += found[0].values()
            back += found[1].values()
    broken = sum(took > NOTICED_SECONDS for took in noticed) + sum(took > BACK_SECONDS for took in back)
    figure = f"said so within {max(noticed):.1f} s, back within {max(back):.1f} s"
    goal = f"said within {NOTICED_SECONDS:.0f} s, back within {BACK_SECONDS:.0f} s"
    return Outcome("silent pages", times * len(STUDIO_PAGES), broken, figure, goal)
