"""A 95 % interval contains the true value in 95 of 100 cases. Predicted chances come true as often as predicted."""

import random
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import sqrt
from statistics import NormalDist, mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from broadcast.odds.certainty import MIN_UNITS, chances_better, interval_of
from broadcast.odds.deal_scores import DealScores
from broadcast.odds.student_t import MIN_RESULTS_FOR_T
from broadcast.odds.title_odds import chance_in_permille, first_place_chances
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import DealEnded, GameEnded, HandStarted, StageStarted
from server.game.formats import Format
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import CharacterBot


@pytest.mark.parametrize(("games", "quantile"), [(MIN_RESULTS_FOR_T, 2.0930), (41, 2.02108), (121, 1.9799)])
def test_interval_of_twenty_or_more_games_uses_students_t_distribution(games: int, quantile: float) -> None:
    """The quantiles are from printed tables."""
    dice = random.Random(1)
    results = [dice.gauss(100, 1000) for _ in range(games)]
    interval = interval_of(results)
    assert interval is not None
    margin = quantile * stdev(results) / sqrt(games)
    assert (interval.low, interval.high) == pytest.approx((mean(results) - margin, mean(results) + margin), rel=1e-4)


def test_fewer_than_five_games_or_equal_results_have_no_interval() -> None:
    for results in ([], [1.0, 2.0, 3.0, 4.0], [3.0] * 30):
        assert interval_of(results) is None
    assert interval_of([0.0] * 9 + [500.0]) is None, (
        "a third of all bootstrap samples would have only zeros, so there must be no interval"
    )


def test_interval_follows_shifted_scaled_and_repeated_results() -> None:
    results = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0]
    samples = (results, results, [10 * result + 7 for result in results], results * 2)
    first, repeated, scaled, doubled = ((each.low, each.high) for each in map(interval_of, samples) if each)
    assert first == repeated == pytest.approx(((scaled[0] - 7) / 10, (scaled[1] - 7) / 10))
    assert doubled[1] - doubled[0] < first[1] - first[0]


@pytest.mark.parametrize("games", [MIN_UNITS, 12, 19, 20, 40])  # MIN_UNITS: the fewest games with an interval
@pytest.mark.parametrize("outlier_rate", [0.0, 0.15], ids=["normal results", "rare large results, as in poker"])
def test_interval_contains_the_truth_in_about_95_of_100_contests(games: int, outlier_rate: float) -> None:
    """Three standard errors around 95 % are allowed. With few games, intervals may be too wide, but not too narrow."""
    dice, hits = random.Random(games), 0
    for _ in range(400):
        interval = interval_of([dice.gauss(0, 6 if dice.random() < outlier_rate else 1) for _ in range(games)])
        hits += interval is not None and interval.low <= 0 <= interval.high
    assert 0.917 * 400 <= hits <= (400 if games < MIN_RESULTS_FOR_T else 0.983 * 400)


def test_chance_to_be_better_follows_from_the_difference_of_means() -> None:
    dice = random.Random(3)
    units = [{"A": dice.gauss(30, 100), "B": dice.gauss(0, 100)} for _ in range(200)]  # A unit is a game or a deal.
    gaps = [unit["A"] - unit["B"] for unit in units]
    expected = NormalDist(mean(gaps), stdev(gaps) / sqrt(len(gaps))).cdf(0)
    assert chances_better(units) == {("A", "B"): pytest.approx(1 - expected, abs=0.01)}


def test_chance_between_two_bots_needs_five_units_of_each() -> None:
    units = [{"A": 1.0 + game % 3, "B": game % 3} for game in range(12)]
    units += [{"A": 1.0, "C": 5.0}, {"B": 0.0, "C": 6.0}] * 4
    too_few = [{"A": 1.0, "D": 1.0}] * (MIN_UNITS - 1)
    assert chances_better(units + too_few) == {("A", "B"): 1.0, ("A", "C"): 0.0, ("B", "C"): 0.0}
    assert chances_better([{"A": 1.0, "B": 1.0}] * 9) == {("A", "B"): 0.5}, "equal bots must have an even chance"
    assert chances_better([]) == {}


