"""Reads which show is published at a destination (a folder or bucket). Lets only one show at a time publish there. The
right to publish is called the lease.

A show claims the destination by creating the next numbered file there. Each file can be created only once. So if two
shows start at the same moment, only one of them can claim the destination.
"""

import msgspec
from msgspec import Struct, field

from broadcast.publish.destination import CACHE_FOREVER, Destination, DestinationError

LIVE_FOLDER = "live/main"
"""The folder of the live show."""
INDEX_PATH = f"{LIVE_FOLDER}/index.json"
CLAIMS_FOLDER = f"{LIVE_FOLDER}/claims"
CACHE_ONE_SECOND = "max-age=1"
SILENCE_SECONDS = 60.0
"""A show that has written nothing for this many seconds counts as gone."""
COMMITMENT_DIGITS = 12
"""A show's name contains this many digits of its commitment, which is the published hash of the show's seed."""
MAX_ATTEMPTS = 5


class DestinationTaken(DestinationError):
    """The destination belongs to another show."""


class _Outline(Struct, frozen=True):
    title: str = ""


class PublishedShow(Struct, frozen=True):
    """The show at a destination, as its published index describes it.

    `name` is the show's name. `state` is the state of the show at the time `now_utc_ms`. `recording` is the name of its
    recording once the recording is published, else "".
    """

    name: str = field(name="event")
    state: str
    now_utc_ms: int
    recording: str = ""
    outline: _Outline = _Outline()

    @property
    def title(self) -> str:
        """The show's title on pages."""
        return self.outline.title or "The show"

    def is_live(self, now: float) -> bool:
        """Whether the show is still being published at `now`, in seconds since 1970."""
        ago = abs(now - self.now_utc_ms / 1000)  # the clock of the machine that publishes the show may be slow or fast
        return self.state != "over" and ago < SILENCE_SECONDS


async def read_show(destination: Destination) -> PublishedShow | None:
    """Returns the show at a destination, or None if there is no show. Raises DestinationError."""
    try:
        return msgspec.json.decode(await destination.get(INDEX_PATH) or b"", type=PublishedShow)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def event_name(slug: str, commitment: str) -> str:
    """Returns a show's name at a destination, made from the `commitment` to its secret seed.

    The name stays the same when the show is resumed. The next contest of the same event gets a different name.
    """
    return f"{slug}-{commitment[:COMMITMENT_DIGITS]}"


def has_commitment(show: str, commitment: str) -> bool:
    """Whether the show named `show` uses the seed with this `commitment`."""
    return bool(commitment) and show.endswith(f"-{commitment[:COMMITMENT_DIGITS]}")


class _Claim(Struct, frozen=True):
    """A show's claim to a destination. `show` is the show's name, and `utc_ms` is the time of the claim. If there is no
    claim yet, `number` is 0.
    """

    show: str = field(default="", name="event")
    utc_ms: int = 0
    number: int = 0


async def check_lease(destination: Destination, show: str, now: float) -> _Claim:
    """Returns the last claim if `show` may claim the destination at `now`, in seconds since 1970.

    Raises DestinationTaken, DestinationError.
    """
    claim, published = await _last_claim(destination), await read_show(destination)
    claimed = published if published and published.name == claim.show else PublishedShow(claim.show, "", claim.utc_ms)
    for other in (published, claimed):
        if other and other.name != show and other.is_live(now):
            ago = abs(now - other.now_utc_ms / 1000)
            name = "".join(each for each in other.name[:60] if each.isprintable())
            raise DestinationTaken(
                f"{destination.address}: another show is being published there, {name}, last seen {ago:.0f} s ago:"
                " publish to another destination, or wait until it has ended"
            )
    return claim


async def acquire_lease(destination: Destination, show: str, now: float) -> None:
    """Claims the destination for `show` at `now`, in seconds since 1970.

    Raises DestinationTaken, DestinationError.
    """
    for _ in range(MAX_ATTEMPTS):
        claim = await check_lease(destination, show, now)
        if claim.show == show:
            return
        mine = msgspec.json.encode({"event": show, "utc_ms": int(now * 1000)})
        if await destination.create(
            f"{CLAIMS_FOLDER}/{claim.number + 1}.json", mine, "application/json", CACHE_FOREVER
        ):
            return
    raise DestinationTaken(f"{destination.address}: other shows are starting there right now: try again")


async def _last_claim(destination: Destination) -> _Claim:
    names = (path.rpartition("/")[2].removesuffix(".json") for path in await destination.list(CLAIMS_FOLDER))
    last = max((int(name) for name in names if name.isascii() and name.isdigit()), default=0)
    text = await destination.get(f"{CLAIMS_FOLDER}/{last}.json") if last else None
    try:
        found = msgspec.json.decode(text or b"{}", type=_Claim)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = _Claim()
    return _Claim(found.show, found.utc_ms, last)
