"""Computes how certain results are: intervals, and the chance that one bot is better than another.

Results are compared per unit, such as a game (see `EarnedByBot` in `earned`). They are never compared per hand, because
the hands of a game depend on one another. With at least 20 units, an interval comes from Student's distribution. With
fewer units, it comes from the bootstrap, which takes random samples (draws) of whole units. No I/O, and reproducible.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from math import isfinite
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from broadcast.odds.student_t import MIN_RESULTS_FOR_T, t_quantile

Bot = TypeVar("Bot")
Floats = NDArray[np.float64]

MIN_UNITS = 5
"""With fewer units than this, there is no interval."""
DRAWS = 10_000
NUMBERS_PER_BATCH = 200_000
"""At most this many random numbers are drawn in one batch, to limit memory."""
TINY = 1e-9
"""A draw's standard error is treated as zero if it is below this fraction of the sample's standard error. All units of
such a draw are equal.
"""
_SEED = 14


class Interval(Struct, frozen=True):
    """An interval that contains the true mean result per unit, at some confidence level."""

    low: float
    high: float


def interval_of(results: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Returns the interval of the mean of `results` (one result per unit) at the confidence level `confidence`.

    Returns None if there are fewer than five results. Also returns None if they are too similar to show how much
    results vary.
    """
    values = np.array(results, float)
    error = float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) >= MIN_UNITS else 0.0
    if not error:
        return None
    has_enough_units = len(values) >= MIN_RESULTS_FOR_T
    margin = error * (
        t_quantile(len(values) - 1, confidence) if has_enough_units else _bootstrap_quantile(values, error, confidence)
    )
    return Interval(float(values.mean()) - margin, float(values.mean()) + margin) if isfinite(margin) else None


def chances_better(units: Sequence[Mapping[Bot, float]]) -> dict[tuple[Bot, Bot], float]:
    """Returns, for each pair of bots, the chance from 0 to 1 that the first bot is better. The chance is the fraction
    of draws in which the first bot has the better results. A tie is half a win.

    Each of `units` has the results of the bots that took part. A draw compares the bots' results per unit. Each pair
    occurs once. The first bot of a pair is the bot that appears first in `units`. Bots with fewer than five units are
    left out.
    """
    bots = [bot for bot, times in Counter(chain.from_iterable(units)).items() if times >= MIN_UNITS]
    results = np.array([[unit.get(bot, 0.0) for bot in bots] for unit in units]).reshape(len(units), len(bots))
    took_part = np.array([[bot in unit for bot in bots] for unit in units], float).reshape(results.shape)
    better = np.zeros((len(bots), len(bots)))
    for counts in _draws(len(units)) if bots else ():
        with np.errstate(invalid="ignore"):  # if a draw has no unit of a bot, the bot gets NaN, which beats nothing
            means = (counts @ results) / (counts @ took_part)
        for index, column in enumerate(means.T):
            better[index] += (column[:, None] > means).sum(axis=0) + (column[:, None] == means).sum(axis=0) / 2
    total = better + better.T
    return {
        (bots[one], bots[other]): float(better[one, other] / total[one, other])
        for one, other in combinations(range(len(bots)), 2)
    }


def _bootstrap_quantile(values: Floats, error: float, confidence: float) -> float:
    """Returns the bootstrap-t quantile, a number of standard errors. In a fraction `confidence` of the draws, the mean
    is at most this many standard errors away from the sample's mean. Each draw has its own standard error.

    With few units, plain quantiles of the means would make the intervals far too narrow.
    """
    unit_counts, deviations = _draws_of_few(len(values)).astype(float), values - values.mean()
    means = unit_counts @ deviations / len(values)
    errors = (np.maximum(unit_counts @ deviations**2 / len(values) - means**2, 0) / (len(values) - 1)) ** 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(errors > TINY * error, np.abs(means) / errors, np.inf)
    return float(np.quantile(ratios, confidence, method="nearest"))


@cache
def _draws_of_few(units: int) -> NDArray[np.uint8]:
    """Returns all draws of a small number of units. Cached, because many bots have the same number of units."""
    return np.concatenate([counts.astype(np.uint8) for counts in _draws(units)])


def _draws(units: int) -> Iterator[Floats]:
    """Yields one array of shape (draws, units) for each batch. The array says how often each unit occurs in each
    draw.
    """
    dice = np.random.default_rng(_SEED)
    equal_chances = np.full(units, 1 / units)
    per_batch = max(1, NUMBERS_PER_BATCH // units)
    for first in range(0, DRAWS, per_batch):
        yield dice.multinomial(units, equal_chances, size=min(per_batch, DRAWS - first)).astype(float)
