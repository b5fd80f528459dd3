"""The journal of a show as far as viewers have seen it, by whole hands: pages tell nothing that has not been on air.

Each hand is taken in once, when it has been on air, so that no page has to read the evening from its beginning.
"""

from collections.abc import Callable, Sequence

from broadcast.show.status import ShowStatus
from server.app.results.results import Results, ResultsSoFar
from server.app.studio.author_pages import AuthorGames
from server.game.events import HandEnded
from server.journal.journal import Entry


class OnAir:
    """What of `entries` has been on air, as the `status` of their show says, and what follows from it."""

    def __init__(self, entries: Sequence[Entry], status: Callable[[], ShowStatus]) -> None:
        """`entries` are the list itself, which grows."""
        self._entries = entries
        self._status = status
        self._taken = self._hands = 0
        self._results = ResultsSoFar()
        self.games = AuthorGames()
        """All games that are over, for the authors of their bots."""

    def results(self) -> Results:
        """The results as far as they have been on air."""
        return self._results.results()

    def follow(self) -> None:
        """Takes in what has come on air since the last call. To be called after every hand, and at the end."""
        status = self._status()
        over = status.is_over
        while self._taken < len(self._entries) and (over or self._hands < status.hands_shown):
            entry = self._entries[self._taken]
            self._taken += 1
            self._hands += isinstance(entry.event, HandEnded)
            self._results.take(entry.event)
            self.games.take(entry.event)
