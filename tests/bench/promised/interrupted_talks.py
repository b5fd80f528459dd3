"""Doors for strangers who send anything in any pieces and break off at any instant: pages, registrations, bots.

Each returns how often a good visitor was not served, a fault was logged, or something of a stranger remained.
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
from broadcast.web.connections.page_socket import MAX_MESSAGE_BYTES
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.evening.check_in import CheckInDesk
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotDisconnected, ChatSent, Entrant, Event
from server.journal.bus import Bus
from server.registration.register import CheckedIn, Registration, register_router
from server.tournament.director import Director
from tests.bench.promised.interruptions import FORGOTTEN, Strangers, served, storm
from tests.bench.promised.network_inputs import SHAKE, altered
from tests.bots.tcp_client import CALL, HOST, HOWDY

MOST = 150
"""Slots of a server: so few that it shows if one in a hundred strangers keeps one."""
ENTRANTS = 4 * FORGOTTEN
"""So many that each is closed before its name comes up again."""
METHODS = (b"GET", b"POST", b"HEAD", b"XX")
PATHS = (
    b"/overlay", b"/healthz", b"/", b"/ws/show", b"/ws/show?channel=none", b"/ws/desk", b"/ws/none", b"/guide/",
    b"/media/%00", b"/static/js/none.js", b"/assets/fonts/", b"/control?token=x", b"/api/page-report", b"/none", b"*",
    b"[x", b"http://[x/overlay", b"/register",
)  # fmt: skip
HEADERS = (
    b"Connection: close", b"Connection: keep-alive, Upgrade", b"Upgrade: h2c", b"Upgrade: websocket",
    b"Expect: 100-continue", b"Content-Length: 7", b"Content-Length: 0", b"Transfer-Encoding: chunked", b"Cookie: a=b",
    b"Cookie: desk_0=x", b"Origin: http://127.0.0.1", b"Origin: null", b"If-None-Match: *", b"Range: bytes=0-1,5-",
    b"X-Forwarded-For: 1.2.3.4", b"X: " + b"x" * 9000,
)  # fmt: skip
BODIES = (
    b"",
    b'{"a":1}',
    b'{"name":"Billy the Kid"}',
    b"7\r\n1234567\r\n0\r\n\r\n",
    b"5\r\nhello\r\nzz\r\n",
    b"x" * 9000,
)


# -- what strangers send -------------------------------------------------------------------------------


def request(dice: random.Random, paths: Sequence[bytes]) -> bytes:
    """An HTTP request that may be right."""
    first = b"%b %b HTTP/1.%d\r\n" % (dice.choice(METHODS), dice.choice(paths), dice.randint(0, 1))
    headers = [b"Host: 127.0.0.1", *dice.sample(HEADERS, dice.choice((0, 0, 1, 2, 4)))]
    return first + b"".join(each + b"\r\n" for each in headers) + b"\r\n" + dice.choice(BODIES)


def handshake(dice: random.Random) -> bytes:
    """A handshake that may be right."""
    return SHAKE.replace(b"/ws/show?after=0", dice.choice((b"/ws/show", *PATHS[3:7])))


def frames(dice: random.Random) -> bytes:
    """Up to thirty frames that may be right."""
    return b"".join(_frame(dice) for _ in range(dice.choice((1, 2, 5, 30))))


def _frame(dice: random.Random) -> bytes:
    first = dice.choice((0x81, 0x82, 0x89, 0x89, 0x8A, 0x88, 0x01, 0x80, 0x00, 0xC1, dice.randrange(256)))
    size = dice.choice((0, 0, 1, 2, 125, 300, MAX_MESSAGE_BYTES, 70_000, 1 << 62))
    return bytes((first,)) + _length(size) + dice.randbytes(4) + dice.randbytes(min(size, 5000))


def _length(size: int) -> bytes:
    """The length of a masked frame, as written."""
    if size < 126:
        return bytes((0x80 | size,))
    return b"\xfe" + size.to_bytes(2, "big") if size < 65536 else b"\xff" + size.to_bytes(8, "big")


def visit(dice: random.Random, paths: Sequence[bytes]) -> Sequence[bytes]:
    """What a visitor of pages sends: requests in a row, or a handshake and then frames; half of it damaged."""
    damaged = altered if dice.random() < 0.5 else _as_it_is
    if dice.random() < 0.5:
        return [handshake(dice), damaged(dice, frames(dice)), damaged(dice, frames(dice))]
    requests = [request(dice, paths) for _ in range(dice.choice((1, 1, 2, 5)))]
    ends = dice.choice((b"", b"", handshake(dice)))
    return [damaged(dice, b"".join(requests) + ends), damaged(dice, frames(dice))]


def bot_talk(dice: random.Random) -> Sequence[bytes]:
    """What a bot sends without being asked."""
    damaged = altered if dice.random() < 0.5 else _as_it_is
    return [damaged(dice, dice.choice((CALL, HOWDY)) * dice.choice((1, 2, 50))) for _ in range(dice.randint(0, 3))]


def _as_it_is(_dice: random.Random, text: bytes) -> bytes:
    return text


# -- the doors -------------------------------------------------------------------------------------------


async def interrupted_pages(inputs: int, dice: random.Random) -> int:
    """Visitors of the studio; the good one gets the show's first message and the answer to a ping."""
    with tempfile.TemporaryDirectory() as media:
        studio = Studio(Path(media), time.monotonic)
        studio.open_channel("main", 1).put(ChatSent(1, "howdy"), 0, 0)
        async with serving(studio.app, HOST, 0, max_connections=MOST) as base:
            port = _port(base)
            return await storm(inputs, dice, lambda them: them.come(port, visit(dice, PATHS)), lambda: _watch(port))


