"""Strangers connect to pages, registration and bots' ports, send good or damaged data in pieces, and leave anytime.

Strangers run in the server's event loop. So they may act between any two of the server's steps. The functions
`interrupted_…` count failures: good visitors that were not served, logged errors, and resources that were not released.
"""

import asyncio
import contextlib
import gc
import itertools
import logging
import os
import random
import socket
import struct
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import psutil

from broadcast.web.connections.acceptor import FirstRequest
from broadcast.web.connections.http_connection import HttpConnection
from broadcast.web.connections.page_socket import PageSocket
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.evening.check_in import CheckInDesk
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.contests.quick_draw.venue.house import RegistrationRefused, register
from server.game.events import BotDisconnected, ChatSent, Entrant, Event
from server.journal.bus import Bus
from server.registration.register import register_router
from server.tournament.director import Director
from tests.bench.promised.malformed import alter
from tests.bots.tcp_client import CALL, CHAT, HOST
from tests.web.stranger_connections import handshake, small_studio

MAX_WAIT_SECONDS = 30.0
STRANGERS_PER_GOOD_VISITOR = 25
MAX_LEFT_OPEN = 60
"""Strangers leave at most this many connections open. When there is one more, the oldest is closed."""
MAX_CONNECTIONS = 150
"""The server's limit on connections. The limit is low, so that strangers who stay connected soon shut out others."""
PAGE_REQUEST = b"GET /overlay?audio=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nCookie: a=b; c=d\r\n\r\n"
HANDSHAKE = handshake(80)  # the server accepts any port in the header Host
VIEWER_FRAMES = b"\x81\x82\0\0\0\0hi\x89\x80\0\0\0\0\x01\x81\0\0\0\0a\x80\x81\0\0\0\0b"
REGISTRATION = b'POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: 24\r\n\r\n{"name":"Billy the Kid"}'
CHUNKED_REQUEST = b"POST /none HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
LONG_REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 9000 + b"\r\n\r\n"
REQUESTS = (PAGE_REQUEST, REGISTRATION, CHUNKED_REQUEST, LONG_REQUEST)


