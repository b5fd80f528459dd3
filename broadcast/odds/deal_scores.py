"""Computes from the deals of a stage how good each bot is, and how certain that is. No I/O, and no NumPy.

In a deal, every bot sits in every seat once, and the cards of a seat are always the same. A bot's result in a seat is
what it won there minus what all bots won there on average. The sum of a bot's results is what the bot won in the whole
deal. If bots are ranked by earned chips (without the luck of the board), "won" here means earned. A bot's mean covers
only deals that it played.
"""

from itertools import combinations, pairwise
from math import fsum, prod, sqrt
from statistics import NormalDist, fmean

from msgspec import Struct

from broadcast.odds.student_t import (
    FINAL_WIDENING,
    MIN_RESULTS_FOR_T,
    Z_95,
    chance_above,
    error_of_mean,
    t_quantile,
)
from server.game.deals import O_BRIEN_FLEMING_FACTOR, scores_of
from server.game.events import DealEnded, StageStarted

_GRID_STEPS = 200
"""`title_chances` divides the range in which the best bot's true mean may lie into this many steps."""
_GRID_ERRORS = 5
"""Each bot has a low value: its mean minus this many standard errors. Its high value is the mean plus as many standard
errors. The range starts at the highest low value and ends at the highest high value.
"""
_MIN_VARIANCE = 1e-9
"""The smallest variance that is used, so that chances exist even if all deals ended alike."""
_MIN_VARIANCE_SHARE = 1e-3
"""The smallest variance that is used for a single bot, as a fraction of the mean variance."""


class DealStanding(Struct, frozen=True):
    """What a bot has won in `deals` deals, in whole chips. `won` is the total. `mean` is the average per deal, over all
    tables of a deal together.

    With 95 % confidence, the bot's true mean is between `low` and `high`. Both are None until enough deals have been
    played. All values are rounded here, so that the show and the results never differ by a chip.
    """

    bot: int
    deals: int
    won: int
    mean: int
    low: int | None
    high: int | None


