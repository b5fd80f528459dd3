"""Which show lies at a place, as its index says, and whose place it is: one event at a time is published to a place.

Who wants it makes the next file of a row of claims. Such a file can be made only once, so of two events that come at
the same moment one alone has the place.
"""

import msgspec
from msgspec import Struct

from broadcast.publish.place import FOR_EVER, Place, PlaceTrouble

LIVE = "live/main"
"""Where the show that is on lies."""
INDEX = f"{LIVE}/index.json"
CLAIMS = f"{LIVE}/claims"
FOR_A_SECOND = "max-age=1"
HEARD_OF_SECONDS = 60.0
"""An event that has not been heard of for so long is published there no more."""
COMMITMENT_DIGITS = 12
MAX_ATTEMPTS = 5


class PlaceTaken(PlaceTrouble):
    """Another event is on at the place."""


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
    return f"{slug}-{commitment[:COMMITMENT_DIGITS]}"


def is_of(event: str, commitment: str) -> bool:
    """Whether the event of that name was played with the seed of that commitment."""
    return bool(commitment) and event.endswith(f"-{commitment[:COMMITMENT_DIGITS]}")


class _Claim(Struct, frozen=True):
    """One event's claim, and when it was made. Where no event has claimed the place yet `number` is 0."""

    event: str = ""
    utc_ms: int = 0
    number: int = 0


async def check_lease(place: Place, event: str, now: float) -> _Claim:
    """Returns the last claim if `event` may have the place at `now`, in seconds since 1970; else raises PlaceTaken.

    Raises PlaceTrouble.
    """
    claim, there = await _last_claim(place), await show_there(place)
    claimed = there if there and there.event == claim.event else ShowThere(claim.event, "", claim.utc_ms)
    for other in (there, claimed):
        if other and other.event != event and other.is_on(now):
            ago = abs(now - other.now_utc_ms / 1000)
            name = "".join(letter for letter in other.event[:60] if letter.isprintable())
            raise PlaceTaken(
                f"{place.address}: another event is on there, {name}, heard of {ago:.0f} s ago: publish"
                " to another place, or once it has ended"
            )
    return claim


async def take_lease(place: Place, event: str, now: float) -> None:
    """Returns once `event` has the place, at `now`, in seconds since 1970. Raises PlaceTaken, PlaceTrouble."""
    for _ in range(MAX_ATTEMPTS):
        claim = await check_lease(place, event, now)
        if claim.event == event:
            return
        mine = msgspec.json.encode({"event": event, "utc_ms": int(now * 1000)})
        if await place.create(f"{CLAIMS}/{claim.number + 1}.json", mine, "application/json", FOR_EVER):
            return
    raise PlaceTaken(f"{place.address}: other events begin there at this moment: try again")


async def _last_claim(place: Place) -> _Claim:
    names = (path.rpartition("/")[2].removesuffix(".json") for path in await place.list(CLAIMS))
    last = max((int(name) for name in names if name.isascii() and name.isdigit()), default=0)
    text = await place.get(f"{CLAIMS}/{last}.json") if last else None
    try:
        found = msgspec.json.decode(text or b"{}", type=_Claim)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = _Claim()
    return _Claim(found.event, found.utc_ms, last)
