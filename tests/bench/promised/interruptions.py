"""Strangers who reset, half-close or abandon their connections at any moment, and checks that the server still serves.

They run in the server's event loop, so that they can act between any two of its steps.
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

from broadcast.web.connections.http_connection import HttpConnection
from broadcast.web.connections.page_socket import PageSocket
from broadcast.web.connections.protocol import FirstRequest
from tests.bench.common.scales import open_files
from tests.bots.tcp_client import HOST

SECONDS = 30.0
"""The longest time that a good visitor may wait."""
BATCH = 25
"""The number of strangers between two good visitors."""
FORGOTTEN = 60
"""The largest number of connections that strangers leave open. Before one more is opened, the oldest is closed."""
RELEASED_SECONDS = 40.0
"""How long connections may take to be released: longer than any time limit of a connection."""
RESET = struct.pack("ii", 1, 0)


class Strangers:
    """The strangers' connections. `dice` decides everything that they do."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._forgotten: deque[socket.socket] = deque()

    async def come(self, port: int, parts: Sequence[bytes]) -> None:
        """Makes one connection: sends `parts` in pieces, perhaps only the start of them, and ends it in some way."""
        line = socket.create_connection((HOST, port), timeout=SECONDS)  # immediate on loopback
        line.setblocking(False)
        if parts and self._dice.random() < 0.3:
            last = self._dice.randrange(len(parts))
            parts = [*parts[:last], parts[last][: self._dice.randrange(len(parts[last]) + 1)]]
        with contextlib.suppress(OSError):  # the server may have closed it or stopped reading
            for part in parts:
                await self._send(line, part)
                await self._receive(line)
        self._end(line)

    def leave(self) -> None:
        while self._forgotten:
            self._break(self._forgotten.popleft())

    async def _send(self, line: socket.socket, part: bytes) -> None:
        cuts = sorted(self._dice.randrange(len(part) + 1) for _ in range(self._dice.choice((0, 0, 1, 3, 9))))
        for start, end in zip((0, *cuts), (*cuts, len(part)), strict=True):
            line.send(part[start:end])
            for _ in range(self._dice.choice((0, 0, 1, 2, 5))):
                await asyncio.sleep(0)

    async def _receive(self, line: socket.socket) -> None:
        """Usually waits for an answer for some turns of the event loop, sometimes not at all."""
        for _ in range(self._dice.choice((0, 50, 50, 200))):
            await asyncio.sleep(0)
            with contextlib.suppress(BlockingIOError):
                line.recv(65536)
                return

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
    """Counts logged errors, which strangers must not cause."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += record.levelno >= logging.ERROR or record.name == "asyncio"


def count_resources() -> Sequence[int]:
    """Counts this process's tasks, open files and page connections. Bots' connections may outlast their sockets."""
    gc.collect()
    kinds = (FirstRequest, HttpConnection, PageSocket)
    connections = sum(type(each) in kinds for each in gc.get_objects())
    return len(asyncio.all_tasks()), open_files(os.getpid()), connections


async def _is_released(before: Sequence[int]) -> bool:
    """Whether everything acquired since `before` is released in time; if not, prints the counts."""
    until = time.monotonic() + RELEASED_SECONDS
    while any(now > was for now, was in zip(count_resources(), before, strict=True)):
        if time.monotonic() > until:
            print(f"tasks, files and connections: before {before}, now {count_resources()}")
            return False
        await asyncio.sleep(0.5)
    return True


async def is_served(good: Awaitable[object]) -> bool:
    """Whether a good visitor gets its answer; if not, prints why."""
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
    """Lets strangers come in batches, each followed by a good visitor.

    Returns how often a good visitor was not served, a fault was logged, or resources were not released.
    """
    broken = int(not await is_served(good()))
    before, strangers, faults = count_resources(), Strangers(dice), Faults()
    logs = [logging.getLogger(name) for name in ("asyncio", "uvicorn.error")]
    for log in logs:
        log.addHandler(faults)
    for start in range(0, inputs, BATCH):
        await asyncio.gather(*(come(strangers) for _ in range(min(BATCH, inputs - start))))
        broken += not await is_served(good())
    strangers.leave()
    broken += not await is_served(good())
    broken += not await _is_released(before)
    for log in logs:
        log.removeHandler(faults)
    return broken + faults.count
