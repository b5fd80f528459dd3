"""How strong are the rungs of the ladder? Everything follows from one seed, so all machines get the same figures.

Goals: heads-up, each rung wins chips from every lower rung. At a table of six, and in Enova and the Arena, it wins
chips from the next lower rung. Each result must be 95 % certain and equal the figure in `server/bots/house/ladder.py`.
Run: `make bench BENCH=ladder ARGS="--deals 3000"`.
"""

import sys
from itertools import combinations

from msgspec import Struct

from broadcast.odds.student import ENOUGH_FOR_T
from server.app.sparring.result import Standing
from server.bots.house.ladder import LADDER
from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.support.ladder_matches import match

CONTESTS = ("enova", "arena")
SIX = 6
"""The number of seats at the larger table."""
PUBLISHED = 3000
"""The number of deals with which the figures in `ladder.py` were measured."""


class Pair(Struct, frozen=True):
    """A match to play: the stronger rung `one` against the weaker rung `other`, which has all other seats."""

    one: int
    other: int
    seats: int = 2
    contest: str = "quick-draw"


NUMBERS = range(1, len(LADDER) + 1)
HEADS_UP = [Pair(one, other) for other, one in combinations(NUMBERS, 2)]
NEXT = [
    *(Pair(one, one - 1, SIX) for one in NUMBERS[1:]),
    *(Pair(one, one - 1, contest=contest) for contest in CONTESTS for one in NUMBERS[1:]),
]
"""Each rung against the next lower rung: at a table of six, in Enova and in the Arena."""
PAIRS = HEADS_UP + NEXT


def play(number: int) -> Standing:
    pair = PAIRS[number]
    return match(pair.one, pair.other, DEALS // (SIX // 2 if pair.seats > 2 else 1), pair.seats, pair.contest)


def main() -> int:
    print_machine()
    results = dict(zip(PAIRS, in_all_processors(play, len(PAIRS), "deals", DEALS), strict=True))
    print("big blinds that the first rung earns in 100 hands:")
    sure = True
    for pair, found in results.items():
        if found.low is None or found.high is None:
            sys.exit(f"{DEALS} deals are too few for any result: {ENOUGH_FOR_T * SIX // 2} or more are needed")
        names = f"{LADDER[pair.one - 1].name} from {LADDER[pair.other - 1].name}"
        where = f"{pair.contest}, {pair.seats} seats"
        sure = sure and found.low > 0
        doubt = "" if found.low > 0 else "   NOT SURE"
        print(f"  {names:28} {where:20} {found.earned_per_100:+7.1f}  {found.low:+7.1f} to {found.high:+7.1f}{doubt}")
    for strength in NUMBERS[1:]:
        rung, found = LADDER[strength - 1], results[Pair(strength, strength - 1)]
        print(f"{rung.name:12} {found.earned_per_100:+.1f} from the rung below  (goal: the ladder's {rung.earns:+.1f})")
        if DEALS == PUBLISHED:
            off = [found.earned_per_100 - rung.earns, (found.low or 0) - rung.low, (found.high or 0) - rung.high]
            sure = sure and max(map(abs, off)) < 0.06
    print(f"each rung surely stronger than those below, and as the ladder says: {sure} (goal True)")
    return 0 if sure else 1


DEALS = options(__doc__, deals=PUBLISHED).deals

if __name__ == "__main__":
    sys.exit(main())
