"""Whether an address that a stranger names is another one that is known, or this very server."""

import socket
from ipaddress import ip_address

from server.bots.transports.http import Address

NOT_US = "is where this server itself listens; give the host and port where your bot does"
NOT_YOURS = "is this server itself, seen from here; give an address of your own machine"


def is_at(one: Address, other: Address) -> bool:
    """Whether two addresses reach the same server, whatever names they were given by."""
    return one.port == other.port and not set(one.found).isdisjoint(other.found)


def is_this_server(address: Address, own_port: int) -> bool:
    """Whether an address is that of this server: on this machine, at its own port."""
    return address.port == own_port and any(map(_is_here, address.found))


def is_ours(address: Address, client: str) -> bool:
    """Whether a request from another machine names this one, as "localhost" does: its sender means its own machine."""
    return any(map(_is_here, address.found)) and not _is_here(client)


def _is_here(address: str) -> bool:
    """Whether an IP address is one of this machine's: only those can be bound to a socket here."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if found.version == 6:
        found = found.ipv4_mapped or found
    with socket.socket(socket.AF_INET if found.version == 4 else socket.AF_INET6) as probe:
        try:
            probe.bind((str(found), 0))
        except OSError:
            return False
    return True
