"""The open pages of the desk: each has a unique name, and gets the desk's state over a WebSocket.

A page gets the whole state whenever the state changes, and no history.
"""

import asyncio
import contextlib
from collections.abc import Callable

from fastapi import WebSocket
from msgspec import Struct

from broadcast.web.access import Right, RightFromRequest

MAX_NAME_CHARACTERS = 24
"""An operator's name has at most this many characters."""
TICK_SECONDS = 0.1
"""The seconds between two checks for a change of the state."""
MAX_SEATS = 50
"""At most this many pages may be open at once. Each page causes work ten times a second, and anybody with the view-only
token could open thousands of pages.
"""
HEARTBEAT_TICKS = 10
"""After this many checks without a change, a page gets the state anyway. If the state then fails to come, the page
knows that its connection is dead.
"""


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
        wanted_name = fit_name(name)
        taken_names = {seat.name for seat in self.seats}
        numbered_names = [f"{wanted_name or 'desk'} {number}" for number in range(1, len(taken_names) + 2)]
        free_name = next(
            each for each in ([wanted_name] if wanted_name else []) + numbered_names if each not in taken_names
        )
        seat = DeskSeat(free_name, right, address)
        self.seats = [*self.seats, seat]
        return seat

    def leave(self, seat: DeskSeat) -> None:
        """Frees a seat. Does nothing if the seat is not claimed."""
        self.seats = [other for other in self.seats if other is not seat]

    async def __call__(self, page: WebSocket, right: RightFromRequest, name: str = "") -> None:
        if len(self.seats) >= MAX_SEATS:
            await page.close(4429, "every seat at the desk is taken")
            return
        await page.accept()
        seat = self.claim(name, right, page.client.host if page.client else "")
        sender = asyncio.create_task(self._send_state(seat, page))
        try:
            await page.receive()  # returns when the page is gone, because our server drops all messages of pages
        finally:
            self.leave(seat)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sender

    async def _send_state(self, seat: DeskSeat, page: WebSocket) -> None:
        """Sends the state to a page whenever the state has changed. Skips states while the page reads slowly."""
        last_sent, ticks_since = b"", 0
        while True:
            state = self._state_json(seat)
            if state != last_sent or ticks_since >= HEARTBEAT_TICKS:
                await page.send_text(state.decode())
                last_sent, ticks_since = state, 0
            await asyncio.sleep(TICK_SECONDS)
            ticks_since += 1


def fit_name(name: str) -> str:
    """Returns an operator's name as one line of at most MAX_NAME_CHARACTERS printable characters, for the journal and
    the pages.
    """
    return one_line(name, MAX_NAME_CHARACTERS)


def one_line(text: str, max_characters: int) -> str:
    """Returns a text as one line of at most `max_characters` printable characters. The line may be empty."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:max_characters].strip()
