"""The operators at the desk: a seat with a unique name for every open page, and the WebSocket that sends it the state.

A page gets the whole state whenever it changes, and no history.
"""

import asyncio
import contextlib
from collections.abc import Callable

from fastapi import WebSocket
from msgspec import Struct

from broadcast.web.access import Right, VisitorsRight

LONGEST_NAME = 24
"""The most characters of an operator's name."""
TICK_SECONDS = 0.1
"""Seconds between two checks for a change of the state."""
MAX_SEATS = 50
"""Connections at once: each takes work ten times a second, and anybody with the view token could open thousands."""
BEAT_TICKS = 10
"""After this many ticks without a change a page gets the state anyway, so that it notices a dead connection."""


class DeskSeat(Struct, frozen=True):
    """An operator's page: its name, its right at the desk, and its IP address."""

    name: str
    right: Right
    address: str


class DeskSocket:
    """The endpoint of `/ws/desk?name=Ann`. `text` gives the state as JSON, for one seat."""

    def __init__(self, text: Callable[[DeskSeat], bytes]) -> None:
        self.seats: list[DeskSeat] = []
        """The claimed seats in the order in which their pages were opened."""
        self._text = text

    def claim(self, name: str, right: Right, address: str) -> DeskSeat:
        """Claims a seat under `name`, with a number if that is taken; "desk 1", "desk 2" and so on without a name."""
        given = fit_name(name)
        names = {seat.name for seat in self.seats}
        choices = ([given] if given else []) + [f"{given or 'desk'} {number}" for number in range(1, len(names) + 2)]
        free = next(each for each in choices if each not in names)
        seat = DeskSeat(free, right, address)
        self.seats = [*self.seats, seat]
        return seat

    def leave(self, seat: DeskSeat) -> None:
        """Frees `seat`; does nothing if it is not claimed."""
        self.seats = [other for other in self.seats if other is not seat]

    async def __call__(self, page: WebSocket, right: VisitorsRight, name: str = "") -> None:
        if len(self.seats) >= MAX_SEATS:
            await page.close(4429, "every seat at the desk is taken")
            return
        await page.accept()
        seat = self.claim(name, right, page.client.host if page.client else "")
        sending = asyncio.create_task(self._send_state(seat, page))
        try:
            await page.receive()  # PageSocket delivers nothing but the disconnection
        finally:
            self.leave(seat)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sending

    async def _send_state(self, seat: DeskSeat, page: WebSocket) -> None:
        """Sends a page the state whenever it has changed, less often if the page reads slowly."""
        sent, ticks = b"", 0
        while True:
            text = self._text(seat)
            if text != sent or ticks >= BEAT_TICKS:
                await page.send_text(text.decode())
                sent, ticks = text, 0
            await asyncio.sleep(TICK_SECONDS)
            ticks += 1


def fit_name(name: str) -> str:
    """An operator's name for journal and page: one line of printable characters, at most `LONGEST_NAME`."""
    return one_line(name, LONGEST_NAME)


def one_line(text: str, most: int) -> str:
    """A text as one line of at most `most` printable characters, possibly empty."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:most].strip()
