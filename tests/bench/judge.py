"""Are the rules kept? An independent judge recomputes 5,000 hands of each contest from the rule books.

Run: `make bench BENCH=judge`; shorter: `ARGS="--hands 200"`. The goal is 0 deviations.
"""

import sys
import tempfile
from pathlib import Path

from tests.bench.common.scales import options, print_machine
from tests.bench.promised.outcome import Outcome
from tests.judge.books import BOOKS
from tests.judge.played import judge_contest


def try_rules(hands: int) -> Outcome:
    """Judges `hands` hands of each contest, with house bots and with misbehaving bots."""
    found = []
    for contest in BOOKS:
        with tempfile.TemporaryDirectory() as folder:
            found.append(judge_contest(contest, hands, Path(folder)))
    broken = [deviation for each in found for deviation in each.deviations]
    print(*broken[:10], sep="\n", end="\n" if broken else "")
    figure = f"blinds, turns, raises, pots, odd chips and places of {len(BOOKS)} contests"
    return Outcome("hands", sum(each.hands for each in found), len(broken), figure, "0 deviations")


if __name__ == "__main__":
    flags = options(__doc__, hands=5_000)
    print_machine()
    outcome = try_rules(flags.hands)
    print(f"{outcome.lost} deviations in {outcome.times:,} hands, {outcome.figure}: goal 0")
    sys.exit(0 if outcome.holds else 1)
