"""Enova bots for tests: real HTTP servers in this process, which may answer anything."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from tests.bots.http_servers import HOST, stop_listening
from tests.contests.enova.enova_table import rack

Form = dict[str, Any]
Reply = tuple[int, bytes]
OK: Reply = (200, b"")
NEVER: Reply = (0, b"never")
RESET: Reply = (0, b"reset")


class EnovaServer:
    """A bot that answers each path and form with what `choose` returns, or does what NEVER or RESET says.

    A form with bad nesting ends the connection, because a real bot would fail on it. `heard` lists the calls.
    """

    def __init__(self, choose: Callable[[str, Form], Reply]) -> None:
        self._choose = choose
        self.heard: list[tuple[str, Form]] = []
        self.port = 0

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    def paths(self) -> list[str]:
        """The paths that were requested, in order; notifications by their event."""
        return [form.get("event", path) for path, form in self.heard]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._one(reader, writer):
                pass
        writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
        path = head.split(" ", 2)[1]
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        form = rack(body) if body else {}
        self.heard.append((path, form))
        reply = self._choose(path, form)
        if reply == NEVER:
            await reader.read()
            return False
        if reply == RESET:
            writer.transport.abort()
            return False
        status, content = reply
        writer.write(b"HTTP/1.1 %d Fine\r\nContent-Length: %d\r\n\r\n%s" % (status, len(content), content))
        await writer.drain()
        return True


@contextlib.asynccontextmanager
async def serving_bots(bots: Sequence[EnovaServer]) -> AsyncIterator[None]:
    """Serves the bots, each on its own port, and closes their connections at the end of the block."""
    connections: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}

    def serving(bot: EnovaServer) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections[writer] = asyncio.current_task()
            await bot.serve(reader, writer)

        return serve

    try:
        async with contextlib.AsyncExitStack() as listening:
            for bot in bots:
                server = await asyncio.start_server(serving(bot), HOST, 0)
                bot.port = server.sockets[0].getsockname()[1]
                listening.push_async_callback(stop_listening, server)
            yield
    finally:
        for writer in connections:
            writer.transport.abort()
        if serving_now := {task for task in connections.values() if task}:
            await asyncio.wait(serving_now)


def player(dice: random.Random, action: Callable[[Form], Reply | None] = lambda _: None) -> EnovaServer:
    """A bot with random, bold decisions, unless `action` returns an answer."""

    def choose(path: str, form: Form) -> Reply:
        if path == "/player/notify":
            return 404, b"the sample bot has no such page"
        if path != "/player/action":
            return OK
        return action(form) or by_dice(form, dice)

    return EnovaServer(choose)


def by_dice(form: Form, dice: random.Random, calm_tables: Sequence[str] = ()) -> Reply:
    """A random legal answer, often all-in. Some amounts are numbers, others strings."""
    calm = form["game_table_identifier"] in calm_tables
    low, high, luck = int(form["minimum_bet"]), int(form["maximum_bet"]), dice.random()
    if form["blind"] == "true":
        return 200, b'{"action":"blind","amount":"%d"}' % low
    if luck < (0.7 if calm else 0.2) and low:
        return 200, b'{"action":"fold"}'
    return 200, b'{"action": "bet", "amount": %d}' % (high if luck > (0.98 if calm else 0.6) else low)
