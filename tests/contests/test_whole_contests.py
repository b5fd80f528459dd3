"""Whole contests of every kind with random decisions: the recording of each is proved."""

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.upac.rules import UPAC_FORMAT
from server.game.ratings import START, gain
from server.game.rules import Level
from server.game.tournament import Format, with_blinds, with_most_hands
from server.verify.recording import verify
from tests.support.contests import play_contest

# Small stacks and quick levels: a whole contest in a second.
ENOVA = with_blinds(replace(ENOVA_FORMAT, starting_stack=40), (Level(1, 2), Level(2, 4), Level(5, 10)), 12)
ARENA = replace(ARENA_FORMAT, rules=replace(ARENA_FORMAT.rules, hands_per_level=4), starting_stack=1000)


@pytest.mark.parametrize(
    ("contest", "bots", "rating", "seeds"),
    [
        (ENOVA, 19, 0, 1),
        (ENOVA, 7, 0, 1),
        (ARENA, 12, 0, 1),
        (with_most_hands(ARENA, 5), 12, 0, 1),
        (UPAC_FORMAT, 2, START, 12),
    ],
)
def test_whole_contest_is_proved_and_the_same_again(contest: Format, bots: int, rating: int, seeds: int) -> None:
    for seed in range(1, 1 + seeds):
        entries = play_contest(seed, bots, contest, rating=rating)
        assert verify(entries).finished
        again = play_contest(seed, bots, contest, rating=rating)
        assert [entry.event for entry in again] == [entry.event for entry in entries]


def test_elo_is_zero_sum_and_favours_the_weaker() -> None:
    assert gain(1000_00, 1000_00, 1.0) == 600
    assert gain(1000_00, 1000_00, 0.5) == 0
    assert gain(1400_00, 1000_00, 1.0) == 109, "expected 10/11: 12 x 1/11 points"
    assert gain(1000_00, 1400_00, 1.0) == 1091
