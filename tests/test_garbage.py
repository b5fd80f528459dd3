"""Python's garbage collector frees the memory of finished games in a program that runs for days."""

import gc
import weakref
from collections import deque

from server.process import limit_gc

OBJECTS_PER_GAME = 600
"""How many objects a finished game leaves behind, in reference cycles."""
KEPT_GAMES = 100
"""How many finished games stay in memory. Their objects survive several collections before they become garbage."""


class _FinishedGame:
    """A reference cycle, like that of a finished game's tables, bots and connections."""

    def __init__(self) -> None:
        self.objects = [[self] for _ in range(OBJECTS_PER_GAME)]


def test_memory_of_finished_games_is_freed() -> None:
    """With rarer collections, a practice server's memory once grew by 36 kB a game for 14,000 games."""
    thresholds_before = gc.get_threshold()
    many_objects: list[list[int]] = [[] for _ in range(2_000_000)]
    gc.collect()  # Once many objects have survived a collection, as in a real server, Python delays full collections.
    limit_gc()
    del many_objects
    kept_games = deque[_FinishedGame](maxlen=KEPT_GAMES)
    kept_games.append(_FinishedGame())
    first_game = weakref.ref(kept_games[0])
    games = 1
    while first_game() and games < 10 * KEPT_GAMES:
        kept_games.append(_FinishedGame())
        games += 1
    gc.set_threshold(*thresholds_before)
    assert KEPT_GAMES < games < 5 * KEPT_GAMES
