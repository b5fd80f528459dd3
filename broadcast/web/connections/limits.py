"""Limits the connections to one server, in all and per address, with slots reserved for the desk and this machine.

Pure counting, without sockets. A connection that finds no slot waits in a reserved one until its first request shows a
token of the desk. When these run out, the site with the most waiting connections loses its oldest.
"""

from collections import Counter
from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from starlette.types import Scope

from server.addresses import household, site
from server.token_bucket import TokenBucket

SLOT = "highnoon.slot"
"""Key of the connection's Slot in the state of every request."""
TURNS = "highnoon.turns"
"""Key of the RoundRobin in which strangers' requests wait."""
REST = 2.0
"""Strangers' requests rest this many times as long as the last one took, so the show gets twice their time."""
MAX_CONNECTIONS = 12_000
"""Fewer where the limit of open files requires it."""
SHARE_OF_FILES = 2
"""Connections get at most half of the open files, so visitors never use up those of the game."""
MAX_CALLER_CONNECTIONS = 128
"""Connections of bots from other machines, in the process that plays the game."""
MAX_BOT_CONNECTIONS = 8
"""Connections of one bot in a sandbox, which has its own registration server."""
KEPT = 64
"""Slots reserved for the desk, whose page takes up to seven; as many again for this machine, where OBS runs, and for
visitors who have not shown a token yet."""
SHARE_OF_ONE = 4
"""One address gets at most a quarter of all slots: a whole university may share it."""
SHARE_OF_A_SITE = 2
"""One site gets at most half, however many addresses it has."""
MIN_OF_ONE = 8
COMING_A_SECOND = 64.0
"""New connections per second of one address in the long run; it may take its whole share at once."""
COST_OF_A_FLOOD = 8
"""New connections charged for a socket that was cut off for flooding, besides its own."""
PROCESSOR_SECONDS = 10.0
"""Processor time that one address may use at once: some two hundred people opening a page at the same moment."""
PROCESSOR_SHARE = 0.2
"""The part of a processor that one address may use in the long run."""
MIN_REQUEST_SECONDS = 0.001
"""The minimum charge for a request, which has to be read and answered."""
MAX_IDLE_ADDRESSES = 1024
BEHIND_A_PROXY = "behind a proxy"
"""The address of visitors through an untrusted proxy on this machine, or through one that says they are on it."""
_PROXY_HEADERS = ("forwarded", "via", "x-forwarded-", "x-real-ip")
"""Prefixes of the headers in which a proxy names its client."""
_THIS_MACHINE = {household(each) for each in ("127.0.0.1", "::1")}


class Refusal(Struct, frozen=True):
    """Why a request is refused: an HTTP status and a sentence. With `again` the page retries once by itself."""

    status: int
    words: str
    again: bool = False


def is_here(address: str) -> bool:
    """Whether an address is this machine's own, which OBS uses."""
    return household(address) in _THIS_MACHINE


def visitor_of(scope: Scope) -> str:
    """The address that a request is charged to; "" if it did not come over a network."""
    address: str = (scope.get("client") or ("",))[0]
    names = (name.decode("latin-1") for name, _ in scope["headers"])
    return BEHIND_A_PROXY if is_here(address) and any(name.startswith(_PROXY_HEADERS) for name in names) else address


def _nothing() -> None:
    """The `give_way` of a connection that has ended."""


class Slot:
    """The slot of one connection from acceptance to closing. Made by `ConnectionLimits.acquire`.

    `kind` is the count it belongs to: "waiting" (in a reserved slot, as no other was free), "public", "desk", or "none"
    once it has been released. `give_way` closes the connection when another needs the slot.
    """

    def __init__(self, limits: "ConnectionLimits", address: "_Address", give_way: Callable[[], object]) -> None:
        self.kind: Literal["waiting", "public", "desk", "none"] = "waiting"
        self.address = address
        self.give_way = give_way
        self._limits = limits

    def prove(self) -> None:
        """Moves a connection that has shown a token of the desk to the desk's slots, if one is free."""
        if self.kind != "none" and self._limits.desk < self._limits.kept:
            self._limits.change(self, "desk")

    def stands_for(self, client: str) -> None:
        """Charges the connection to `client`, the address named by a trusted proxy, which must have a free share."""
        counts = self._limits.counts_of(client)
        if self.kind in ("desk", "none") or counts is self.address:
            return
        self._limits.change(self, "waiting")
        self.address.here -= 1
        counts.here += 1
        self.address = counts
        self._limits.promote(self)

    def refusal(self) -> Refusal | None:
        """Counts one request on this connection: None if it may be answered, else a Refusal (status 503 or 429)."""
        if self.kind == "desk":
            return None
        if not self._limits.promote(self):
            return Refusal(503, "This server is full. Try again in a minute.")
        if self.address.limited and not self.address.processor.spend(MIN_REQUEST_SECONDS):
            return Refusal(429, "Too many requests come from your address. Try again in a minute.")
        return None

    def charge(self, seconds: float) -> None:
        """Charges a request's processor time to its address, on top of MIN_REQUEST_SECONDS."""
        self.address.processor.owe(seconds)

    def flooded(self) -> None:
        """Charges COST_OF_A_FLOOD to the address of a connection that was cut off for flooding."""
        self.address.coming.owe(COST_OF_A_FLOOD)

    def leave(self) -> None:
        """Releases the slot; a second call does nothing."""
        if self.kind != "none":
            self.address.here -= 1
            self._limits.change(self, "none")
            self.give_way = _nothing  # it refers to the connection, which refers to its slot


