"""TCP: a door that lets one bot in, and hands out the wire to it. Knows no poker and no HTTP."""

import asyncio
import contextlib
import socket

from server.bots.transports.outbox import Clock
from server.bots.transports.tcp import KERNEL_BYTES, TcpWire

_IPV4_IN_IPV6 = bytes(10) + b"\xff\xff"


class NobodyCame(Exception):
    """The door has closed before the bot connected."""


class Door:
    """A listener for one bot: bound already, open for a while, and shut after the first that may come in."""

    def __init__(
        self, listener: socket.socket, allowed_address: str, wait_seconds: float, clock: Clock | None = None
    ) -> None:
        """`listener` may be in a network of its own, where everybody is the bot: then `allowed_address` is ""."""
        listener.setblocking(False)
        # Here, for whoever comes in: a window once offered cannot be taken back.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BYTES)
        self.port: int = listener.getsockname()[1]
        self._listener = listener
        self._allowed = allowed_address
        self._loop = asyncio.get_running_loop()
        self._clock = clock = clock or self._loop
        self._entered: asyncio.Future[TcpWire | None] = self._loop.create_future()
        self._timer = clock.call_at(clock.time() + wait_seconds, self.close)
        self._loop.add_reader(listener, self._knock)

    async def entered(self) -> TcpWire:
        """The wire to the bot once it is there. Raises NobodyCame when the time is up or the door was closed."""
        wire = await asyncio.shield(self._entered)
        if wire is None:
            raise NobodyCame(
                f"nobody{f' from {self._allowed}' if self._allowed else ''} connected to port {self.port} in time"
            )
        return wire

    def close(self) -> None:
        """Lets nobody in any more."""
        self._shut(None)

    def _knock(self) -> None:
        try:
            connection, address = self._listener.accept()
        except (BlockingIOError, ConnectionError):
            return  # It has gone away again.
        except OSError:
            self._shut(None)  # No more files may be open: knocking on would only keep the loop busy.
            return
        if not self._allowed or _packed(address[0]) == _packed(self._allowed):
            self._shut(TcpWire(connection, self._clock))
        else:
            connection.close()

    def _shut(self, wire: TcpWire | None) -> None:
        if self._entered.done():
            return
        self._loop.remove_reader(self._listener)
        self._listener.close()
        self._timer.cancel()
        self._entered.set_result(wire)


async def open_door(
    host: str, allowed_address: str, wait_seconds: float, *, port: int = 0, clock: Clock | None = None
) -> Door:
    """A door on `host`, bound and listening when this returns; port 0 takes any free one. Raises OSError.

    It lets in one connection, from `allowed_address` only, within `wait_seconds`.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=4)
    return Door(listener, allowed_address, wait_seconds, clock)


def _packed(address: str) -> bytes:
    """The address in bytes, the same for an IPv4 address however it came; its text if it is none."""
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            return socket.inet_pton(family, address.partition("%")[0]).removeprefix(_IPV4_IN_IPV6)
    return address.encode()
