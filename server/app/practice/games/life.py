"""The sign of life that a process of the practice server gives once a second."""

import asyncio
import time

from server.app.practice.games.messages import Alive
from server.journal.link import Link

ALIVE_SECONDS = 1.0


async def say_alive(link: Link) -> None:
    """Sends a sign of life once a second, for ever, with how late it is."""
    lag_ms = 0.0
    while True:
        link.send(Alive(lag_ms))
        due = time.monotonic() + ALIVE_SECONDS
        await asyncio.sleep(ALIVE_SECONDS)
        lag_ms = (time.monotonic() - due) * 1000
