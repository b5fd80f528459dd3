"""How strong is each rung of the ladder (the house bots in order of strength)?

Goals: heads-up, each rung wins chips from every lower rung. At a table of six, and in the contests Enova and Arena,
each rung wins chips from the rung below. Each result must be 95 % certain. 3,000 heads-up deals against the rung below
must give the figures in `server/bots/house/ladder.py`. The same number of deals always gives the same figures.
Run: `make bench BENCH=ladder ARGS="--deals 3000"`.
"""

import sys
from functools import partial
from itertools import combinations

from msgspec import Struct

from broadcast.odds.student_t import MIN_RESULTS_FOR_T
from server.app.sparring.result import MatchStanding
from server.bots.house.ladder import LADDER
from tests.bench.common.scales import on_all_processors, options
from tests.support.games.ladder_matches import play_match

SIX_MAX = 6
MEASURED_DEALS = 3000


class Pair(Struct, frozen=True):
    """A match of the stronger rung `one` against the weaker rung `other`, which has all remaining seats."""

    one: int
    other: int
    seats: int = 2
    contest: str = "quick-draw"


UPPER_RUNGS = range(2, len(LADDER) + 1)
PAIRS = [
    *(Pair(one, other) for other, one in combinations((1, *UPPER_RUNGS), 2)),
    *(Pair(one, one - 1, SIX_MAX) for one in UPPER_RUNGS),
    *(Pair(one, one - 1, contest=contest) for contest in ("enova", "arena") for one in UPPER_RUNGS),
]


def play(deals: int, number: int) -> MatchStanding:
    pair = PAIRS[number]
    return play_match(pair.one, pair.other, deals // (SIX_MAX // 2 if pair.seats > 2 else 1), pair.seats, pair.contest)


def main(deals: int) -> int:
    results = on_all_processors(partial(play, deals), len(PAIRS))
    print("big blinds that each rung earns from the other in 100 hands:")
    are_goals_met = True
    for pair, result in zip(PAIRS, results, strict=True):
        if result.low is None or result.high is None:
            sys.exit(f"{deals} deals are too few for any result: {MIN_RESULTS_FOR_T * SIX_MAX // 2} or more are needed")
        rung = LADDER[pair.one - 1]
        matchup = f"{rung.name} from {LADDER[pair.other - 1].name}, {pair.contest}, {pair.seats} seats"
        are_goals_met = are_goals_met and result.low > 0
        goal = ""
        if pair == Pair(pair.one, pair.one - 1):
            deviations = [result.earned_per_100 - rung.bb_per_100, result.low - rung.low, result.high - rung.high]
            are_goals_met = are_goals_met and (deals != MEASURED_DEALS or max(map(abs, deviations)) < 0.06)
            goal = f"  (goal: the ladder's {rung.bb_per_100:+.1f})"
        interval = f"{result.low:+7.1f} to {result.high:+7.1f}{'' if result.low > 0 else '   NOT SURE'}"
        print(f"  {matchup:46} {result.earned_per_100:+7.1f}  {interval}{goal}")
    print(f"each rung surely stronger than those below, and as the ladder says: {are_goals_met} (goal True)")
    return 0 if are_goals_met else 1


if __name__ == "__main__":
    sys.exit(main(options(__doc__, deals=MEASURED_DEALS).deals))