class Chance(Struct, frozen=True):
    """A predicted chance, and the outcome: `won` is 1 if the bot won, 0 if it lost, or a fraction if it tied."""

    chance: float
    won: float


def play_stage(strengths: Sequence[float], deals: int, seed: int, seats: int = 6, lead_needed: int = 0) -> DealScores:
    """Simulates deals. On average, a bot wins its strength minus the mean strength at its table, in chips per deal."""
    numbers, stacks = tuple(range(1, len(strengths) + 1)), (100,) * len(strengths)
    stage = StageStarted(1, "Final", 90 * seats, 1, numbers, stacks, seats=seats, deals=90, lead_needed=lead_needed)
    dice, scores = random.Random(seed), DealScores(stage)
    for deal in range(deals):
        bots = sorted(dice.sample(numbers, seats))
        results = [strengths[bot - 1] + dice.gauss(0, 200) for bot in bots]
        mean_result = sum(results) / len(results)
        scores.add(DealEnded(deal + 1, tuple(bots), tuple(round(result - mean_result) for result in results)))
    return scores


def test_bots_are_ranked_by_what_they_win_per_deal() -> None:
    scores = play_stage([0.0, 0.0, 0.0], 0, 0, seats=2)
    for bots, won in (((1, 2), (30, -30)), ((1, 3), (-10, 10)), ((2, 3), (-5, 5)), ((1, 2), (20, -20))):
        scores.add(DealEnded(scores.deals + 1, bots, won))
    standings = scores.standings()
    assert [(row.bot, row.deals, row.won) for row in standings] == [(1, 3, 40), (3, 2, 15), (2, 3, -55)]
    assert standings[0].mean == 13
    assert {(row.low, row.high) for row in standings} == {(None, None)}, "after so few deals, there must be no interval"
    assert (scores.chance_better(1, 2), scores.chances_better(), scores.title_chances()) == (None, {}, {})


@pytest.mark.parametrize(("bots", "seats"), [(6, 6), (9, 6), (2, 2)])
def test_interval_holds_the_true_mean_in_95_of_100_stages(bots: int, seats: int) -> None:
    strengths = [12.0 * bot for bot in range(bots)]
    mean_strength, hits, stages = sum(strengths) / bots, 0, 120
    for seed in range(stages):
        for standing in play_stage(strengths, 60, seed, seats=seats).standings():
            assert standing.low is not None
            assert standing.high is not None
            advantage = strengths[standing.bot - 1] - mean_strength
            hits += standing.low <= advantage * (bots / seats) * (seats - 1) / (bots - 1) <= standing.high
    assert 0.93 <= hits / stages / bots <= 0.975


def test_chances_after_deals_come_true_as_often_as_they_say() -> None:
    pair_chances, favourite_chances = list[Chance](), list[Chance]()
    for seed in range(200):
        dice = random.Random(seed)
        strengths = [dice.gauss(0, 150) for _ in range(6)]
        scores = play_stage(strengths, 40, seed)
        for (one, other), chance in scores.chances_better().items():
            pair_chances += [Chance(chance, strengths[one - 1] > strengths[other - 1])] if chance > 0.5 else []
        title = scores.title_chances()
        assert sum(title.values()) == pytest.approx(1)
        favourite = max(title, key=lambda bot: title[bot])
        favourite_chances.append(Chance(title[favourite], strengths[favourite - 1] == max(strengths)))
    for chances in (pair_chances, favourite_chances):
        assert sum(each.chance for each in chances) == pytest.approx(sum(each.won for each in chances), rel=0.04)


def test_title_chance_of_two_bots_is_the_chance_to_be_better() -> None:
    scores = play_stage([0.0, 20.0], 40, 3, seats=2)
    assert scores.title_chances()[1] == pytest.approx(scores.chance_better(1, 2), abs=1e-3)


def test_chances_are_nearer_to_even_while_a_stage_may_still_end_early() -> None:
    full, stoppable = (play_stage([60.0, 0, 0, 0, 0, 0], 30, 2, lead_needed=needed) for needed in (0, 240))
    assert full.title_chances()[1] > stoppable.title_chances()[1] > 0.3
    for one, other in combinations(range(1, 7), 2):
        assert abs((full.chance_better(one, other) or 0) - 0.5) >= abs((stoppable.chance_better(one, other) or 0) - 0.5)


