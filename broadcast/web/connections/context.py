"""What all connections of one server share: application, event loop, uvicorn's lists, a queue and a buffer."""

import asyncio
import logging
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from broadcast.web.connections.round_robin import RoundRobin

READ_BYTES = 64 * 1024
"""The most that is read from a new connection at once."""


class ServerContext:
    """Made once for each server, by `broadcast.web.serve`; passed to every connection of it."""

    def __init__(self, config: uvicorn.Config, state: ServerState, loop: asyncio.AbstractEventLoop) -> None:
        self.uvicorn_config = config
        self.state = state
        self.loop = loop
        self.turns = RoundRobin(loop)
        self.requests = RoundRobin(loop, at_once=1)
        """Requests of strangers that wait for their turn."""
        self.log = logging.getLogger("uvicorn.error")
        self.piece = bytearray(READ_BYTES)
        """Where the event loop puts received bytes for any new connection, which must copy them before it returns."""

    @property
    def app(self) -> ASGIApp:
        """The application, behind the middlewares that uvicorn adds."""
        return self.uvicorn_config.loaded_app  # type: ignore[no-any-return]

    @property
    def connections(self) -> set[Any]:
        """All open connections.

        When the server ends it calls `shutdown()` of each, waits a second at most until this is empty, and calls
        `abort()` of those that are left.
        """
        return self.state.connections

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """Requests that are being answered; cancelled when the server ends and they take too long."""
        return self.state.tasks

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """HTTP headers of every answer: the date, renewed each second."""
        return self.state.default_headers
