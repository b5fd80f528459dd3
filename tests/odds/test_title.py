"""Intervals contain the truth as often as they claim, and chances to be better or the best come true as often.

Title odds are shares of the chips, and are certain once no hand remains.
"""

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
from broadcast.odds.student_t import ENOUGH_FOR_T
from broadcast.odds.title_odds import chance_in_permille, first_place_chances
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import DealEnded, GameEnded, HandStarted, StageStarted
from server.game.formats import Format
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import CharacterBot


@pytest.mark.parametrize(("games", "quantile"), [(ENOUGH_FOR_T, 2.0930), (41, 2.02108), (121, 1.9799)])
def test_interval_of_twenty_or_more_games_uses_students_t_distribution(games: int, quantile: float) -> None:
    """The quantiles are from printed tables."""
    dice = random.Random(1)
    results = [dice.gauss(100, 1000) for _ in range(games)]
    interval = interval_of(results)
    assert interval is not None
    reach = quantile * stdev(results) / sqrt(games)
    assert (interval.low, interval.high) == pytest.approx((mean(results) - reach, mean(results) + reach), rel=1e-4)


def test_fewer_than_five_games_or_equal_results_have_no_interval() -> None:
    for results in ([], [1.0, 2.0, 3.0, 4.0], [3.0] * 30):
        assert interval_of(results) is None
    assert interval_of([0.0] * 9 + [500.0]) is None, "a third of all bootstrap samples of these have only zeros"


def test_interval_moves_and_scales_with_the_results_and_shrinks_with_their_number() -> None:
    results = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0]
    found = [interval_of(each) for each in (results, results, [10 * result + 7 for result in results], results * 2)]
    (low, high), again, moved, (less_low, less_high) = [(each.low, each.high) for each in found if each]
    assert (low, high) == again == pytest.approx(((moved[0] - 7) / 10, (moved[1] - 7) / 10))
    assert less_high - less_low < high - low


@pytest.mark.parametrize("games", [MIN_UNITS, 12, 19, 20, 40])
@pytest.mark.parametrize("rare", [0.0, 0.15], ids=["normal results", "rare large results, as in poker"])
def test_interval_contains_the_truth_in_about_95_of_100_contests(games: int, rare: float) -> None:
    """Allows three standard errors of 400 contests. With few games, intervals may be too wide, but never too narrow."""
    dice, held = random.Random(games), 0
    for _ in range(400):
        interval = interval_of([dice.gauss(0, 6 if dice.random() < rare else 1) for _ in range(games)])
        held += interval is not None and interval.low <= 0 <= interval.high
    assert 0.917 * 400 <= held <= (400 if games < ENOUGH_FOR_T else 0.983 * 400)


def test_chance_to_be_better_follows_from_the_difference_of_means() -> None:
    dice = random.Random(3)
    units = [{"A": dice.gauss(30, 100), "B": dice.gauss(0, 100)} for _ in range(200)]
    gaps = [unit["A"] - unit["B"] for unit in units]
    expected = NormalDist(mean(gaps), stdev(gaps) / sqrt(len(gaps))).cdf(0)
    assert chances_better(units) == {("A", "B"): pytest.approx(1 - expected, abs=0.01)}


def test_chance_between_two_bots_depends_only_on_units_with_both_and_needs_five_of_each() -> None:
    units = [{"A": 1.0 + at % 3, "B": at % 3} for at in range(12)] + [{"A": 1.0, "C": 5.0}, {"B": 0.0, "C": 6.0}] * 4
    few = [{"A": 1.0, "D": 1.0}] * (MIN_UNITS - 1)
    assert chances_better(units + few) == {("A", "B"): 1.0, ("A", "C"): 0.0, ("B", "C"): 0.0}
    assert chances_better([{"A": 1.0, "B": 1.0}] * 9) == {("A", "B"): 0.5}, "equal bots must have an even chance"
    assert chances_better([]) == {}


