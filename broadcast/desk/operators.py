"""Gives each open page of the desk a seat with a unique name, and sends it the state over a WebSocket.

A page gets the whole state whenever the state changes, and no history.
"""

import asyncio
import contextlib
from collections.abc import Callable

from fastapi import WebSocket
from msgspec import Struct

from broadcast.web.access import Right, VisitorsRight

LONGEST_NAME = 24
"""The most characters in an operator's name."""
TICK_SECONDS = 0.1
"""The seconds between two checks for a change of the state."""
MAX_SEATS = 50
"""The most pages open at once. Each page causes work ten times a second, and anybody with the view token could open
thousands of pages.
"""
HEARTBEAT_TICKS = 10
"""After this many ticks without a change, a page gets the state anyway. So the page can tell when its connection is
dead."""


class DeskSeat(Struct, frozen=True):
    """An operator's page: its name, its right at the desk, and its IP address."""

    name: str
    right: Right
    address: str


class DeskSocket:
    """The endpoint of `/ws/desk?name=Ann`. `state_json` returns the state for a seat, as JSON."""

    def __init__(self, state_json: Callable[[DeskSeat], bytes]) -> None:
        self.seats: list[DeskSeat] = []
        """The claimed seats, in the order in which their pages were opened."""
        self._state_json = state_json

    def claim(self, name: str, right: Right, address: str) -> DeskSeat:
        """Claims a seat under `name`, with a number added if the name is taken. If `name` is "", the seat is called
        "desk 1", "desk 2" and so on.
        """
        wanted = fit_name(name)
        taken = {seat.name for seat in self.seats}
        choices = ([wanted] if wanted else []) + [f"{wanted or 'desk'} {number}" for number in range(1, len(taken) + 2)]
        free_name = next(each for each in choices if each not in taken)
        seat = DeskSeat(free_name, right, address)
        self.seats = [*self.seats, seat]
        return seat

    def leave(self, seat: DeskSeat) -> None:
        """Frees a seat. Does nothing if the seat is not claimed."""
        self.seats = [other for other in self.seats if other is not seat]

    async def __call__(self, page: WebSocket, right: VisitorsRight, name: str = "") -> None:
        if len(self.seats) >= MAX_SEATS:
            await page.close(4429, "every seat at the desk is taken")
            return
        await page.accept()
        seat = self.claim(name, right, page.client.host if page.client else "")
        sending = asyncio.create_task(self._send_state(seat, page))
        try:
            await page.receive()  # PageSocket delivers only the disconnection
        finally:
            self.leave(seat)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sending

    async def _send_state(self, seat: DeskSeat, page: WebSocket) -> None:
        """Sends the state to a page whenever it has changed; less often if the page reads slowly."""
        sent, ticks = b"", 0
        while True:
            text = self._state_json(seat)
            if text != sent or ticks >= HEARTBEAT_TICKS:
                await page.send_text(text.decode())
                sent, ticks = text, 0
            await asyncio.sleep(TICK_SECONDS)
            ticks += 1


def fit_name(name: str) -> str:
    """Returns an operator's name as the journal and the pages have it: one line of at most LONGEST_NAME printable
    characters.
    """
    return one_line(name, LONGEST_NAME)


def one_line(text: str, max_characters: int) -> str:
    """Returns a text as one line of at most `max_characters` printable characters, possibly empty."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:max_characters].strip()
