"""Title odds are shares of the chips, are certain once no hand remains, and come true as often as they say."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from broadcast.odds.title_odds import chance_in_permille, first_place_chances
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import GameEnded, HandStarted
from server.game.formats import Format
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import CharacterBot

CONTESTS = {"High Noon": QUICK_DRAW_FORMAT, "Arena": ARENA_FORMAT}
BOTS, BINS = 6, 10
"""Chances are compared in ten bins: from 0 to 10 %, and so on."""
STACKS = st.lists(st.integers(1, 60_000), min_size=2, max_size=5)
EVENINGS = {"High Noon": 40, "Arena": 8}
"""The number of evenings played with each contest."""


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
    odds = [each for seed in range(EVENINGS[name]) for each in collect_chances(CONTESTS[name], seed)]
    assert brier(odds) < 0.9 * brier([Chance(1 / BOTS, each.won) for each in odds])
    tenths = [[each for each in odds if min(BINS - 1, int(each.chance * BINS)) == tenth] for tenth in range(BINS)]
    likely = [here for here in tenths if len(here) > len(odds) / 10]
    assert likely
    for here in likely:
        assert abs(sum(each.chance - each.won for each in here)) < 0.15 * len(here)
