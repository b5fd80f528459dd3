"""Shots: each entry with its captions, marks, statistics, odds and voice, and how long all that is on screen."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.commentary import Commentary
from broadcast.commentary.drama import judged
from broadcast.commentary.storylines.earlier import Earlier
from broadcast.commentary.storylines.storyline import Storyline
from broadcast.odds.worker import OddsWorker
from broadcast.on_air.diary import NOTHING, Spoken
from broadcast.on_air.events import CaptionSpoken, LineSpoken
from broadcast.on_air.table_state import TableEntry
from broadcast.show.hold_times import hold_times, hold_with_commentary
from broadcast.show.queue import ShowQueue
from server.game.events import ControlSet, CueGiven, Event, HandEnded, HandStarted


class Shot(Struct, frozen=True):
    """What goes on air at one moment, and for how many milliseconds it holds the screen at speed 1."""

    events: tuple[Event, ...]
    hold: int

    @property
    def event(self) -> Event:
        """The log's own event; the others say more about it."""
        return self.events[0]


class Voice:
    """Speaks the captions of one show. This one repeats what was `spoken` before, and has nothing new to say."""

    def __init__(self, spoken: Spoken = NOTHING) -> None:
        self._kept = spoken
        self.commentaries: list[Commentary] = []
        """Those that it follows the show with, ahead of it."""

    def recall(self, entry: TableEntry) -> None:
        """Takes in an entry that was on air before this process began."""

    def prepare(self, group: Sequence[TableEntry]) -> None:
        """Takes in what will be on air next, in the order of the log: a whole hand, or one entry between two hands."""

    def line(self, entry: TableEntry, shown: Sequence[Event]) -> LineSpoken | None:
        """What is spoken with `entry`, which goes on air now as the events `shown`; None for nothing."""
        said = self._kept.get(entry.seq)
        return said.line if said and said.is_of(caption_of(shown)) else None


def caption_of(shown: Sequence[Event]) -> str:
    """The caption that is on screen once `shown` are on air; "" if they have none."""
    return next((event.text for event in reversed(shown) if isinstance(event, CaptionSpoken)), "")


class Shots:
    """Makes the shots of one show. Without an odds worker no chances are shown, without a voice nothing is spoken."""

    def __init__(self, odds: OddsWorker | None, voice: Voice | None = None) -> None:
        self._odds = odds
        self.voice = voice or Voice()
        self.commentary = Commentary()

    def know(self, earlier: Earlier) -> None:
        """Has storylines reach back to earlier contests from now on."""
        for each in (self.commentary, *self.voice.commentaries):
            each.storylines.earlier = earlier

    def tell(self, line: Storyline) -> None:
        """Notes that the commentators have told a storyline."""
        for each in (self.commentary, *self.voice.commentaries):
            each.tell(line)

    def prepare(self, queue: ShowQueue, after: int) -> None:
        """Has odds and voice prepare what follows entry `after`, as far as the next whole hand."""
        for group in queue.ahead(after):
            if self._odds and isinstance(group[-1].event, HandEnded):
                self._odds.prepare(group)
            self.voice.prepare(group)

    async def prepare_past_odds(self, past: Sequence[TableEntry]) -> None:
        """Returns once the odds of every hand that was on air are known: marks and statistics follow from them."""
        if self._odds and past:
            self._odds.prepare(past)
            await self._odds.done()

    def hold_times(self, entries: Sequence[TableEntry]) -> list[int]:
        """How long each of `entries` is to hold the screen, in ms at speed 1. A hand's drama sets its pace alone."""
        odds = self._odds.ahead(entries) if self._odds else {}
        score = judged(entries, odds).score if isinstance(entries[0].event, HandStarted) else None
        return hold_times([entry.event for entry in entries], self.commentary.sounds_ms(), score)

    def with_commentary(self, entry: TableEntry, hold: int) -> Shot:
        """The shot of `entry`, which is to hold the screen for `hold` ms at speed 1; it counts as shown from here on.

        An operator's entry gets no commentary, holds nothing and does not say who it was.
        """
        if isinstance(entry.event, ControlSet | CueGiven):
            return Shot((replace(entry.event, operator=""),), 0)
        odds = self._odds.after(entry) if self._odds else []
        added = [*self.commentary.after(entry, odds), *odds]
        hold = hold_with_commentary(hold, entry.event, added)
        line = self.voice.line(entry, added)
        return Shot((entry.event, *added, line) if line else (entry.event, *added), hold)
