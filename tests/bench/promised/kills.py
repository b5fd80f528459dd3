"""Tries the promise that `kill -9` loses nothing: kills a card room at its writes, syncs and sends."""

import asyncio
import contextlib
import random
import tempfile
import time
from pathlib import Path

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Entrant
from server.game.prizes import prizes
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from tests.bench.promised.outcome import Outcome
from tests.journal.killed_contest import decided_events, failpoints, run_contest
from tests.support.contests import SEED, play_contest

BOTS = 12
LAST_HAND = 60
"""The approximate number of entries in the last hand, which is missing when the time to resume is measured."""
RESUME_SECONDS = 2.0


class Resumed(Exception):
    """The director has replayed the journal and would continue now."""


async def _stop() -> None:
    raise Resumed


def try_kills(kills: int = 1_000) -> Outcome:
    """Kills and resumes contests, `kills` times in all, and compares them with one that was not killed."""
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        folder = Path(name)
        seconds = _time_resuming(folder / "long.jsonl")
        run_contest(folder / "unbroken.jsonl")
        right = decided_events(folder / "unbroken.jsonl")
        ends = iter(failpoints(3 * kills, random.Random(1871)))
        killed = contests = lost = 0
        while killed < kills:
            journal = folder / f"{contests}.jsonl"
            while run_contest(journal, next(ends)) != 0:
                killed += 1
            contests += 1
            lost += decided_events(journal) != right
    figure = f"{contests} contests ended the same, resumed in {seconds:.2f} s"
    return Outcome("kills", killed, lost + (seconds > RESUME_SECONDS), figure, "0 differences, within 2 s")


def _time_resuming(path: Path) -> float:
    """Measures how long it takes to resume a contest that lacks only its last hand."""
    journal = Journal(path)
    journal.append(play_contest(5, BOTS)[:-LAST_HAND])
    journal.close()
    begun = time.perf_counter()
    bus = Bus(None, time.monotonic)
    bus.load(read_journal(path).entries)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot % 9}") for bot in range(1, BOTS + 1)]
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=SEED, bus=bus, gate=_stop, prizes_cents=prizes(500 * BOTS))
    with contextlib.suppress(Resumed):
        asyncio.run(director.run())
    return time.perf_counter() - begun
