"""The ladder of house bots: each rung is stronger than the one below, and its published figures are measured."""

import pytest

from server.bots.house.ladder import LADDER, rating
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
    assert 0 < rung.low < rung.earns < rung.high
    assert found.low < rung.high, "the interval measured here overlaps the published one"
    assert rung.low < found.high


def test_guide_states_what_was_measured() -> None:
    guide = (GUIDE / "bots.md").read_text()
    for number, rung in enumerate(LADDER[1:], 2):
        measured = f"{rung.earns:.0f}, {rung.low:.0f} to {rung.high:.0f}"
        assert f"| {number} | {rung.name} | {rating(number):.0f} | {measured} |" in guide
