"""What an address is, and what counts as one visitor where each has a share: a machine, or the network it is in."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

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
