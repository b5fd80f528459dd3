"""The WebSocket of one page, as an asyncio protocol that runs an ASGI application. Uses `websockets` for framing.

Pages only listen. The application learns when a page connects and disconnects. Bytes from a page are read within a
budget, and then dropped. The application finds the PageSocket in scope["extensions"][PAGE_EXTENSION]["page"]. With it,
the application can write to many pages at once. If a page has no unsent bytes, the application writes straight to the
page's socket.
"""

import asyncio
import contextlib
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import unquote

from starlette.types import Message, Scope
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.limits import SLOT_KEY, Slot
from server.token_bucket import TokenBucket

PAGE_EXTENSION = "highnoon.page"
"""The key in a WebSocket's scope["extensions"]. Its value is {"page": page}, with the connection's PageSocket."""
MAX_REASON_BYTES = 123
"""The maximum length of a reason for closing, in bytes of UTF-8."""
MAX_MESSAGE_BYTES = 4096
HANDSHAKE_SECONDS = 5.0
READ_BYTES = 128
"""How many bytes are read from a page at once: enough for 21 of the smallest frames."""
BURST_BYTES = 1024
"""How many bytes a page may send at once. A page only has to answer pings."""
BYTES_PER_SECOND = 70.0
"""How many bytes per second a page may send in the long run: enough for one short frame and its FRAME_COST. Further
bytes wait in the kernel. So even thousands of pages that use their whole budget leave enough time for the show.
"""
FRAME_COST = 64
"""A page is charged this many bytes for each frame, on top of the frame's size. Parsing many small frames takes longer
than parsing a single large frame.
"""
MAX_FULL_READS = 3
"""A page over its budget is disconnected if more than this many reads in a row each fill the read buffer."""
PING_SECONDS = 20.0
"""The seconds between two pings. A page that sends nothing between two pings is disconnected."""
CLOSING_SECONDS = 5.0
"""How many seconds a page may take to answer a close."""
_NO_HANDSHAKE = b"A handshake is a GET with at most 128 headers of at most 8 KiB in all, and no body.\n"


class PageGone(ConnectionError):
    """The connection is closed: nothing can be sent."""


