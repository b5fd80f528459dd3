"""Does anything that people or agents get depend on undealt cards, or on the cards and thoughts of others?

Compares all that is published of 1,000 pairs of shows and 1,000 pairs of deals, byte by byte. In a deal, several tables
get the same cards. The deals of a pair differ only at tables that are not shown. Also compares each answer that an
agent gets in 1,000 pairs of hands. Run: `make bench BENCH=published_decks`, or with `ARGS="--scale 1"` for ten times as
many pairs.
"""

import random
import sys
from functools import partial

from broadcast.publish.live_files import INDEX_SECONDS
from tests.bench.common.scales import on_all_processors, options
from tests.mcp.agents import find_different_answers
from tests.publish.published_pairs import Comparison, are_shows_alike_before_comparison, find_differences, pair_of_deals

PAIRS_OF_EACH_KIND, PAIRS_PER_SHARE = 10_000, 50


def compare_share(seed: int, number: int) -> tuple[Comparison, Comparison, Comparison]:
    """Does a share of the work: compares PAIRS_PER_SHARE pairs of each kind.

    The shows of a pair of deals must be alike until the deal has ended on air.
    """
    dice = random.Random(f"{seed} {number}")
    shows, hands = find_differences(dice, PAIRS_PER_SHARE), find_different_answers(dice, PAIRS_PER_SHARE)
    differing_deals = list[str]()
    for deal_seed in [dice.randrange(1_000_000) for _ in range(PAIRS_PER_SHARE)]:
        deal_dice = random.Random(deal_seed)
        one, other = pair_of_deals(deal_seed, deal_dice.randint(2, 6), deal_dice.randint(1, 2))
        if not are_shows_alike_before_comparison(one, other, deal_dice.uniform(0, INDEX_SECONDS)):
            differing_deals.append(f"seed {deal_seed}")
    return shows, hands, Comparison(PAIRS_PER_SHARE, PAIRS_PER_SHARE, differing_deals)


if __name__ == "__main__":
    flags, differences = options(__doc__, scale=0.1, seed=1), list[str]()
    share_count = max(1, round(PAIRS_OF_EACH_KIND * flags.scale / PAIRS_PER_SHARE))
    results = on_all_processors(partial(compare_share, flags.seed), share_count)
    for kind, found in zip(("shows", "hands of an agent", "deals"), zip(*results, strict=True), strict=True):
        lines = [f"share {number}, {kind}, {path}" for number, each in enumerate(found) for path in each.differing]
        compared, moments = (sum(getattr(each, count) for each in found) for count in ("pairs", "moments"))
        print(f"{compared:,} pairs of {kind}, {moments:,} moments: {len(lines)} differences")
        differences += lines
    left_out_count = sum(shows.other_pace for shows, *_ in results)
    print(f"({left_out_count:,} more pairs of shows were left out because their pace on air differs)")
    sys.exit("\n".join(differences[:20]) or 0)
