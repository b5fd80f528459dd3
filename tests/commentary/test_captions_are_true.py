"""A second program checks everything that captions say about the hands of a recording."""

from collections.abc import Callable, Sequence

import pytest

from server.contests import CONTESTS
from server.journal.journal import Entry, read_journal
from tests.commentary.checker.check import Checked
from tests.support.contests import play_contest
from tests.support.house_contests import play_house_contest
from tests.support.recordings import KEPT, KEPT_CONTESTS

BOTS = {"quick-draw": 8, "upac": 2}
"""The number of bots, if not 6."""
HANDS = 40
FLOPS = 10
"""From the flop on, chances are recounted for one in this many hands; from the turn on, for all."""


@pytest.mark.parametrize("recording", KEPT)
def test_everything_said_of_kept_recordings_is_true(recording: str) -> None:
    checked = Checked(read_journal(KEPT_CONTESTS / recording).entries)
    assert checked.wrong == []
    assert checked.statements > checked.hands > 0


def is_all_true(play: Callable[[int], Sequence[Entry]]) -> None:
    """Checks contests with consecutive seeds until they have `HANDS` hands in all."""
    hands = statements = 0
    for seed in range(5, 50):
        checked = Checked(play(seed), FLOPS)
        assert checked.wrong == []
        hands, statements = hands + checked.hands, statements + checked.statements
        if hands >= HANDS:
            break
    assert statements > 3 * hands >= 3 * HANDS


@pytest.mark.parametrize("contest", CONTESTS)
def test_everything_said_of_house_bots_is_true(contest: str) -> None:
    is_all_true(lambda seed: play_house_contest(contest, seed, BOTS.get(contest, 6)))


@pytest.mark.parametrize("contest", CONTESTS)
def test_everything_said_of_random_bots_is_true(contest: str) -> None:
    is_all_true(lambda seed: play_contest(seed, BOTS.get(contest, 6), CONTESTS[contest].format))
