# mypy: ignore-errors
"""Peers of the benchmark of the fan-out: `python fan_peers.py picows|websockets MESSAGE_BYTES`, as `fan_server.py`.

Runs in an environment of its own, in which only these libraries are installed.
"""

import asyncio
import resource
import sys
import time

from picows import WSListener, WSMsgType, ws_create_server
from websockets.asyncio.server import broadcast, serve


async def picows(viewers):
    """The port of a server of picows that keeps `viewers`, and what sends a text to all of them."""

    class Viewer(WSListener):
        def on_ws_connected(self, transport):
            viewers.add(transport)

        def on_ws_disconnected(self, transport):
            viewers.discard(transport)

    def spread(text):
        for transport in viewers:
            transport.send(WSMsgType.TEXT, text)

    server = await ws_create_server(lambda _: Viewer(), "127.0.0.1", 0, backlog=4096)
    return server, spread


async def websockets(viewers):
    """The same with the library websockets."""

    async def viewer(connection):
        viewers.add(connection)
        await connection.wait_closed()

    server = await serve(viewer, "127.0.0.1", 0, compression=None, ping_interval=None, backlog=4096)
    return server, lambda text: broadcast(viewers, text.decode())


async def main(library, message_bytes):
    server, spread = await library(set())
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        count, a_second, at_once = map(int, line.split()[1:])
        begun = time.monotonic()
        for number in range(0, count, at_once):
            if a_second:
                await asyncio.sleep(max(0.0, begun + number / a_second - time.monotonic()))
            for _ in range(at_once):
                spread(f"@@{time.monotonic_ns()}@@{'x' * (message_bytes - 20)}".encode())
            await asyncio.sleep(0)
        print("done", flush=True)


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(main({"picows": picows, "websockets": websockets}[sys.argv[1]], int(sys.argv[2])))
