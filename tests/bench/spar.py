"""Is a sparring match as fast as its bots? The peer: the same hands, only dealt.

Goals: house styles 1,000 hands a second; two Python starters 500 hands a minute.
Run: `make bench BENCH=spar ARGS="--hands 200"`.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.app.sparring.tables import MirroredTables, sparring
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import styles
from server.commands.authors.new import STARTERS
from server.game.events import Entrant
from server.journal.bus import Bus
from server.shuffle import parse_seed
from server.tournament.director import Director
from tests.bench.common.scales import options, print_machine, print_ratio, side_by_side
from tests.support.starters import PROGRAMS

STYLES = list(styles())[:2]
ENTRANTS = [Entrant(number, name) for number, name in enumerate(STYLES, 1)]
SEED = parse_seed("1")
STARTER = f"{sys.executable} {STARTERS / 'quick-draw' / 'python' / PROGRAMS['quick-draw']['python']} {{server}}"


def mirrored(deals: int) -> None:
    """Plays `deals` mirrored deals of two house styles, with luck and results."""

    async def play() -> None:
        tables = MirroredTables(sparring("quick-draw", deals, 2), ENTRANTS, SEED, lambda _: True)
        tables.welcome(_bots())
        await tables.play()

    asyncio.run(play())


def dealt_only(deals: int) -> None:
    """Plays as many hands of two bots at one table, without mirrored deals, luck or results."""

    async def play() -> None:
        bus = Bus(None, time.monotonic)
        director = Director(sparring("quick-draw", 2 * deals, 2), ENTRANTS, seed=SEED, bus=bus)
        for bot in _bots():
            director.welcome(bot)
        await director.run()

    asyncio.run(play())


def _bots() -> list[InProcessBot]:
    return [InProcessBot(bot, styles()[name], random.Random(10 + bot)) for bot, name in enumerate(STYLES, 1)]


def print_speed(seconds: float) -> bool:
    """Whether house styles play at least 1,000 hands a second."""
    rates = side_by_side(mirrored, dealt_only, seconds)
    hands = rates[0] * 2, rates[1] * 2
    print_ratio("house styles, two", "hands/s", "only dealt", hands, "1,000")
    return hands[0] >= 1000


def print_starters(hands: int) -> bool:
    """Whether two starters in Python play at least 500 hands a minute on one processor."""
    words = ["taskset", "-c", "0", sys.executable, "-m", "server", "spar", STARTER, "--against", "calling"]
    begun = time.monotonic()
    subprocess.run([*words, "--hands", "2"], check=True, capture_output=True)
    start = time.monotonic() - begun
    begun = time.monotonic()
    words[-1] = STARTER
    ended = subprocess.run([*words, "--hands", str(hands), "--json"], check=True, capture_output=True)
    each_minute = int(json.loads(ended.stdout)["hands"]) / max(time.monotonic() - begun - start, 0.01) * 60
    print(f"two Python starters      {each_minute:11,.0f} hands/min on one processor  (goal 500)")
    return each_minute >= 500


def main() -> int:
    flags = options(__doc__, seconds=12.0, hands=200)
    print_machine()
    good = print_speed(flags.seconds) if flags.seconds else True
    good &= print_starters(flags.hands) if flags.hands else True
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
