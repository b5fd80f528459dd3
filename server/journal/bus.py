"""The bus: the log of events that all parts of a tournament share. `publish` adds events, `follow` reads them.

Events have numbers, never change, and are on disk before anybody sees them. Followers never block the publisher: each
follower has its own position in the log.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from server.game.events import Event
from server.journal.journal import Entry, Journal


class Bus:
    """A log of events. `clock` returns monotonic seconds. If `journal` is None, the log is only in memory."""

    def __init__(self, journal: Journal | None, clock: Callable[[], float]) -> None:
        self.entries: list[Entry] = []
        self.listeners: list[Callable[[Event], object]] = []
        """Functions that are called with each event as soon as the event is on disk. They must be quick and must not
        publish.
        """
        self._journal = journal
        self._clock = clock
        self._started_at = clock()
        self._forgotten_count = 0
        self._grown_event = asyncio.Event()
        self._is_closed = False

    @property
    def now_ms(self) -> int:
        """The milliseconds since the start of the log. An entry that is published now gets this time."""
        return round((self._clock() - self._started_at) * 1000)

    def publish(self, *events: Event) -> list[Entry]:
        """Numbers the events, writes them to disk together, then shows them to followers, and returns the entries.

        Raises OSError if the disk fails. In that case no event is published.
        """
        at_ms = self.now_ms
        first_number = self._forgotten_count + len(self.entries) + 1
        entries = [Entry(number, at_ms, event) for number, event in enumerate(events, first_number)]
        if self._journal is not None:
            self._journal.append(entries)
        self.entries += entries
        for event in events:
            for listener in self.listeners:
                listener(event)
        self._wake()
        return entries

    def load(self, entries: Sequence[Entry]) -> None:
        """Adds entries that another process has written to disk. The clock continues from the last entry's time."""
        self.entries += entries
        if entries:
            self._started_at = self._clock() - entries[-1].at_ms / 1000
        self._wake()

    def forget(self) -> None:
        """Drops all entries from memory. New entries get the next numbers. Call this only if nobody follows the log."""
        self._forgotten_count += len(self.entries)
        self.entries.clear()

    def close(self) -> None:
        """Closes the log. Followers stop after its last entry."""
        self._is_closed = True
        self._wake()
        if self._journal is not None:
            self._journal.close()

    async def follow(self, after: int = 0) -> AsyncIterator[Entry]:
        """Yields all entries with numbers above `after`: first the entries in the log, then each new entry when it is
        published. Stops when the log is closed.
        """
        while True:
            grown = self._grown_event
            while after < len(self.entries):
                yield self.entries[after]
                after += 1
            if self._is_closed:
                return
            if grown is self._grown_event:
                await grown.wait()

    def _wake(self) -> None:
        self._grown_event.set()
        self._grown_event = asyncio.Event()
