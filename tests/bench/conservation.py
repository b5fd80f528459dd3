"""Is any chip made or lost in a million random hands under the rules of all contests? Checked after every event.

There is no peer. Run: `make bench BENCH=conservation ARGS="--hands 10000"`; without ARGS all.
"""

import random
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.game.random_hands import RULES
from tests.game.test_conservation import play_conserving

SHARE = 5_000


def play_share(seed: int, number: int) -> None:
    """Plays one share of the hands. Raises AssertionError where chips are made or lost."""
    contest = list(RULES)[number % len(RULES)]
    play_conserving(RULES[contest], random.Random(f"{seed} {number}"), SHARE)


if __name__ == "__main__":
    flags = options(__doc__, hands=1_000_000, seed=1)
    print_machine()
    shares = -(-flags.hands // SHARE)
    begun = time.monotonic()
    in_all_processors(partial(play_share, flags.seed), shares, "hands", SHARE)
    rate = shares * SHARE / (time.monotonic() - begun)
    print(f"{shares * SHARE:,} hands, 0 violations, {rate:,.0f} hands/s with a check after every event")
