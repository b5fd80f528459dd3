"""Limits for practice games by address: games at once, and registrations in a time.

A whole university may have one address. Its bots must find room, but never take all tables.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from server.addresses import Shares, household
from server.registration.register import Refused
from server.token_bucket import TokenBucket

MAX_ADDRESSES = 10_000
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
        self._shares = Shares(self._limits.tables, self._limits.of_one)
        self._registrations: OrderedDict[str, TokenBucket] = OrderedDict()

    @property
    def taken(self) -> int:
        """How many tables are taken."""
        return self._shares.taken

    @property
    def most(self) -> int:
        """How many tables there are."""
        return self._limits.tables

    def take(self, client: str) -> Callable[[], None]:
        """Takes a place for a game of the address `client`; call what is returned, once, to give it back.

        Raises Refused: 503 where all tables are taken or kept for others, 429 where the address has too many games or
        registers too often.
        """
        limits, one = self._limits, household(client)
        place = self._shares.take(client)
        if place == "full":
            raise Refused(503, f"all {limits.tables} practice tables are taken, try again in a minute")
        if place == "share":
            raise Refused(429, f"{limits.of_one} practice games of {one} are on already, try again in a minute")
        if place == "kept":
            raise Refused(503, "the last free tables are for those who have none yet, try again in a minute")
        fresh = TokenBucket(limits.in_a_row, limits.a_second, self._clock)
        bucket = self._registrations[one] = self._registrations.pop(one, fresh)
        if len(self._registrations) > MAX_ADDRESSES:
            self._registrations.popitem(last=False)
        if not bucket.spend(1):
            place()
            seconds = math.ceil(bucket.wait(1))
            raise Refused(429, f"{one} registers too often, try again in {seconds} second{'s' if seconds > 1 else ''}")
        return place
