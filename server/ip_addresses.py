"""Limits how many slots (such as connections) one IP address may hold. Groups addresses that may have one owner."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal

_CACHE_SIZE = 4096


@lru_cache(_CACHE_SIZE)
def client_subnet(address: str) -> str:
    """Returns the household of an address. All addresses of a household count as one client. A household in IPv6 is a
    /64 network, because one machine may use the whole network. IPv4 addresses and any other text stay as they are.
    """
    return _network(address, 32, 64)


@lru_cache(_CACHE_SIZE)
def site_subnet(address: str) -> str:
    """Returns the site of an address. A site in IPv6 is a /48 network, because anybody can get such a network, which
    has 65,536 households. IPv4 addresses and any other text stay as they are.
    """
    return _network(address, 32, 48)


@lru_cache(_CACHE_SIZE)
def owner_subnet(address: str) -> str:
    """Returns the neighbourhood of an address, a network that probably has one owner: a /24 for IPv4, and a /48 for
    IPv6.

    Returns any other text unchanged.
    """
    return _network(address, 24, 48)


def is_address(text: str) -> bool:
    """Whether `text` is an IP address, such as 10.0.0.1 or ::1."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Parses an address, and returns None for any other text. Drops a zone ("%eth0"), and unwraps IPv4-mapped IPv6."""
    try:
        parsed = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed


def _network(address: str, v4_prefix: int, v6_prefix: int) -> str:
    parsed = parse_address(address.partition("/")[0])  # "10.0.0.0/24" counts as 10.0.0.0
    if parsed is None:
        return address
    prefix = v4_prefix if parsed.version == 4 else v6_prefix
    return str(parsed) if prefix == parsed.max_prefixlen else str(ip_network((parsed, prefix), strict=False))


SLOTS_PER_RESERVED = 4
"""A quarter of all slots is reserved. Reserved slots are taken last, and only by addresses that have no slot yet. One
network gets at most half of the reserved slots, because its addresses may all have one owner.
"""
NoSlotReason = Literal["full", "address full", "reserved"]
"""Why there is no slot: no slot is free, the address has its maximum, or all free slots are reserved for others."""


class AddressSlots:
    """Counts the slots that addresses hold: at most `capacity` slots in all, and `per_address` for each address."""

    def __init__(self, capacity: int, per_address: int) -> None:
        self.taken = 0
        self._capacity = capacity
        self._per_address = per_address
        self._slot_counts: Counter[str] = Counter()
        """The number of slots of each address, and the number of reserved slots of each network."""

    def acquire(self, address: str) -> Callable[[], None] | NoSlotReason:
        """Takes a slot, and returns a function that releases it. Call that function only once. If there is no slot,
        returns the reason.
        """
        client, network = client_subnet(address), owner_subnet(address)
        reserved_count = self._capacity // SLOTS_PER_RESERVED
        reserve_key = f"reserved {network}" if self._capacity - self.taken <= reserved_count else ""
        if self.taken >= self._capacity:
            return "full"
        if self._slot_counts[client] >= self._per_address:
            return "address full"
        if reserve_key and (self._slot_counts[client] or self._slot_counts[reserve_key] >= (reserved_count + 1) // 2):
            return "reserved"
        self._change_counts(client, reserve_key, 1)
        return partial(self._change_counts, client, reserve_key, -1)

    def _change_counts(self, client: str, reserve_key: str, change: int) -> None:
        self.taken += change
        self._slot_counts.update({client: change, reserve_key: change})
        self._slot_counts = +self._slot_counts
