"""Limits the connections to one server, in total and per address, and reserves slots for the desk and this machine.

Viewers' WebSockets count, too; `broadcast/on_air/viewers.py` counts the viewers of a channel. This module only counts
and has no sockets. When all public slots are taken, a new connection waits in a reserved slot until its first request
shows a token of the operator's desk. When all reserved slots are taken, too, the site with the most waiting connections
loses its oldest one.
"""

from collections import Counter
from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from starlette.types import Scope

from server.addresses import household, site
from server.token_bucket import TokenBucket

SLOT = "highnoon.slot"
"""The key of the connection's Slot in the state of every request."""
TURNS = "highnoon.turns"
"""The key of the RoundRobin in which the requests of strangers, clients without a token, wait."""
REST = 2.0
"""After a request from a stranger, the next request from any stranger waits this many times as long as that request
took. So the show gets at least this many times as much processor time as strangers.
"""
MAX_CONNECTIONS = 12_000
"""The maximum number of public connections. It is lower if the system limits open files."""
FILES_DIVISOR = 2
"""Connections may use at most half of the files that may be open, so that enough remain for the game."""
MAX_CALLER_CONNECTIONS = 128
"""How many connections bots on other machines may have to the process that plays the game."""
MAX_BOT_CONNECTIONS = 8
"""The maximum number of connections from one bot in a sandbox. Each sandbox has its own registration server."""
RESERVED_SLOTS = 64
"""How many slots are reserved for the desk. Each page of the desk takes up to seven. The same number of slots is
reserved for this machine, on which OBS runs, and again for visitors who have not shown a token yet.
"""
ADDRESS_DIVISOR = 4
"""One address gets at most a quarter of all slots. That is generous, because a whole university might share an
address.
"""
SITE_DIVISOR = 2
"""One site (see `server.addresses`) gets at most half of all slots, however many addresses it has."""
MIN_PER_ADDRESS = 8
"""One address gets at least this many slots."""
ARRIVALS_PER_SECOND = 64.0
"""How many new connections per second one address may open in the long run. A burst may be as large as the address's
share of the slots.
"""
COST_OF_A_FLOOD = 8
"""A connection that was closed for flooding costs its address as much as this many new connections."""
PROCESSOR_SECONDS = 10.0
"""How many seconds of processor time one address may use at once: enough for two hundred people who open a page."""
PROCESSOR_SHARE = 0.2
"""The part of one processor that one address may use in the long run."""
MIN_REQUEST_SECONDS = 0.001
"""The minimum charge for a request in seconds, because every request has to be read and answered."""
MAX_IDLE_ADDRESSES = 1024
"""How many addresses are counted before idle ones are forgotten."""
BEHIND_A_PROXY = "behind a proxy"
"""The address that stands for all visitors behind an untrusted proxy on this machine. It also stands for visitors who,
according to their proxy, are on this machine.
"""
_PROXY_HEADERS = ("forwarded", "via", "x-forwarded-", "x-real-ip")
"""The prefixes of the headers in which proxies name their clients."""
_THIS_MACHINE = {household(each) for each in ("127.0.0.1", "::1")}


class Refusal(Struct, frozen=True):
    """The refusal of a request: an HTTP status and a sentence that says why.

    With `again` the browser loads the page once more.
    """

    status: int
    words: str
    again: bool = False


def is_here(address: str) -> bool:
    """Whether an address belongs to this machine, on which OBS may run."""
    return household(address) in _THIS_MACHINE


def visitor_of(scope: Scope) -> str:
    """Returns the address to which a request is charged; "" if it did not arrive over a network."""
    address: str = (scope.get("client") or ("",))[0]
    names = (name.decode("latin-1") for name, _ in scope["headers"])
    return BEHIND_A_PROXY if is_here(address) and any(name.startswith(_PROXY_HEADERS) for name in names) else address


def _nothing() -> None:
    """The `give_way` of a connection that has ended."""


