"""Listens on a TCP port for one expected bot."""

import asyncio
import contextlib
import socket
from collections.abc import Sequence
from functools import partial

from server.bots.transports.clock import Clock
from server.bots.transports.tcp import KERNEL_BUFFER_BYTES, TcpConnection
from server.ip_addresses import parse_address
from server.system.sockets import watcher


class BotNotConnected(Exception):
    """The bot did not connect before the listener was closed. The message names the port and the expected address."""


class BotListener:
    """Listens for one bot, until it connects from the allowed address or the time is up."""

    def __init__(
        self, server_socket: socket.socket, allowed_address: str, wait_seconds: float, clock: Clock | None = None
    ) -> None:
        """`server_socket` must be listening already. The listener closes it at the end. By default, `clock` is the
        running event loop.

        An `allowed_address` of "" allows any address. Use "" only where nobody else can connect.
        """
        server_socket.setblocking(False)
        # A TCP receive window cannot shrink once it is offered. So the buffer's size is set on the listening socket,
        # and connections inherit it.
        server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BUFFER_BYTES)
        self.port: int = server_socket.getsockname()[1]
        self._socket = server_socket
        self._allowed_address = allowed_address
        loop = asyncio.get_running_loop()
        self._watcher = watcher(loop)
        self._clock = clock = clock or loop
        self._connection_future: asyncio.Future[TcpConnection | None] = loop.create_future()
        self._is_claimed = False
        """Whether a caller has the connection and must close it."""
        self._timer = clock.call_at(clock.time() + wait_seconds, self.close)
        self._watcher.add_reader(server_socket, self._accept)

    async def accept(self) -> TcpConnection:
        """Waits for the bot and returns its connection. Later calls return the same connection.

        Raises BotNotConnected once the time is up or the listener was closed.
        """
        connection = await asyncio.shield(self._connection_future)
        if connection is None:
            origin = f" from {self._allowed_address}" if self._allowed_address else ""
            raise BotNotConnected(f"nobody{origin} connected to port {self.port} in time")
        self._is_claimed = True
        return connection

    def close(self) -> None:
        """Stops listening, and closes the connection if no caller has it."""
        self._finish(None)
        connection = self._connection_future.result()
        if connection is not None and not self._is_claimed:
            connection.close()

    def _accept(self) -> None:
        try:
            accepted, address = self._socket.accept()
        except (BlockingIOError, ConnectionError):
            return  # the bot has already hung up
        except OSError:
            self._finish(None)  # If too many files are open, another try would only keep the loop busy.
            return
        if not self._allowed_address or parse_address(address[0]) == parse_address(self._allowed_address):
            self._finish(TcpConnection(accepted, self._clock))
        else:
            accepted.close()

    def _finish(self, connection: TcpConnection | None) -> None:
        if self._connection_future.done():
            return
        self._watcher.remove_reader(self._socket)
        self._socket.close()
        self._timer.cancel()
        self._connection_future.set_result(connection)


async def listen_for_bot(
    host: str, allowed_address: str, wait_seconds: float, *, ports: Sequence[int] = (), clock: Clock | None = None
) -> BotListener:
    """Listens on `host`, on the first free port of `ports`. If `ports` is empty, listens on any free port.

    Accepts one connection, from `allowed_address` only, within `wait_seconds`. Raises OSError if no port is free.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    create = partial(
        socket.create_server, family=family, backlog=4, dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6()
    )
    *first_ports, last_port = ports or (0,)
    for port in first_ports:
        with contextlib.suppress(OSError):
            return BotListener(create((host, port)), allowed_address, wait_seconds, clock)
    return BotListener(create((host, last_port)), allowed_address, wait_seconds, clock)
