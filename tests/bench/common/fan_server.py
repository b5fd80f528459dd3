"""The studio (web server) of the benchmark `fanout`: `python -m tests.bench.common.fan_server MESSAGE_BYTES`.

It prints its port, and then obeys lines of its standard input. After the line "go COUNT RATE AT_ONCE", it sends viewers
COUNT messages in groups of AT_ONCE, at RATE messages per second, and prints "done". With RATE 0, it sends the messages
as fast as possible.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from broadcast.app import Studio
from broadcast.web.serve import serving
from server.game.events import ChatSent
from server.process import limit_gc
from tests.support.games.contests import play_contest


async def main(message_bytes: int) -> None:
    with tempfile.TemporaryDirectory() as media:
        studio = Studio(Path(media), time.monotonic)
        air = studio.open_channel("main", 1)
        for entry in play_contest(0, 12):
            air.put(entry.event, 0, 0)
        async with serving(studio.app, "127.0.0.1", 0) as base:
            limit_gc()
            print(base.rpartition(":")[2], flush=True)
            while line := await asyncio.to_thread(sys.stdin.readline):
                count, rate, at_once = map(int, line.split()[1:])
                started_at = time.monotonic()
                for number in range(0, count, at_once):
                    if rate:
                        await asyncio.sleep(max(0.0, started_at + number / rate - time.monotonic()))
                    for _ in range(at_once):
                        air.put(ChatSent(1, f"{'x' * (message_bytes - 140)}@@{time.monotonic_ns()}@@"), 0, 0)
                    if not rate:
                        await studio.drain("main")
                await studio.drain("main")
                print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