def play_stage(strengths: Sequence[float], deals: int, seed: int, seats: int = 6, lead_needed: int = 0) -> DealScores:
    """Plays deals in which each bot wins its strength on average, at the cost of the others at its table."""
    numbers, stacks = tuple(range(1, len(strengths) + 1)), (100,) * len(strengths)
    stage = StageStarted(1, "Final", 90 * seats, 1, numbers, stacks, seats=seats, deals=90, lead_needed=lead_needed)
    dice, scores = random.Random(seed), DealScores(stage)
    for deal in range(deals):
        bots = sorted(dice.sample(numbers, seats))
        won = [strengths[bot - 1] + dice.gauss(0, 200) for bot in bots]
        even = sum(won) / len(won)
        scores.add(DealEnded(deal + 1, tuple(bots), tuple(round(each - even) for each in won)))
    return scores


def test_bots_are_ranked_by_what_they_win_per_deal() -> None:
    scores = play_stage([0.0, 0.0, 0.0], 0, 0, seats=2)
    for bots, won in (((1, 2), (30, -30)), ((1, 3), (-10, 10)), ((2, 3), (-5, 5)), ((1, 2), (20, -20))):
        scores.add(DealEnded(scores.deals + 1, bots, won))
    standings = scores.standings()
    assert [(each.bot, each.deals, each.won) for each in standings] == [(1, 3, 40), (3, 2, 15), (2, 3, -55)]
    assert standings[0].mean == 13
    assert {(each.low, each.high) for each in standings} == {(None, None)}, "so few deals must have no interval"
    assert (scores.chance_better(1, 2), scores.chances_better(), scores.title_chances()) == (None, {}, {})


@pytest.mark.parametrize(("bots", "seats"), [(6, 6), (9, 6), (2, 2)])
def test_interval_holds_the_true_mean_in_95_of_100_stages(bots: int, seats: int) -> None:
    truth = [12.0 * bot for bot in range(bots)]
    even, held, stages = sum(truth) / bots, 0, 120
    for seed in range(stages):
        for each in play_stage(truth, 60, seed, seats=seats).standings():
            assert each.low is not None
            assert each.high is not None
            fair = truth[each.bot - 1] - even
            held += each.low <= fair * (bots / seats) * (seats - 1) / (bots - 1) <= each.high
    assert 0.93 <= held / stages / bots <= 0.975


def test_chance_to_be_better_and_the_best_is_right_as_often_as_it_says() -> None:
    better, best = list[tuple[float, bool]](), list[tuple[float, bool]]()
    for seed in range(200):
        dice = random.Random(seed)
        truth = [dice.gauss(0, 150) for _ in range(6)]
        scores = play_stage(truth, 40, seed)
        pairs = scores.chances_better().items()
        better += [(chance, truth[one - 1] > truth[other - 1]) for (one, other), chance in pairs if chance > 0.5]
        title = scores.title_chances()
        assert sum(title.values()) == pytest.approx(1)
        favourite = max(title, key=lambda bot: title[bot])
        best.append((title[favourite], truth[favourite - 1] == max(truth)))
    for said in (better, best):
        assert sum(chance for chance, _ in said) == pytest.approx(sum(true for _, true in said), rel=0.04)


def test_with_two_bots_the_chance_of_the_title_is_the_chance_to_be_better() -> None:
    scores = play_stage([0.0, 20.0], 40, 3, seats=2)
    assert scores.title_chances()[1] == pytest.approx(scores.chance_better(1, 2), abs=1e-3)


def test_chance_is_smaller_while_a_stage_may_still_end_early() -> None:
    plain, tested = (play_stage([60.0, 0, 0, 0, 0, 0], 30, 2, lead_needed=needed) for needed in (0, 240))
    assert plain.title_chances()[1] > tested.title_chances()[1] > 0.3
    for one, other in combinations(range(1, 7), 2):
        assert abs((plain.chance_better(one, other) or 0) - 0.5) >= abs((tested.chance_better(one, other) or 0) - 0.5)


