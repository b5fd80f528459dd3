"""Does anything published depend on cards still to be dealt? Compares 2,000 pairs of shows byte by byte at each index.

There is no peer. Run: `make bench BENCH=published_decks`; shorter: `ARGS="--pairs 100"`.
"""

import random
import sys
from functools import partial

from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.publish.published_pairs import Tried, differences

SHARE = 50


def compare_share(seed: int, pairs: int, number: int) -> Tried:
    return differences(random.Random(f"{seed} {number}"), pairs)


if __name__ == "__main__":
    flags = options(__doc__, pairs=2_000, seed=1)
    print_machine()
    pairs = min(SHARE, flags.pairs)
    tried = in_all_processors(partial(compare_share, flags.seed, pairs), -(-flags.pairs // pairs), "pairs", pairs)
    differing = [f"share {number}, {path}" for number, each in enumerate(tried) for path in each.differing]
    compared, moments, other_pace = (
        sum(getattr(each, what) for each in tried) for what in ("pairs", "moments", "other_pace")
    )
    print(f"{compared:,} pairs, {moments:,} moments: {len(differing)} differences", end="")
    print(f"   ({other_pace:,} more pairs were left out because their pace on air differs)")
    sys.exit("\n".join(differing[:20]) or 0)
