"""The peer in the fan-out benchmark, which uses the library websockets. Obeys the same lines as `fan_server.py`.

Run: `python -m tests.bench.common.fan_websockets MESSAGE_BYTES`.
"""

import asyncio
import resource
import sys
import time

from websockets.asyncio.server import ServerConnection, broadcast, serve


async def main(message_bytes: int) -> None:
    viewers = set[ServerConnection]()

    async def viewer(connection: ServerConnection) -> None:
        viewers.add(connection)
        await connection.wait_closed()

    server = await serve(viewer, "127.0.0.1", 0, compression=None, ping_interval=None, backlog=4096)
    print(next(iter(server.sockets)).getsockname()[1], flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        count, a_second, at_once = map(int, line.split()[1:])
        begun = time.monotonic()
        for number in range(0, count, at_once):
            if a_second:
                await asyncio.sleep(max(0.0, begun + number / a_second - time.monotonic()))
            for _ in range(at_once):
                broadcast(viewers, f"@@{time.monotonic_ns()}@@{'x' * (message_bytes - 20)}")
            await asyncio.sleep(0)
        print("done", flush=True)


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(main(int(sys.argv[1])))
