"""What waits to be shown: the log in its order, a hand once it is whole, everything else by itself. Pure."""

from collections import deque

from broadcast.on_air.table_state import TableEntry
from server.game.events import BotConnected, BotDisconnected, ChatSent, FaultNoted, HandEnded, HandStarted

SMALL_TALK = (BotConnected, BotDisconnected, ChatSent, FaultNoted)


class Feed:
    """What is ready to be shown, one group of entries after the other.

    A group is shown in one go: a whole hand with what was said during it, or one entry between two hands. The cards of
    a hand that is still played are in none.
    """

    def __init__(self) -> None:
        self._groups: deque[tuple[TableEntry, ...]] = deque()
        self._hand: list[TableEntry] = []
        self.hands = 0
        """Whole hands that wait."""

    def take(self, entry: TableEntry) -> None:
        """Takes in the next entry of the log, which the operator did not make."""
        if self._hand or isinstance(entry.event, HandStarted):
            self._hand.append(entry)
            if isinstance(entry.event, HandEnded):
                self._groups.append(tuple(self._hand))
                self._hand = []
                self.hands += 1
        else:
            self._groups.append((entry,))

    @property
    def next(self) -> tuple[TableEntry, ...] | None:
        """The group to be shown next; None while nothing is ready."""
        return self._groups[0] if self._groups else None

    @property
    def presses(self) -> bool:
        """Whether there is more to be shown than small talk."""
        return any(not isinstance(group[0].event, SMALL_TALK) for group in self._groups)

    def next_hand(self, after: int) -> tuple[TableEntry, ...]:
        """The first whole hand that waits and does not end before the entry `after`; nothing if none does."""
        hands = (group for group in self._groups if isinstance(group[-1].event, HandEnded))
        return next((hand for hand in hands if hand[-1].seq > after), ())

    def pop(self) -> tuple[TableEntry, ...]:
        """Takes out the group to be shown next. Raises IndexError where there is none."""
        group = self._groups.popleft()
        self.hands -= isinstance(group[-1].event, HandEnded)
        return group
