"""The scores of deals: who has won more with the same cards, how certain that is, and who may be the best."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from broadcast.odds.deal_scores import DealScores
from server.game.events import DealEnded, StageStarted

STACK = 100


def stage(bots: int = 6, deals: int = 90, lead_needed: int = 0, seats: int = 6) -> StageStarted:
    numbers = tuple(range(1, bots + 1))
    stacks = (STACK,) * bots
    return StageStarted(
        1, "The Final", deals * seats, 1, numbers, stacks, seats=seats, deals=deals, lead_needed=lead_needed
    )


def played(strengths: Sequence[float], deals: int, seed: int, seats: int = 6, lead_needed: int = 0) -> DealScores:
    """Plays deals in which each bot wins its strength on average, at the cost of the others at its table."""
    dice, scores = random.Random(seed), DealScores(stage(len(strengths), 90, lead_needed, seats))
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
    title = scores.title()
    assert title[1] == pytest.approx(scores.better(1, 2), abs=1e-3)


def test_chance_is_smaller_while_a_stage_may_still_end_early() -> None:
    plain, tested = (played([60.0, 0, 0, 0, 0, 0], 30, 2, lead_needed=needed) for needed in (0, 240))
    assert plain.title()[1] > tested.title()[1] > 0.3
    for one, other in combinations(range(1, 7), 2):
        assert abs((plain.better(one, other) or 0) - 0.5) >= abs((tested.better(one, other) or 0) - 0.5)
