"""Does anything on air or published tell of a deal's other tables too early? Compares 10,000 pairs byte by byte.

The shows of a pair differ only in what bots decide at other tables. There is no peer. Run: `make bench
BENCH=other_tables`; shorter: `ARGS="--pairs 100"`.
"""

import random
import sys
from functools import partial

from broadcast.publish.live_files import EVERY_SECONDS
from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.publish.deal_pairs import pair_of_deals, tells_nothing_early

SHARE = 50


def compare_share(first: int, pairs: int, number: int) -> list[int]:
    """Returns the seeds of the pairs in a share that differ before the comparison."""
    seeds = range(first + number * pairs, first + (number + 1) * pairs)
    return [seed for seed in seeds if not _is_same(random.Random(seed), seed)]


def _is_same(dice: random.Random, seed: int) -> bool:
    one, other = pair_of_deals(seed, dice.randint(2, 6), dice.randint(1, 2))
    return tells_nothing_early(one, other, dice.uniform(0, EVERY_SECONDS))


if __name__ == "__main__":
    flags = options(__doc__, pairs=10_000, seed=1)
    print_machine()
    pairs = min(SHARE, flags.pairs)
    shares = in_all_processors(partial(compare_share, flags.seed, pairs), -(-flags.pairs // pairs), "pairs", pairs)
    differing = [str(seed) for share in shares for seed in share]
    print(f"{len(shares) * pairs:,} pairs: {len(differing)} differences")
    sys.exit(f"the seeds {', '.join(differing[:20])}" if differing else 0)
