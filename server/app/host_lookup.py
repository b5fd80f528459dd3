"""Looks up host names that strangers (clients without a token) send. Several lookups run at the same time, so that a
slow lookup does not delay the others.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Sequence
from functools import partial
from ipaddress import ip_address

from server.bots.sandbox.threads import run_in_thread
from server.bots.transports.http import Address, HostRefused, LookUp, find_host, host_and_port
from server.ip_addresses import is_address
from server.registration.register import RegistrationRefused

MAX_LOOKUPS = 16
"""At most this many names are looked up at the same time. Further names wait."""
MAX_PER_CLIENT = 8
"""How many lookups one client may have pending, so that no client delays the others. Further lookups are refused."""
MAX_WAITING = 64
"""How many names may be pending in total. Further names are refused."""


class HostLookup:
    """Finds the addresses of hosts in the allowed `networks`, such as "10.0.0.0/8"."""

    def __init__(self, networks: Sequence[str], look_up: LookUp | None = None) -> None:
        self._networks = networks
        self._look_up = look_up or _look_up_in_thread
        self._lookup_slots = asyncio.Semaphore(MAX_LOOKUPS)
        self._pending_by_client: Counter[str] = Counter()

    async def __call__(self, hostname: str, client: str = "") -> Address:
        """Returns the address of `hostname` ("host:port"). `client` is the IP address of the client that sent the name.
        Each client may have at most MAX_PER_CLIENT pending lookups.

        An IP address needs no lookup and never waits. Raises HostRefused if the host is not found or not allowed.
        Raises RegistrationRefused (429) if too many names are pending.
        """
        host, port = host_and_port(hostname)
        if is_address(host):
            return await find_host(host, port, self._networks)
        if self._pending_by_client[client] >= MAX_PER_CLIENT or self._pending_by_client.total() >= MAX_WAITING:
            raise RegistrationRefused(
                429, "too many host names are being looked up; try again in a minute, or give an IP address"
            )
        self._pending_by_client[client] += 1
        try:
            await self._lookup_slots.acquire()
            return await find_host(host, port, self._networks, self._look_up_in_slot)
        finally:
            self._pending_by_client.subtract([client])
            self._pending_by_client += Counter()  # removes clients with a count of 0

    async def find_bot_address(self, field: str, hostname: str, client: str, server_port: int) -> Address:
        """Returns the address of a bot that `client` registers. Error messages begin with `field`, the name of the form
        field. `server_port` is the port of this server.

        Raises RegistrationRefused with status 429 if too many lookups are pending. Raises the same error with status
        400 if the host is not found, is not allowed, or is this server itself.
        """
        try:
            address = await self(hostname, client)
        except HostRefused as refused:
            raise RegistrationRefused(400, f"{field} {refused}") from None
        if any(map(_is_this_machine, address.ip_addresses)):
            if not _is_this_machine(client):  # to a client elsewhere, "localhost" is the client's own machine
                raise RegistrationRefused(
                    400, f"{field} is an address of this server; give an address of your own machine instead"
                )
            if address.port == server_port:
                raise RegistrationRefused(
                    400, f"{field} is where this server itself listens; give the host and port where your bot listens"
                )
        return address

    async def _look_up_in_slot(self, host: str) -> Sequence[str]:
        """Looks up a name. The lookup occupies a slot until the lookup ends, even if the caller is cancelled."""
        lookup = asyncio.ensure_future(self._look_up(host))
        lookup.add_done_callback(self._release)
        return await asyncio.shield(lookup)

    def _release(self, lookup: asyncio.Future[Sequence[str]]) -> None:
        self._lookup_slots.release()
        if not lookup.cancelled():
            lookup.exception()  # marks the exception as retrieved, in case no caller is left to await it


async def _look_up_in_thread(host: str) -> Sequence[str]:
    infos = await run_in_thread(partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM))
    return [str(socket_address[0]) for *_, socket_address in infos]


def is_same_server(one: Address, other: Address) -> bool:
    """Whether two addresses reach the same server, even if their host names differ."""
    return one.port == other.port and not set(one.ip_addresses).isdisjoint(other.ip_addresses)


def _is_this_machine(address: str) -> bool:
    """Whether an IP address belongs to this machine. A socket can be bound only to such an address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if ip.version == 6:
        ip = ip.ipv4_mapped or ip
    with socket.socket(socket.AF_INET if ip.version == 4 else socket.AF_INET6) as probe:
        try:
            probe.bind((str(ip), 0))
        except OSError:
            return False
    return True
