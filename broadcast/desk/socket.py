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
"""Connections at a time: each costs work ten times a second, and anybody with the view token could open thousands."""
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
        sending = asyncio.create_task(self._send_state(seat, send))
        try:
            await receive()  # PageSocket delivers nothing but the disconnection
        finally:
            self._seats.leave(seat)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sending

    async def _send_state(self, seat: DeskSeat, send: Send) -> None:
        """Sends a page the state whenever it has changed; a page that reads slowly gets it less often."""
        sent, ticks = b"", 0
        while True:
            text = self._text(seat)
            if text != sent or ticks >= BEAT_TICKS:
                await send({"type": "websocket.send", "text": text.decode()})
                sent, ticks = text, 0
            await asyncio.sleep(TICK_SECONDS)
            ticks += 1
