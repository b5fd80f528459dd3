"""asyncio protocols of HTTP connections, with limits of bytes and time that uvicorn does not have.

A new connection is a `FirstRequest`, which only counts bytes. Once the head of its request is complete and it is its
turn, it becomes a `PageSocket` (WebSocket) or an `HttpConnection` (everything else, parsed by uvicorn and h11).
"""

import asyncio
import contextlib
import re
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.limits import PLACE, TURNS, Place
from broadcast.web.connections.page_socket import PageSocket, answer

MAX_HEAD_BYTES = 8192
"""The longest head of a request: its first line and all headers together."""
HEAD_SECONDS = 5.0
"""Within so much time the head of a request must be complete; uvicorn itself would wait for ever."""
BODY_SECONDS = 180.0
"""Within so much time after its answer the rest of a request must come, which nobody reads any more. Browsers show an
answer once they have sent all, so who hands in a large bot on a slow line still learns why it was not taken."""
MOST_BODY_BYTES = 16 << 20
"""The most that may come of a request after its answer."""
UNREAD_SECONDS = 10
"""A connection is closed when its other end has taken nothing of what it was sent for so long."""
TURNED_AWAY = "Connections were turned away: every place is taken, or one address came too often"
_END = re.compile(rb"\r?\n\r?\n")
"""Where the head of a request ends."""
_TOO_LONG = b"The head of a request has at most 8 KiB.\n"
_NO_REQUEST = b"This is no HTTP request.\n"
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
        self._timer = self._server.loop.call_later(HEAD_SECONDS, transport.abort)

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


class HttpConnection(H11Protocol):
    """uvicorn's HTTP protocol; closes the connection when a later request's head is not complete in HEAD_SECONDS.

    So it does when the body of a request that has its answer is not complete in BODY_SECONDS, or when more than
    MOST_BODY_BYTES of it come after the answer.
    """

    _head: asyncio.TimerHandle | None = None
    _body: asyncio.TimerHandle | None = None
    _answered_bytes = 0
    """What has come of a body since its answer."""

    def __init__(self, server: ServerContext, place: Place) -> None:
        super().__init__(server.uvicorn_config, server.state, {PLACE: place, TURNS: server.requests}, server.loop)
        self._server = server
        self._place = place

    def begin(self, transport: asyncio.Transport, words: bytes) -> None:
        """Takes over a connected transport; `words` is all that was received on it so far."""
        transport.set_protocol(self)
        self.connection_made(transport)
        self.data_received(words)

    def abort(self) -> None:
        """Cuts the connection off; called when the server has ended and an answer is still not taken."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._mind_no_more()
        elif self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self.transport.abort)
        if self.conn.our_state is not h11.DONE:  # the body is there: the next request may come
            self._mind_body_no_more()
        elif self._body is not None:
            self._answered_bytes += len(data)
            if self._answered_bytes > MOST_BODY_BYTES:
                self.transport.abort()

    def on_response_complete(self) -> None:
        if self.conn.their_state is h11.SEND_BODY:
            self._answered_bytes = 0
            self._body = self.loop.call_later(BODY_SECONDS, self.transport.abort)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Makes a WebSocket of a connection that had other requests before; proxies reuse connections so."""
        self._mind_no_more()
        self.connections.discard(self)
        lines = (b"%b %b HTTP/1.1" % (event.method, event.target), *(b"%b: %b" % each for each in event.headers))
        PageSocket(self._server, self.transport, self._place).begin(b"\r\n".join((*lines, b"", b"")))

    def send_400_response(self, msg: str) -> None:
        """Answers what cannot be read, unless an answer is half sent, and closes.

        uvicorn's own raises after a HEAD request, and where the application has a request to answer.
        """
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True  # what the application still says goes nowhere
            self.cycle.message_event.set()
        if not (self.cycle and self.cycle.response_started and not self.cycle.response_complete):
            self.transport.write(answer(400, self._server.headers, _NO_REQUEST))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._mind_no_more()
        self._mind_body_no_more()
        self._place.leave()
        super().connection_lost(exc)

    def _mind_no_more(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head = None

    def _mind_body_no_more(self) -> None:
        if self._body is not None:
            self._body.cancel()
        self._body = None


def _asks_for_socket(head: bytes) -> bool:
    """Whether a complete head has the header `Upgrade: websocket`, whatever else is wrong with it."""
    _, found, rest = head.lower().partition(b"\nupgrade:")
    return bool(found) and b"websocket" in rest.partition(b"\n")[0]


def _end_if_unread(transport: asyncio.Transport) -> None:
    """Has the kernel end the connection once nothing of what was sent on it is taken any more, whoever sends it."""
    with contextlib.suppress(AttributeError):  # Only Linux can.
        connected: socket.socket = transport.get_extra_info("socket")
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
