"""Limits the connections to one server: in all, of one address, and with places kept for the desk.

Pure counting: knows no socket. A connection that finds no place waits in a kept one, where it must show a token of the
desk with its first request. It is cut off as soon as its place is needed for one that comes after it.
"""

from collections.abc import Callable
from ipaddress import ip_address
from typing import Literal

from broadcast.web.connections.refusal import Refusal
from broadcast.web.connections.token_bucket import TokenBucket

PLACE = "highnoon.place"
"""The key under which the state of every request has the place of its connection."""
MOST_CONNECTIONS = 12_000
"""Connections at a time, if the limit of open files allows so many."""
SHARE_OF_FILES = 3
"""Connections get at most a third of the open files, so that visitors cannot use up those that the game needs."""
MOST_OF_CALLERS = 128
"""Connections of bots from other machines, in the process that plays the game."""
MOST_OF_A_BOT = 8
"""Connections of one bot in a sandbox, which has a server of its own to register at."""
KEPT = 64
"""Places for the desk, whose page takes up to seven, and as many more for those who have not shown a token yet."""
SHARE_OF_ONE = 4
"""One address has at most this part of all places: a whole university may come from one."""
LEAST_OF_ONE = 8
COMING_A_SECOND = 64.0
"""New connections of one address in the long run; at once it may take its whole share."""
COST_OF_A_FLOOD = 8
"""New connections that a socket which was cut off for flooding counts for besides its own."""
REQUESTS_AT_ONCE = 10_000
"""Of one address: some two hundred people who open a page at the same moment."""
REQUESTS_A_SECOND = 400.0
MOST_IDLE = 1024
"""Addresses that are remembered though nobody of them is connected."""
_UNLIMITED = {ip_address(each) for each in ("127.0.0.1", "::1")}
"""This machine, or a proxy on it that speaks for everybody."""


class Place:
    """The right of one connection to be there, from when it is accepted until it is closed.

    Made by `ConnectionLimits.take`. `kind` says which count it is in: "waiting" (none was free; it is in a kept one),
    "public", "desk", or "none" once it has been given back. `give_way` closes the connection; it is called when
    another needs the place.
    """

    def __init__(self, places: "ConnectionLimits", address: "_Address", give_way: Callable[[], object]) -> None:
        self.kind: Literal["waiting", "public", "desk", "none"] = "waiting"
        self.address = address
        self.give_way = give_way
        self._places = places

    def prove(self) -> None:
        """Moves the connection to the desk's places, because it has shown a token of the desk. Does not raise."""
        self._places.seat_at_desk(self)

    def refusal(self) -> Refusal | None:
        """Counts one request on this connection; None if it may be answered, else a Refusal with status 503 or 429."""
        if self.kind == "desk":
            return None
        if not self._places.seat(self):
            return Refusal(503, "Every place is taken. Try again in a minute.")
        if self.address.limited and not self.address.requests.spend(1):
            return Refusal(429, "Too many requests come from your address. Try again in a minute.")
        return None

    def flooded(self) -> None:
        """Charges the connection's address COST_OF_A_FLOOD new connections, because it was cut off for flooding."""
        self.address.coming.owe(COST_OF_A_FLOOD)

    def leave(self) -> None:
        """Gives the place back; a second time does nothing."""
        self._places.free(self)


class _Address:
    """What is counted for one address. `here` counts all its connections, `public` those in places for everybody."""

    def __init__(self, share: int, clock: Callable[[], float], *, limited: bool) -> None:
        self.limited = limited
        self.here = 0
        self.public = 0
        self.coming = TokenBucket(share, COMING_A_SECOND, clock)
        self.requests = TokenBucket(REQUESTS_AT_ONCE, REQUESTS_A_SECOND, clock)

    @property
    def idle(self) -> bool:
        return not self.here and self.coming.whole and self.requests.whole


class ConnectionLimits:
    """The places of one server: `most` for everybody and, besides, `kept` for the desk. `clock` gives seconds."""

    def __init__(self, most: int, clock: Callable[[], float], kept: int = KEPT) -> None:
        self._most = most
        self._share = max(most // SHARE_OF_ONE, LEAST_OF_ONE)
        self._kept = kept
        self._clock = clock
        self._public = self._desk = 0
        self._waiting: dict[Place, None] = {}
        self._addresses: dict[str, _Address] = {}
        self._forget_at = MOST_IDLE

    def take(self, address: str, give_way: Callable[[], object]) -> Place | None:
        """A place for a connection from `address`, None if there is none at all.

        `give_way` is called if the connection must be cut off for another; its place is free by then.
        """
        counts = self._counts_of(address)
        if counts.limited and not counts.coming.spend(1):
            return None
        place = Place(self, counts, give_way)
        counts.here += 1
        self._waiting[place] = None
        if not self.seat(place) and len(self._waiting) > self._kept:
            oldest = next(iter(self._waiting))
            self.free(oldest)
            if oldest is place:
                return None
            oldest.give_way()
        return place

    def seat(self, place: Place) -> bool:
        """Moves a waiting place to those for everybody, if one is free. Returns whether it is one of them now."""
        address = place.address
        full = self._public >= self._most or (address.limited and address.public >= self._share)
        if place.kind == "waiting" and not full:
            self._change(place, "public")
        return place.kind == "public"

    def seat_at_desk(self, place: Place) -> None:
        """Moves a place to the desk's, if one of those is free."""
        if place.kind != "none" and self._desk < self._kept:
            self._change(place, "desk")

    def free(self, place: Place) -> None:
        """Takes a place back."""
        if place.kind != "none":
            place.address.here -= 1
            self._change(place, "none")

    def _change(self, place: Place, kind: Literal["public", "desk", "none"]) -> None:
        self._waiting.pop(place, None)
        for old_or_new, change in ((place.kind, -1), (kind, 1)):
            self._public += change * (old_or_new == "public")
            self._desk += change * (old_or_new == "desk")
            place.address.public += change * (old_or_new == "public")
        place.kind = kind

    def _counts_of(self, address: str) -> _Address:
        name, limited = _counted_as(address)
        if name not in self._addresses:
            if len(self._addresses) >= self._forget_at:
                self._addresses = {other: counts for other, counts in self._addresses.items() if not counts.idle}
                # Twice as many: with thousands of addresses connected, not every new one may walk them all.
                self._forget_at = max(MOST_IDLE, 2 * len(self._addresses))
            self._addresses[name] = _Address(self._share, self._clock, limited=limited)
        return self._addresses[name]


def _counted_as(address: str) -> tuple[str, bool]:
    """The name under which an address is counted, and whether it is limited. An IPv6 network (/64) counts as one."""
    try:
        found = ip_address(address)
    except ValueError:
        return address, True
    if found.version == 6:
        found = found.ipv4_mapped or found
    name = str(found) if found.version == 4 else f"{int(found) >> 64:x}::/64"
    return name, found not in _UNLIMITED
