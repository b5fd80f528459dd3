"""Limits for practice games by address: games at once, and registrations in a time.

A whole university may have one address. Its bots must find room, but never take all tables.
"""

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network

from msgspec import Struct

from server.registration.register import Refused

MOST_ADDRESSES = 10_000
"""Addresses whose registrations are remembered; the one that came longest ago is forgotten first."""


class Limits(Struct, frozen=True):
    """How many practice tables there are, and how much one address may have."""

    tables: int = 200
    of_one: int = 100
    """Games of one address at once, including those whose bot has not connected yet."""
    in_a_row: int = 120
    """Registrations at once of an address that has not registered for a while."""
    a_second: float = 1.0
    """Registrations of one address a second in the long run."""


class Places:
    """Counts the games and registrations of each address."""

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits or Limits()
        self._clock = clock
        self._taken: Counter[str] = Counter()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """For each address, how many registrations it had left, and when that was."""

    @property
    def taken(self) -> int:
        """How many tables are taken."""
        return self._taken.total()

    @property
    def most(self) -> int:
        """How many tables there are."""
        return self._limits.tables

    def take(self, client: str) -> Callable[[], None]:
        """Takes a place for a game of the address `client`; call what is returned, once, to give it back.

        Raises Refused: 503 where all tables are taken, 429 where the address has too many games or registers too often.
        """
        limits, one = self._limits, household(client)
        if self.taken >= limits.tables:
            raise Refused(503, f"all {limits.tables} practice tables are taken, try again in a minute")
        if self._taken[one] >= limits.of_one:
            raise Refused(429, f"{limits.of_one} practice games of {one} are on already, try again in a minute")
        self._count(one)
        self._taken[one] += 1
        return partial(self._leave, one)

    def _leave(self, one: str) -> None:
        self._taken[one] -= 1
        if not self._taken[one]:
            del self._taken[one]

    def _count(self, one: str) -> None:
        limits, now = self._limits, self._clock()
        left, at = self._left.pop(one, (float(limits.in_a_row), now))
        left = min(left + (now - at) * limits.a_second, limits.in_a_row)
        self._left[one] = (max(left - 1, 0.0) if left >= 1 else left, now)
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        if left < 1:
            seconds = math.ceil((1 - left) / limits.a_second)
            raise Refused(429, f"{one} registers too often, try again in {seconds} second{'s' if seconds > 1 else ''}")


def household(client: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 one, because one machine may use all of it."""
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else str(ip_network((address, 64), strict=False))
    return str(address)
