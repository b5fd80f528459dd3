"""`python -m tests.publish.killed_show FOLDER`: shows a small contest fast and publishes it to FOLDER/site.

It may be killed at any moment and started again. It prints a line after every index, and ends with the show.
"""

import asyncio
import sys
import time
from pathlib import Path

from broadcast.live.channel import KEPT_BYTES, LiveChannel
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import Diary
from broadcast.publish.live_publisher import LivePublisher
from broadcast.show.showrunner import Showrunner
from server.journal.bus import Bus
from tests.support.recordings import small_contest

SPEED = 60.0
EVERY_SECONDS = 0.1


async def main(folder: Path) -> None:
    bus = Bus(None, time.monotonic)
    bus.load(small_contest())
    air = AirLog("main", SPEED)
    live = LiveChannel(air, time.monotonic, KEPT_BYTES)
    diary = Diary(folder / "show.air")
    show = Showrunner(air, clock=time.monotonic, past=diary.read(), diary=diary)
    publisher = LivePublisher(str(folder / "site"), live, "friday")
    running = asyncio.create_task(show.run(bus.follow()))
    await show.recalled.wait()
    while True:
        over = live.about(0).state == "over"
        await publisher.publish()
        print(air.last, flush=True)
        if over:
            break
        await asyncio.sleep(EVERY_SECONDS)
    running.cancel()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
