"""Limits the connections to one server, in total and per address. Reserves slots (places for connections) for the
operator's desk and for this machine.

Viewers' WebSockets are connections, too. When all public slots are taken, a new connection waits in a reserved slot,
because its first request may show a token of the desk. When all reserved slots are taken, too, the site (a network)
with the most waiting connections loses its oldest waiting connection.
"""

from collections import Counter
from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from starlette.types import Scope

from server.ip_addresses import client_subnet, site_subnet
from server.token_bucket import TokenBucket

SLOT_KEY = "highnoon.slot"
"""The key of the connection's Slot in the state of every request."""
REQUEST_QUEUE_KEY = "highnoon.turns"
"""The key of the fair queue (a RoundRobin) in which requests of strangers wait. A stranger is a client without a
token.
"""
STRANGER_REST_FACTOR = 2.0
"""After a stranger's request that took one second, all strangers wait this many seconds. So the show gets at least this
many times as much processor time as strangers.
"""
MAX_CONNECTIONS = 12_000
"""The maximum number of public connections. The maximum is lower if the system limits open files."""
FILES_DIVISOR = 2
"""Connections may use at most half of the files that may be open, so that enough remain for the game."""
MAX_CALLER_CONNECTIONS = 128
"""The maximum number of connections from bots on other machines to the process that plays the game."""
MAX_BOT_CONNECTIONS = 8
"""The maximum number of connections from one bot in a sandbox. Each sandbox has its own registration server."""
RESERVED_SLOTS = 64
"""How many slots are reserved for the desk. Each page of the desk takes up to seven slots. The same number of slots is
reserved for this machine, on which OBS runs. The same number again is reserved for visitors who have not shown a token
yet.
"""
ADDRESS_DIVISOR = 4
"""One address gets at most a quarter of all slots. This limit is generous, because a whole university might share an
address.
"""
SITE_DIVISOR = 2
"""One site gets at most half of all slots, however many addresses it has. For IPv6, a site is a /48 network."""
MIN_PER_ADDRESS = 8
"""One address gets at least this many slots."""
ARRIVALS_PER_SECOND = 64.0
"""How many new connections per second one address may open in the long run. A burst may be as large as the address's
share of the slots.
"""
COST_OF_A_FLOOD = 8
"""If a connection is closed for flooding, its address is charged for this many new connections."""
PROCESSOR_SECONDS = 10.0
"""How many seconds of processor time one address may use at once: enough for two hundred people who open a page."""
PROCESSOR_SHARE = 0.2
"""The part of one processor that one address may use in the long run."""
MIN_REQUEST_SECONDS = 0.001
"""The minimum charge for a request, in seconds of processor time. Every request has to be read and answered."""
MAX_IDLE_ADDRESSES = 1024
"""Idle addresses are forgotten only once at least this many addresses are counted."""
BEHIND_A_PROXY = "behind a proxy"
"""The address that stands for all visitors behind an untrusted proxy on this machine. It also stands for visitors whose
proxy says that they are on this machine.
"""
_PROXY_HEADERS = ("forwarded", "via", "x-forwarded-", "x-real-ip")
"""The prefixes of the headers in which proxies name their clients."""
_THIS_MACHINE = {client_subnet(each) for each in ("127.0.0.1", "::1")}


class RequestRefusal(Struct, frozen=True):
    """The refusal of a request: an HTTP status and a sentence that says why.

    With `reload`, the refusal makes the browser load the page again at once.
    """

    status: int
    message: str
    reload: bool = False


def is_this_machine(address: str) -> bool:
    """Whether an address belongs to this machine, on which OBS may run."""
    return client_subnet(address) in _THIS_MACHINE


def visitor_of(scope: Scope) -> str:
    """Returns the address to which a request is charged, or "" if the request did not arrive over a network."""
    address: str = (scope.get("client") or ("",))[0]
    names = (name.decode("latin-1") for name, _ in scope["headers"])
    return (
        BEHIND_A_PROXY
        if is_this_machine(address) and any(name.startswith(_PROXY_HEADERS) for name in names)
        else address
    )


def _do_nothing() -> None:
    """What `Slot.evict` does once the connection has ended."""