CONTESTS = {"High Noon": (QUICK_DRAW_FORMAT, 40), "Arena": (ARENA_FORMAT, 8)}
"""Each contest, and the number of evenings played with it."""
BOTS, BINS = 6, 10
"""Chances are compared in ten bins: from 0 to 10 %, and so on."""
STACKS = st.lists(st.integers(1, 60_000), min_size=2, max_size=5)


@given(STACKS)
def test_chance_to_win_all_chips_is_the_share_of_the_chips(stacks: list[int]) -> None:
    assert first_place_chances(stacks) == pytest.approx([stack / sum(stacks) for stack in stacks], abs=1e-12)


@given(st.integers(5_100, 9_000))
def test_lead_is_worth_more_than_its_share_when_few_hands_are_left(stack: int) -> None:
    chances = [first_place_chances((stack, 10_000 - stack), left)[0] for left in (0, 1, 6, 24)]
    assert all(one > other for one, other in pairwise(chances))
    assert first_place_chances((stack, 10_000 - stack), 1_000)[0] == pytest.approx(stack / 10_000)


@given(STACKS, st.integers(1, 60))
def test_chances_add_up_and_more_chips_are_never_worth_less(stacks: list[int], left: int) -> None:
    chances = first_place_chances(stacks, left)
    assert sum(chances) == pytest.approx(1)
    ranked = sorted(range(len(stacks)), key=lambda at: stacks[at])
    assert all(chances[one] <= chances[other] + 1e-12 for one, other in pairwise(ranked))


def test_chance_is_certain_only_with_no_hands_left_or_without_chips() -> None:
    assert first_place_chances((3000, 5000, 5000, 0), 0) == (0, 0.5, 0.5, 0)
    assert first_place_chances((3000, 5001, 5000, 0), 0) == (0, 1, 0, 0)
    assert first_place_chances((0, 10, 30)) == (0, 0.25, 0.75)
    assert first_place_chances((0, 10, 30), 5)[0] == 0
    for stacks in ((), (0, 0)):
        with pytest.raises(ValueError, match="nobody has a chip"):
            first_place_chances(stacks)
    assert [chance_in_permille(chance) for chance in (0.0, 0.0001, 0.5, 0.9999, 1.0)] == [0, 1, 500, 999, 1000]


class Chance(Struct, frozen=True):
    """A bot's chance before a hand, and what came true: `won` is 1, 0, or a fraction if several bots won."""

    chance: float
    won: float


def collect_chances(contest: Format, seed: int) -> list[Chance]:
    """Lets house bots play the last stage; returns the chances of each bot with chips before each hand."""
    plan = contest.stages[-1]
    events = [each.event for each in play_contest(seed, BOTS, replace(contest, stages=(plan,)), kind=CharacterBot)]
    (final,) = (event.stacks for event in events if isinstance(event, GameEnded))
    champions = [at for at, stack in enumerate(final) if stack == max(final)]
    return [
        Chance(chance, (at in champions) / len(champions))
        for event in events
        if isinstance(event, HandStarted)
        for at, chance in enumerate(
            first_place_chances(event.stacks, plan.hands - event.hand + 1 if plan.hands else None)
        )
        if event.stacks[at]
    ]


def brier(chances: Sequence[Chance]) -> float:
    """The mean square error of the chances: 0 if all were certain and right."""
    return sum((each.chance - each.won) ** 2 for each in chances) / len(chances)


@pytest.mark.parametrize("name", CONTESTS)
def test_title_odds_come_true_about_as_often_as_they_say(name: str) -> None:
    contest, evenings = CONTESTS[name]
    odds = [each for seed in range(evenings) for each in collect_chances(contest, seed)]
    assert brier(odds) < 0.9 * brier([Chance(1 / BOTS, each.won) for each in odds])
    tenths = [[each for each in odds if min(BINS - 1, int(each.chance * BINS)) == tenth] for tenth in range(BINS)]
    likely = [here for here in tenths if len(here) > len(odds) / 10]
    assert likely
    for here in likely:
        assert abs(sum(each.chance - each.won for each in here)) < 0.15 * len(here)
