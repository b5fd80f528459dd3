"""A server of the fan-out benchmark: `python -m tests.bench.common.fan_server MESSAGE_BYTES WAY`.

WAY is "ours"; "one by one" for our studio on systems without io_uring; or "websockets", a peer that uses this library.
Prints its port, then obeys lines on its standard input: "go COUNT A_SECOND AT_ONCE" sends COUNT messages, AT_ONCE of
them together, A_SECOND per second (0: as soon as the previous ones are written), and answers "done".
"""

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.asyncio.server import serve as serve_websockets

from broadcast.app import Studio
from broadcast.web import serve
from broadcast.web.connections.batch_send import BatchSender, batch_sender
from server.game.events import ChatSent
from server.process import limit_gc
from tests.support.games.contests import play_contest

FILES_DIVISOR = 1.5
"""Viewers may take the limit of open files divided by this. A real studio also needs other files, and divides by 2."""
Server = tuple[str, Callable[[str], None], Callable[[bool], Awaitable[object]]]
"""A server's port, how it sends a message, and how it waits until all is written, if it is to wait at all."""


@asynccontextmanager
async def our_server(sender: BatchSender) -> AsyncIterator[Server]:
    with tempfile.TemporaryDirectory() as media:
        studio = Studio(Path(media), time.monotonic, sender=sender)
        air = studio.open_channel("main", 1)
        for entry in play_contest(0, 12):
            air.put(entry.event, 0, 0)
        fanout = studio._fanouts["main"]

        async def written(waits: bool) -> None:
            if fanout._writing and waits:
                await fanout._writing

        async with serve.serving(studio.app, "127.0.0.1", 0, max_connections=12_000) as base:
            limit_gc()
            yield base.rpartition(":")[2], lambda text: air.put(ChatSent(1, text[120:]), 0, 0), written


@asynccontextmanager
async def peer() -> AsyncIterator[Server]:
    viewers = set[ServerConnection]()

    async def view(connection: ServerConnection) -> None:
        viewers.add(connection)
        await connection.wait_closed()

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    async with serve_websockets(view, "127.0.0.1", 0, compression=None, ping_interval=None, backlog=4096) as server:
        port = str(next(iter(server.sockets)).getsockname()[1])
        yield port, lambda text: broadcast(viewers, text), lambda _: asyncio.sleep(0)


async def main(message_bytes: int, way: str) -> None:
    ours = {"ours": batch_sender, "one by one": BatchSender}
    async with our_server(ours[way]()) if way in ours else peer() as (port, send, written):
        print(port, flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            count, a_second, at_once = map(int, line.split()[1:])
            started_at = time.monotonic()
            for number in range(0, count, at_once):
                if a_second:
                    await asyncio.sleep(max(0.0, started_at + number / a_second - time.monotonic()))
                for _ in range(at_once):
                    send(f"{'x' * (message_bytes - 20)}@@{time.monotonic_ns()}@@")
                await written(not a_second)
            await written(True)
            print("done", flush=True)


if __name__ == "__main__":
    vars(serve)["FILES_DIVISOR"] = FILES_DIVISOR
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
