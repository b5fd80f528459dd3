"""Lets strangers talk to pages, registrations and bots: they send anything, in any pieces, and leave at any moment.

Each function returns how often a good visitor was not served, a fault was logged, or resources were not released.
"""

import asyncio
import contextlib
import itertools
import json
import random
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from broadcast.app import Studio
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.evening.check_in import CheckInDesk
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotDisconnected, ChatSent, Entrant, Event
from server.journal.bus import Bus
from server.registration.register import CheckedIn, Registration, register_router
from server.tournament.director import Director
from tests.bench.promised.interruptions import FORGOTTEN, Strangers, is_served, storm
from tests.bench.promised.network_inputs import alter
from tests.bots.tcp_client import CALL, HOST, HOWDY

SLOTS = 150
"""The slots of a server: so few that they run out if one in a hundred strangers keeps a slot."""
ENTRANTS = 4 * FORGOTTEN
"""The number of entrants, so large that each connection is closed before its bot's name is used again."""
HEAD = b"GET /overlay?audio=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nCookie: a=b; c=d\r\n\r\n"
HANDSHAKE = (
    b"GET /ws/show?after=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
FRAMES = b"\x81\x82\0\0\0\0hi\x89\x80\0\0\0\0\x01\x81\0\0\0\0a\x80\x81\0\0\0\0b"
"""A viewer's WebSocket frames: a text, a ping, and a text in two pieces."""
REQUEST = b'POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: 24\r\n\r\n{"name":"Billy the Kid"}'
CHUNKED = b"POST /none HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
LONG = b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 9000 + b"\r\n\r\n"


def visit(dice: random.Random) -> Sequence[bytes]:
    """Returns what a visitor of pages sends: several requests, or a handshake and frames. Half of it is damaged."""
    if dice.random() < 0.5:
        return [_perhaps_damaged(dice, each) for each in (HANDSHAKE, FRAMES, FRAMES)]
    requests = dice.choices((HEAD, REQUEST, CHUNKED, LONG), k=dice.choice((1, 1, 2, 5)))
    ends = dice.choice((b"", b"", HANDSHAKE))
    return [_perhaps_damaged(dice, b"".join(requests) + ends), _perhaps_damaged(dice, FRAMES)]


def bot_talk(dice: random.Random) -> Sequence[bytes]:
    """Returns messages that a bot sends although it is not its turn."""
    texts = [dice.choice((CALL, HOWDY)) * dice.choice((1, 2, 50)) for _ in range(dice.randint(0, 3))]
    return [_perhaps_damaged(dice, text) for text in texts]


def _perhaps_damaged(dice: random.Random, text: bytes) -> bytes:
    return alter(dice, text) if dice.random() < 0.5 else text


# -- pages, registrations and bots -----------------------------------------------------------------------


async def interrupted_pages(inputs: int, dice: random.Random) -> int:
    """Interrupts visits to the studio; the good visitor must get the show's first message and the answer to a ping."""
    with tempfile.TemporaryDirectory() as media:
        studio = Studio(Path(media), time.monotonic)
        studio.open_channel("main", 1).put(ChatSent(1, "howdy"), 0, 0)
        async with serving(studio.app, HOST, 0, max_connections=SLOTS) as base:
            port = _port(base)
            return await storm(inputs, dice, lambda them: them.come(port, visit(dice)), lambda: _visit(port))


async def _visit(port: int) -> None:
    async with _conversation(port) as (reader, writer):
        writer.write(HANDSHAKE)
        for words in (b"HTTP/1.1 101 ", b'"type":"welcome"', b"howdy"):
            await reader.readuntil(words)
        writer.write(b"\x89\x81\0\0\0\0!")
        await reader.readuntil(b"\x8a\x01!")


async def interrupted_registrations(inputs: int, dice: random.Random) -> int:
    """Interrupts visits to the card room; the good visitor must be able to register a bot."""

    async def check_in(_registration: Registration, _address: str) -> CheckedIn:
        return CheckedIn(5001, 7)

    app = guarded_app()
    app.include_router(register_router(check_in))
    async with serving(app, HOST, 0, max_connections=SLOTS) as base:
        port = _port(base)
        return await storm(inputs, dice, lambda them: them.come(port, visit(dice)), lambda: _register(port, "Billy"))


async def interrupted_bots(inputs: int, dice: random.Random) -> int:
    """Interrupts bots; a good bot connects, chats and leaves. In the end all bots must be able to register again."""
    good, *others = (Entrant(number, f"Bot {number}") for number in range(1, ENTRANTS + 1))
    bus, events, turn = Bus(None, time.monotonic), asyncio.Queue[Event](), itertools.cycle(others)
    bus.listeners.append(events.put_nowait)
    director = Director(QUICK_DRAW_FORMAT, [good, *others], seed=bytes(32), bus=bus, gate=_never)
    desk = CheckInDesk([good, *others], director, QuickDraw, HOST)
    app = guarded_app()
    app.include_router(register_router(desk.check_in))
    async with serving(app, HOST, 0, max_connections=SLOTS) as base:
        port = _port(base)

        async def come(strangers: Strangers) -> None:
            await strangers.come(await _register(port, next(turn).name), bot_talk(dice))

        async def chat() -> None:
            async with _conversation(await _register(port, good.name)) as (_, writer):
                writer.write(HOWDY)
                await _until(events, ChatSent, good.bot)
            await _until(events, BotDisconnected, good.bot)

        broken = await storm(inputs, dice, come, chat)
        broken += sum([not await is_served(_register(port, each.name)) for each in (good, *others)])
        desk.close()
        return broken


async def _never() -> None:
    await asyncio.Event().wait()


async def _until(events: asyncio.Queue[Event], kind: type[ChatSent | BotDisconnected], bot: int) -> None:
    while not (isinstance(event := await events.get(), kind) and event.bot == bot):
        pass


async def _register(port: int, name: str) -> int:
    """Registers a bot and returns the port that listens for it. Raises AssertionError if it is refused."""
    body = json.dumps({"name": name}).encode()
    head = f"POST /register HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    async with _conversation(port) as (reader, writer):
        writer.write(head.encode() + body)
        answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 200"), answer
    return int(json.loads(answer.partition(b"\r\n\r\n")[2])["port_number"])


@contextlib.asynccontextmanager
async def _conversation(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        yield reader, writer
    finally:
        writer.close()


def _port(base: str) -> int:
    return int(base.rpartition(":")[2])
