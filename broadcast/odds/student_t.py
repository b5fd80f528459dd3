"""Computes intervals and chances from Student's distribution, for results per deal. Pure, and without NumPy.

In a deal, every bot plays the same cards, once in every seat. Deals are independent of one another.
"""

from collections.abc import Sequence
from math import fsum, sqrt
from statistics import NormalDist, fmean

MIN_RESULTS_FOR_T = 20
"""With at least this many results, an interval comes from Student's distribution."""
Z_95 = 1.959964
"""The two-sided quantile of the normal distribution at 95 %."""
FINAL_WIDENING = 2.0401 / Z_95
"""If five tests may end a stage, a 95 % interval is widened by this factor at the last test. Source: O'Brien and
Fleming (1979).
"""
_UNSEEN_WEIGHT = 1 / 3
"""The weight of one imaginary deal in which a bot wins another bot's whole stack. Such deals are rare, and until one
occurs, the measured variance is too small. Without this imaginary deal, only 88 % of the "95 %" intervals after 100
deals contain the true value.
"""


def t_quantile(degrees: int, confidence: float = 0.95) -> float:
    """Returns the two-sided quantile of Student's distribution. At 95 %, 2.5 % of the distribution is above the
    quantile.

    From 19 degrees of freedom on, five digits are correct at 95 %, and four digits at 99 %. The series is number 26.7.5
    in Abramowitz and Stegun.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / degrees**power for power, term in enumerate(terms, 1)))


def error_of_mean(results: Sequence[float], stack: float) -> float | None:
    """Returns the standard error of the mean of `results`, which has one result for each deal. Returns None until
    enough deals have been played.

    `stack` is the result of a deal in which a bot wins another bot's whole stack once.
    """
    if len(results) < MIN_RESULTS_FOR_T:
        return None
    mean, unseen = fmean(results), _UNSEEN_WEIGHT * stack**2 / len(results)
    variance = fsum([(result - mean) ** 2 for result in results]) / (len(results) - 1)
    return sqrt((variance + unseen) / len(results))


def chance_above(errors: float, deals: int) -> float:
    """Returns the chance that a bot's true mean is above 0. The mean of its results in `deals` deals is `errors`
    standard errors above 0.
    """
    return NormalDist().cdf(errors * Z_95 / t_quantile(deals - 1))
