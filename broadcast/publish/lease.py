"""Whose place it is: one event at a time may be published to a place, and its index says which, and when last."""

import msgspec
from msgspec import Struct

from broadcast.publish.place import Place
from broadcast.publish.trouble import PlaceTrouble

LEASE_SECONDS = 60.0
"""An event that has not been heard of for so long is published there no more."""
LIVE = "live/main"
"""Where the show that is on lies."""


class PlaceTaken(PlaceTrouble):
    """Another event is on at the place."""


class _Index(Struct, frozen=True):
    """What is read of the index that is there."""

    event: str
    state: str
    now_utc_ms: int


async def check_lease(place: Place, event: str, now: float) -> None:
    """Returns if `event` may be published there at `now`, in seconds since 1970. Raises PlaceTaken, PlaceTrouble."""
    found = _read(await place.get(f"{LIVE}/index.json"))
    if found is None or found.event == event or found.state == "over":
        return
    ago = abs(now - found.now_utc_ms / 1000)  # a clock that is wrong may be so in both directions
    if ago < LEASE_SECONDS:
        raise PlaceTaken(
            f"{place.address}: another event is on there, {_shown(found.event)}, heard of {ago:.0f} s ago: publish to"
            " another place, or once it has ended"
        )


def _read(text: bytes | None) -> _Index | None:
    """The index of a show; None for anything else, which is written over."""
    try:
        return msgspec.json.decode(text or b"", type=_Index)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _shown(event: str) -> str:
    return "".join(letter for letter in event[:60] if letter.isprintable())
