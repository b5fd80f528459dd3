"""The users of the desk: each has a page and a unique name. The page gets the desk's state over a WebSocket.

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
"""The time between two checks whether the state has changed, in seconds."""
MAX_DESK_USERS = 50
"""At most this many pages may be open at once. Each page causes work ten times a second, and anybody with the view-only
token could open thousands of pages.
"""
HEARTBEAT_TICKS = 10
"""After this many checks without a change, a page gets the state anyway. If the state then fails to come, the page
knows that its connection is dead.
"""


class DeskUser(Struct, frozen=True):
    """An operator or a commentator with an open page. `right` says whether the user may change things at the desk or
    only look ("control" or "view"). `address` is the page's IP address.
    """

    name: str
    right: Right
    address: str


class DeskSocket:
    """The endpoint of `/ws/desk?name=Ann`. `state_json` returns the state for a user's page, as JSON."""

    def __init__(self, state_json: Callable[[DeskUser], bytes]) -> None:
        self.users: list[DeskUser] = []
        """The users, in the order in which their pages were opened."""
        self._state_json = state_json

    def add_user(self, name: str, right: Right, address: str) -> DeskUser:
        """Adds a user under `name`, with a number added if the name is taken. If `name` is "", the user is called
        "desk 1", "desk 2" and so on.
        """
        wanted_name = fit_name(name)
        taken_names = {user.name for user in self.users}
        numbered_names = [f"{wanted_name or 'desk'} {number}" for number in range(1, len(taken_names) + 2)]
        free_name = next(
            each for each in ([wanted_name] if wanted_name else []) + numbered_names if each not in taken_names
        )
        user = DeskUser(free_name, right, address)
        self.users = [*self.users, user]
        return user

    def remove_user(self, user: DeskUser) -> None:
        """Removes a user. Does nothing if the user was removed before."""
        self.users = [other for other in self.users if other is not user]

    async def __call__(self, page: WebSocket, right: RightFromRequest, name: str = "") -> None:
        if len(self.users) >= MAX_DESK_USERS:
            await page.close(4429, "every seat at the desk is taken")
            return
        await page.accept()
        user = self.add_user(name, right, page.client.host if page.client else "")
        sender = asyncio.create_task(self._send_state(user, page))
        try:
            await page.receive()  # returns when the page is gone, because our server drops all messages of pages
        finally:
            self.remove_user(user)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sender

    async def _send_state(self, user: DeskUser, page: WebSocket) -> None:
        """Sends the state to a page whenever the state has changed. Skips states while the page reads slowly."""
        last_sent, ticks_since = b"", 0
        while True:
            state = self._state_json(user)
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
