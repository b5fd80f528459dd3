"""The house log as the show takes it: a hand when it is whole, everything else by itself, in order. Pure."""

from collections import deque

from server.game.events import BotConnected, BotDisconnected, ChatSent, FaultNoted, HandEnded, HandStarted
from server.journal.journal import Entry

SMALL_TALK = (BotConnected, BotDisconnected, ChatSent, FaultNoted)
Unit = tuple[Entry, ...]
"""What is shown in one go: a whole hand with what was said during it, or one entry between two hands."""


class Feed:
    """What is ready to be shown. The cards of a hand that is still played are not in it."""

    def __init__(self) -> None:
        self._units: deque[Unit] = deque()
        self._hand: list[Entry] = []
        self.hands = 0
        """Whole hands that wait."""

    def take(self, entry: Entry) -> None:
        """Takes in the next entry of the log."""
        if self._hand or isinstance(entry.event, HandStarted):
            self._hand.append(entry)
            if isinstance(entry.event, HandEnded):
                self._units.append(tuple(self._hand))
                self._hand = []
                self.hands += 1
        else:
            self._units.append((entry,))

    @property
    def next(self) -> Unit | None:
        """What is to be shown next, if anything is ready."""
        return self._units[0] if self._units else None

    @property
    def presses(self) -> bool:
        """Whether there is more to be shown than small talk."""
        return any(not isinstance(unit[0].event, SMALL_TALK) for unit in self._units)

    def next_hand(self, after: int) -> Unit:
        """The first whole hand that waits and does not end before the entry `after`; nothing if none does."""
        hands = (unit for unit in self._units if isinstance(unit[-1].event, HandEnded))
        return next((hand for hand in hands if hand[-1].seq > after), ())

    def pop(self) -> Unit:
        """Gives out what is to be shown next."""
        unit = self._units.popleft()
        self.hands -= isinstance(unit[-1].event, HandEnded)
        return unit
