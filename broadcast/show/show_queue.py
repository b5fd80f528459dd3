"""Queues the entries of the journal (the contest's recording), such as bets, until they are shown. A hand joins the
queue as a whole once it is over. Other entries join one by one.

In a deal, several tables play the same cards. If the show may shorten deals, a deal joins the queue only after it has
ended at all tables. No I/O.
"""

from collections import deque
from collections.abc import Iterator
from itertools import takewhile

from msgspec.structs import replace

from broadcast.on_air.table_state import TableEntry
from server.game.events import (
    BotConnected,
    BotDisconnected,
    ChatSent,
    DealEnded,
    FaultNoted,
    GameStarted,
    HandEnded,
    HandStarted,
    NoteGiven,
    StageStarted,
)

MINOR_EVENTS = (BotConnected, BotDisconnected, ChatSent, FaultNoted, NoteGiven)
"""Events that do not interrupt a replay."""


class ShowQueue:
    """The groups of entries that are ready to be shown.

    A group is a whole hand with its chat, or one entry between hands. A hand is in no group until it is over, so its
    cards cannot go on air before then.
    """

    def __init__(self) -> None:
        self._groups: deque[tuple[TableEntry, ...]] = deque()
        self._hand: list[TableEntry] = []
        self._deal: list[tuple[TableEntry, ...]] | None = None
        """The groups of a deal that waits until it has ended at all tables, or None if no deal waits."""
        self._deals_wait = False
        """Whether the deals of the stage join the queue only as a whole."""
        self.hand_count = 0
        """How many whole hands are in the queue."""
        self._previewed_count = 0
        """The number of groups in the queue that `preview_groups` has already yielded."""
        self._previewed_hand: tuple[TableEntry, ...] = ()
        """The whole hand among the groups that `preview_groups` has yielded, or ()."""

    def accept(self, entry: TableEntry) -> bool:
        """Adds the next entry of the journal. Returns whether the entry completes a group that may be shown."""
        match entry.event:
            case StageStarted(minutes=minutes):
                self._deals_wait = bool(minutes)
            case GameStarted() if self._deals_wait:
                self._deal = []
        if self._hand or isinstance(entry.event, HandStarted):
            self._hand.append(entry)
            if not isinstance(entry.event, HandEnded):
                return False
            group, self._hand = tuple(self._hand), []
            self.hand_count += 1
        else:
            group = (entry,)
        if self._deal is None:
            self._groups.append(group)
            return True
        self._deal.append(group)
        if isinstance(entry.event, DealEnded):
            # Only the end of a deal says how much of the deal is told.
            self._deal = [tuple(replace(member, coverage=entry.coverage) for member in group) for group in self._deal]
            self.flush_deal()
        return self._deal is None

    def flush_deal(self) -> None:
        """Adds the waiting deal to the queue, complete or not. Call this when no more entries follow."""
        self._groups.extend(self._deal or ())
        self._deal = None

    @property
    def next_group(self) -> tuple[TableEntry, ...] | None:
        """The next group, or None if no group is ready. The group stays in the queue."""
        return self._groups[0] if self._groups else None

    @property
    def notes(self) -> list[TableEntry]:
        """The bots' notes at the front of the queue. In the journal, the notes on a hand follow directly after it."""
        minor = takewhile(lambda entry: isinstance(entry.event, MINOR_EVENTS), (group[0] for group in self._groups))
        return [entry for entry in minor if isinstance(entry.event, NoteGiven)]

    @property
    def has_interruption(self) -> bool:
        """Whether the queue contains any event that may interrupt a replay."""
        return any(not isinstance(group[0].event, MINOR_EVENTS) for group in self._groups)

    def preview_groups(self, after_seq: int) -> Iterator[tuple[TableEntry, ...]]:
        """Yields the groups that end after entry `after_seq`, up to the first whole hand in the queue. Later calls do
        not repeat a group.
        """
        while not self._previewed_hand and self._previewed_count < len(self._groups):
            group = self._groups[self._previewed_count]
            self._previewed_count += 1
            if group[-1].seq > after_seq:
                self._previewed_hand = group if isinstance(group[-1].event, HandEnded) else ()
                yield group

    def pop(self) -> tuple[TableEntry, ...]:
        """Removes the next group from the queue and returns it. Raises IndexError if the queue is empty."""
        group = self._groups.popleft()
        self._previewed_count = max(0, self._previewed_count - 1)
        if group is self._previewed_hand:
            self._previewed_hand = ()
        self.hand_count -= isinstance(group[-1].event, HandEnded)
        return group
