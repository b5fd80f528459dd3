"""Does anything on air tell of a deal's other tables too early? Compares 10,000 pairs of shows byte by byte.

The shows of a pair differ only in what bots decide at other tables. There is no peer. Run: `make bench
BENCH=other_tables`; shorter: `ARGS="--pairs 100"`.
"""

import sys
from functools import partial

from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.show.test_deals import pair_of_deals, tells_nothing_early

SHARE = 50


def compare_share(first: int, pairs: int, number: int) -> list[int]:
    """Returns the seeds of the pairs in a share that differ before the comparison."""
    seeds = range(first + number * pairs, first + (number + 1) * pairs)
    return [seed for seed in seeds if not tells_nothing_early(*pair_of_deals(seed, 2 + seed % 5))]


if __name__ == "__main__":
    flags = options(__doc__, pairs=10_000, seed=1)
    print_machine()
    pairs = min(SHARE, flags.pairs)
    shares = in_all_processors(partial(compare_share, flags.seed, pairs), -(-flags.pairs // pairs), "pairs", pairs)
    differing = [str(seed) for share in shares for seed in share]
    print(f"{len(shares) * pairs:,} pairs: {len(differing)} differences")
    sys.exit(f"the seeds {', '.join(differing[:20])}" if differing else 0)