class Slot:
    """The slot of one connection, from its acceptance to its end. Made by `ConnectionLimits.acquire`.

    `kind` is "waiting" (in a reserved slot, because all public ones were taken), "public", "desk", or "none" once the
    slot is released. `give_way` closes the connection when another connection needs the slot.
    """

    def __init__(self, limits: "ConnectionLimits", address: "_Address", give_way: Callable[[], object]) -> None:
        self.kind: Literal["waiting", "public", "desk", "none"] = "waiting"
        self.address = address
        self.give_way = give_way
        self._limits = limits

    def prove(self) -> None:
        """Moves a connection that has shown a desk token to one of the desk's slots, if one is free."""
        if self.kind != "none" and self._limits.desk < self._limits.reserved:
            self._limits.change(self, "desk")

    def stands_for(self, client: str) -> None:
        """Counts the connection and its slot for `client`, the address that a trusted proxy has named."""
        counts = self._limits.counts_of(client)
        if self.kind in ("desk", "none") or counts is self.address:
            return
        self._limits.change(self, "waiting")
        self.address.here -= 1
        counts.here += 1
        self.address = counts
        self._limits.promote(self)

    def refusal(self) -> Refusal | None:
        """Counts a request on this connection; returns None if it may be answered, else a Refusal (503 or 429)."""
        if self.kind == "desk":
            return None
        if not self._limits.promote(self):
            return Refusal(503, "This server is full. Try again in a minute.")
        if self.address.limited and not self.address.processor.spend(MIN_REQUEST_SECONDS):
            return Refusal(429, "Too many requests come from your address. Try again in a minute.")
        return None

    def charge(self, seconds: float) -> None:
        """Charges the client's address `seconds` of processor time for a request, on top of MIN_REQUEST_SECONDS."""
        self.address.processor.charge(seconds)

    def charge_flood(self) -> None:
        """Charges COST_OF_A_FLOOD to the address of a connection that was closed for flooding."""
        self.address.coming.charge(COST_OF_A_FLOOD)

    def leave(self) -> None:
        """Releases the slot; a second call does nothing."""
        if self.kind != "none":
            self.address.here -= 1
            self._limits.change(self, "none")
            self.give_way = _nothing  # breaks the cycle of references between the connection and its slot


class _Address:
    """The counts of one address at `site`: `here` counts its connections, `public` its public slots."""

    def __init__(self, site: str, share: int, clock: Callable[[], float], *, limited: bool) -> None:
        self.site = site
        self.limited = limited
        self.here = 0
        self.public = 0
        self.coming = TokenBucket(share, ARRIVALS_PER_SECOND, clock)
        self.processor = TokenBucket(PROCESSOR_SECONDS, PROCESSOR_SHARE, clock)

    @property
    def idle(self) -> bool:
        return not self.here and self.coming.whole and self.processor.whole


class ConnectionLimits:
    """One server's slots: `max_connections` public slots, `reserved` slots for the desk, and as many again for this
    machine.

    `clock` returns seconds.
    """

    def __init__(self, max_connections: int, clock: Callable[[], float], reserved: int = RESERVED_SLOTS) -> None:
        self._max_connections = max_connections
        self._share = max(max_connections // ADDRESS_DIVISOR, MIN_PER_ADDRESS)
        self.reserved = reserved
        self._clock = clock
        self._public = self.desk = 0
        self._waiting: dict[Slot, None] = {}
        self._addresses: dict[str, _Address] = {}
        self._public_of: Counter[str] = Counter()
        """The number of public slots of each site."""
        self._forget_at = MAX_IDLE_ADDRESSES

    def acquire(self, address: str, give_way: Callable[[], object]) -> Slot | None:
        """Returns a slot for a connection from `address`, or None if there is none.

        `give_way` is called when the connection must make room for another one. By then the slot is free.
        """
        counts = self.counts_of(address)
        if counts.limited and not counts.coming.spend(1):
            return None
        slot = Slot(self, counts, give_way)
        counts.here += 1
        self._waiting[slot] = None
        if not self.promote(slot) and len(self._waiting) > self.reserved:
            # The site with the most waiting connections loses its oldest one, so that no site can push out all others.
            waiting = Counter(each.address.site for each in self._waiting)
            loser = max(self._waiting, key=lambda each: waiting[each.address.site])
            close = loser.give_way
            loser.leave()
            if loser is slot:
                return None
            close()
        return slot

    def promote(self, slot: Slot) -> bool:
        """Makes a waiting slot public if a public slot is free. Returns whether the slot is public now."""
        address = slot.address
        if address.limited:
            of_site = max(self._max_connections // SITE_DIVISOR, MIN_PER_ADDRESS)
            full = (
                self._public >= self._max_connections
                or address.public >= self._share
                or self._public_of[address.site] >= of_site
            )
        else:
            full = self._public >= self._max_connections + self.reserved
        if slot.kind == "waiting" and not full:
            self.change(slot, "public")
        return slot.kind == "public"

    def change(self, slot: Slot, kind: Literal["waiting", "public", "desk", "none"]) -> None:
        """Changes the kind of a slot, and the counts with it."""
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
        """Returns the counts of an address, which may be new."""
        name = household(address)
        if name not in self._addresses:
            if len(self._addresses) >= self._forget_at:
                self._addresses = {other: counts for other, counts in self._addresses.items() if not counts.idle}
                # The limit doubles, so that new addresses rarely cause a search of all addresses when thousands are
                # connected.
                self._forget_at = max(MAX_IDLE_ADDRESSES, 2 * len(self._addresses))
            self._addresses[name] = _Address(site(address), self._share, self._clock, limited=not is_here(name))
        return self._addresses[name]
