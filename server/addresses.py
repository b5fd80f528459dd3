"""What an address is, what counts as one visitor, a machine or the network it is in, and what share each may have."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal

_KEPT = 4096


@lru_cache(_KEPT)
def household(address: str) -> str:
    """An IPv4 address as it is, of an IPv6 one its /64, because one machine may use all of it; other text as it is."""
    return _network(address, 32, 64)


@lru_cache(_KEPT)
def site(address: str) -> str:
    """An IPv4 address as it is, of an IPv6 one its /48: 65,536 households, and anybody can have it. Other text too."""
    return _network(address, 32, 48)


@lru_cache(_KEPT)
def neighbourhood(address: str) -> str:
    """The /24 of an IPv4 address or the /48 of an IPv6 one: what one owner may well have. Other text as it is."""
    return _network(address, 24, 48)


def is_address(text: str) -> bool:
    """Whether a text is an IP address, such as 10.0.0.1 or ::1."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def parsed_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address without its zone, one of IPv4 within IPv6 as that; None where it is none."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _network(address: str, of_v4: int, of_v6: int) -> str:
    found = parsed_address(address.partition("/")[0])  # the first of a household
    if found is None:
        return address
    prefix = of_v4 if found.version == 4 else of_v6
    return str(found) if prefix == found.max_prefixlen else str(ip_network((found, prefix), strict=False))


KEPT = 4
"""The last quarter of all places is kept for addresses that have none yet; half of it at most goes to one network, as
who has one address there may have all of them."""
Why = Literal["full", "share", "kept"]
"""Why there is no place: none is free, the address has its share, or those that are free are kept for others."""


class Shares:
    """Who has how many of `most` places; one address has at most `of_one`."""

    def __init__(self, most: int, of_one: int) -> None:
        self.taken = 0
        self._most = most
        self._of_one = of_one
        self._of: Counter[str] = Counter()
        """By address, and of the places that are kept by network."""

    def take(self, address: str) -> Callable[[], None] | Why:
        """Takes a place; call what is returned, once, to give it back. Where there is none, returns why."""
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