BOTS = 6
STACKS = st.lists(st.integers(1, 60_000), min_size=2, max_size=5)


@given(STACKS)
def test_chance_to_win_all_chips_is_the_share_of_the_chips(stacks: list[int]) -> None:
    assert first_place_chances(stacks) == pytest.approx([stack / sum(stacks) for stack in stacks], abs=1e-12)


@given(st.integers(5_100, 9_000))
def test_lead_is_worth_more_than_its_share_when_few_hands_are_left(stack: int) -> None:
    chances = [first_place_chances((stack, 10_000 - stack), left)[0] for left in (0, 1, 6, 24)]
    assert all(sooner > later for sooner, later in pairwise(chances))
    assert first_place_chances((stack, 10_000 - stack), 1_000)[0] == pytest.approx(stack / 10_000)


@given(STACKS, st.integers(1, 60))
def test_chances_add_up_and_more_chips_are_never_worth_less(stacks: list[int], hands_left: int) -> None:
    chances = first_place_chances(stacks, hands_left)
    assert sum(chances) == pytest.approx(1)
    by_stack = sorted(range(len(stacks)), key=lambda seat: stacks[seat])
    assert all(chances[shorter] <= chances[longer] + 1e-12 for shorter, longer in pairwise(by_stack))


def test_chance_is_certain_only_with_no_hands_left_or_without_chips() -> None:
    assert first_place_chances((3000, 5000, 5000, 0), 0) == (0, 0.5, 0.5, 0)
    assert first_place_chances((3000, 5001, 5000, 0), 0) == (0, 1, 0, 0)
    assert first_place_chances((0, 10, 30)) == (0, 0.25, 0.75)
    assert first_place_chances((0, 10, 30), 5)[0] == 0
    for stacks in ((), (0, 0)):
        with pytest.raises(ValueError, match="nobody has a chip"):
            first_place_chances(stacks)
    assert [chance_in_permille(chance) for chance in (0.0, 0.0001, 0.5, 0.9999, 1.0)] == [0, 1, 500, 999, 1000]


def collect_chances(contest: Format, seed: int) -> list[Chance]:
    """Lets house bots play the last stage. At the start of each hand, collects the chances of all bots with chips."""
    plan = contest.stages[-1]
    events = [each.event for each in play_contest(seed, BOTS, replace(contest, stages=(plan,)), kind=CharacterBot)]
    (final_stacks,) = (event.stacks for event in events if isinstance(event, GameEnded))
    champions = [seat for seat, stack in enumerate(final_stacks) if stack == max(final_stacks)]
    chances = []
    for event in events:
        if isinstance(event, HandStarted):
            odds = first_place_chances(event.stacks, plan.hands - event.hand + 1 if plan.hands else None)
            for seat, chance in enumerate(odds):
                chances += [Chance(chance, (seat in champions) / len(champions))] if event.stacks[seat] else []
    return chances


def brier_score(chances: Sequence[Chance]) -> float:
    """Returns the chances' Brier score (mean squared error). It is 0 if every chance was certain and right."""
    return sum((each.chance - each.won) ** 2 for each in chances) / len(chances)


@pytest.mark.parametrize(("contest", "seeds"), [(QUICK_DRAW_FORMAT, 40), (ARENA_FORMAT, 8)], ids=["quick", "arena"])
def test_title_odds_come_true_about_as_often_as_they_say(contest: Format, seeds: int) -> None:
    odds = [each for seed in range(seeds) for each in collect_chances(contest, seed)]
    assert brier_score(odds) < 0.9 * brier_score([Chance(1 / BOTS, each.won) for each in odds])
    tenths = [[each for each in odds if min(9, int(10 * each.chance)) == tenth] for tenth in range(10)]
    frequent_tenths = [chances for chances in tenths if len(chances) > len(odds) / 10]
    assert frequent_tenths
    for chances in frequent_tenths:
        assert abs(sum(each.chance - each.won for each in chances)) < 0.15 * len(chances)
