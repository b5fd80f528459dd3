"""The asyncio protocol of new connections, with limits of bytes and time that uvicorn does not have.

A new connection is a `FirstRequest`, which only counts bytes. Once the head of its request is complete and it is its
turn, it becomes a `PageSocket` (WebSocket) or an `HttpConnection` (everything else, parsed by uvicorn and h11).
"""

import asyncio
import contextlib
import re
import socket

from broadcast.web.connections import http_connection
from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.http_connection import HttpConnection
from broadcast.web.connections.limits import Place
from broadcast.web.connections.page_socket import PageSocket, answer

MAX_HEAD_BYTES = 8192
"""The longest head of a request: its first line and all headers together."""
UNREAD_SECONDS = 10
"""A connection is closed when its other end has taken nothing of what it was sent for so long."""
TURNED_AWAY = "Connections were turned away: every place is taken, or one address came too often"
_END = re.compile(rb"\r?\n\r?\n")
"""Where the head of a request ends."""
_TOO_LONG = b"The head of a request has at most 8 KiB.\n"
_CLAIMS = (b"token=", b"desk_")
"""A head with one of these may have a token of the desk, in the address or as a cookie. It waits in a queue of its
own, so that an operator is not delayed by others behind the same address; the token itself is checked later."""


class FirstRequest(asyncio.BufferedProtocol):
    """A new connection until the head of its first request is complete (at most MAX_HEAD_BYTES, within HEAD_SECONDS).

    `place` must be set before asyncio connects it. A head that is too long is answered with status 400.
    """

    def __init__(self, server: ServerContext) -> None:
        self.place: Place | None = None
        self._server = server
        self._transport: asyncio.Transport | None = None
        self._head = bytearray()
        self._end = 0
        self._timer: asyncio.TimerHandle | None = None
        self._is_gone = False

    def give_way(self) -> None:
        """Closes the connection because its place is needed for another. May be called before it is connected."""
        self._server.log.warning(TURNED_AWAY)
        self._is_gone = True
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        has_left = transport.get_extra_info("peername") is None  # reset before it was accepted; its words can be read
        if self._is_gone or has_left:
            self._is_gone = True
            transport.abort()
            return
        self._server.connections.add(self)
        _end_if_unread(transport)
        self._timer = self._server.loop.call_later(http_connection.HEAD_SECONDS, transport.abort)

    def get_buffer(self, sizehint: int) -> bytearray:
        """The server's shared buffer: asyncio fills it and calls `buffer_updated` before it uses it again."""
        return self._server.piece

    def buffer_updated(self, nbytes: int) -> None:
        assert self._transport, "bytes come on a connection"
        searched = max(0, len(self._head) - 3)
        self._head += self._server.piece[:nbytes]
        end = _END.search(self._head, searched)
        self._end = end.end() if end else 0
        if (self._end or len(self._head)) > MAX_HEAD_BYTES:
            self._transport.write(answer(400, self._server.headers, _TOO_LONG))
            self._transport.close()
        elif self._end:
            self._mind_no_more()  # also when the time is over by now, because this process could not run for so long
            self._transport.pause_reading()
            claims = any(each in self._head for each in _CLAIMS)
            address = self.place and self.place.address
            self._server.turns.wait((address and address.site, claims), address, self._go_on)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        self._is_gone = True
        if self.place:
            self.place.leave()

    def shutdown(self) -> None:
        """Called when the server ends."""
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        """Called a second later if it is still there."""
        if self._transport:
            self._transport.abort()

    def _leave(self) -> None:
        self._server.connections.discard(self)
        self._mind_no_more()

    def _mind_no_more(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _go_on(self) -> None:
        if self._is_gone or not self._transport or not self.place:
            return
        self._leave()
        self._transport.resume_reading()  # first: whoever reads from now on may pause it again
        head = bytes(self._head[: self._end])
        if _asks_for_socket(head):
            PageSocket(self._server, self._transport, self.place).begin(head)
        else:
            HttpConnection(self._server, self.place).begin(self._transport, bytes(self._head))


def _asks_for_socket(head: bytes) -> bool:
    """Whether a complete head has the header `Upgrade: websocket`, whatever else is wrong with it."""
    _, found, rest = head.lower().partition(b"\nupgrade:")
    return bool(found) and b"websocket" in rest.partition(b"\n")[0]


def _end_if_unread(transport: asyncio.Transport) -> None:
    """Has the kernel end the connection once nothing of what was sent on it is taken any more, whoever sends it."""
    with contextlib.suppress(AttributeError):  # Only Linux can.
        connected: socket.socket = transport.get_extra_info("socket")
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
