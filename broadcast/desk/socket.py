"""The desk's WebSocket: every operator's page is sent the whole state whenever it changes, and no history."""

import asyncio
import contextlib
from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from broadcast.desk.operators import DeskSeat, DeskSeats
from broadcast.web.access import RIGHT

TICK_SECONDS = 0.1
"""Seconds between two looks at whether the state has changed."""
MOST_SEATS = 50
"""Every page is told ten times a second how all is; whoever may look could open a thousand."""
BEAT_TICKS = 10
"""A page is sent the state at least so often, so that it notices a dead connection."""


class DeskSocket:
    """The ASGI application behind `/ws/desk?name=Ann`. `text` gives the state as JSON, for one seat."""

    def __init__(self, seats: DeskSeats, text: Callable[[DeskSeat], bytes]) -> None:
        self._seats = seats
        self._text = text

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        if len(self._seats.taken) >= MOST_SEATS:
            await send({"type": "websocket.close", "code": 4429, "reason": "every seat at the desk is taken"})
            return
        await send({"type": "websocket.accept"})
        name = parse_qs(scope["query_string"].decode("latin-1")).get("name", [""])[0]
        seat = self._seats.take(name, scope[RIGHT], scope["client"][0] if scope["client"] else "")
        telling = asyncio.create_task(self._tell(seat, send))
        try:
            await receive()  # nothing but the disconnection ever comes: see PageSocket
        finally:
            self._seats.leave(seat)
            telling.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await telling

    async def _tell(self, seat: DeskSeat, send: Send) -> None:
        """Sends one page the state when it has changed; one that is slow to read is sent it less often."""
        told, ticks = b"", 0
        while True:
            text = self._text(seat)
            if text != told or ticks >= BEAT_TICKS:
                await send({"type": "websocket.send", "text": text.decode()})
                told, ticks = text, 0
            await asyncio.sleep(TICK_SECONDS)
            ticks += 1
