"""Are the rules kept? An independent judge recomputes 5,000 hands of each contest from the rule books.

Run: `make bench BENCH=judge`; shorter: `ARGS="--hands 200"`. The goal is 0 deviations.
"""

import sys

from tests.bench.common.scales import options, print_machine
from tests.bench.promised.rules import try_rules

if __name__ == "__main__":
    flags = options(__doc__, hands=5_000)
    print_machine()
    outcome = try_rules(flags.hands)
    print(f"{outcome.lost} deviations in {outcome.times:,} hands, {outcome.figure}: goal 0")
    sys.exit(0 if outcome.holds else 1)
