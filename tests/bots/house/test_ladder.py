"""The ladder of house bots: each rung is truly stronger than the one below, and its published figures were measured."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from server.bots.house.ladder import LADDER, house_players, in_words, playing, rating
from server.bots.house.styles import styles
from server.paths import GUIDE
from tests.support.ladder_matches import match

DEALS = 100


@pytest.mark.parametrize("strength", range(2, len(LADDER) + 1))
def test_each_rung_earns_from_the_rung_below(strength: int) -> None:
    found = match(strength, strength - 1, DEALS)
    assert found.earned_per_100 > 0
    assert found.won_per_100 > 0
    assert found.low is not None
    assert found.high is not None
    rung = LADDER[strength - 1]
    assert found.low < rung.high, "the published figure may be true"
    assert rung.low < found.high


def test_match_of_rungs_ends_the_same_each_time() -> None:
    assert match(3, 2, 20) == match(3, 2, 20)


def test_ratings_rise_with_certainty() -> None:
    assert all(0 < rung.low < rung.earns < rung.high for rung in LADDER[1:])
    ratings = [rating(strength) for strength in range(1, len(LADDER) + 1)]
    assert ratings[0] == 0
    assert ratings[-1] == pytest.approx(sum(rung.earns for rung in LADDER))
    assert all(lower < higher for lower, higher in pairwise(ratings))
    assert len({rung.name for rung in LADDER}) == len(LADDER)


def test_guide_states_what_was_measured() -> None:
    guide = (GUIDE / "bots.md").read_text()
    for number, rung in enumerate(LADDER[1:], 2):
        measured = f"{rung.earns:.0f}, {rung.low:.0f} to {rung.high:.0f}"
        assert f"| {number} | {rung.name} | {rating(number):.0f} | {measured} |" in guide


def test_strength_changes_only_the_skill_of_a_style() -> None:
    own, rung = styles()["chatty"], playing("chatty", 1)
    assert rung == replace(own, skill=LADDER[0].skill)
    assert rung != own
    assert playing("chatty") == own


def test_rungs_are_opponents_like_the_styles() -> None:
    assert list(house_players()) == [*styles(), *(f"strength-{number}" for number in range(1, len(LADDER) + 1))]
    assert in_words(2) == f"strength 2 of {len(LADDER)}, {LADDER[1].name}"
    assert in_words(0) == "of every kind"
