"""The desk's WebSocket: every operator's page is sent the whole state whenever it changes, and no history."""

import asyncio
import contextlib
from collections.abc import Callable

from fastapi import WebSocket

from broadcast.desk.operators import DeskSeat, DeskSeats
from broadcast.web.access import VisitorsRight

TICK_SECONDS = 0.1
"""Seconds between two looks at whether the state has changed."""
MOST_SEATS = 50
"""Connections at a time: each costs work ten times a second, and anybody with the view token could open thousands."""
BEAT_TICKS = 10
"""A page is sent the state at least so often, so that it notices a dead connection."""


class DeskSocket:
    """The endpoint of `/ws/desk?name=Ann`. `text` gives the state as JSON, for one seat."""

    def __init__(self, seats: DeskSeats, text: Callable[[DeskSeat], bytes]) -> None:
        self._seats = seats
        self._text = text

    async def __call__(self, page: WebSocket, right: VisitorsRight, name: str = "") -> None:
        if len(self._seats.taken) >= MOST_SEATS:
            await page.close(4429, "every seat at the desk is taken")
            return
        await page.accept()
        seat = self._seats.take(name, right, page.client.host if page.client else "")
        sending = asyncio.create_task(self._send_state(seat, page))
        try:
            await page.receive()  # PageSocket delivers nothing but the disconnection
        finally:
            self._seats.leave(seat)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sending

    async def _send_state(self, seat: DeskSeat, page: WebSocket) -> None:
        """Sends a page the state whenever it has changed; a page that reads slowly gets it less often."""
        sent, ticks = b"", 0
        while True:
            text = self._text(seat)
            if text != sent or ticks >= BEAT_TICKS:
                await page.send_text(text.decode())
                sent, ticks = text, 0
            await asyncio.sleep(TICK_SECONDS)
            ticks += 1
