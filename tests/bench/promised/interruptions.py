"""Strangers who reset, half-close or forget their connections at any instant, and what must result.

They run on the server's own event loop, so that they come between any two of its steps.
"""

import asyncio
import contextlib
import gc
import logging
import os
import random
import socket
import struct
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct

from broadcast.web.connections.http_connection import HttpConnection
from broadcast.web.connections.page_socket import PageSocket
from broadcast.web.connections.protocol import FirstRequest
from tests.bench.promised.process import open_files
from tests.bots.tcp_client import HOST

SECONDS = 30.0
"""No good visitor waits this long."""
BATCH = 25
"""Strangers between two good visitors."""
FORGOTTEN = 60
"""The most connections that strangers leave open; the oldest is closed for the next."""
RELEASED_SECONDS = 40.0
"""Longer than any time limit of a connection."""
RESET = struct.pack("ii", 1, 0)


class Strangers:
    """Their connections. `dice` decides everything except what the server does meanwhile."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._forgotten: deque[socket.socket] = deque()

    async def come(self, port: int, parts: Sequence[bytes]) -> None:
        """One connection: sends `parts` in pieces, stops at any instant, and ends in any way."""
        line = socket.create_connection((HOST, port), timeout=SECONDS)  # immediate on loopback
        line.setblocking(False)
        with contextlib.suppress(OSError):  # the server may have closed it or stopped reading
            for part in self._until_it_stops(parts):
                await self._say(line, part)
                await self._hear(line)
        self._end(line)

    def leave(self) -> None:
        """Closes all connections left open."""
        while self._forgotten:
            self._break(self._forgotten.popleft())

    def _until_it_stops(self, parts: Sequence[bytes]) -> Sequence[bytes]:
        """All parts, or those up to the middle where it stops."""
        if not parts or self._dice.random() < 0.7:
            return parts
        last = self._dice.randrange(len(parts))
        return [*parts[:last], parts[last][: self._dice.randrange(len(parts[last]) + 1)]]

    async def _say(self, line: socket.socket, part: bytes) -> None:
        cuts = sorted(self._dice.randrange(len(part) + 1) for _ in range(self._dice.choice((0, 0, 1, 3, 9))))
        for begun, ended in zip((0, *cuts), (*cuts, len(part)), strict=True):
            line.send(part[begun:ended])
            await self._wait((0, 0, 1, 2, 5))

    async def _hear(self, line: socket.socket) -> None:
        """Usually listens for a while, sometimes not at all."""
        for _ in range(self._dice.choice((0, 50, 50, 200))):
            await asyncio.sleep(0)
            with contextlib.suppress(BlockingIOError):
                line.recv(65536)
                return

    async def _wait(self, turns: Sequence[int]) -> None:
        for _ in range(self._dice.choice(turns)):
            await asyncio.sleep(0)

    def _end(self, line: socket.socket) -> None:
        if self._dice.random() < 0.5:
            self._break(line)
            return
        if self._dice.random() < 0.5:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_WR)
        self._forgotten.append(line)
        if len(self._forgotten) > FORGOTTEN:
            self._break(self._forgotten.popleft())

    def _break(self, line: socket.socket) -> None:
        if self._dice.random() < 0.7:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        line.close()


class Faults(logging.Handler):
    """Counts, inside its `with` block, logged faults that no stranger may cause."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._logs = [logging.getLogger(name) for name in ("asyncio", "uvicorn.error")]

    def __enter__(self) -> "Faults":
        for log in self._logs:
            log.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        for log in self._logs:
            log.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.count += record.levelno >= logging.ERROR or record.name == "asyncio"


class Resources(Struct, frozen=True):
    """What this process holds; `connections` are only those of pages, since a bot's outlasts its socket."""

    tasks: int
    files: int
    connections: int

    @classmethod
    def held(cls) -> "Resources":
        """What it holds now."""
        gc.collect()
        kinds = (FirstRequest, HttpConnection, PageSocket)
        connections = sum(type(each) in kinds for each in gc.get_objects())
        return cls(len(asyncio.all_tasks()), open_files(os.getpid()), connections)

    def exceed(self, others: "Resources") -> bool:
        """Whether there are more of any kind than in `others`."""
        return self.tasks > others.tasks or self.files > others.files or self.connections > others.connections


async def _released(before: Resources) -> bool:
    """Whether everything acquired since `before` is released in time; prints what is not."""
    until = time.monotonic() + RELEASED_SECONDS
    while (held := Resources.held()).exceed(before):
        if time.monotonic() > until:
            print(f"before {before}, now {held}")
            return False
        await asyncio.sleep(0.5)
    return True


async def served(good: Awaitable[object]) -> bool:
    """Whether a good visitor gets what it waits for; prints what goes wrong."""
    try:
        async with asyncio.timeout(SECONDS):
            await good
    except (OSError, EOFError, AssertionError, TimeoutError) as error:
        print(f"a good visitor: {error!r}")
        return False
    return True


async def storm(
    inputs: int,
    dice: random.Random,
    come: Callable[[Strangers], Awaitable[None]],
    good: Callable[[], Awaitable[object]],
) -> int:
    """Strangers in batches, each followed by a good visitor.

    Returns how often a good one was not served, a fault was logged, or something of a stranger remained.
    """
    broken = int(not await served(good()))
    before, strangers = Resources.held(), Strangers(dice)
    with Faults() as faults:
        for begun in range(0, inputs, BATCH):
            await asyncio.gather(*(come(strangers) for _ in range(min(BATCH, inputs - begun))))
            broken += not await served(good())
        strangers.leave()
        broken += not await served(good())
        broken += not await _released(before)
    return broken + faults.count
