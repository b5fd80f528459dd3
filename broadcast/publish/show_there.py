"""Which show lies at a place, as its index says: one event's, that is on there, was broken off, or is over."""

import msgspec
from msgspec import Struct

from broadcast.publish.place import Place

LIVE = "live/main"
"""Where the show that is on lies."""
INDEX = f"{LIVE}/index.json"
FOR_A_SECOND = "max-age=1"
HEARD_OF_SECONDS = 60.0
"""An event that has not been heard of for so long is published there no more."""
DIGITS = 12
"""Of the commitment in the name of an event."""


class _Outline(Struct, frozen=True):
    title: str = ""


class ShowThere(Struct, frozen=True):
    """What is read of the index: the event, how it stood, and when that was.

    `recording` is the name of its recording, once that is there, too.
    """

    event: str
    state: str
    now_utc_ms: int
    recording: str = ""
    outline: _Outline = _Outline()

    @property
    def title(self) -> str:
        """What it is called on pages."""
        return self.outline.title or "The show"

    def is_on(self, now: float) -> bool:
        """Whether it is still published there at `now`, in seconds since 1970."""
        ago = abs(now - self.now_utc_ms / 1000)  # a clock that is wrong may be so in both directions
        return self.state != "over" and ago < HEARD_OF_SECONDS


async def show_there(place: Place) -> ShowThere | None:
    """The show that lies there; None for nothing, and for anything else. Raises PlaceTrouble."""
    try:
        return msgspec.json.decode(await place.get(INDEX) or b"", type=ShowThere)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def event_name(slug: str, commitment: str) -> str:
    """What an event is called at a place: the same when it is resumed, another one when it is held again.

    `commitment` is that of its seed.
    """
    return f"{slug}-{commitment[:DIGITS]}"


def is_of(event: str, commitment: str) -> bool:
    """Whether the event of that name was played with the seed of that commitment."""
    return bool(commitment) and event.endswith(f"-{commitment[:DIGITS]}")
