"""How strong are the rungs of the ladder, and does each earn from all that stand below it?

Prints the ratings as they stand in `server/bots/house/ladder.py`: they are the same on every machine, because deals and
choices follow from one seed.

Goals: heads-up each rung earns from every one below it; at a table of six, and in Enova and the Arena, from the next
one below; surely each time, with 95 %.
Run: `make bench BENCH=ladder ARGS="--deals 3000"`.
"""

import sys
from itertools import combinations
from pathlib import Path
from statistics import fmean

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.app.sparring.result import Standing
from server.bots.house.ladder import LADDER
from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.support.ladder_matches import match

CONTESTS = ("enova", "arena")
SIX = 6


class Pair(Struct, frozen=True):
    """A match to play: the stronger rung, the weaker one in all other seats, and where."""

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
PAIRS = HEADS_UP + NEXT


def played(number: int) -> Standing:
    pair = PAIRS[number]
    return match(pair.one, pair.other, DEALS // (SIX // 2 if pair.seats > 2 else 1), pair.seats, pair.contest)


def ratings(steps: dict[Pair, Standing]) -> list[tuple[float, float, float]]:
    """Each rung's mean over the others, with its interval."""
    found = []
    for rung in NUMBERS:
        mine = [(each, 1 if pair.one == rung else -1) for pair, each in steps.items() if rung in (pair.one, pair.other)]
        mean = fmean(each.earned_per_100 * sign for each, sign in mine)
        reach = sum(((each.high or 0) - (each.low or 0)) ** 2 for each, _ in mine) ** 0.5 / 2 / len(mine)
        found.append((mean, mean - reach, mean + reach))
    return found


def main() -> int:
    print_machine()
    results = dict(zip(PAIRS, in_all_processors(played, len(PAIRS), "deals", DEALS), strict=True))
    print("big blinds that the first rung earns in 100 hands:")
    sure = True
    for pair, found in results.items():
        assert found.low is not None, "so many deals tell"
        assert found.high is not None, "so many deals tell"
        names = f"{LADDER[pair.one - 1].name} from {LADDER[pair.other - 1].name}"
        where = f"{pair.contest}, {pair.seats} seats"
        sure = sure and found.low > 0
        told = "" if found.low > 0 else "   NOT SURE"
        print(f"  {names:28} {where:20} {found.earned_per_100:+7.1f}  {found.low:+7.1f} to {found.high:+7.1f}{told}")
    print("ratings: mean over the others, heads-up, and the 95 % interval")
    for rung, (mean, low, high) in zip(LADDER, ratings({pair: results[pair] for pair in HEADS_UP}), strict=True):
        print(f"  {rung.name:12} {mean:+7.1f}  {low:+7.1f} to {high:+7.1f}   told are {rung.rating:+.1f}, the goal")
    print(f"each rung surely stronger than those below: {sure} (goal True)")
    return 0 if sure else 1


DEALS = options(__doc__, deals=3000).deals

if __name__ == "__main__":
    sys.exit(main())
