"""HTTP connections: the only file that reaches into uvicorn, whose protocol limits neither time nor unread bodies.

A test lists what this relies on; therefore uvicorn is pinned to its minor version.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.limits import SLOT, TURNS, Slot
from broadcast.web.connections.page_socket import PageSocket, answer

HEAD_SECONDS = 5.0
"""How long the head of a request may take; uvicorn itself would wait for ever."""
BODY_SECONDS = 180.0
"""How long the rest of a request may take once it is answered, though nobody reads it. Browsers show an answer only
after sending everything, so a large bot on a slow line must be received before its author learns why it was refused."""
MAX_BODY_BYTES_AFTER_ANSWER = 16 << 20
_NO_REQUEST = b"This is not an HTTP request.\n"


class HttpConnection(H11Protocol):
    """uvicorn's HTTP protocol, which cuts off a connection whose next head takes longer than HEAD_SECONDS.

    It also cuts off an answered request whose body takes longer than BODY_SECONDS or has more than
    MAX_BODY_BYTES_AFTER_ANSWER left.
    """

    _answered_bytes = 0
    """Bytes of the body that came after the answer."""

    def __init__(self, server: ServerContext, slot: Slot) -> None:
        super().__init__(server.uvicorn_config, server.state, {SLOT: slot, TURNS: server.requests}, server.loop)
        self._server = server
        self._slot = slot
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def begin(self, transport: asyncio.Transport, words: bytes) -> None:
        """Takes over a connected transport; `words` is everything received on it so far."""
        transport.set_protocol(self)
        self.connection_made(transport)
        self.data_received(words)

    def abort(self) -> None:
        """Cuts the connection off; called if an answer is still unread when the server ends."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop("head")
        elif "head" not in self._timers:
            self._start("head", HEAD_SECONDS)
        if self.conn.our_state is not h11.DONE:  # the body is complete, and the next request may come
            self._stop("body")
        elif "body" in self._timers:
            self._answered_bytes += len(data)
            if self._answered_bytes > MAX_BODY_BYTES_AFTER_ANSWER:
                self.transport.abort()

    def on_response_complete(self) -> None:
        if self.conn.their_state is h11.SEND_BODY:
            self._answered_bytes = 0
            self._start("body", BODY_SECONDS)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Turns a connection that had other requests into a WebSocket, as proxies reuse connections."""
        self._stop("head")
        self.connections.discard(self)
        lines = (b"%b %b HTTP/1.1" % (event.method, event.target), *(b"%b: %b" % each for each in event.headers))
        PageSocket(self._server, self.transport, self._slot).begin(b"\r\n".join((*lines, b"", b"")))

    def send_400_response(self, msg: str) -> None:
        """Answers an unreadable request, unless an answer is half sent, and closes. uvicorn's own method may raise."""
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True  # drops the rest of the application's answer
            self.cycle.message_event.set()
        if not (self.cycle and self.cycle.response_started and not self.cycle.response_complete):
            self.transport.write(answer(400, self._server.headers, _NO_REQUEST))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop("head")
        self._stop("body")
        self._slot.leave()
        super().connection_lost(exc)

    def _start(self, part: str, seconds: float) -> None:
        """Cuts the connection off unless this part of a request is complete in time."""
        self._timers[part] = self.loop.call_later(seconds, self.transport.abort)

    def _stop(self, part: str) -> None:
        if part in self._timers:
            self._timers.pop(part).cancel()
