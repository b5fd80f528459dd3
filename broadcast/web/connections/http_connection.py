"""HTTP connections, with limits on time and on unread bodies, which uvicorn's protocol lacks.

Only this file relies on internals of uvicorn. A test lists these internals, and the minor version of uvicorn is pinned.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.limits import REQUEST_QUEUE_KEY, SLOT_KEY, Slot
from broadcast.web.connections.page_socket import PageSocket, response_bytes

HEAD_SECONDS = 5.0
"""How long the head of a request may take, in seconds. uvicorn itself would wait forever."""
BODY_SECONDS_AFTER_ANSWER = 180.0
"""If a request is answered before all of it has arrived, the server receives and drops the rest for this many seconds.
Browsers show an answer only after they have sent the whole request. The time is long so that an author with a slow
connection can still read why a large bot was refused.
"""
MAX_BODY_BYTES_AFTER_ANSWER = 16 << 20
"""How many bytes of a body are received and dropped after the answer."""
_NO_REQUEST = b"This is not an HTTP request.\n"


class HttpConnection(H11Protocol):
    """uvicorn's HTTP protocol with limits. The number of connections is limited, too: each has a `slot` until its end.

    Aborts a connection if the head of the next request takes longer than HEAD_SECONDS. After an answer,
    BODY_SECONDS_AFTER_ANSWER and MAX_BODY_BYTES_AFTER_ANSWER limit the rest of the answered request.
    """

    _answered_bytes = 0
    """How many bytes of the body arrived after the answer."""

    def __init__(self, server: ServerContext, slot: Slot) -> None:
        super().__init__(
            server.uvicorn_config, server.state, {SLOT_KEY: slot, REQUEST_QUEUE_KEY: server.request_queue}, server.loop
        )
        self._server = server
        self._slot = slot
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def begin(self, transport: asyncio.Transport, received: bytes) -> None:
        """Takes over a connected transport, with everything `received` on it so far."""
        transport.set_protocol(self)
        self.connection_made(transport)
        self.data_received(received)

    def abort(self) -> None:
        """Aborts the connection. Called when the server ends and the client still has not read an answer."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_timer("head")
        elif "head" not in self._timers:
            self._start_timer("head", HEAD_SECONDS)
        if self.conn.our_state is not h11.DONE:  # not answered yet, or the rest of the request has arrived
            self._stop_timer("body")
        elif "body" in self._timers:
            self._answered_bytes += len(data)
            if self._answered_bytes > MAX_BODY_BYTES_AFTER_ANSWER:
                self.transport.abort()

    def on_response_complete(self) -> None:
        if self.conn.their_state is h11.SEND_BODY:
            self._answered_bytes = 0
            self._start_timer("body", BODY_SECONDS_AFTER_ANSWER)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Turns the connection into a WebSocket, even after other requests, because proxies reuse connections."""
        self._stop_timer("head")
        self.connections.discard(self)
        lines = (b"%b %b HTTP/1.1" % (event.method, event.target), *(b"%b: %b" % header for header in event.headers))
        PageSocket(self._server, self.transport, self._slot).begin(b"\r\n".join((*lines, b"", b"")))

    def send_400_response(self, msg: str) -> None:
        """Closes the connection after an unreadable request. Answers the request first if no answer has begun. Replaces
        uvicorn's own method, which may raise an exception after an answer has begun.
        """
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True  # drops the rest of the application's answer
            self.cycle.message_event.set()
        if not (self.cycle and self.cycle.response_started and not self.cycle.response_complete):
            self.transport.write(response_bytes(400, self._server.headers, _NO_REQUEST))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer("head")
        self._stop_timer("body")
        self._slot.release()
        super().connection_lost(exc)

    def _start_timer(self, part: str, seconds: float) -> None:
        """Starts a timer that aborts the connection if this part of a request is not complete in time."""
        self._timers[part] = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self, part: str) -> None:
        if part in self._timers:
            self._timers.pop(part).cancel()
