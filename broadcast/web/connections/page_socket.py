"""The WebSocket of one page, as an asyncio protocol that runs an ASGI application; `websockets` reads and writes it.

Pages only listen: the application receives the connection and its end, never messages. What a page sends is read
at most at the rate of its budget. scope["extensions"][PAGE]["page"] is the PageSocket, for writing to many pages at
once: past its transport where that has nothing to send.
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
from broadcast.web.connections.limits import PLACE, Place
from server.token_bucket import TokenBucket

PAGE = "highnoon.page"
"""Key of the connection's PageSocket, as {"page": page}, in a WebSocket's scope["extensions"]."""
MAX_REASON_BYTES = 123
"""The longest reason for a close, in UTF-8."""
MAX_MESSAGE_BYTES = 4096
"""The longest message of a page, which nobody reads."""
HANDSHAKE_SECONDS = 5.0
READ_BYTES = 128
"""The most that is read from a page at once: 21 of the smallest frames."""
SAID_AT_ONCE = 1024
"""Bytes that a page may send at once; all it needs to send is the answer to a ping."""
SAID_A_SECOND = 70.0
"""Bytes that a page may send in a second in the long run: a ping of its own. More is left in the kernel until then, so
that thousands of pages that send what they may leave the show its time."""
FRAME_COST = 64
"""Bytes that each frame counts for besides its own, as parsing the smallest ones takes the most time."""
FULL_READS = 3
"""A page that is over its budget after more than so many full reads in a row is cut off: it is a flood."""
PING_SECONDS = 20.0
"""Between two pings to a page. It is cut off if nothing came from it in between."""
CLOSING_SECONDS = 5.0
"""How long the other end may take to answer a close."""
_NO_HANDSHAKE = b"A handshake is a GET with at most 128 headers of at most 8 KiB in all, and no body.\n"


class PageGone(ConnectionError):
    """The connection is closed, so nothing can be sent to the page."""


class PageSocket(asyncio.BufferedProtocol):
    """The connection of one page. Construct it on a connected transport with its place, then call `begin`."""

    def __init__(self, server: ServerContext, transport: asyncio.Transport, place: Place) -> None:
        self._server = server
        self.transport = transport
        self._place = place
        self._piece = bytearray(READ_BYTES)
        self._protocol = ServerProtocol(logger=server.log)
        self._said = TokenBucket(SAID_AT_ONCE, SAID_A_SECOND, server.loop.time)
        self._full = 0
        self._heard = True
        self._refusal: Message = {}
        self._is_connect_sent = False
        self._gone = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._tell: Callable[[bool], None] = lambda _: None
        self._timer = server.loop.call_later(HANDSHAKE_SECONDS, transport.abort)

    def begin(self, head: bytes) -> None:
        """Reads the handshake and starts the application; `head` is the complete head of the request.

        A handshake that is wrong is answered with an HTTP status and one sentence, and the connection closed.
        """
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
        task = self._server.loop.create_task(self._ask(self._scope(request)))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    def shutdown(self) -> None:
        """Closes the connection because the server ends; uvicorn calls it."""
        self._close(CloseCode.GOING_AWAY)
        self.transport.close()

    def abort(self) -> None:
        """Cuts the connection off because its other end does not read; the server calls it last."""
        self.transport.abort()

    @property
    def number(self) -> int:
        """The file number of the socket, -1 once it is closed."""
        return int(self.transport.get_extra_info("socket").fileno())

    def watch(self, tell: Callable[[bool], None]) -> None:
        """Has `tell` called with whether one may send on the socket itself: at once, and whenever that changes.

        One may while the transport has nothing to send and no close has been sent. It is called with False before the
        socket is closed, after which its number may be another's.
        """
        self.transport.set_write_buffer_limits(0)  # pause_writing() as soon as a single byte has to wait
        self._tell = tell
        tell(self._is_free)

    @property
    def _is_free(self) -> bool:
        return self._protocol.state is State.OPEN and self._writable.is_set() and not self.transport.is_closing()

    def get_buffer(self, sizehint: int) -> bytearray:
        """A small buffer, so that parsing one page's frames takes little time before the next page's turn."""
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        self._heard = True
        self._protocol.receive_data(self._piece[:nbytes])
        frames = len(self._protocol.events_received())
        self._flush()
        self._full = self._full + 1 if nbytes == READ_BYTES else 0
        self._pay(nbytes + FRAME_COST * frames)

    def pause_writing(self) -> None:
        self._writable.clear()
        self._tell(False)

    def resume_writing(self) -> None:
        self._writable.set()
        self._tell(self._is_free)

    def connection_lost(self, exc: Exception | None) -> None:
        self._tell(False)
        self._tell = lambda _: None
        self._timer.cancel()
        self._gone.set()
        self._writable.set()
        self._place.leave()
        self._server.connections.discard(self)

    def _flush(self) -> None:
        """Writes what the protocol has to say, and closes the connection where it says so."""
        said = self._protocol.data_to_send()
        self.transport.write(b"".join(said))
        if SEND_EOF in said:
            self._expect_end()
            self.transport.close()

    def _expect_end(self) -> None:
        """Lets nobody write past the transport any more, and cuts the connection off if it does not end soon."""
        self._tell(False)
        self._timer.cancel()
        self._timer = self._server.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def _pay(self, cost: int) -> None:
        """Takes `cost` from the budget. If too little is left, reads on only later, or cuts a flood off."""
        seconds = self._said.owe(cost)
        if not seconds or self.transport.is_closing():
            return
        if self._full > FULL_READS:
            self._place.flooded()
            self.transport.abort()
        else:
            self.transport.pause_reading()
            self._server.loop.call_later(seconds, self._read_on)

    def _read_on(self) -> None:
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
            "state": {PLACE: self._place},
            "extensions": {"websocket.http.response": {}, PAGE: {"page": self}},
        }

    async def _ask(self, scope: Scope) -> None:
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
        """ASGI send; waits while the buffer is full. Raises PageGone, or RuntimeError for a wrong message."""
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
                raise RuntimeError(f"a page's socket knows no {other}")

    def _open(self) -> None:
        self._timer.cancel()
        self._timer = self._server.loop.call_later(PING_SECONDS, self._ping)
        self._protocol.send_response(self._response)
        self._flush()
        del self._response
        # The first one keeps the whole request as long as it is used.
        self._protocol = ServerProtocol(state=State.OPEN, max_size=MAX_MESSAGE_BYTES, logger=self._server.log)
        self.transport.resume_reading()

    def _ping(self) -> None:
        if not self._heard:
            self.transport.abort()
            return
        self._heard = False
        self._protocol.send_ping(b"")
        self._flush()
        self._timer = self._server.loop.call_later(PING_SECONDS, self._ping)

    def _refuse(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.transport.write(answer(status, [*self._server.headers, *headers], body))
        self.transport.close()

    def _close(self, code: int, reason: str = "") -> None:
        """Says goodbye to an open page; does nothing otherwise."""
        if self._protocol.state is State.OPEN and not self.transport.is_closing():
            self._expect_end()
            self._protocol.send_close(code, reason)
            self._flush()


def text_frame(text: bytes) -> bytes:
    """A whole message for pages, which may be written to any number of them. `text` is UTF-8."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)


def answer(status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    """The bytes of an HTTP response with this status and body, which ends the connection. Adds Content-Length."""
    first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()
    sent = [*headers, (b"connection", b"close")]
    if not any(name.lower() == b"content-length" for name, _ in sent):
        sent.append((b"content-length", b"%d" % len(body)))
    return b"\r\n".join((first, *(b"%b: %b" % each for each in sent), b"", body))
