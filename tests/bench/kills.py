"""Is anything lost when a card room is killed a thousand times at its writes, syncs and sends? How fast is a resume?

The peer: the same contest without a kill. Run: `make bench BENCH=kills ARGS="--kills 50"`; without ARGS all.
"""

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.game.contests import QUICK_DRAW_CONTEST
from server.game.events import Entrant
from server.game.prizes import prizes
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from tests.bench.common.scales import options, print_machine
from tests.journal.killed_contest import decided_events, failpoints, run_contest
from tests.support.contests import SEED, play_contest

BOTS = 12


class TakenUp(Exception):
    """The director has gone through the journal and would go on."""


async def _taken_up() -> None:
    raise TakenUp


def killing(folder: Path, kills: int) -> tuple[int, int, int]:
    """Contests, killed and taken up again until so many kills are done: kills, contests, how many ended differently."""
    run_contest(folder / "unbroken.jsonl")
    right = decided_events(folder / "unbroken.jsonl")
    ends = iter(failpoints(3 * kills, random.Random(1871)))
    killed = contests = differences = 0
    while killed < kills:
        journal = folder / f"{contests}.jsonl"
        while run_contest(journal, next(ends)) != 0:
            killed += 1
        contests += 1
        differences += decided_events(journal) != right
    return killed, contests, differences


def taking_up(folder: Path) -> tuple[int, float, float]:
    """A whole contest but its last hand: its entries, seconds to take it up again, and to read its journal."""
    entries = play_contest(5, BOTS)
    entries = entries[: len(entries) - 60]
    path = folder / "long.jsonl"
    journal = Journal(path)
    journal.append(entries)
    journal.close()
    begun = time.perf_counter()
    recording = read_journal(path)
    reading = time.perf_counter() - begun
    bus = Bus(None, time.monotonic)
    bus.load(recording.entries)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot % 9}") for bot in range(1, BOTS + 1)]
    director = Director(
        QUICK_DRAW_CONTEST, entrants, seed=SEED, bus=bus, gate=_taken_up, prizes_cents=prizes(500 * BOTS)
    )
    with contextlib.suppress(TakenUp):
        asyncio.run(director.run())
    return len(entries), time.perf_counter() - begun, reading


if __name__ == "__main__":
    flags = options(__doc__, kills=1_000)
    print_machine()
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        entries, whole, reading = taking_up(Path(name))
        print(
            f"taking up a contest after {entries:,} entries: {whole * 1000:.0f} ms, "
            f"{whole / reading:.1f}x reading its journal (goal 2 s)"
        )
        killed, contests, differences = killing(Path(name), flags.kills)
        print(f"{killed} kills in {contests} contests: {differences} differences (goal 0 in 1,000)")
