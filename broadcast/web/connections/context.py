"""What all connections of one server share: application, event loop, uvicorn's lists, a buffer, and fair queues.

In one queue new connections wait, so that whoever is connected already is served in between; in the other the requests
of strangers, which together get a share of the processor.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

FIRST_READ_BYTES = 64 * 1024
AT_ONCE = 2
"""Callbacks of one turn of the event loop: as many as take less than a millisecond."""


class RoundRobin:
    """Callbacks that wait, by site and group. Sites take turns, and the groups of a site do when it is its turn, so
    neither a group with thousands nor a site with thousands of groups delays another.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, at_once: int = AT_ONCE) -> None:
        """So many callbacks are called in one turn of `loop`."""
        self._loop = loop
        self._at_once = at_once
        self._waiting: dict[Hashable, dict[Hashable, deque[Callable[[], None]]]] = {}
        self._called = False
        self._resting_until = 0.0

    def wait(self, site: Hashable, group: Hashable, begin: Callable[[], None]) -> None:
        """Calls `begin` in a later turn of the event loop. `site` and `group` are any keys.

        What `begin` raises goes to the loop's exception handler and keeps nobody else waiting.
        """
        self._waiting.setdefault(site, {}).setdefault(group, deque()).append(begin)
        if not self._called:
            self._called = True
            self._call_later()

    async def turn(self, site: Hashable, group: Hashable) -> None:
        """Returns when it is the turn of this caller, one of `group` at `site`."""
        ready = asyncio.Event()
        self.wait(site, group, ready.set)
        await ready.wait()

    def rest(self, seconds: float) -> None:
        """Calls nobody for so long, after a rest that is on already."""
        self._resting_until = max(self._resting_until, self._loop.time()) + seconds

    def _call_later(self) -> None:
        if self._resting_until > self._loop.time():
            self._loop.call_at(self._resting_until, self._serve)
        else:
            self._loop.call_soon(self._serve)

    def _serve(self) -> None:
        try:
            for _ in range(self._at_once):
                if self._waiting:
                    self._next()()
        finally:  # one that raises must not keep all others waiting for ever
            self._called = bool(self._waiting)
            if self._called:
                self._call_later()

    def _next(self) -> Callable[[], None]:
        """Takes the first callback of the site and group in front, which then go to the end of their lines."""
        site = next(iter(self._waiting))
        groups = self._waiting.pop(site)
        group = next(iter(groups))
        queue = groups.pop(group)
        begin = queue.popleft()
        if queue:
            groups[group] = queue
        if groups:
            self._waiting[site] = groups
        return begin


class ServerContext:
    """Made once for each server, by `broadcast.web.serve`; passed to every connection of it.

    When the server ends it calls `shutdown()` of each of `connections`, waits a second at most until none is left, and
    calls `abort()` of the others. It cancels those of the `tasks`, requests that are being answered, that take longer.
    """

    def __init__(self, config: uvicorn.Config, state: ServerState, loop: asyncio.AbstractEventLoop) -> None:
        """`config` is loaded: it has the application behind the middlewares that uvicorn adds."""
        self.uvicorn_config = config
        self.app: ASGIApp = config.loaded_app
        self.state = state
        self.connections: set[Any] = state.connections
        self.tasks = state.tasks
        self.loop = loop
        self.turns = RoundRobin(loop)
        self.requests = RoundRobin(loop, at_once=1)
        self.log = logging.getLogger("uvicorn.error")
        self.piece = bytearray(FIRST_READ_BYTES)
        """Where the event loop puts received bytes for any new connection, which must copy them before it returns."""

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """HTTP headers of every answer: the date, renewed each second."""
        return self.state.default_headers
