"""Limits how many games the bots of one network address play at once on a practice server, and how often they register.

A whole university may share an address. Bots from such an address must find tables, but must not fill all of the
tables.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from server.ip_addresses import AddressSlots, client_subnet
from server.registration.register import RegistrationRefused
from server.token_bucket import TokenBucket

MAX_ADDRESSES = 10_000
"""The server remembers the registrations of at most this many addresses. It first forgets the address that registered
longest ago.
"""


class PracticeLimits(Struct, frozen=True):
    """The number of practice tables, and the limits for one address."""

    tables: int = 200
    games_per_address: int = 100
    """One address may have at most this many games at once, including games whose bot has not connected yet."""
    registration_burst: int = 120
    """Bots may register this many times in a row from one address."""
    registrations_per_second: float = 1.0
    """In the long run, bots may register this many times per second from one address."""


class Slots:
    """Counts games and registrations per address. Each game takes a slot, which is one of the practice tables."""

    def __init__(self, limits: PracticeLimits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or PracticeLimits()
        self._clock = clock
        self.address_slots = AddressSlots(self.limits.tables, self.limits.games_per_address)
        self._registrations: OrderedDict[str, TokenBucket] = OrderedDict()

    def acquire(self, client: str) -> Callable[[], None]:
        """Takes a table for a game of the address `client`. Returns a function that releases the table. The caller must
        call this function once.

        Raises RegistrationRefused: 503 if all tables are taken or reserved for others, 429 if the address has too many
        games or registers too often.
        """
        limits, household_address = self.limits, client_subnet(client)  # for IPv6, the /64 network of the address
        release_or_reason = self.address_slots.acquire(client)
        if release_or_reason == "full":
            raise RegistrationRefused(503, f"all {limits.tables} practice tables are taken: try again in a minute")
        if release_or_reason == "address full":
            raise RegistrationRefused(
                429,
                f"{limits.games_per_address} practice games of {household_address} are already running: try "
                "again in a minute",
            )
        if release_or_reason == "reserved":
            raise RegistrationRefused(
                503, "the last free tables are for addresses that have none yet: try again in a minute"
            )
        new_bucket = TokenBucket(limits.registration_burst, limits.registrations_per_second, self._clock)
        bucket = self._registrations[household_address] = self._registrations.pop(household_address, new_bucket)
        if len(self._registrations) > MAX_ADDRESSES:
            self._registrations.popitem(last=False)
        if not bucket.spend(1):
            release_or_reason()
            seconds = math.ceil(bucket.seconds_until(1))
            raise RegistrationRefused(
                429,
                f"{household_address} registers too often: try again in {seconds} second{'s' if seconds > 1 else ''}",
            )
        return release_or_reason