class _Address:
    """The counts of one address at `site`: `here` counts all its connections, `public` those in public slots."""

    def __init__(self, site: str, share: int, clock: Callable[[], float], *, limited: bool) -> None:
        self.site = site
        self.limited = limited
        self.here = 0
        self.public = 0
        self.coming = TokenBucket(share, COMING_A_SECOND, clock)
        self.processor = TokenBucket(PROCESSOR_SECONDS, PROCESSOR_SHARE, clock)

    @property
    def idle(self) -> bool:
        return not self.here and self.coming.whole and self.processor.whole


class ConnectionLimits:
    """One server's slots: `max_connections` public ones, and `kept` each for the desk and this machine.

    `clock` gives seconds.
    """

    def __init__(self, max_connections: int, clock: Callable[[], float], kept: int = KEPT) -> None:
        self._max_connections = max_connections
        self._share = max(max_connections // SHARE_OF_ONE, MIN_OF_ONE)
        self.kept = kept
        self._clock = clock
        self._public = self.desk = 0
        self._waiting: dict[Slot, None] = {}
        self._addresses: dict[str, _Address] = {}
        self._public_of: Counter[str] = Counter()
        """By site."""
        self._forget_at = MAX_IDLE_ADDRESSES

    def acquire(self, address: str, give_way: Callable[[], object]) -> Slot | None:
        """A slot for a connection from `address`, None if there is none at all.

        `give_way` is called when the connection must make room for another; its slot is free by then.
        """
        counts = self.counts_of(address)
        if counts.limited and not counts.coming.spend(1):
            return None
        slot = Slot(self, counts, give_way)
        counts.here += 1
        self._waiting[slot] = None
        if not self.promote(slot) and len(self._waiting) > self.kept:
            # The oldest of the site with the most waiting connections, so that nobody can push all others out.
            waiting = Counter(each.address.site for each in self._waiting)
            last = max(self._waiting, key=lambda each: waiting[each.address.site])
            make_room = last.give_way
            last.leave()
            if last is slot:
                return None
            make_room()
        return slot

    def promote(self, slot: Slot) -> bool:
        """Makes a waiting slot public if a public one is free. Returns whether it is public now."""
        address = slot.address
        if address.limited:
            of_site = max(self._max_connections // SHARE_OF_A_SITE, MIN_OF_ONE)
            full = (
                self._public >= self._max_connections
                or address.public >= self._share
                or self._public_of[address.site] >= of_site
            )
        else:
            full = self._public >= self._max_connections + self.kept
        if slot.kind == "waiting" and not full:
            self.change(slot, "public")
        return slot.kind == "public"

    def change(self, slot: Slot, kind: Literal["waiting", "public", "desk", "none"]) -> None:
        """Counts a slot as one of `kind`."""
        self._waiting.pop(slot, None)
        if kind == "waiting":
            self._waiting[slot] = None
        for old_or_new, change in ((slot.kind, -1), (kind, 1)):
            self._public += change * (old_or_new == "public")
            self.desk += change * (old_or_new == "desk")
            slot.address.public += change * (old_or_new == "public")
            self._public_of[slot.address.site] += change * (old_or_new == "public")
        if not self._public_of[slot.address.site]:
            del self._public_of[slot.address.site]
        slot.kind = kind

    def counts_of(self, address: str) -> _Address:
        """The counts of an address, which may be new."""
        name = household(address)
        if name not in self._addresses:
            if len(self._addresses) >= self._forget_at:
                self._addresses = {other: counts for other, counts in self._addresses.items() if not counts.idle}
                # Twice as many: with thousands of addresses connected, a new one must not visit them all each time.
                self._forget_at = max(MAX_IDLE_ADDRESSES, 2 * len(self._addresses))
            self._addresses[name] = _Address(site(address), self._share, self._clock, limited=not is_here(name))
        return self._addresses[name]
