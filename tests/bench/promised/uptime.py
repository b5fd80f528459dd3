"""Measures the open files and the memory of a practice server under constant load."""

import asyncio
import random
import tempfile
import threading
import time

import numpy as np

from server.bots.house.styles import styles
from server.contests.quick_draw.venue.house import TurnedAway, play, register
from tests.bench.common.scales import open_files, resident
from tests.bench.promised.outcome import Outcome
from tests.support.program import Running, serving_program

HOST = "127.0.0.1"
PLAYERS = 60
"""The number of players, so large that the server soon has as many shows as it keeps."""
EVERY_SECONDS = 2.0
SETTLED = 0.6
"""The fraction of the time at the beginning that is not measured, while the server fills up with shows and Python
collects garbage for the first time."""
MAX_MB_PER_HOUR = 1.0
IDLE_SECONDS = 30.0
"""How long the last games and connections have to end."""


def try_uptime(minutes: float = 12.0) -> Outcome:
    """Lets bots register and play again and again; compares open files before and after, and measures memory growth."""
    with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data, "--speed", "0") as practice:
        printed = practice.process.stdout
        assert printed is not None
        threading.Thread(target=printed.read, daemon=True).start()  # otherwise a full pipe would block the server
        games, grown, slope = asyncio.run(_watch(practice, minutes * 60))
    figure = f"{games:,} games in {minutes:.0f} minutes: {grown:+d} files, {slope:+.1f} MB an hour"
    return Outcome(
        "games", games, (grown > 0) + (slope > MAX_MB_PER_HOUR), figure, "files constant, below 1 MB an hour"
    )


async def _watch(practice: Running, seconds: float) -> tuple[int, int, float]:
    pid, until = practice.process.pid, time.monotonic() + seconds
    await _play(practice.port, time.monotonic() + EVERY_SECONDS, [0], 0)
    before = await _at_rest(pid)
    sizes: list[tuple[float, int]] = []
    games = [0] * PLAYERS
    players = asyncio.gather(*(_play(practice.port, until, games, player) for player in range(PLAYERS)))
    while not players.done():
        sizes.append((time.monotonic(), resident(pid)))
        await asyncio.sleep(EVERY_SECONDS)
    await players
    after = await _at_rest(pid)
    settled = sizes[int(len(sizes) * SETTLED) :]
    slope, _ = np.polyfit([at for at, _ in settled], [size for _, size in settled], 1)
    return sum(games), after - before, float(slope) * 3600 / 1e6


async def _at_rest(pid: int) -> int:
    """Returns the smallest number of open files during IDLE_SECONDS: the number of an idle server."""
    ends, fewest = time.monotonic() + IDLE_SECONDS, open_files(pid)
    while time.monotonic() < ends:
        await asyncio.sleep(EVERY_SECONDS)
        fewest = min(fewest, open_files(pid))
    return fewest


async def _play(port: int, until: float, games: list[int], player: int) -> None:
    """Registers and plays again and again; counts the player's games in `games`."""
    while time.monotonic() < until:
        try:
            wire = await register(HOST, port, f"Bot {player} {games[player]}", test_hand_count=2)
            await play(HOST, wire, "Bot", styles()["aggressive"], random.Random(games[player]), 0.0)
        except (TurnedAway, OSError):
            await asyncio.sleep(EVERY_SECONDS)
        else:
            games[player] += 1