class DealScores:
    """Collects the results of a stage's deals."""

    def __init__(self, stage: StageStarted) -> None:
        self._stage = stage
        self._deals: list[dict[int, int]] = []
        self._results: dict[int, list[int]] = {bot: [] for bot in stage.bots}
        self._stack = min(stage.stacks, default=0)

    @property
    def deals(self) -> int:
        """The number of deals counted so far."""
        return len(self._deals)

    def add(self, event: DealEnded) -> None:
        scores = scores_of(event)
        self._deals.append(scores)
        for bot, chips in scores.items():
            self._results[bot].append(chips)

    def standings(self) -> tuple[DealStanding, ...]:
        """Returns the standings of all bots of the stage, best first. Equal bots are in the order of the stage."""
        return tuple(map(self._standing, sorted(self._results, key=lambda bot: -self._mean(bot))))

    def chance_better(self, one: int, other: int) -> float | None:
        """Returns the chance, 0 to 1, that bot `one` wins more than bot `other` in the long run. Returns None until
        enough deals have been played.

        If the stage can end early, the chance is nearer to 0.5 than the results alone suggest, mostly in the first
        deals. At some point of such a stage, some bot is bound to be ahead by luck.
        """
        variance = self._variance_between(one, other)
        if variance is None:
            return None
        return chance_above((self._mean(one) - self._mean(other)) / sqrt(variance), self._fewest_deals(one, other))

    def chances_better(self) -> dict[tuple[int, int], float]:
        """Returns, for all pairs in both orders, the chance that the first bot of the pair is better. Returns {} until
        enough deals have been played.

        If there are more bots than seats, pairs of bots with too few deals are left out.
        """
        chances = {}
        for one, other in combinations(self._results, 2):
            if (chance := self.chance_better(one, other)) is not None:
                chances[one, other], chances[other, one] = chance, 1 - chance
        return chances

    def title_chances(self) -> dict[int, float]:
        """Returns the chance, 0 to 1, that each bot of the stage is the best. Returns {} until all bots have played
        enough deals.

        The chances agree with `chances_better`. The method assumes that the bots' true means are independent and
        normally distributed.
        """
        bots = list(self._results)
        if len(bots) < 2 or self._fewest_deals(*bots) < MIN_RESULTS_FOR_T:
            return {}
        widening = t_quantile(self._fewest_deals(*bots) - 1) / Z_95
        strengths = [
            NormalDist(self._mean(bot), widening * sqrt(variance)) for bot, variance in self._bot_variances().items()
        ]
        low = max(strength.mean - _GRID_ERRORS * strength.stdev for strength in strengths)
        high = max(strength.mean + _GRID_ERRORS * strength.stdev for strength in strengths)
        chances_below = [
            [strength.cdf(low + (high - low) * edge / _GRID_STEPS) for strength in strengths]
            for edge in range(_GRID_STEPS + 1)
        ]
        """For each edge between steps, the chance that each bot's true mean is below the edge."""
        best_chances = dict.fromkeys(bots, 0.0)
        for lower, upper in pairwise(chances_below):
            halfway = [(one + other) / 2 for one, other in zip(lower, upper, strict=True)]
            for index, bot in enumerate(bots):
                best_chances[bot] += (upper[index] - lower[index]) * prod(halfway[:index] + halfway[index + 1 :])
        total = fsum(best_chances.values())
        return {bot: chance / total for bot, chance in best_chances.items()}

    def _standing(self, bot: int) -> DealStanding:
        results = self._results[bot]
        won, mean = sum(results), self._mean(bot)
        error = error_of_mean(results, self._stack)
        if error is None:
            return DealStanding(bot, len(results), won, round(mean), None, None)
        widening = FINAL_WIDENING if self._stage.lead_needed else 1.0
        margin = widening * t_quantile(len(results) - 1) * error
        return DealStanding(bot, len(results), won, round(mean), round(mean - margin), round(mean + margin))

    def _mean(self, bot: int) -> float:
        return fmean(self._results[bot] or [0])

    def _fewest_deals(self, *bots: int) -> int:
        return min(len(self._results[bot]) for bot in bots)

    def _mean_shifts(self, bot: int) -> list[float]:
        """Returns how far each deal moves the bot's mean, or 0 for a deal in which the bot did not play."""
        mean, played = self._mean(bot), len(self._results[bot])
        return [(deal[bot] - mean) / played if bot in deal else 0.0 for deal in self._deals]

    def _variance_between(self, one: int, other: int) -> float | None:
        """Returns the variance of the difference of two bots' means. Returns None until enough deals have been played.

        Compares what both bots won in the same deals, because both results depend on the same cards.
        """
        deals = self._fewest_deals(one, other)
        if deals < MIN_RESULTS_FOR_T:
            return None
        squares = [
            (shift - other_shift) ** 2
            for shift, other_shift in zip(self._mean_shifts(one), self._mean_shifts(other), strict=True)
        ]
        return max(_MIN_VARIANCE, fsum(squares)) * deals / (deals - 1) * self._early_widening**2

    @property
    def _early_widening(self) -> float:
        """The factor by which standard errors are multiplied. If the stage can end early, the factor is above 1. Luck
        then has more chances to decide, because the leader is tested several times. Otherwise, the factor is 1.
        """
        stage = self._stage
        return (
            O_BRIEN_FLEMING_FACTOR * sqrt(max(1.0, (stage.deals or 0) / len(self._deals))) if stage.lead_needed else 1.0
        )

    def _bot_variances(self) -> dict[int, float]:
        """Returns a variance for each bot. The variances of any two bots add up, at least nearly, to the variance of
        their difference.
        """
        sums = dict.fromkeys(self._results, 0.0)
        for one, other in combinations(sums, 2):
            variance = self._variance_between(one, other) or 0.0
            sums[one] += variance
            sums[other] += variance
        sum_of_variances = fsum(sums.values()) / (2 * len(sums) - 2)
        if len(sums) == 2:
            return dict.fromkeys(sums, sum_of_variances / 2)
        min_variance = _MIN_VARIANCE_SHARE * sum_of_variances / len(sums)
        return {
            bot: max(min_variance, (variance - sum_of_variances) / (len(sums) - 2)) for bot, variance in sums.items()
        }