async def _watch(port: int) -> None:
    async with _conversation(port) as (reader, writer):
        writer.write(SHAKE)
        for words in (b"HTTP/1.1 101 ", b'"type":"welcome"', b"howdy"):
            await reader.readuntil(words)
        writer.write(b"\x89\x81\0\0\0\0!")
        await reader.readuntil(b"\x8a\x01!")


async def interrupted_registrations(inputs: int, dice: random.Random) -> int:
    """The same visitors at the card room; the good one registers a bot."""

    async def check_in(_registration: Registration, _address: str) -> CheckedIn:
        return CheckedIn(5001, 7)

    app = guarded_app()
    app.include_router(register_router(check_in))
    async with serving(app, HOST, 0, max_connections=MOST) as base:
        port = _port(base)
        return await storm(
            inputs,
            dice,
            lambda them: them.come(port, visit(dice, (b"/register",))),
            lambda: _register(port, "Billy"),
        )


async def interrupted_bots(inputs: int, dice: random.Random) -> int:
    """Bots at their ports; the good one connects, chats, and leaves. In the end all may register again."""
    good, *others = (Entrant(number, f"Bot {number}") for number in range(1, ENTRANTS + 1))
    bus, events, turn = Bus(None, time.monotonic), asyncio.Queue[Event](), itertools.cycle(others)
    bus.listeners.append(events.put_nowait)
    director = Director(QUICK_DRAW_FORMAT, [good, *others], seed=bytes(32), bus=bus, gate=_never)
    desk = CheckInDesk([good, *others], director, QuickDraw, HOST)
    app = guarded_app()
    app.include_router(register_router(desk.check_in))
    async with serving(app, HOST, 0, max_connections=MOST) as base:
        port = _port(base)

        async def come(strangers: Strangers) -> None:
            await strangers.come(await _register(port, next(turn).name), bot_talk(dice))

        async def chat() -> None:
            async with _conversation(await _register(port, good.name)) as (_, writer):
                writer.write(HOWDY)
                await _until(events, ChatSent, good.bot)
            await _until(events, BotDisconnected, good.bot)

        broken = await storm(inputs, dice, come, chat)
        broken += sum([not await served(_register(port, each.name)) for each in (good, *others)])
        desk.close()
        return broken


async def _never() -> None:
    await asyncio.Event().wait()


async def _until(events: asyncio.Queue[Event], kind: type[ChatSent | BotDisconnected], bot: int) -> None:
    """Waits for an event of that kind and bot."""
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
