"""A TCP server for tests. When it ends, it leaves no connection open."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

HOST = "127.0.0.1"


@asynccontextmanager
async def serve_connections(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]],
) -> AsyncIterator[int]:
    """Listens on a free port, and calls `serve` for each connection. Yields the port.

    At the end, closes the server and all connections, even those whose `serve` has not begun.
    """
    open_connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(serve(reader, writer))
        open_connections[task] = writer
        task.add_done_callback(open_connections.pop)

    server = await asyncio.start_server(accept, HOST, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        for listener in server.sockets:
            asyncio.get_running_loop().remove_reader(listener)
        # A new connection reaches `accept` after up to four rounds of the event loop. Only then can it be closed below.
        for _ in range(4):
            await asyncio.sleep(0)
        server.close()
        for task, writer in open_connections.items():
            task.cancel()
            writer.close()
        await asyncio.gather(*open_connections, return_exceptions=True)
        await server.wait_closed()
