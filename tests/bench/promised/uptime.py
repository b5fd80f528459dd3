"""Promises for long evenings: a server stays up under constant load, and no page freezes unnoticed."""

import asyncio
import random
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import psutil

from server.bots.house.styles import styles
from server.contests.quick_draw.venue.house import RegistrationRefused, play, register
from tests.bench.common.scales import Outcome
from tests.desk.desk_server import DeskServer, contest_events
from tests.desk.test_any_browser import STUDIO, fall_silent
from tests.support.program import Running, serving_program
from tests.support.programs.browsers import Browsers

HOST = "127.0.0.1"
PLAYERS = 60
"""The number of players, so large that the server soon has as many shows as it keeps."""
EVERY_SECONDS = 2.0
SETTLED = 0.6
"""The fraction of the time at the beginning that is not measured, while the server fills up with shows and Python
collects garbage for the first time."""
MAX_MB_PER_HOUR = 1.0
IDLE_SECONDS = 30.0
"""How long the last games and connections may take to end."""
NOTICED_SECONDS, BACK_SECONDS = 10.0, 25.0
"""The goals, from the beginning of a silence: when every page has noticed it, and when every page is back."""


def try_uptime(minutes: float) -> Outcome:
    """Lets bots register and play again and again; compares open files before and after, and measures memory growth."""
    with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data, "--speed", "0") as practice:
        printed = practice.process.stdout
        assert printed is not None
        threading.Thread(target=printed.read, daemon=True).start()  # otherwise a full pipe would block the server
        games, grown, slope = asyncio.run(_watch(practice, minutes * 60))
    figure = f"{games:,} games in {minutes:.0f} minutes: {grown:+d} files, {slope:+.1f} MB an hour"
    broken = (grown > 0) + (slope > MAX_MB_PER_HOUR)
    return Outcome("games", games, broken, figure, "files constant, below 1 MB an hour")


async def _watch(practice: Running, seconds: float) -> tuple[int, int, float]:
    server, until = psutil.Process(practice.process.pid), time.monotonic() + seconds
    await _play(practice.port, time.monotonic() + EVERY_SECONDS, [0], 0)
    before = await _files_at_rest(server)
    sizes, games = list[tuple[float, int]](), [0] * PLAYERS
    players = asyncio.gather(*(_play(practice.port, until, games, player) for player in range(PLAYERS)))
    while not players.done():
        sizes.append((time.monotonic(), server.memory_info().rss))
        await asyncio.sleep(EVERY_SECONDS)
    await players
    after = await _files_at_rest(server)
    times, bytes_then = zip(*sizes[int(len(sizes) * SETTLED) :], strict=True)
    return sum(games), after - before, float(np.polyfit(times, bytes_then, 1)[0]) * 3600 / 1e6


async def _files_at_rest(server: psutil.Process) -> int:
    """Returns the smallest number of open files during IDLE_SECONDS: the number of an idle server."""
    ends, fewest = time.monotonic() + IDLE_SECONDS, int(server.num_fds())
    while time.monotonic() < ends:
        await asyncio.sleep(EVERY_SECONDS)
        fewest = min(fewest, server.num_fds())
    return fewest


async def _play(port: int, until: float, games: list[int], player: int) -> None:
    """Registers and plays again and again; counts the player's games in `games`."""
    while time.monotonic() < until:
        try:
            wire = await register(HOST, port, f"Bot {player} {games[player]}", test_hand_count=2)
            await play(HOST, wire, "Bot", styles()["aggressive"], random.Random(games[player]), 0.0)
        except (RegistrationRefused, OSError):
            await asyncio.sleep(EVERY_SECONDS)
        else:
            games[player] += 1


def try_silent_network(times: int) -> Outcome:
    """Silences every page's network without closing it, alternately in both directions and only towards the page."""
    noticed, back = [0.0], [0.0]
    browsers = Browsers()

    def silence(to_server: bool) -> tuple[dict[str, float], dict[str, float]]:
        with (
            tempfile.TemporaryDirectory() as folder,
            DeskServer(Path(folder), contest_events(hands=2), speed=0) as desk,
        ):
            return fall_silent(browser, desk.port, STUDIO, to_server=to_server)

    try:
        with browsers.opened() as browser:
            for number in range(times):
                found = browsers.aside(lambda: silence(number % 2 == 0))  # noqa: B023
                noticed += found[0].values()
                back += found[1].values()
    finally:
        browsers.close()
    broken = sum(took > NOTICED_SECONDS for took in noticed) + sum(took > BACK_SECONDS for took in back)
    figure = f"said so within {max(noticed):.1f} s, back within {max(back):.1f} s"
    goal = f"said within {NOTICED_SECONDS:.0f} s, back within {BACK_SECONDS:.0f} s"
    return Outcome("silent pages", times * len(STUDIO), broken, figure, goal)
