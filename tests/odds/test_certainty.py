"""Intervals contain the truth as often as they claim, and chances to be better or the best come true as often."""

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt
from statistics import NormalDist, mean, stdev

import pytest

from broadcast.odds.certainty import MIN_UNITS, chances, interval_of
from broadcast.odds.deal_scores import DealScores
from broadcast.odds.student import ENOUGH_FOR_T, t_quantile
from server.game.events import DealEnded, StageStarted


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


def stage(bots: int, lead_needed: int = 0, seats: int = 6) -> StageStarted:
    numbers, stacks = tuple(range(1, bots + 1)), (100,) * bots
    return StageStarted(1, "Final", 90 * seats, 1, numbers, stacks, seats=seats, deals=90, lead_needed=lead_needed)


def played(strengths: Sequence[float], deals: int, seed: int, seats: int = 6, lead_needed: int = 0) -> DealScores:
    """Plays deals in which each bot wins its strength on average, at the cost of the others at its table."""
    dice, scores = random.Random(seed), DealScores(stage(len(strengths), lead_needed, seats))
    for deal in range(deals):
        bots = sorted(dice.sample(range(1, len(strengths) + 1), seats))
        won = [strengths[bot - 1] + dice.gauss(0, 200) for bot in bots]
        even = sum(won) / len(won)
        scores.add(DealEnded(deal + 1, tuple(bots), tuple(round(each - even) for each in won)))
    return scores


def test_bots_are_ranked_by_what_they_win_per_deal() -> None:
    scores = DealScores(stage(3, seats=2))
    for bots, won in (((1, 2), (30, -30)), ((1, 3), (-10, 10)), ((2, 3), (-5, 5)), ((1, 2), (20, -20))):
        scores.add(DealEnded(scores.deals + 1, bots, won))
    standings = scores.standings()
    assert [(each.bot, each.deals, each.won) for each in standings] == [(1, 3, 40), (3, 2, 15), (2, 3, -55)]
    assert standings[0].mean == 13
    assert {(each.low, each.high) for each in standings} == {(None, None)}, "so few deals must have no interval"
    assert (scores.better(1, 2), scores.matrix(), scores.title()) == (None, {}, {})


@pytest.mark.parametrize(("bots", "seats"), [(6, 6), (9, 6), (2, 2)])
def test_interval_holds_the_true_mean_in_95_of_100_stages(bots: int, seats: int) -> None:
    truth = [12.0 * bot for bot in range(bots)]
    even, held, stages = sum(truth) / bots, 0, 120
    for seed in range(stages):
        for each in played(truth, 60, seed, seats=seats).standings():
            assert each.low is not None
            assert each.high is not None
            fair = truth[each.bot - 1] - even
            held += each.low <= fair * (bots / seats) * (seats - 1) / (bots - 1) <= each.high
    assert 0.93 <= held / stages / bots <= 0.975


def test_chance_to_be_better_is_right_as_often_as_it_says() -> None:
    said = right = 0.0
    for seed in range(150):
        dice = random.Random(seed)
        truth = [dice.gauss(0, 150) for _ in range(4)]
        for (one, other), chance in played(truth, 40, seed, seats=4).matrix().items():
            if chance > 0.5:
                said += chance
                right += truth[one - 1] > truth[other - 1]
    assert said == pytest.approx(right, rel=0.04)


def test_chance_of_the_title_is_right_as_often_as_it_says() -> None:
    said = right = 0.0
    for seed in range(200):
        dice = random.Random(seed)
        truth = [dice.gauss(0, 150) for _ in range(6)]
        title = played(truth, 40, seed).title()
        assert sum(title.values()) == pytest.approx(1)
        favourite = max(title, key=lambda bot: title[bot])
        said += title[favourite]
        right += truth[favourite - 1] == max(truth)
    assert said == pytest.approx(right, rel=0.04)


def test_with_two_bots_the_chance_of_the_title_is_the_chance_to_be_better() -> None:
    scores = played([0.0, 20.0], 40, 3, seats=2)
    assert scores.title()[1] == pytest.approx(scores.better(1, 2), abs=1e-3)


def test_chance_is_smaller_while_a_stage_may_still_end_early() -> None:
    plain, tested = (played([60.0, 0, 0, 0, 0, 0], 30, 2, lead_needed=needed) for needed in (0, 240))
    assert plain.title()[1] > tested.title()[1] > 0.3
    for one, other in combinations(range(1, 7), 2):
        assert abs((plain.better(one, other) or 0) - 0.5) >= abs((tested.better(one, other) or 0) - 0.5)
