"""What a program that runs for days leaves behind is found."""

import gc
import weakref
from collections import deque
from collections.abc import Iterator

import pytest

from server.process import search_seldom

OF_A_GAME = 600
"""Objects that a finished game leaves, all of which refer to one another."""
KEPT = 100
"""Shows of finished games that are kept: what they leave is old when it becomes garbage."""


class _Finished:
    """A finished game: refers to itself, as tables, bots and connections do to one another."""

    def __init__(self) -> None:
        self.rest = [[self] for _ in range(OF_A_GAME)]


@pytest.fixture
def served() -> Iterator[None]:
    before = gc.get_threshold()
    much: list[list[int]] = [[] for _ in range(2_000_000)]
    gc.collect()  # a program that has imported much: it counts as searched
    search_seldom()
    del much
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("served")
def test_what_finished_games_leave_is_given_back_after_some_hundreds() -> None:
    """With a collector that is never in a hurry a practice server grew by 36 kB a game for 14,000 games."""
    kept = deque[_Finished](maxlen=KEPT)
    kept.append(_Finished())
    first = weakref.ref(kept[0])
    games = 1
    while first() and games < 10 * KEPT:
        kept.append(_Finished())
        games += 1
    assert KEPT < games < 5 * KEPT
