"""Intervals contain the truth as often as they claim, and chances to be better are right."""

import random
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import NormalDist, mean, stdev

import pytest

from broadcast.odds.certainty import MIN_UNITS, chances, interval_of
from broadcast.odds.student import ENOUGH_FOR_T, t_quantile


def test_quantile_agrees_with_printed_tables() -> None:
    printed = {19: 2.093, 24: 2.064, 29: 2.045, 40: 2.021, 60: 2.000, 120: 1.980}
    assert {degrees: round(t_quantile(degrees), 3) for degrees in printed} == printed


def test_interval_of_twenty_games_uses_students_t_distribution() -> None:
    dice = random.Random(1)
    results = [dice.gauss(100, 1000) for _ in range(ENOUGH_FOR_T)]
    interval = interval_of(results)
    assert interval is not None
    reach = 2.0930 * stdev(results) / sqrt(ENOUGH_FOR_T)
    assert (interval.low, interval.high) == pytest.approx((mean(results) - reach, mean(results) + reach), rel=1e-4)


def test_fewer_than_five_games_or_equal_results_have_no_interval() -> None:
    for results in ([], [1.0, 2.0, 3.0, 4.0], [3.0] * 30):
        assert interval_of(results) is None
    assert interval_of([0.0] * 9 + [500.0]) is None, "a third of all bootstrap samples of these have only zeros"


def test_interval_is_reproducible_and_moves_and_scales_with_the_results() -> None:
    results = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0]
    first, moved = interval_of(results), interval_of([10 * result + 7 for result in results])
    assert first == interval_of(results)
    assert first is not None
    assert moved is not None
    assert (moved.low, moved.high) == pytest.approx((10 * first.low + 7, 10 * first.high + 7))
    more = interval_of(results * 2)
    assert more is not None
    assert more.high - more.low < first.high - first.low


def normal(dice: random.Random) -> float:
    return dice.gauss(0, 1)


def heavy_tailed(dice: random.Random) -> float:
    """Small results in most games and large ones in some, as in poker."""
    return dice.gauss(0, 1) * (6 if dice.random() < 0.15 else 1)


@pytest.mark.parametrize("games", [MIN_UNITS, 8, 12, 19, 20, 40])
@pytest.mark.parametrize("kind", [normal, heavy_tailed])
def test_interval_contains_the_truth_in_about_95_of_100_contests(
    games: int, kind: Callable[[random.Random], float]
) -> None:
    """Allows three standard errors of 400 contests. With few games, intervals may be too wide, but never too narrow."""
    dice = random.Random(games)
    held = sum(_contains_zero([kind(dice) for _ in range(games)]) for _ in range(400))
    assert 0.917 * 400 <= held <= (400 if games < ENOUGH_FOR_T else 0.983 * 400)


def _contains_zero(results: Sequence[float]) -> bool:
    interval = interval_of(results)
    assert interval is not None
    return interval.low <= 0 <= interval.high


def test_chance_to_be_better_follows_from_the_difference_of_means() -> None:
    dice = random.Random(3)
    units = [{"A": dice.gauss(30, 100), "B": dice.gauss(0, 100)} for _ in range(200)]
    gaps = [unit["A"] - unit["B"] for unit in units]
    expected = NormalDist(mean(gaps), stdev(gaps) / sqrt(len(gaps))).cdf(0)
    assert chances(units) == {("A", "B"): pytest.approx(1 - expected, abs=0.01)}


def test_chance_between_two_bots_depends_only_on_units_with_both() -> None:
    units = [{"A": 1.0 + at % 3, "B": at % 3} for at in range(12)] + [{"A": 1.0, "C": 5.0}, {"B": 0.0, "C": 6.0}] * 4
    found = chances(units)
    assert found == {("A", "B"): 1.0, ("A", "C"): 0.0, ("B", "C"): 0.0}


def test_equal_bots_have_an_even_chance_and_bots_with_few_units_have_none() -> None:
    units = [{"A": float(at), "B": float(at)} for at in range(9)] + [{"A": 1.0, "C": 1.0}] * (MIN_UNITS - 1)
    assert chances([{"A": 1.0, "B": 1.0}] * 9) == {("A", "B"): 0.5}
    assert set(chances(units)) == {("A", "B")}
    assert chances([]) == {}
