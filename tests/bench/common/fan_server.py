"""Our studio as a server of the fan-out benchmark: `python -m tests.bench.common.fan_server MESSAGE_BYTES WAY`.

WAY is "best", or "one-by-one" to send to viewers as on systems without io_uring.

Prints its port, then obeys lines on its standard input: "go COUNT A_SECOND AT_ONCE" puts COUNT messages on air, AT_ONCE
of them together, A_SECOND per second (0: as soon as the previous ones are written), and answers "done".
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from broadcast.app import Studio
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.viewers import Fanout
from broadcast.web import serve
from broadcast.web.connections.batch_send import BatchSender, batch_sender
from server.game.events import ChatSent
from server.process import limit_gc
from tests.support.contests import play_contest

FILES_DIVISOR = 1.5
"""Viewers may take the limit of open files divided by this. A real studio also needs other files, and divides by 2."""


async def main(message_bytes: int, sender: BatchSender) -> None:
    with tempfile.TemporaryDirectory() as media:
        studio = Studio(Path(media), time.monotonic, sender=sender)
        air = studio.open_channel("main", 1)
        for entry in play_contest(0, 12):
            air.put(entry.event, 0, 0)
        fanout = studio._fanouts["main"]
        async with serve.serving(studio.app, "127.0.0.1", 0, max_connections=12_000) as base:
            print(base.rpartition(":")[2], flush=True)
            limit_gc()
            while line := await asyncio.to_thread(sys.stdin.readline):
                await go(air, fanout, *map(int, line.split()[1:]), padding=message_bytes - 140)
                print("done", flush=True)


async def go(air: AirLog, fanout: Fanout, count: int, a_second: int, at_once: int, *, padding: int) -> None:
    begun = time.monotonic()
    for number in range(0, count, at_once):
        if a_second:
            await asyncio.sleep(max(0.0, begun + number / a_second - time.monotonic()))
        for _ in range(at_once):
            air.put(ChatSent(1, f"@@{time.monotonic_ns()}@@{'x' * padding}"), 0, 0)
        if fanout._writing and not a_second:
            await fanout._writing
    if fanout._writing:
        await fanout._writing


if __name__ == "__main__":
    vars(serve)["FILES_DIVISOR"] = FILES_DIVISOR
    asyncio.run(main(int(sys.argv[1]), batch_sender() if sys.argv[2] == "best" else BatchSender()))
