"""What is told with an event: what the story adds to it, everybody's chances, and for how long it holds the screen."""

from collections.abc import Sequence

from msgspec.structs import replace

from broadcast.commentary.commentary import Story
from broadcast.commentary.drama import judged
from broadcast.odds.worker import Bookmaker
from broadcast.show.hold_times import holds, with_added
from broadcast.show.replays import Shot
from server.game.events import ControlSet, CueGiven, Event, HandStarted
from server.journal.journal import Entry


class Telling:
    """Tells one show. Without a bookmaker nobody's chances are told."""

    def __init__(self, bookmaker: Bookmaker | None) -> None:
        self._bookmaker = bookmaker
        self._story = Story()

    def study_next(self, hand: Sequence[Entry]) -> None:
        """Has the chances of the next hand worked out while the one before it is on air."""
        if self._bookmaker:
            self._bookmaker.study([entry.event for entry in hand])

    async def study_past(self, past: Sequence[Entry]) -> None:
        """Knows the chances of every hand that was on air: marks and statistics are told from them."""
        if self._bookmaker:
            self._bookmaker.study([entry.event for entry in past])
            await self._bookmaker.done()

    def directed(self, events: Sequence[Event]) -> list[int]:
        """How long each of `events` is to hold the screen. A hand's drama sets its pace, and nothing else."""
        told = self._bookmaker.ahead(events) if self._bookmaker else {}
        score = judged(events, told).score if isinstance(events[0], HandStarted) else None
        return holds(events, self._story.sounds_ms(), score)

    def prepared(self, event: Event, hold: int) -> Shot:
        """`event` with what the story adds to it, and its hold; from here on it counts as told."""
        if isinstance(event, ControlSet | CueGiven):
            return Shot((replace(event, operator=""),), 0)
        chances = self._bookmaker.after(event) if self._bookmaker else []
        added = [*self._story.after(event, chances), *chances]
        return Shot((event, *added), with_added(hold, event, added))
