"""Shots: each entry with its captions, marks, statistics and odds, and how long all that is on screen."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.commentary import Commentary
from broadcast.commentary.drama import judged
from broadcast.commentary.storylines.earlier import Earlier
from broadcast.commentary.storylines.storyline import Storyline
from broadcast.commentary.storylines.talk import Talk
from broadcast.odds.worker import OddsWorker
from broadcast.on_air.table_state import TableEntry
from broadcast.show.hold_times import hold_times, hold_with_commentary
from broadcast.show.queue import ShowQueue
from broadcast.show.spoken import Voice
from server.game.events import ControlSet, CueGiven, Event, HandStarted


class Shot(Struct, frozen=True):
    """What goes on air at one moment, and for how many milliseconds it holds the screen at speed 1."""

    events: tuple[Event, ...]
    hold: int

    @property
    def event(self) -> Event:
        """The log's own event; the others say more about it."""
        return self.events[0]


class Shots:
    """Makes the shots of one show. Without an odds worker no chances are shown, without a voice nothing is spoken."""

    def __init__(self, odds: OddsWorker | None, voice: Voice | None = None) -> None:
        self._odds = odds
        self._voice = voice
        self._commentary = Commentary()

    def know(self, earlier: Earlier) -> None:
        """Has storylines reach back to earlier contests from now on."""
        self._commentary.know(earlier)
        if self._voice:
            self._voice.know(earlier)

    @property
    def talk(self) -> Talk:
        """What those who comment may tell now."""
        return self._commentary.talk

    def tell(self, line: Storyline) -> None:
        """Notes that those who comment have told a storyline."""
        self._commentary.tell(line)
        if self._voice:
            self._voice.tell(line)

    def prepare(self, queue: ShowQueue, after: int) -> None:
        """Has odds and voice prepare the next hand after entry `after`, while the one before it is on air."""
        if self._odds:
            self._odds.prepare(queue.next_hand(after))
        if self._voice:
            for group in queue.ahead(after):
                self._voice.prepare(group)

    async def prepare_past_odds(self, past: Sequence[TableEntry]) -> None:
        """Returns once the odds of every hand that was on air are known: marks and statistics follow from them."""
        if self._odds:
            self._odds.prepare(past)
            await self._odds.done()

    def hold_times(self, entries: Sequence[TableEntry]) -> list[int]:
        """How long each of `entries` is to hold the screen, in ms at speed 1. A hand's drama sets its pace alone."""
        odds = self._odds.ahead(entries) if self._odds else {}
        score = judged(entries, odds).score if isinstance(entries[0].event, HandStarted) else None
        return hold_times([entry.event for entry in entries], self._commentary.sounds_ms(), score)

    def with_commentary(self, entry: TableEntry, hold: int) -> Shot:
        """The shot of `entry`, which is to hold the screen for `hold` ms at speed 1; it counts as shown from here on.

        An operator's entry gets no commentary, holds nothing and does not say who it was.
        """
        if isinstance(entry.event, ControlSet | CueGiven):
            return Shot((replace(entry.event, operator=""),), 0)
        odds = self._odds.after(entry) if self._odds else []
        added = [*self._commentary.after(entry, odds), *odds]
        hold = hold_with_commentary(hold, entry.event, added)
        line = self._voice.line(entry, added) if self._voice else None
        return Shot((entry.event, *added, line) if line else (entry.event, *added), hold)

    def recall(self, entry: TableEntry) -> None:
        """Has the voice know that `entry` was on air before this process began."""
        if self._voice:
            self._voice.recall(entry)
