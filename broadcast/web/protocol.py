"""uvicorn's protocols under limits: what a stranger sends, or does not, costs little before any route is asked.

Every connection has a place or is cut off, its head a time, its frames a budget, its unread answers an end.
"""

import asyncio
import contextlib
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from broadcast.web.connection_limits import PLACE, Place, Places
from broadcast.web.token_bucket import Allowance

TRANSPORT = "highnoon.transport"
"""Under this name the extensions of a scope have the connection's transport."""
PLACES = "highnoon.places"
"""Under this name the server's state has its places."""
HEAD_SECONDS = 5.0
"""The head of a request must be whole by then, and so must a handshake; uvicorn itself would wait for ever."""
UNREAD_SECONDS = 10
"""A connection whose other end takes nothing of what it was sent for so long is cut off."""
READ_BYTES = 512
"""At most so much of a page's socket is parsed at once: that is 85 of the smallest frames."""
SAID_AT_ONCE = 16 * 1024
"""Bytes from a page's socket, which has nothing to say but an answer to a ping every 20 s."""
SAID_A_SECOND = 1024.0
FRAME_COST = 64
"""Bytes that a frame counts for besides its own: the smallest ones are the dearest to parse."""
TURNED_AWAY = "Connections were turned away: every place is taken, or one address came too often"
_FAULTY = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 63\r\n\r\n"
    b"A handshake is a GET with at most 128 headers of at most 8 KiB\n"
)


class PromptProtocol(H11Protocol):
    """HTTP; a connection that says nothing, or half of something, or finds no place, is cut off."""

    _head: asyncio.TimerHandle | None = None
    _place: Place | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        places: Places = self.app_state[PLACES]
        self._place = places.take(self.client[0] if self.client else "", self._turn_away)
        if self._place is None:
            self._turn_away()
            return
        self.app_state = {PLACE: self._place}  # a WebSocket on this connection gets the same
        _end_if_unread(transport)
        self._head = self.loop.call_later(HEAD_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._mind_no_more()
        elif self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._mind_no_more()
        if self._place:
            self._place.leave()
        super().connection_lost(exc)

    def _turn_away(self) -> None:
        self.logger.warning(TURNED_AWAY)
        self.transport.abort()

    def _mind_no_more(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head = None


class ShowProtocol(WebSocketsSansIOProtocol, asyncio.BufferedProtocol):
    """WebSockets of pages, which have nothing to say; the connection's transport stands in the scope's extensions."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._piece = bytearray(READ_BYTES)
        self._said = Allowance(SAID_AT_ONCE, SAID_A_SECOND, self.loop.time)
        self._handshake = self.loop.call_later(HEAD_SECONDS, self._end_handshake)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where the next bytes are put: a little at a time, so that nobody's frames hold up the others."""
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        if self._said.spend(nbytes):
            self.data_received(bytes(self._piece[:nbytes]))
        else:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(_FAULTY)  # uvicorn would neither answer nor hang up
            self.transport.close()

    def handle_events(self) -> None:
        if self._said.spend(FRAME_COST * len(self.conn.events)):
            super().handle_events()
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._handshake.cancel()
        place: Place = self.app_state[PLACE]
        place.leave()
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        extensions = self.scope["extensions"]
        assert extensions is not None, "uvicorn always offers extensions"
        extensions[TRANSPORT] = {"transport": self.transport}
        await super().run_asgi()

    def send_receive_event_to_app(self) -> None:
        """Whatever comes is dropped, not even decoded."""
        self.frames = []

    def _end_handshake(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()


def _end_if_unread(transport: asyncio.Transport) -> None:
    """Has the kernel end the connection once nothing of what was sent on it is taken any more, whoever sends it."""
    with contextlib.suppress(AttributeError):  # Only Linux can.
        wire: socket.socket = transport.get_extra_info("socket")
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
