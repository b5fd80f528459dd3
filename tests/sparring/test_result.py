"""A sparring match does not overstate its certainty."""

import random
from fractions import Fraction
from functools import cache

import pytest

from broadcast.odds.earned import Earned, Unit
from server.app.sparring.result import MIN_DEALS, Score

DEALS = 400
REPETITIONS = 400
STACK = 900


@cache
def deal(chips: int) -> list[Unit]:
    """A mirrored deal: at both tables, the first bot wins `chips` chips."""
    return [{1: Earned(1, chips, Fraction()), 2: Earned(1, -chips, Fraction())}] * 2


def play_match(dice: random.Random, mean: int) -> Score:
    """A match whose deals vary like real deals: mostly blinds are won, and sometimes a whole stack."""
    score = Score(["Ann", "Bob"], DEALS, STACK)
    while not score.enough:
        score.add_deal(deal(mean + dice.choice((50, 50, -50, -50, 200, -200, 900, -900))))
    return score


def repeat(deals: int, each: list[Unit]) -> Score:
    """A match in which every deal has the same result."""
    score = Score(["Ann", "Bob"], deals, STACK)
    while not score.enough:
        score.add_deal(each)
    return score


@pytest.fixture(scope="module")
def even() -> list[Score]:
    """Many matches between equally good bots."""
    dice = random.Random(15)
    return [play_match(dice, 0) for _ in range(REPETITIONS)]


@pytest.mark.parametrize("mean", [0, 40, 120])
def test_interval_contains_the_true_earnings_in_95_of_100_matches(mean: int, even: list[Score]) -> None:
    dice, covered, early = random.Random(15), 0, 0
    for score in even if mean == 0 else (play_match(dice, mean) for _ in range(REPETITIONS)):
        result = score.result()
        first = result.bots[0]
        assert first.low is not None
        assert first.high is not None
        covered += first.low <= 100 * mean <= first.high
        early += score.deals < DEALS
        assert result.certain == (first.low > 0 or first.high < 0)
    assert 0.93 <= covered / REPETITIONS <= 0.97
    assert early / REPETITIONS <= 0.05 or mean
    assert early / REPETITIONS > 0.9 or mean < 120


def test_equal_bots_are_called_different_in_at_most_5_of_100_matches(even: list[Score]) -> None:
    results = [score.result() for score in even]
    assert sum(result.certain for result in results) / REPETITIONS <= 0.06
    sure = [result.better for result in results if result.better is not None]
    assert len(sure) == REPETITIONS
    assert sum(better > 0.95 or better < 0.05 for better in sure) / REPETITIONS <= 0.11


def test_clear_match_ends_early_but_not_before_a_hundred_deals() -> None:
    score = play_match(random.Random(1), 500)
    assert MIN_DEALS <= score.deals < DEALS
    result = score.result()
    assert result.certain
    assert (result.better or 0) > 0.97
    assert result.hands == 2 * score.deals


def test_match_with_equal_results_is_even_and_few_deals_have_no_interval() -> None:
    result = repeat(30, deal(0)).result()
    assert (result.alike, result.certain, result.better) == (True, False, 0.5)
    result = repeat(19, deal(100)).result()
    assert [(bot.low, bot.high) for bot in result.bots] == [(None, None)] * 2
    assert result.better is None


def test_luck_counts_among_winnings_but_not_among_earnings() -> None:
    lucky = {1: Earned(1, 30, Fraction(20)), 2: Earned(1, -30, Fraction(-20))}
    score = repeat(5, [lucky, {1: Earned(1, -10), 2: Earned(1, 10)}])
    bots = [(bot.won_per_100, bot.earned_per_100) for bot in score.result().bots]
    assert bots == [(1000.0, 0.0), (-1000.0, 0.0)]
    assert score.curve(5) == [0.0] * 6
    assert repeat(8, deal(5)).curve(4) == [0.0, 20.0, 40.0, 60.0, 80.0]


@pytest.mark.parametrize(("stack", "certain"), [(20, True), (5000, False)])
def test_certainty_takes_into_account_big_pots_that_have_not_occurred(stack: int, certain: bool) -> None:
    """A bot that keeps winning the blinds may still lose its stack once in a hundred deals."""
    score = Score(["Ann", "Bob"], 60, stack)
    for each in [deal(10)] * 45 + [deal(-10)] * 15:
        score.add_deal(each)
    assert score.result().certain == certain
