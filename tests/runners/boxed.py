"""Bots in their boxes, for tests: started, registered as they do it, and asked; everything cleared away at the end."""

import asyncio
import json
import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from server.bots.bot import Bot
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.runners.choosing import RunnerKind, choose_runner
from server.bots.runners.runner import GAME_PORT, Limits, Runner, Running, Surroundings
from server.bots.transports.tcp import TcpWire
from tests.bots.views import asked_view
from tests.submissions_sample import HOST, write_bot

SECONDS = 60.0
"""Nothing here takes as long, on a slow machine either."""


def surroundings(folder: Path, limits: Limits = Limits()) -> Surroundings:  # noqa: B008 (it is frozen)
    """As in a tournament whose bots have the original's address hard-coded; no two tests share a label."""
    return Surroundings(f"test-{folder.name}", (HOST,), ("TOURNAMENT_HOST",), limits)


@asynccontextmanager
async def opened(kind: RunnerKind, folder: Path, limits: Limits = Limits()) -> AsyncIterator[Runner]:  # noqa: B008
    """A runner that is closed at the end, whatever happens."""
    runner = await choose_runner(kind, surroundings(folder, limits))
    try:
        yield runner
    finally:
        await runner.close()


async def put_in(
    runner: Runner,
    folder: Path,
    behaviour: str = "honest",
    *,
    arguments: Sequence[str] = (),
    dockerfile: str = "",
    strict: bool = True,
) -> Running:
    """A bot of that behaviour in its box; its folder and log are named after it."""
    files = write_bot(folder / behaviour, behaviour.title(), behaviour, arguments=arguments, dockerfile=dockerfile)
    built = await runner.build(behaviour, files, lambda _: None)
    return await runner.start(behaviour, built, log_of(folder, behaviour), strict=strict)


def log_of(folder: Path, behaviour: str) -> Path:
    return folder / "logs" / f"{behaviour}.log"


async def registered(box: Running) -> str:
    """The name the bot registers with, on port 5000 as it knows it; it is told the port of the game."""
    loop = asyncio.get_running_loop()
    box.register.setblocking(False)
    async with asyncio.timeout(SECONDS):
        connection, _ = await loop.sock_accept(box.register)
        with connection:
            request = b""
            while not request.endswith(b"}"):
                received = await loop.sock_recv(connection, 4096)
                assert received, "it hung up"
                request += received
            body = json.dumps({"portNumber": GAME_PORT, "id": 1}).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
            await loop.sock_sendall(connection, head + body)
    assert request.startswith(b"POST /register ")
    return str(json.loads(request.partition(b"\r\n\r\n")[2])["name"])


async def seated(box: Running) -> TcpWire:
    """The wire to a bot that registers and comes to the game."""
    await registered(box)
    loop = asyncio.get_running_loop()
    box.game.setblocking(False)
    async with asyncio.timeout(SECONDS):
        connection, _ = await loop.sock_accept(box.game)
    return TcpWire(connection, loop)


async def think_ms(wire: TcpWire, questions: int) -> float:
    """How long the bot takes for an answer, in the middle; it must answer every time."""
    bot = Bot(1, QuickDraw(), wire, lambda _: None)
    answers = [await bot.ask(asked_view(), lambda _: None) for _ in range(questions)]
    assert not [answer.fault for answer in answers if answer.fault]
    return statistics.median(answer.think_ms for answer in answers)


async def ended(box: Running) -> str:
    """How it ended, in words, with its status."""
    async with asyncio.timeout(SECONDS):
        exit_ = await box.ended()
    return f"{exit_.reason} ({exit_.status})"
