"""Title odds are shares of the chips, certain once no hand remains, and calibrated."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.odds.title import first_place, in_tenths
from tests.support.title_evenings import CONTESTS, brier, collect_chances, reliability

STACKS = st.lists(st.integers(1, 60_000), min_size=2, max_size=5)
EVENINGS = {"High Noon": 40, "Arena": 8}


@given(STACKS)
def test_chance_of_first_place_is_the_share_of_the_chips(stacks: list[int]) -> None:
    chances = first_place(stacks)
    assert chances == pytest.approx([stack / sum(stacks) for stack in stacks], abs=1e-12)


@given(st.integers(5_100, 9_000))
def test_lead_is_worth_more_than_its_share_when_few_hands_are_left(stack: int) -> None:
    chances = [first_place((stack, 10_000 - stack), left)[0] for left in (0, 1, 6, 24)]
    assert all(one > other for one, other in pairwise(chances))
    assert first_place((stack, 10_000 - stack), 1_000)[0] == pytest.approx(stack / 10_000)


@given(STACKS, st.integers(1, 60))
def test_chances_add_up_and_more_chips_are_never_worth_less(stacks: list[int], left: int) -> None:
    chances = first_place(stacks, left)
    assert sum(chances) == pytest.approx(1)
    ranked = sorted(range(len(stacks)), key=lambda at: stacks[at])
    assert all(chances[one] <= chances[other] + 1e-12 for one, other in pairwise(ranked))


def test_chance_is_certain_only_with_no_hands_left_or_without_chips() -> None:
    assert first_place((3000, 5000, 5000, 0), 0) == (0, 0.5, 0.5, 0)
    assert first_place((3000, 5001, 5000, 0), 0) == (0, 1, 0, 0)
    assert first_place((0, 10, 30)) == (0, 0.25, 0.75)
    assert first_place((0, 10, 30), 5)[0] == 0
    for stacks in ((), (0, 0)):
        with pytest.raises(ValueError, match="nobody has a chip"):
            first_place(stacks)
    assert [in_tenths(chance) for chance in (0.0, 0.0001, 0.5, 0.9999, 1.0)] == [0, 1, 500, 999, 1000]


@pytest.mark.parametrize("name", CONTESTS)
def test_title_odds_come_true_about_as_often_as_they_say(name: str) -> None:
    contest, bots = CONTESTS[name]
    odds = [each for seed in range(EVENINGS[name]) for each in collect_chances(contest, bots, f"{name} {seed}")]
    assert brier(odds) < 0.9 * brier([type(each)(1 / bots, each.won, each.left) for each in odds])
    likely = [row for row in reliability(odds) if row[0] > len(odds) / 10]
    assert likely
    assert all(abs(mean - frequency) < 0.15 for _, mean, frequency in likely)
