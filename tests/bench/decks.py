"""Are the cards of a million verifiable decks evenly spread? A chi-square for every place and every card.

There is no peer. Run: `make bench BENCH=decks ARGS="--decks 10000"`; without ARGS all.
"""

import math
import sys
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.shuffle import key_of, shuffled
from tests.bench.common.scales import in_all_processors, options, print_machine

SHARE, CARDS = 10_000, 52
Counts = NDArray[np.int64]


def counted(seed: int, number: int) -> Counts:
    """How often card `c` lay in place `p` of one share of the decks, at [p, c]."""
    key, cards = seed.to_bytes(32, "big"), range(CARDS)
    decks = np.array([shuffled(key_of(key, f"{number} {deck}"), cards) for deck in range(SHARE)])
    places = np.arange(CARDS) * CARDS
    return np.bincount((decks + places).ravel(), minlength=CARDS * CARDS).reshape(CARDS, CARDS)


def deviations(seen: Counts, decks: int, axis: int) -> NDArray[np.float64]:
    """Chi-square of every row or column, in standard deviations from what fair decks give."""
    freedom = CARDS - 1
    chi_square = ((seen - decks / CARDS) ** 2 / (decks / CARDS)).sum(axis=axis)
    result: NDArray[np.float64] = (chi_square - freedom) / math.sqrt(2 * freedom)
    return result


if __name__ == "__main__":
    flags = options(__doc__, decks=1_000_000, seed=1)
    print_machine()
    shares = -(-flags.decks // SHARE)
    seen = np.sum(in_all_processors(partial(counted, flags.seed), shares, "decks", SHARE), axis=0)
    worst = 0.0
    for what, axis in (("place", 1), ("card", 0)):
        off = deviations(seen, shares * SHARE, axis)
        worst = max(worst, float(np.abs(off).max()))
        print(f"chi-square of each {what}: {off.min():+.2f} to {off.max():+.2f} standard deviations")
    sys.exit(f"not fair: {worst:.1f} standard deviations" if worst > 5 else 0)
