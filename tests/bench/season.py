"""How long do the pages of a season take after ten thousand games? The peer: the same pages after a hundred.

Run: `make bench BENCH=season`; shorter: `ARGS="--many 1000"`.
"""

import asyncio
import random
import tempfile
import time
from pathlib import Path

from server.season.ledger import Ledger
from tests.bench.common.scales import options, print_machine
from tests.season.sample_seasons import played, write_ledger
from tests.season.season_server import season_pages

PAGES = ("/season", "/season.json", "/season/games", "/season/games?bot=3&page=2", "/season/bots/3", "/season/games/50")


async def page_times(ledger: Path, folder: Path, tries: int) -> dict[str, float]:
    """Returns the milliseconds that each page takes over a real port, the best of `tries`."""
    found = dict.fromkeys(PAGES, float("inf"))
    async with season_pages(folder, journal=ledger) as pages:
        for _ in range(tries):
            for page in PAGES:
                begun = time.perf_counter()
                answer = await pages.get(page)
                found[page] = min(found[page], (time.perf_counter() - begun) * 1000)
                assert answer.status_code == 200
    return found


async def time_resuming(ledger: Path) -> float:
    """Returns the seconds that it takes to resume a ledger after a crash."""
    begun = time.perf_counter()
    Ledger(ledger).close()
    return time.perf_counter() - begun


if __name__ == "__main__":
    flags = options(__doc__, players=24, few=100, many=10_000, tries=20)
    print_machine()
    times: dict[int, dict[str, float]] = {}
    for games in (flags.few, flags.many):
        with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
            path = Path(name) / "season.jsonl"
            write_ledger(path, played(flags.players, games, dice=random.Random(games)))
            times[games] = asyncio.run(page_times(path, Path(name), flags.tries))
            seconds = asyncio.run(time_resuming(path))
            print(f"{games:,} games: a ledger of {path.stat().st_size / 1e6:.1f} MB is resumed in {seconds:.2f} s")
    for page in PAGES:
        few, many = times[flags.few][page], times[flags.many][page]
        print(f"{page:28} {few:6.1f} ms   {many:6.1f} ms   {many / few:.2f}x  (goal: below 2x)")
