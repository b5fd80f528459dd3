"""Holds what all connections of a server share: the application, the event loop, uvicorn's sets of connections and
tasks, a buffer, and fair queues.

New connections wait in one queue before they are read, and in another queue before their first requests are answered.
While they wait, open connections are served. Strangers are clients without a token. Their requests wait in a third
queue, and together get a limited share of processor time.
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
CALLBACKS_PER_TURN = 2
"""How many callbacks run per turn of the event loop. Together they take less than a millisecond."""
ARRIVALS_PER_TURN = 8
"""How many accepted connections asyncio starts to read per turn of the event loop. This takes about a millisecond."""


class RoundRobin:
    """A fair queue of callbacks. Sites, which are networks, take turns. Within a site, groups such as single addresses
    take turns.

    So other sites do not have to wait for a huge group, or for a site with thousands of groups.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, per_turn: int = CALLBACKS_PER_TURN) -> None:
        """`per_turn` callbacks run per turn of `loop`."""
        self._loop = loop
        self._per_turn = per_turn
        self._waiting: dict[Hashable, dict[Hashable, deque[Callable[[], None]]]] = {}
        self._is_scheduled = False
        self._paused_until = 0.0

    def enqueue(self, site: Hashable, group: Hashable, callback: Callable[[], None]) -> None:
        """Calls `callback` in a later turn of the event loop. The callback's exceptions go to the loop's exception
        handler.
        """
        self._waiting.setdefault(site, {}).setdefault(group, deque()).append(callback)
        if not self._is_scheduled:
            self._is_scheduled = True
            self._call_later()

    async def wait_for_turn(self, site: Hashable, group: Hashable) -> None:
        """Waits for the caller's turn."""
        ready = asyncio.Event()
        self.enqueue(site, group, ready.set)
        await ready.wait()

    def pause(self, seconds: float) -> None:
        """Pauses all calls for `seconds`. If a pause is under way, extends it."""
        self._paused_until = max(self._paused_until, self._loop.time()) + seconds

    def _call_later(self) -> None:
        if self._paused_until > self._loop.time():
            self._loop.call_at(self._paused_until, self._run_callbacks)
        else:
            self._loop.call_soon(self._run_callbacks)

    def _run_callbacks(self) -> None:
        try:
            for _ in range(self._per_turn):
                if self._waiting:
                    self._pop_callback()()
        finally:  # a callback that raises must not block the others forever
            self._is_scheduled = bool(self._waiting)
            if self._is_scheduled:
                self._call_later()

    def _pop_callback(self) -> Callable[[], None]:
        """Removes the first callback of the first group of the first site, and moves that group and site to the end."""
        site = next(iter(self._waiting))
        groups = self._waiting.pop(site)
        group = next(iter(groups))
        queue = groups.pop(group)
        callback = queue.popleft()
        if queue:
            groups[group] = queue
        if groups:
            self._waiting[site] = groups
        return callback


class ServerContext:
    """What the connections of a server share. `broadcast.web.serve` makes a context and passes it to each connection.

    When the server ends, it calls `shutdown()` on all `connections` and waits for up to a second. Then the server calls
    `abort()` on the connections that remain, and cancels the `tasks` that still answer requests.
    """

    def __init__(self, config: uvicorn.Config, state: ServerState, loop: asyncio.AbstractEventLoop) -> None:
        """`config` must be loaded already, so that it contains the application behind uvicorn's middleware."""
        self.uvicorn_config = config
        self.app: ASGIApp = config.loaded_app
        self.state = state
        self.connections: set[Any] = state.connections
        self.tasks = state.tasks
        self.loop = loop
        self.arrival_queue = RoundRobin(loop, per_turn=ARRIVALS_PER_TURN)
        self.connection_queue = RoundRobin(loop)
        self.request_queue = RoundRobin(loop, per_turn=1)
        self.log = logging.getLogger("uvicorn.error")
        self.read_buffer = bytearray(FIRST_READ_BYTES)
        """The event loop reads the first bytes of every connection into this buffer, and the connection copies them at
        once."""

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The HTTP headers of every answer: the date, updated every second."""
        return self.state.default_headers
