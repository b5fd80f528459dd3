"""Looking up the hosts that strangers name: few at a time, in threads of its own, and only so many may wait.

A name for which nobody answers takes half a minute; that must not be the time of anybody else.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from server.bots.sandbox.threads import in_thread
from server.bots.transports.http import Address, LookUp, find_host, host_and_port, is_address
from server.registration.register import Refused

AT_ONCE = 16
"""Names that are looked up at a time."""
MOST_OF_ONE = 8
"""Names of one address that wait or are looked up: so nobody keeps all others waiting."""
MOST_WAITING = 64
"""Names that wait or are looked up."""

Find = Callable[[str, str], Awaitable[Address]]


class HostLookup:
    """Finds hosts in some networks."""

    def __init__(self, networks: Sequence[str], look_up: LookUp | None = None) -> None:
        self._networks = networks
        self._look_up = look_up or _in_a_thread
        self._free = asyncio.Semaphore(AT_ONCE)
        self._asked: Counter[str] = Counter()

    async def __call__(self, hostname: str, client: str = "") -> Address:
        """Where that host is, once and for all; `client` is the address that asks. Raises HostRefused, Refused (429).

        An address is not looked up, so it waits for nobody.
        """
        host, port = host_and_port(hostname)
        if is_address(host):
            return await find_host(host, port, self._networks)
        if self._asked[client] >= MOST_OF_ONE or self._asked.total() >= MOST_WAITING:
            raise Refused(429, "too many names of hosts are being looked up; try again in a minute, or give an address")
        self._asked[client] += 1
        try:
            await self._free.acquire()
            return await find_host(host, port, self._networks, self._in_turn)
        finally:
            self._asked.subtract([client])
            self._asked += Counter()  # Who asks for nothing any more is not remembered.

    async def _in_turn(self, host: str) -> Sequence[str]:
        """The next one's turn comes when this look-up has ended, even if nobody waits for it any more."""
        looking = asyncio.ensure_future(self._look_up(host))
        looking.add_done_callback(self._looked)
        return await asyncio.shield(looking)

    def _looked(self, looking: asyncio.Future[Sequence[str]]) -> None:
        self._free.release()
        if not looking.cancelled():
            looking.exception()  # Whoever waited has heard of it.


async def _in_a_thread(host: str) -> Sequence[str]:
    found = await in_thread(partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM))
    return [str(address[0]) for *_, address in found]
