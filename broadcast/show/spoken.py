"""What a show asks of its voice; and the voice of a show that was on air before, which knows what it said."""

from collections.abc import Sequence
from typing import Protocol

from broadcast.commentary.storylines.earlier import Earlier
from broadcast.commentary.storylines.storyline import Storyline
from broadcast.on_air.diary import Spoken
from broadcast.on_air.events import CaptionSpoken, LineSpoken
from broadcast.on_air.table_state import TableEntry
from server.game.events import Event


class Voice(Protocol):
    """Speaks the captions of one show."""

    def know(self, earlier: Earlier) -> None:
        """Has storylines reach back to earlier contests from now on."""

    def tell(self, line: Storyline) -> None:
        """Notes that those who comment have told a storyline."""

    def recall(self, entry: TableEntry) -> None:
        """Takes in an entry that was on air before this process began."""

    def prepare(self, group: Sequence[TableEntry]) -> None:
        """Takes in what will be on air next, in the order of the log: a whole hand, or one entry between two hands."""

    def line(self, entry: TableEntry, shown: Sequence[Event]) -> LineSpoken | None:
        """What is spoken with `entry`, which goes on air now as the events `shown`; None for nothing."""


class KeptVoice:
    """Says what was spoken then, where the caption is the same; prepares nothing."""

    def __init__(self, spoken: Spoken) -> None:
        self._spoken = spoken

    def know(self, earlier: Earlier) -> None:
        """Does nothing."""

    def tell(self, line: Storyline) -> None:
        """Does nothing."""

    def recall(self, entry: TableEntry) -> None:
        """Does nothing."""

    def prepare(self, group: Sequence[TableEntry]) -> None:
        """Does nothing."""

    def line(self, entry: TableEntry, shown: Sequence[Event]) -> LineSpoken | None:
        """What was spoken with `entry` then."""
        said = self._spoken.get(entry.seq)
        return said.line if said and said.is_of(caption_of(shown)) else None


def caption_of(shown: Sequence[Event]) -> str:
    """The caption that is on screen once `shown` are on air; "" if they have none."""
    return next((event.text for event in reversed(shown) if isinstance(event, CaptionSpoken)), "")
