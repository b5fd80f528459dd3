"""What may stand in the on-air log besides the house's own events, and how an on-air entry is written."""

import msgspec
from msgspec import Struct

from server.game.events import Event


class Standing(Struct, frozen=True):
    """A row of the standings. `moved` is places gained (+) or lost (-); `place` is 0 while it still has chips."""

    rank: int
    bot: int
    stack: int
    moved: int
    games: int
    place: int = 0


class StandingsChanged(Event, frozen=True):
    """The table of the stage, best first. The first `advance` ride on; 0: no line is drawn."""

    rows: tuple[Standing, ...]
    advance: int = 0


class CaptionSpoken(Event, frozen=True):
    """What just happened, in words."""

    text: str


class OnAirEntry(Struct, frozen=True):
    """An event on air: its gapless number, its moment since the show began, and how long it holds the screen."""

    seq: int
    at_ms: int
    hold_ms: int
    event: Event

    def text(self) -> bytes:
        """One JSON object: `{"seq":…,"at_ms":…,"hold_ms":…,"type":…, …}`."""
        stamp = b'{"seq":%d,"at_ms":%d,"hold_ms":%d,' % (self.seq, self.at_ms, self.hold_ms)
        return stamp + msgspec.json.encode(self.event)[1:]
