"""A second program checks everything that captions, marks and highlights say about the hands of a recording."""

from collections.abc import Callable, Sequence

import pytest

from broadcast.film.film import film_of
from broadcast.film.highlights import ranked
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
    """Checks contests with consecutive seeds until they add up to `HANDS` hands."""
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


@pytest.mark.parametrize("contest", CONTESTS)
def test_each_highlight_names_its_mark_the_bots_and_the_line_of_the_hand(contest: str) -> None:
    outline = film_of(play_house_contest(contest, 5, BOTS.get(contest, 6))).outline
    names = {bot.bot: bot.name for bot in outline.bots}
    picks = ranked(outline)
    assert picks
    for pick in picks:
        hand = outline.hands[pick.hand]
        mark, _, line = pick.why.partition(": ")
        assert line == hand.told
        assert mark.startswith(pick.marks[0] if pick.marks else "The last hand")
        if mark.startswith("Elimination of"):
            assert all(names[bot] in mark for bot, _ in hand.out)
