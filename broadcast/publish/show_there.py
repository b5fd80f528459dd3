"""Which show lies at a place, by its index, and whose the place is: only one event at a time is published there.

An event claims the place by making the next in a row of files. Each can be made only once, so of two events that come
at the same moment only one gets the place.
"""

import msgspec
from msgspec import Struct

from broadcast.publish.place import FOR_EVER, Place, PlaceTrouble

LIVE = "live/main"
"""Where the live show lies."""
INDEX = f"{LIVE}/index.json"
CLAIMS = f"{LIVE}/claims"
FOR_A_SECOND = "max-age=1"
HEARD_OF_SECONDS = 60.0
"""An event not heard of for longer is no longer published there."""
COMMITMENT_DIGITS = 12
MAX_ATTEMPTS = 5


class PlaceTaken(PlaceTrouble):
    """The place belongs to another event."""


class _Outline(Struct, frozen=True):
    title: str = ""


class ShowThere(Struct, frozen=True):
    """What is read of the index: the event, its state, and when that was; `recording` names its recording, if there."""

    event: str
    state: str
    now_utc_ms: int
    recording: str = ""
    outline: _Outline = _Outline()

    @property
    def title(self) -> str:
        """Its name on pages."""
        return self.outline.title or "The show"

    def is_on(self, now: float) -> bool:
        """Whether it is still published there at `now`, in seconds since 1970."""
        ago = abs(now - self.now_utc_ms / 1000)  # a wrong clock may be slow or fast
        return self.state != "over" and ago < HEARD_OF_SECONDS


async def show_there(place: Place) -> ShowThere | None:
    """The show at a place; None if there is none. Raises PlaceTrouble."""
    try:
        return msgspec.json.decode(await place.get(INDEX) or b"", type=ShowThere)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def event_name(slug: str, commitment: str) -> str:
    """An event's name at a place, by its seed's `commitment`: the same when resumed, another when held again."""
    return f"{slug}-{commitment[:COMMITMENT_DIGITS]}"


def is_of(event: str, commitment: str) -> bool:
    """Whether the event of that name has the seed of that commitment."""
    return bool(commitment) and event.endswith(f"-{commitment[:COMMITMENT_DIGITS]}")


class _Claim(Struct, frozen=True):
    """An event's claim, and when it was made. `number` is 0 if no event has claimed the place yet."""

    event: str = ""
    utc_ms: int = 0
    number: int = 0


async def check_lease(place: Place, event: str, now: float) -> _Claim:
    """The last claim, if `event` may have the place at `now` (seconds since 1970). Raises PlaceTaken, PlaceTrouble."""
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
