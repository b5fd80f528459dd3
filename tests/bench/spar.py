"""Is a sparring match as fast as its bots, and does its interval hold the truth?

The peer: the same hands, only dealt.

Goals: house styles 1,000 hands a second; two Python starters 500 hands a minute; 93-97 % of 500 matches, also of those
that ended early, with the truth inside their interval.
Run: `make bench BENCH=spar ARGS="--deals 2000 --matches 500 --hands 200"`.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[2]))

from broadcast.odds.earned import Unit
from server.app.sparring.result import HANDS, Score
from server.app.sparring.tables import MirroredTables, sparring
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import styles
from server.commands.authors.new import STARTERS
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Entrant
from server.journal.bus import Bus
from server.shuffle import parse_seed
from server.tournament.director import Director
from tests.bench.common.scales import in_all_processors, options, print_machine, print_ratio, side_by_side
from tests.support.starters import PROGRAMS

SHARE = 500
"""Deals in one share of the work."""
STACK = QUICK_DRAW_FORMAT.starting_stack
MATCH = 1000
"""The most hands of a match whose interval is checked."""
STYLES = list(styles())


def played(first: str, second: str, deals: int, seed: int) -> list[list[Unit]]:
    """The results of `deals` mirrored deals of two house styles."""
    dealt: list[list[Unit]] = []

    def count(units: Sequence[Unit]) -> bool:
        dealt.append(list(units))
        return True

    async def play() -> None:
        tables = MirroredTables(sparring("quick-draw", deals, 2), _both(first, second), _seed(seed), count)
        tables.welcome(_bots([first, second], seed))
        await tables.play()

    asyncio.run(play())
    return dealt


def dealt_only(deals: int) -> None:
    """Plays as many hands of two bots at one table, without mirrored deals, luck or results."""

    async def play() -> None:
        async def gate() -> None:
            """A gate that is always open."""

        bus = Bus(None, time.monotonic)
        director = Director(sparring("quick-draw", 2 * deals, 2), _both(*STYLES[:2]), seed=_seed(1), bus=bus, gate=gate)
        for bot in _bots(STYLES[:2], 1):
            director.welcome(bot)
        await director.run()

    asyncio.run(play())


def _both(*names: str) -> list[Entrant]:
    return [Entrant(number, name) for number, name in enumerate(names, 1)]


def _bots(names: Sequence[str], seed: int) -> list[InProcessBot]:
    return [InProcessBot(bot, styles()[name], random.Random(seed * 10 + bot)) for bot, name in enumerate(names, 1)]


def _seed(seed: int) -> bytes:
    return parse_seed(f"{seed:x}")


def print_speed(seconds: float) -> bool:
    """Whether house styles play at least 1,000 hands a second."""
    rates = side_by_side(lambda deals: played(STYLES[0], STYLES[1], deals, 1), dealt_only, seconds)
    hands = rates[0] * 2, rates[1] * 2
    print_ratio("house styles, two", "hands/s", "only dealt", hands, "1,000")
    return hands[0] >= 1000


def print_starters(hands: int) -> bool:
    """Whether two starters in Python play at least 500 hands a minute on one processor."""
    words = ["taskset", "-c", "0", sys.executable, "-m", "server", "spar", _starter("python"), "--against", "calling"]
    begun = time.monotonic()
    subprocess.run([*words, "--hands", "2"], check=True, capture_output=True)
    start = time.monotonic() - begun
    begun = time.monotonic()
    words[-1] = _starter("python")
    ended = subprocess.run([*words, "--hands", str(hands), "--json"], check=True, capture_output=True)
    each_minute = int(json.loads(ended.stdout)["hands"]) / max(time.monotonic() - begun - start, 0.01) * 60
    print(f"two Python starters      {each_minute:11,.0f} hands/min on one processor  (goal 500)")
    return each_minute >= 500


def _starter(language: str) -> str:
    program = STARTERS / "quick-draw" / language / PROGRAMS["quick-draw"][language]
    return f"{sys.executable} {program} {{server}}"


def print_coverage(first: str, second: str, deals: int, matches: int) -> float:
    """The share of matches whose interval holds what the first style truly earns, drawn from many real deals."""
    shares = in_all_processors(partial(_share, first, second), -(-deals // SHARE), "deals", SHARE)
    pool = [deal for share in shares for deal in share]
    truth = HANDS * fmean(float(unit[1].earned) for deal in pool for unit in deal)
    dice, held, early = random.Random(15), 0, 0
    for _ in range(matches):
        score = Score([first, second], MATCH // 2, STACK)
        while not score.enough:
            score.count(dice.choice(pool))
        bot = score.result().bots[0]
        held += bot.low is not None and bot.high is not None and bot.low <= truth <= bot.high
        early += score.deals < MATCH // 2
    print(
        f"{first} against {second}: earns {truth:+.0f} chips in 100 hands; {100 * held / matches:.1f} % of {matches} "
        f"matches hold it, {early} ended early  (goal 93-97 %)"
    )
    return held / matches


def _share(first: str, second: str, number: int) -> list[list[Unit]]:
    return played(first, second, SHARE, number + 1)


def main() -> int:
    flags = options(__doc__, seconds=12.0, hands=200, deals=4_000, matches=500)
    print_machine()
    good = print_speed(flags.seconds) if flags.seconds else True
    good &= print_starters(flags.hands) if flags.hands else True
    for first, second in list(combinations(STYLES, 2))[:4] if flags.matches else ():
        good &= 0.93 <= print_coverage(first, second, flags.deals, flags.matches) <= 0.97
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
