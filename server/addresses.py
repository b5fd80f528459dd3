"""IP addresses: which of them are one household, site or neighbourhood, and how many slots each may hold."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal

_KEPT = 4096


@lru_cache(_KEPT)
def household(address: str) -> str:
    """An IPv4 address itself, or the /64 of an IPv6 one, which a single machine may use; other text unchanged."""
    return _network(address, 32, 64)


@lru_cache(_KEPT)
def site(address: str) -> str:
    """An IPv4 address itself, or the /48 of an IPv6 one: 65,536 households for anybody. Other text unchanged."""
    return _network(address, 32, 48)


@lru_cache(_KEPT)
def neighbourhood(address: str) -> str:
    """The /24 of an IPv4 address or the /48 of an IPv6 one, which may well have one owner. Other text unchanged."""
    return _network(address, 24, 48)


def is_address(text: str) -> bool:
    """Whether a text is an IP address, such as 10.0.0.1 or ::1."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def parsed_address(text: str) -> IPv4Address | IPv6Address | None:
    """The address without its zone, as IPv4 if it is IPv4 mapped into IPv6; None if the text is not an address."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _network(address: str, of_v4: int, of_v6: int) -> str:
    found = parsed_address(address.partition("/")[0])  # the first address of a household
    if found is None:
        return address
    prefix = of_v4 if found.version == 4 else of_v6
    return str(found) if prefix == found.max_prefixlen else str(ip_network((found, prefix), strict=False))


KEPT = 4
"""The last quarter of all slots is reserved for addresses that have none yet. One network gets at most half of it,
because the owner of one of its addresses may own all of them."""
Why = Literal["full", "share", "kept"]
"""Why there is no slot: none is free, the address has its share, or the free ones are reserved for others."""


class Shares:
    """How many of `most` slots each address holds; one address holds at most `of_one`."""

    def __init__(self, most: int, of_one: int) -> None:
        self.taken = 0
        self._most = most
        self._of_one = of_one
        self._of: Counter[str] = Counter()
        """Slots by address, and reserved slots by network."""

    def acquire(self, address: str) -> Callable[[], None] | Why:
        """Acquires a slot and returns a function that releases it, to be called once; or returns why there is none."""
        one, network = household(address), neighbourhood(address)
        kept = self._most // KEPT
        of_kept = f"kept {network}" if self._most - self.taken <= kept else ""
        if self.taken >= self._most:
            return "full"
        if self._of[one] >= self._of_one:
            return "share"
        if of_kept and (self._of[one] or self._of[of_kept] >= (kept + 1) // 2):
            return "kept"
        self._change(one, of_kept, 1)
        return partial(self._change, one, of_kept, -1)

    def _change(self, one: str, of_kept: str, by: int) -> None:
        self.taken += by
        self._of.update({one: by, of_kept: by})
        self._of = +self._of
