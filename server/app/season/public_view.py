"""What the public is told of a season: all that has happened, or while a show runs, no more than it has shown.

The facts are told in the ledger's order, so that what is told always fits together.
"""

from typing import Protocol

from server.app.season.show import SeasonShow
from server.season.ledger import Ledger
from server.season.standings import Book


class Booked(Protocol):
    """A season by its book."""

    @property
    def book(self) -> Book:
        """What is known of it."""


class Telling(Booked, Protocol):
    """What the public may know of a season that lasts, or is over."""

    @property
    def on_air(self) -> int:
        """The number of the game that is on, 0 where none is."""

    @property
    def began(self) -> float:
        """When the season was begun, in seconds since 1970."""


class Told:
    """One season as the public may know it."""

    def __init__(self, ledger: Ledger, show: SeasonShow) -> None:
        self._ledger = ledger
        self._show = show
        self._book = Book()
        self._taken = 0
        """How many facts have been told."""

    @property
    def book(self) -> Book:
        """The season up to the first result that viewers are still to see."""
        entries = self._ledger.entries
        while self._taken < len(entries) and not self._show.keeps_back(entries[self._taken].event):
            self._book.take(entries[self._taken].event, entries[self._taken].at_ms)
            self._taken += 1
        return self._book

    @property
    def on_air(self) -> int:
        """The number of the game that is on, 0 where none is."""
        return self._show.on_air

    @property
    def began(self) -> float:
        """When the season was begun, in seconds since 1970."""
        return self._ledger.began