class Slot:
    """The slot of one connection, from its acceptance to its end. Made by `ConnectionLimits.acquire`.

    `kind` is "waiting", "public" or "desk", and "none" once the slot is released. A connection is "waiting" in a
    reserved slot if all public slots were taken. `evict` closes the connection when another connection needs the slot.
    """

    def __init__(self, limits: "ConnectionLimits", address: "_Address", evict: Callable[[], object]) -> None:
        self.kind: Literal["waiting", "public", "desk", "none"] = "waiting"
        self.address = address
        self.evict = evict
        self._limits = limits

    def move_to_desk(self) -> None:
        """Moves the connection to a slot of the desk, if possible. The connection must have shown a desk token."""
        if self.kind != "none" and self._limits.desk < self._limits.reserved:
            self._limits.change_kind(self, "desk")

    def move_to_address(self, client: str) -> None:
        """From now on, charges the connection to the address `client`, which a trusted proxy has named."""
        counts = self._limits.counts_of(client)
        if self.kind in ("desk", "none") or counts is self.address:
            return
        self._limits.change_kind(self, "waiting")
        self.address.connections -= 1
        counts.connections += 1
        self.address = counts
        self._limits.promote(self)

    def check_request(self) -> RequestRefusal | None:
        """Counts a request on this connection. Returns a RequestRefusal (503 or 429) if the request may not be
        answered.
        """
        if self.kind == "desk":
            return None
        if not self._limits.promote(self):
            return RequestRefusal(503, "This server is full. Try again in a minute.")
        if self.address.is_limited and not self.address.processor_budget.spend(MIN_REQUEST_SECONDS):
            return RequestRefusal(429, "Too many requests come from your address. Try again in a minute.")
        return None

    def charge(self, seconds: float) -> None:
        """Charges the client's address `seconds` of processor time for a request, on top of MIN_REQUEST_SECONDS."""
        self.address.processor_budget.charge(seconds)

    def charge_flood(self) -> None:
        """Charges COST_OF_A_FLOOD to the address of a connection that was closed for flooding."""
        self.address.arrival_budget.charge(COST_OF_A_FLOOD)

    def release(self) -> None:
        """Releases the slot. A second call does nothing."""
        if self.kind != "none":
            self.address.connections -= 1
            self._limits.change_kind(self, "none")
            self.evict = _do_nothing  # breaks the cycle of references between the connection and its slot


class _Address:
    """One address at `site`: the number of its connections and of its public slots, and what is left of its budgets."""

    def __init__(self, site: str, share: int, clock: Callable[[], float], *, limited: bool) -> None:
        self.site = site
        self.is_limited = limited
        self.connections = 0
        self.public_slots = 0
        self.arrival_budget = TokenBucket(share, ARRIVALS_PER_SECOND, clock)
        self.processor_budget = TokenBucket(PROCESSOR_SECONDS, PROCESSOR_SHARE, clock)

    @property
    def is_idle(self) -> bool:
        return not self.connections and self.arrival_budget.is_full and self.processor_budget.is_full


class ConnectionLimits:
    """The slots of one server. `max_connections` slots are public. The desk, this machine and waiting connections have
    `reserved` slots each.

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
        self._site_public: Counter[str] = Counter()
        """The number of public slots of each site."""
        self._cleanup_size = MAX_IDLE_ADDRESSES

    def acquire(self, address: str, evict: Callable[[], object]) -> Slot | None:
        """Returns a slot for a connection from `address`, or None if there is none.

        `evict` is called when the connection must make room for another connection. By then the slot is free.
        """
        counts = self.counts_of(address)
        if counts.is_limited and not counts.arrival_budget.spend(1):
            return None
        slot = Slot(self, counts, evict)
        counts.connections += 1
        self._waiting[slot] = None
        if not self.promote(slot) and len(self._waiting) > self.reserved:
            # The site with the most waiting connections loses the oldest of them, so that no site can push out all
            # others.
            waiting = Counter(each.address.site for each in self._waiting)
            loser = max(self._waiting, key=lambda each: waiting[each.address.site])
            close = loser.evict
            loser.release()
            if loser is slot:
                return None
            close()
        return slot

    def promote(self, slot: Slot) -> bool:
        """Makes a waiting slot public if a public slot is free. Returns whether the slot is public now."""
        address = slot.address
        if address.is_limited:
            max_site_slots = max(self._max_connections // SITE_DIVISOR, MIN_PER_ADDRESS)
            full = (
                self._public >= self._max_connections
                or address.public_slots >= self._share
                or self._site_public[address.site] >= max_site_slots
            )
        else:
            full = self._public >= self._max_connections + self.reserved
        if slot.kind == "waiting" and not full:
            self.change_kind(slot, "public")
        return slot.kind == "public"

    def change_kind(self, slot: Slot, kind: Literal["waiting", "public", "desk", "none"]) -> None:
        """Changes the kind of a slot, and updates the counts."""
        self._waiting.pop(slot, None)
        if kind == "waiting":
            self._waiting[slot] = None
        for old_or_new, change in ((slot.kind, -1), (kind, 1)):
            self._public += change * (old_or_new == "public")
            self.desk += change * (old_or_new == "desk")
            slot.address.public_slots += change * (old_or_new == "public")
            self._site_public[slot.address.site] += change * (old_or_new == "public")
        if not self._site_public[slot.address.site]:
            del self._site_public[slot.address.site]
        slot.kind = kind

    def counts_of(self, address: str) -> _Address:
        """Returns the counts of an address. The counts of a new address start at 0."""
        name = client_subnet(address)
        if name not in self._addresses:
            if len(self._addresses) >= self._cleanup_size:
                self._addresses = {other: counts for other, counts in self._addresses.items() if not counts.is_idle}
                # The limit doubles, so that new addresses rarely cause a search of all addresses, even when thousands
                # are connected.
                self._cleanup_size = max(MAX_IDLE_ADDRESSES, 2 * len(self._addresses))
            self._addresses[name] = _Address(
                site_subnet(address), self._share, self._clock, limited=not is_this_machine(name)
            )
        return self._addresses[name]
