"""How sure results are: intervals, and the chance that one bot is better than another. Pure, the same each time.

What is drawn anew by lot are whole units, such as games (see `earned`), never hands, which depend on one another.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from math import isfinite
from statistics import NormalDist
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Bot = TypeVar("Bot")
Floats = NDArray[np.float64]

ENOUGH_FOR_T = 20
"""From so many units on the interval is Student's; below it comes from draws."""
FEWEST = 5
"""With fewer units no interval is told."""
DRAWS = 10_000
AT_ONCE = 200_000
"""How many numbers are drawn at a time, to bound the memory."""
TINY = 1e-9
"""A standard error smaller than such a part of the whole one is none: all units of the draw are the same."""
_SEED = 14


class Interval(Struct, frozen=True):
    """Where the true mean of a unit lies, with 95 %."""

    low: float
    high: float


def interval_of(results: Sequence[float], sure: float = 0.95) -> Interval | None:
    """The 95 % interval of the mean of `results`, one for each unit; `sure` may be another share than 0.95.

    None where there are fewer than five, or where they are too much alike to tell how much they might differ.
    """
    values = np.array(results, float)
    error = float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) >= FEWEST else 0.0
    if not error:
        return None
    enough = len(values) >= ENOUGH_FOR_T
    reach = error * (t_quantile(len(values) - 1, sure) if enough else _drawn(values, error, sure))
    return Interval(float(values.mean()) - reach, float(values.mean()) + reach) if isfinite(reach) else None


def chances(units: Sequence[Mapping[Bot, float]]) -> dict[tuple[Bot, Bot], float]:
    """How likely the first of each two bots is better than the second: the share of draws in which it has more a unit.

    `units` have the result of each bot that took part. Pairs come once, in the order in which the bots first come; a
    bot that took part in fewer than five units is left out.
    """
    bots = [bot for bot, times in Counter(chain.from_iterable(units)).items() if times >= FEWEST]
    results = np.array([[unit.get(bot, 0.0) for bot in bots] for unit in units]).reshape(len(units), len(bots))
    took_part = np.array([[bot in unit for bot in bots] for unit in units], float).reshape(results.shape)
    better = np.zeros((len(bots), len(bots)))
    for counts in _draws(len(units)) if bots else ():
        with np.errstate(invalid="ignore"):  # in a draw without any of its units a bot is no better than others
            means = (counts @ results) / (counts @ took_part)
        for at, column in enumerate(means.T):
            better[at] += (column[:, None] > means).sum(axis=0) + (column[:, None] == means).sum(axis=0) / 2
    total = better + better.T
    return {
        (bots[one], bots[other]): float(better[one, other] / total[one, other])
        for one, other in combinations(range(len(bots)), 2)
    }


def t_quantile(degrees: int, sure: float = 0.95) -> float:
    """The number above which half of what is not `sure` of Student's distribution lies: 2.5 % for 95 %.

    To five digits for 95 % from 19 degrees of freedom on, to four for 99 %.

    The series is Abramowitz and Stegun's 26.7.5.
    """
    z = NormalDist().inv_cdf((1 + sure) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / degrees**power for power, term in enumerate(terms, 1)))


def _drawn(values: Floats, error: float, sure: float) -> float:
    """How many of their own standard errors the means of so many draws lie off the mean at most, to either side.

    Plain quantiles of the means would make intervals of few games far too narrow.
    """
    drawn, off = _draws_of_few(len(values)).astype(float), values - values.mean()
    means = drawn @ off / len(values)
    errors = (np.maximum(drawn @ off**2 / len(values) - means**2, 0) / (len(values) - 1)) ** 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(errors > TINY * error, np.abs(means) / errors, np.inf)
    return float(np.quantile(ratios, sure, method="nearest"))


@cache
def _draws_of_few(units: int) -> NDArray[np.uint8]:
    """All draws of fewer than `ENOUGH_FOR_T` units; kept, because many bots have as many."""
    return np.concatenate([counts.astype(np.uint8) for counts in _draws(units)])


def _draws(units: int) -> Iterator[Floats]:
    """How often each unit comes in each draw of as many: (some of the draws, units)."""
    dice = np.random.default_rng(_SEED)
    even = np.full(units, 1 / units)
    at_once = max(1, AT_ONCE // units)
    for begun in range(0, DRAWS, at_once):
        yield dice.multinomial(units, even, size=min(at_once, DRAWS - begun)).astype(float)
