"""Writes a tournament's events to the journal, and waits while the disk is full.

To resume after a crash, the tournament runs again from its start. Recorded decisions replace the bots' answers. Events
that the journal already contains are compared with the journal and not written again. So the same code runs with and
without a crash.
"""

import asyncio
import errno
from collections import deque
from collections.abc import Callable, Sequence

from server.game.events import ANYTIME_EVENTS, BOT_TEXT_EVENTS, Event
from server.journal.bus import Bus

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
RETRY_SECONDS = 0.5
MAX_UNWRITTEN = 500
"""While the disk is full, chats and notes are lost if this many events already wait in memory."""


class Diverged(RuntimeError):
    """The journal's events do not follow from its seed, rules and decisions. The message names the first such event."""


class ResumableLog:
    """Writes the events of a tournament to its bus. Leaves out the events that the journal already contains.

    When the game has to wait for the disk, `on_trouble` is called with the reason. When the game continues,
    `on_trouble` is called with "".
    """

    def __init__(self, bus: Bus, on_trouble: Callable[[str], object]) -> None:
        self._bus = bus
        self._on_trouble = on_trouble
        self._entries_to_repeat = deque(entry for entry in bus.entries if not isinstance(entry.event, ANYTIME_EVENTS))
        self._unwritten_events: list[Event] = []

    @property
    def next_recorded(self) -> Event | None:
        """The next recorded event to repeat, or None if all have been repeated."""
        return self._entries_to_repeat[0].event if self._entries_to_repeat else None

    @property
    def events_to_repeat(self) -> list[Event]:
        """All recorded events that are still to be repeated."""
        return [entry.event for entry in self._entries_to_repeat]

    def will_repeat(self, event_type: type[Event]) -> bool:
        """Whether an event of the type `event_type` is still to be repeated."""
        return any(isinstance(entry.event, event_type) for entry in self._entries_to_repeat)

    def open(self, event: Event) -> None:
        """Writes the first event, or checks that the journal begins with it. Raises OSError, Diverged."""
        self._publish(self._skip_recorded([event]))

    async def write(self, events: Sequence[Event], notes: Sequence[Event] = ()) -> None:
        """Writes the `events` that the journal does not contain yet, and waits while the disk is full.

        Writes the `notes` (ANYTIME_EVENTS) together with these events, so that nobody reads the end of a hand without
        the hand's notes. Raises Diverged if the journal contains different events, OSError if the disk fails
        permanently.
        """
        new_events = [*self._skip_recorded(events), *notes]
        while True:
            try:
                self._publish(new_events)
            except OSError as error:
                if error.errno not in DISK_FULL:
                    raise
                self._on_trouble("the disk is full: the game waits until there is room")
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._on_trouble("")
                return

    def defer(self, event: Event) -> None:
        """Keeps an event of ANYTIME_EVENTS for the next write, so that several events need only one write to disk."""
        self._unwritten_events.append(event)

    def record(self, *events: Event) -> None:
        """Writes all kept events, then `events`. The types of `events` must be in ANYTIME_EVENTS. If the disk is full,
        keeps all events for the next write, but drops chats and notes beyond MAX_UNWRITTEN. Raises OSError for any
        other failure.
        """
        self._unwritten_events += events
        try:
            self._publish([])
        except OSError as error:
            if error.errno not in DISK_FULL:
                raise
            surplus_events = self._unwritten_events[MAX_UNWRITTEN:]
            kept_events = [event for event in surplus_events if not isinstance(event, BOT_TEXT_EVENTS)]
            self._unwritten_events[MAX_UNWRITTEN:] = kept_events

    def _publish(self, events: Sequence[Event]) -> None:
        if self._unwritten_events or events:
            self._bus.publish(*self._unwritten_events, *events)
            self._unwritten_events = []

    def _skip_recorded(self, events: Sequence[Event]) -> list[Event]:
        repeated_count = min(len(self._entries_to_repeat), len(events))
        for event in events[:repeated_count]:
            entry = self._entries_to_repeat.popleft()
            if entry.event != event:
                raise Diverged(f"entry {entry.seq} is {entry.event}, but the same seed and rules lead to {event}")
        return list(events[repeated_count:])
