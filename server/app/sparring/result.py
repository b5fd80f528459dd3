"""Computes a sparring match's result: how much each bot earned, how certain this is, and whether the match can stop.

Results are counted per deal. There are as many tables as bots, and all tables play a deal with the same cards. So each
bot sits in each seat once. Deals are independent of one another.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from statistics import fmean

from msgspec import Struct

from broadcast.odds.earned import NOTHING_EARNED, EarnedByBot
from broadcast.odds.student_t import FINAL_WIDENING, MIN_RESULTS_FOR_T, Z_95, chance_above, error_of_mean, t_quantile

MAX_ROWS = 8
"""How many lines a text graph has."""
CERTAINTY_TESTS = 5
"""How many times a match tests whether its result is certain, including the test at the end."""
MIN_DEALS = 100
"""A match ends early only after at least this many deals."""
REPORTED_HANDS = 100
"""Results are per 100 hands."""


class MatchStanding(Struct, frozen=True):
    """The chips that a bot won and earned per 100 hands. Earned chips are chips won without the luck of the board.

    At 95 % confidence, the bot earns between `low` and `high` in the long run. Both are None after too few deals.
    """

    name: str
    won_per_100: float
    earned_per_100: float
    low: float | None
    high: float | None


class Result(Struct, frozen=True):
    """The result so far. `better` is the chance that the first bot beats its opponents, or None if unknown."""

    hands: int
    bots: tuple[MatchStanding, ...]
    better: float | None
    certain: bool
    """Whether the first bot is surely better, or surely worse, than its opponents, at 95 % confidence."""
    alike: bool
    """Whether the first bot's earnings were zero in every deal, as when a bot plays itself."""
    needed: int | None
    """About how many hands it takes to be certain, or None if unknown."""


class Score:
    """Counts the deals of a match. Bots are numbered from 1, in the order of `names`."""

    def __init__(self, names: Sequence[str], deals: int, stack: int) -> None:
        """The match has at most `deals` deals. Each bot starts each deal with `stack` chips."""
        self._names = names
        self._max_deals = deals
        self._stack = stack
        self._won: list[list[float]] = [[] for _ in names]
        self._earned: list[list[float]] = [[] for _ in names]

    @property
    def deals(self) -> int:
        """The number of counted deals."""
        return len(self._won[0])

    def curve(self, points: int) -> list[float]:
        """The first bot's total earnings in chips: at the start, and then at up to `points` equally spaced deals."""
        total, sums = 0.0, [0.0]
        for earned in self._earned[0]:
            total += earned * len(self._names)
            sums.append(total)
        end = len(sums) - 1
        return [sums[round(index * end / points)] for index in range(min(points, end) + 1)] if end else sums

    def add_deal(self, tables: Sequence[EarnedByBot]) -> None:
        """Adds a deal, with one hand at each table. `tables` has each bot's chips and luck at each table."""
        for bot, won, earned in zip(count(1), self._won, self._earned, strict=False):
            results = [table.get(bot, NOTHING_EARNED) for table in tables]
            won.append(fmean([result.won for result in results]))
            earned.append(won[-1] - fmean([float(result.luck) for result in results]))

    @property
    def can_end(self) -> bool:
        """Whether the match can end. Tests the result only a few times in a match, because frequent tests would find
        differences by chance.
        """
        if self.deals >= self._max_deals:
            return True
        test_deals = [round(self._max_deals * test / CERTAINTY_TESTS) for test in range(1, CERTAINTY_TESTS)]
        return self.deals in test_deals and self.deals >= MIN_DEALS and self.result().certain

    def result(self) -> Result:
        """The result so far."""
        bots = tuple(self._standing(index) for index in range(len(self._names)))
        low, high = self._bounds(0, self._early_widening)
        certain = low is not None and high is not None and (low > 0 or high < 0)
        alike = self.deals >= MIN_RESULTS_FOR_T and not any(self._earned[0])
        hands, error = self.deals * len(self._names), self._standard_error(0)
        better: float | None = None
        needed: int | None = None
        if error:
            z_score = fmean(self._earned[0]) / error  # the first bot's mean, in standard errors
            better = chance_above(z_score / self._early_widening, self.deals)
            needed = round(hands * (FINAL_WIDENING * Z_95 / z_score) ** 2) if z_score else None
        return Result(hands, bots, better, certain, alike, needed)

    @property
    def _early_widening(self) -> float:
        """The factor that widens intervals because the result is tested repeatedly. It falls during a match."""
        return self._final_widening * (self._max_deals / self.deals) ** 0.5 if self.deals else 1.0

    @property
    def _final_widening(self) -> float:
        """The factor that widens the final intervals of a match that may end early. It was found by measurement: with
        this factor, the intervals contain the true value in 95 % of matches.
        """
        return FINAL_WIDENING if self._max_deals >= MIN_DEALS * CERTAINTY_TESTS / (CERTAINTY_TESTS - 1) else 1.0

    def _standing(self, index: int) -> MatchStanding:
        low, high = self._bounds(index, self._final_widening)
        won, earned = (REPORTED_HANDS * fmean(chips[index] or [0.0]) for chips in (self._won, self._earned))
        return MatchStanding(self._names[index], won, earned, low, high)

    def _bounds(self, index: int, widening: float) -> tuple[float, float] | tuple[None, None]:
        """The interval of a bot's earnings per 100 hands."""
        error = self._standard_error(index)
        if error is None:
            return None, None
        mean, half_width = fmean(self._earned[index]), widening * t_quantile(self.deals - 1) * error
        return REPORTED_HANDS * (mean - half_width), REPORTED_HANDS * (mean + half_width)

    def _standard_error(self, index: int) -> float | None:
        """The standard error of a bot's mean earnings per hand, or None after too few deals."""
        return error_of_mean(self._earned[index], self._stack / len(self._names))


def draw_graph(values: Sequence[float], title: str) -> Iterator[str]:
    """Yields the lines of a text graph of `values` from left to right, with a scale at the left. Yields nothing for
    fewer than two values.
    """
    if len(values) < 2:
        return
    low, high = min(0.0, *values), max(0.0, *values)
    step = (high - low) / (MAX_ROWS - 1) or 1.0
    heights = [round((value - low) / step) for value in values]
    zero = round(-low / step)
    yield f"  {title}"
    for row in range(MAX_ROWS - 1, -1, -1):
        line = "".join("*" if height == row else "-" if row == zero else " " for height in heights)
        scale = f"{low + row * step:+10.0f}" if row in (0, zero, MAX_ROWS - 1) else " " * 10
        yield f"{scale} {line}".rstrip()
