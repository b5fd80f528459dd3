"""Is anything that captions, marks and lines of hands say wrong? 10,000 hands, derived again by a second program.

There is no peer. Run: `make bench BENCH=captions ARGS="--hands 1000"`; without ARGS all.
"""

import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.commentary.checker.check import Checked
from tests.support.house_contests import play_house_contest

BOTS = {"quick-draw": 12, "enova": 6, "upac": 2, "arena": 8}
SHARE = 100
FLOPS = 5
"""Of so many hands the chances of one are counted again from the flop on; from the turn on those of all."""


def check_share(seed: int, number: int) -> None:
    """Plays contests of one kind until there are enough hands. Raises AssertionError where something said is wrong."""
    contest = list(BOTS)[number % len(BOTS)]
    hands = 0
    while hands < SHARE:
        seed += 1_000
        checked = Checked(play_house_contest(contest, seed + number, BOTS[contest]), FLOPS)
        hands += checked.hands
        assert not checked.wrong, f"{contest}, seed {seed + number}: {checked.wrong[0]}"
        assert checked.hands, "no hand was played"


if __name__ == "__main__":
    flags = options(__doc__, hands=10_000, seed=1)
    print_machine()
    shares = -(-flags.hands // SHARE)
    begun = time.monotonic()
    in_all_processors(partial(check_share, flags.seed), shares, "hands", SHARE)
    rate = shares * SHARE / (time.monotonic() - begun)
    print(f"{shares * SHARE:,} hands and more, 0 wrong statements, {rate:,.0f} hands/s")
