"""Counts the answers that a bot still owes to requests whose time is up: what it says next is such a late answer.

Nothing on the connection says to which request an answer belongs; this is how a late one is never taken for the next.
"""

import asyncio

from server.bots.transports.outbox import Clock

LATE_SECONDS = 3.0
"""So long after its time was up a bot that is silent is waited for, once, before it is asked again."""


class OwedAnswers:
    """How many answers one bot owes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._count = 0
        self._since = 0.0
        self._paid = False
        """Whether a late answer has come since the last one in time."""
        self._doubted = False
        """Whether silence has followed that: then the bot had left one out, and what came was no late answer."""
        self._caught_up = asyncio.Event()

    def __bool__(self) -> bool:
        return self._count > 0

    def add(self) -> None:
        """Counts one more: the time is up, and no answer has come."""
        self._count += 1
        self._since = self._clock.time()
        self._doubted = self._paid
        self._caught_up.clear()

    def pay(self) -> float:
        """Counts one less: a late answer is here. Returns how many seconds after the time was up it came."""
        self._count -= 1
        self._paid = True
        self._caught_up.set()
        return self._clock.time() - self._since

    def clear(self) -> None:
        """Forgets all: an answer came in time, or the bot is gone."""
        self._count, self._paid = 0, False
        self._caught_up.set()

    async def caught_up(self) -> None:
        """Waits until the bot owes nothing, for LATE_SECONDS after the time was up at most."""
        if self._count != 1:  # One that stays silent is not waited for again.
            return
        timer = self._clock.call_at(self._since + LATE_SECONDS, self._caught_up.set)
        try:
            await self._caught_up.wait()
        finally:
            timer.cancel()
        if self._doubted:
            self.clear()