class PageSocket(asyncio.BufferedProtocol):
    """The connection of one page. Construct it with a connected transport, then call `begin`.

    `slot` is the connection's place among the limited number of connections.
    """

    def __init__(self, server: ServerContext, transport: asyncio.Transport, slot: Slot) -> None:
        self._server = server
        self.transport = transport
        self._slot = slot
        self._read_buffer = bytearray(READ_BYTES)
        self._protocol = ServerProtocol(logger=server.log)
        self._budget = TokenBucket(BURST_BYTES, BYTES_PER_SECOND, server.loop.time)
        self._full_reads = 0
        self._is_alive = True
        self._refusal: Message = {}
        self._is_connect_sent = False
        self._gone = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._on_writable: Callable[[bool], None] = lambda _: None
        self._timer = server.loop.call_later(HANDSHAKE_SECONDS, transport.abort)

    def begin(self, head: bytes) -> None:
        """Reads the handshake from the complete `head` of the request. Starts the application or refuses."""
        self.transport.set_protocol(self)
        self._server.connections.add(self)
        self.transport.pause_reading()  # until the application has answered
        self._protocol.receive_data(head)
        request = next(iter(self._protocol.events_received()), None)
        if not isinstance(request, Request):
            self._refuse(400, [], _NO_HANDSHAKE)
            return
        self._response = self._protocol.accept(request)
        if self._response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._protocol.send_response(self._response)
            self._flush()
            return
        task = self._server.loop.create_task(self._run_app(self._scope(request)))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    def shutdown(self) -> None:
        """Closes the connection. uvicorn calls this when the server ends."""
        self._close(CloseCode.GOING_AWAY)
        self.transport.close()

    def abort(self) -> None:
        """Aborts the connection. The server calls this last, for clients that do not read."""
        self.transport.abort()

    @property
    def fd(self) -> int:
        """The file descriptor of the socket, or -1 once the socket is closed."""
        return int(self.transport.get_extra_info("socket").fileno())

    def watch_writable(self, on_writable: Callable[[bool], None]) -> None:
        """Calls `on_writable` now and at each change. Its argument says whether the application may write to the socket
        directly.

        Direct writes are allowed while the transport has nothing to send and the connection is not being closed.
        `on_writable` gets False before the socket closes. After that, the file descriptor may belong to another socket.
        """
        self.transport.set_write_buffer_limits(0)  # calls pause_writing() as soon as one byte has to wait
        self._on_writable = on_writable
        on_writable(self._is_writable)

    @property
    def _is_writable(self) -> bool:
        return self._protocol.state is State.OPEN and self._writable.is_set() and not self.transport.is_closing()

    def get_buffer(self, sizehint: int) -> bytearray:
        """Returns a small buffer, so that parsing one page's frames does not delay the next page."""
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._is_alive = True
        self._protocol.receive_data(self._read_buffer[:nbytes])
        frames = len(self._protocol.events_received())
        self._flush()
        self._full_reads = self._full_reads + 1 if nbytes == READ_BYTES else 0
        self._charge_bytes(nbytes + FRAME_COST * frames)

    def pause_writing(self) -> None:
        self._writable.clear()
        self._on_writable(False)

    def resume_writing(self) -> None:
        self._writable.set()
        self._on_writable(self._is_writable)

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_writable(False)
        self._on_writable = lambda _: None
        self._timer.cancel()
        self._gone.set()
        self._writable.set()
        self._slot.release()
        self._server.connections.discard(self)

    def _flush(self) -> None:
        """Writes the protocol's bytes, and closes the connection if the protocol has ended."""
        parts = self._protocol.data_to_send()
        self.transport.write(b"".join(parts))
        if SEND_EOF in parts:
            self._expect_end()
            self.transport.close()

    def _expect_end(self) -> None:
        """Stops direct writes to the socket. Aborts the connection if the connection does not end soon."""
        self._on_writable(False)
        self._timer.cancel()
        self._timer = self._server.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def _charge_bytes(self, cost: int) -> None:
        """Charges `cost` to the budget. If the page is over its budget, reads from it later, or disconnects it."""
        seconds = self._budget.charge(cost)
        if not seconds or self.transport.is_closing():
            return
        if self._full_reads > MAX_FULL_READS:
            self._slot.charge_flood()
            self.transport.abort()
        else:
            self.transport.pause_reading()
            self._server.loop.call_later(seconds, self._resume_reading)

    def _resume_reading(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def _scope(self, request: Request) -> Scope:
        path, _, query = request.path.partition("?")
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "server": self.transport.get_extra_info("sockname")[:2],
            "client": self.transport.get_extra_info("peername")[:2],
            "root_path": "",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), text.encode("latin-1")) for name, text in request.headers.raw_items()],
            "subprotocols": [],
            "state": {SLOT_KEY: self._slot},
            "extensions": {"websocket.http.response": {}, PAGE_EXTENSION: {"page": self}},
        }

    async def _run_app(self, scope: Scope) -> None:
        try:
            with contextlib.suppress(PageGone):
                await self._server.app(scope, self._receive, self._send)
        except Exception:
            self._server.log.exception("Exception in ASGI application")
        if self._protocol.state is State.CONNECTING and not self.transport.is_closing():
            self._refuse(500, [], b"Internal Server Error\n")
        else:
            self._close(CloseCode.INTERNAL_ERROR)

    async def _receive(self) -> Message:
        if not self._is_connect_sent:
            self._is_connect_sent = True
            return {"type": "websocket.connect"}
        await self._gone.wait()
        return {"type": "websocket.disconnect", "code": CloseCode.NORMAL_CLOSURE}

    async def _send(self, message: Message) -> None:
        """Sends an ASGI message. Waits while the buffer is full. Raises PageGone. Raises RuntimeError for a message of
        unknown type.
        """
        await self._writable.wait()
        if self.transport.is_closing():
            raise PageGone("the page has left")
        match message["type"]:
            case "websocket.accept":
                self._open()
            case "websocket.send":
                self._protocol.send_text(message["text"].encode())
                self._flush()
            case "websocket.close" if self._protocol.state is State.CONNECTING:
                self._refuse(403, [], b"")
            case "websocket.close":
                self._close(message.get("code", CloseCode.NORMAL_CLOSURE), message.get("reason") or "")
            case "websocket.http.response.start":
                self._refusal = message
            case "websocket.http.response.body":
                self._refuse(self._refusal["status"], self._refusal["headers"], message.get("body", b""))
            case other:
                raise RuntimeError(f"a page's socket cannot send {other}")

    def _open(self) -> None:
        self._timer.cancel()
        self._timer = self._server.loop.call_later(PING_SECONDS, self._ping)
        self._protocol.send_response(self._response)
        self._flush()
        del self._response
        # Replaces the protocol, because the old protocol would keep the whole request in memory.
        self._protocol = ServerProtocol(state=State.OPEN, max_size=MAX_MESSAGE_BYTES, logger=self._server.log)
        self.transport.resume_reading()

    def _ping(self) -> None:
        if not self._is_alive:
            self.transport.abort()
            return
        self._is_alive = False
        self._protocol.send_ping(b"")
        self._flush()
        self._timer = self._server.loop.call_later(PING_SECONDS, self._ping)

    def _refuse(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.transport.write(response_bytes(status, [*self._server.headers, *headers], body))
        self.transport.close()

    def _close(self, code: int, reason: str = "") -> None:
        if self._protocol.state is State.OPEN and not self.transport.is_closing():
            self._expect_end()
            self._protocol.send_close(code, reason)
            self._flush()


def text_frame(text: bytes) -> bytes:
    """Returns a whole WebSocket message, ready to be written to any number of pages. `text` is UTF-8."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)


def response_bytes(status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    """Returns the bytes of an HTTP response that ends the connection. Adds Content-Length."""
    status_line = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()
    headers = [*headers, (b"connection", b"close")]
    if not any(name.lower() == b"content-length" for name, _ in headers):
        headers.append((b"content-length", b"%d" % len(body)))
    return b"\r\n".join((status_line, *(b"%b: %b" % each for each in headers), b"", body))