class Strangers(logging.Handler):
    """All strangers and their connections. `dice` decides what they do. Also a log handler that counts errors."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self.dice, self.errors = dice, 0
        self._left_open: deque[socket.socket] = deque()

    def emit(self, record: logging.LogRecord) -> None:
        self.errors += record.levelno >= logging.ERROR or record.name == "asyncio"

    async def visit(self, port: int) -> None:
        """Sends one or more requests to pages, or a handshake and frames. About half of these messages are damaged."""
        if self.dice.random() < 0.5:
            await self._come(port, (HANDSHAKE, VIEWER_FRAMES, VIEWER_FRAMES))
        else:
            requests = self.dice.choices(REQUESTS, k=self.dice.choice((1, 1, 2, 5)))
            await self._come(port, (b"".join(requests) + self.dice.choice((b"", b"", HANDSHAKE)), VIEWER_FRAMES))

    async def talk(self, port: int) -> None:
        """Sends messages as a bot whose turn it is not."""
        texts = [self.dice.choice((CALL, CHAT)) * self.dice.choice((1, 2, 50)) for _ in range(self.dice.randint(0, 3))]
        await self._come(port, texts)

    def leave(self) -> None:
        while self._left_open:
            self._break(self._left_open.popleft())

    async def _come(self, port: int, texts: Sequence[bytes]) -> None:
        """Connects, and sends `texts` or only their beginning, in pieces. Then closes or abandons the connection."""
        parts = [alter(self.dice, text) if self.dice.random() < 0.5 else text for text in texts]
        line = socket.create_connection((HOST, port), timeout=MAX_WAIT_SECONDS)  # on loopback, this hardly blocks
        line.setblocking(False)
        if parts and self.dice.random() < 0.3:
            last = self.dice.randrange(len(parts))
            parts = [*parts[:last], parts[last][: self.dice.randrange(len(parts[last]) + 1)]]
        with contextlib.suppress(OSError):  # the server may have hung up or stopped reading
            for part in parts:
                await self._send(line, part)
                await self._receive(line)
        self._end(line)

    async def _send(self, line: socket.socket, part: bytes) -> None:
        cuts = sorted(self.dice.randrange(len(part) + 1) for _ in range(self.dice.choice((0, 0, 1, 3, 9))))
        for start, end in itertools.pairwise((0, *cuts, len(part))):
            line.send(part[start:end])
            for _ in range(self.dice.choice((0, 0, 1, 2, 5))):
                await asyncio.sleep(0)

    async def _receive(self, line: socket.socket) -> None:
        """Waits for an answer for at most 50 or 200 rounds of the event loop. Sometimes does not wait at all."""
        for _ in range(self.dice.choice((0, 50, 50, 200))):
            await asyncio.sleep(0)
            with contextlib.suppress(BlockingIOError):
                line.recv(65536)
                return

    def _end(self, line: socket.socket) -> None:
        if self.dice.random() < 0.5:
            self._break(line)
            return
        if self.dice.random() < 0.5:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_WR)
        self._left_open.append(line)
        if len(self._left_open) > MAX_LEFT_OPEN:
            self._break(self._left_open.popleft())

    def _break(self, line: socket.socket) -> None:
        if self.dice.random() < 0.7:
            # With this option, closing the connection resets it.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()


def count_resources() -> Sequence[int]:
    """Returns how many tasks, open files and web connections this process has."""
    gc.collect()
    web_connections = sum(type(each) in (FirstRequest, HttpConnection, PageSocket) for each in gc.get_objects())
    return len(asyncio.all_tasks()), psutil.Process(os.getpid()).num_fds(), web_connections


async def _is_all_released(before: Sequence[int]) -> bool:
    """Waits until no resource has a higher count than in `before`. Returns false if this takes too long."""
    until = time.monotonic() + 40  # longer than any time limit of a connection
    while any(now > was for now, was in zip(count_resources(), before, strict=True)):
        if time.monotonic() > until:
            print(f"tasks, files and connections: before {before}, now {count_resources()}")
            return False
        await asyncio.sleep(0.5)
    return True


async def is_served(good_visit: Awaitable[object]) -> bool:
    """Returns whether a good visitor gets an answer. If not, prints why."""
    try:
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            await good_visit
    except (OSError, EOFError, RegistrationRefused, TimeoutError) as error:
        print(f"a good visitor: {error!r}")
        return False
    return True


async def try_strangers(
    visits: int,
    dice: random.Random,
    come: Callable[[Strangers], Awaitable[None]],
    good_visit: Callable[[], Awaitable[object]],
) -> int:
    """Lets strangers `come` in batches, `visits` times in all. A good visitor comes after each batch.

    Returns the number of failures.
    """
    broken = int(not await is_served(good_visit()))
    before, strangers = count_resources(), Strangers(dice)
    loggers = [logging.getLogger(name) for name in ("asyncio", "uvicorn.error")]
    for logger in loggers:
        logger.addHandler(strangers)
    for start in range(0, visits, STRANGERS_PER_GOOD_VISITOR):
        await asyncio.gather(*(come(strangers) for _ in range(min(STRANGERS_PER_GOOD_VISITOR, visits - start))))
        broken += not await is_served(good_visit())
    strangers.leave()
    broken += not await is_served(good_visit())
    broken += not await _is_all_released(before)
    for logger in loggers:
        logger.removeHandler(strangers)
    return broken + strangers.errors


async def interrupted_pages(visits: int, dice: random.Random) -> int:
    """Strangers visit a studio (a show's server), and leave anytime. A good visitor must get messages and a pong."""
    with tempfile.TemporaryDirectory() as media:
        async with small_studio(Path(media), MAX_CONNECTIONS) as port:

            async def watch() -> None:
                reader, writer = await asyncio.open_connection(HOST, port)
                with contextlib.closing(writer):
                    writer.write(HANDSHAKE)
                    for words in (b"HTTP/1.1 101 ", b'"type":"welcome"', b"howdy"):
                        await reader.readuntil(words)
                    writer.write(b"\x89\x81\0\0\0\0!")
                    await reader.readuntil(b"\x8a\x01!")

            return await try_strangers(visits, dice, lambda strangers: strangers.visit(port), watch)


async def interrupted_bots(visits: int, dice: random.Random) -> int:
    """Strangers visit the registration server or pose as bots, and leave at any moment. A good bot must be able to
    register, chat and leave. In the end, all bots must be able to register again.
    """
    # Strangers pose as one bot after another. There are so many bots that a stranger's connection has ended before the
    # next stranger poses as the same bot.
    good_bot, *other_bots = (Entrant(number, f"Bot {number}") for number in range(1, 4 * MAX_LEFT_OPEN + 1))
    bus, events, other_bots_in_turn = Bus(None, time.monotonic), asyncio.Queue[Event](), itertools.cycle(other_bots)
    bus.listeners.append(events.put_nowait)
    director = Director(QUICK_DRAW_FORMAT, [good_bot, *other_bots], seed=bytes(32), bus=bus, gate=asyncio.Event().wait)
    desk = CheckInDesk([good_bot, *other_bots], director, QuickDrawDialect, HOST)
    app = guarded_app()
    app.include_router(register_router(desk.check_in))
    async with serving(app, HOST, 0, max_connections=MAX_CONNECTIONS) as base:
        port = int(base.rpartition(":")[2])

        async def come(strangers: Strangers) -> None:
            if dice.random() < 0.5:
                await strangers.visit(port)
            else:
                await strangers.talk(await register(HOST, port, next(other_bots_in_turn).name))

        async def wait_for_event(kind: type[ChatSent | BotDisconnected]) -> None:
            while not (isinstance(event := await events.get(), kind) and event.bot == good_bot.bot):
                pass

        async def chat() -> None:
            _, writer = await asyncio.open_connection(HOST, await register(HOST, port, good_bot.name))
            with contextlib.closing(writer):
                writer.write(CHAT)
                await wait_for_event(ChatSent)
            await wait_for_event(BotDisconnected)

        broken = await try_strangers(visits, dice, come, chat)
        broken += sum([not await is_served(register(HOST, port, each.name)) for each in (good_bot, *other_bots)])
        desk.close()
        return broken
