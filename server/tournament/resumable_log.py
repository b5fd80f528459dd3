"""Writes the director's events to the journal, and waits while the disk is full.

To resume, a tournament runs again from its start. Events already in the journal are compared instead of written, and
recorded decisions replace the bots' answers. So the same code runs with and without a crash. `server/journal/reopen.py`
opens the journal first, and cuts off a torn last line.
"""

import asyncio
import errno
from collections import deque
from collections.abc import Callable, Sequence

from server.game.events import OUT_OF_TURN, WORDS_OF_BOTS, Event
from server.journal.bus import Bus

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
RETRY_SECONDS = 0.5
MAX_KEPT_BACK = 500
"""How many OUT_OF_TURN events are kept in memory while the disk is full. Further chats and notes are lost."""


class Diverged(RuntimeError):
    """The journal's events do not follow from its seed, rules and decisions. The message names the first such event."""


class ResumableLog:
    """Writes the events of a tournament to its bus, except those that its journal already contains.

    `trouble` is called with the reason when the game has to wait for the disk, and with "" when it continues.
    """

    def __init__(self, bus: Bus, trouble: Callable[[str], object]) -> None:
        self._bus = bus
        self._trouble = trouble
        self._past = deque(entry for entry in bus.entries if not isinstance(entry.event, OUT_OF_TURN))
        self._kept_back: list[Event] = []

    @property
    def recalled(self) -> Event | None:
        """The next recorded event to repeat, or None after the last."""
        return self._past[0].event if self._past else None

    @property
    def upcoming(self) -> list[Event]:
        """All recorded events that are still to be repeated."""
        return [entry.event for entry in self._past]

    def recalls(self, kind: type[Event]) -> bool:
        """Whether an event of the type `kind` is still to be repeated."""
        return any(isinstance(entry.event, kind) for entry in self._past)

    def open(self, event: Event) -> None:
        """Writes the first event, or checks that the journal begins with it. Raises OSError, Diverged."""
        self._publish(self._skip_recorded([event]))

    async def write(self, events: Sequence[Event], notes: Sequence[Event] = ()) -> None:
        """Writes the `events` that the journal does not contain yet, and waits while the disk is full.

        The `notes` (OUT_OF_TURN) go into the same write, so that nobody reads the end of a hand without its notes.
        Raises Diverged if the journal contains different events, OSError if the disk fails permanently.
        """
        new = [*self._skip_recorded(events), *notes]
        while True:
            try:
                self._publish(new)
            except OSError as error:
                if error.errno not in DISK_FULL:
                    raise
                self._trouble("the disk is full: the game waits until there is room")
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._trouble("")
                return

    def keep(self, event: Event) -> None:
        """Keeps an OUT_OF_TURN event for the next write, so that one sync is enough for several events."""
        self._kept_back.append(event)

    def record(self, *events: Event) -> None:
        """Writes all kept events, then `events`, which must be OUT_OF_TURN. Keeps them while the disk is full.

        Raises OSError for any other failure.
        """
        self._kept_back += events
        try:
            self._publish([])
        except OSError as error:
            if error.errno not in DISK_FULL:
                raise
            late = self._kept_back[MAX_KEPT_BACK:]
            self._kept_back[MAX_KEPT_BACK:] = [event for event in late if not isinstance(event, WORDS_OF_BOTS)]

    def _publish(self, events: Sequence[Event]) -> None:
        if self._kept_back or events:
            self._bus.publish(*self._kept_back, *events)
            self._kept_back = []

    def _skip_recorded(self, events: Sequence[Event]) -> list[Event]:
        known = min(len(self._past), len(events))
        for event in events[:known]:
            entry = self._past.popleft()
            if entry.event != event:
                raise Diverged(f"entry {entry.seq} is {entry.event}, but the same seed and rules lead to {event}")
        return list(events[known:])
