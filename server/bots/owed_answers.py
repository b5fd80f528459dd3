"""Counts the answers that a bot still owes to requests whose time is up: what it says next is such a late answer.

Nothing on the connection says to which request an answer belongs; this is how a late one is never taken for the next.
"""

import asyncio
from collections import deque

from msgspec import Struct

from server.bots.transports.clock import Clock
from server.game.hand import Hand

LATE_SECONDS = 3.0
"""So long after its time was up a bot that is silent is waited for, once, before it is asked again."""


class Owed(Struct, frozen=True):
    """A request whose time is up: the hand it was asked in, and when it was asked and due, by the clock."""

    hand: Hand
    asked_at: float
    due_at: float

    def lateness(self, now: float) -> str:
        """Says of an answer that comes `now` how late it is."""
        return f"its answer came after {now - self.asked_at:.1f} s, {now - self.due_at:.1f} s late: it does not count"


class OwedAnswers:
    """How many answers one bot owes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._requests = deque[Owed]()
        self._paid = False
        """Whether a late answer has come since the last one in time."""
        self._doubted = False
        """Whether silence has followed that: then the bot had left one out, and what came was no late answer."""
        self._caught_up = asyncio.Event()

    def __bool__(self) -> bool:
        return bool(self._requests)

    def add(self, hand: Hand, asked_at: float) -> None:
        """Counts one more, asked in `hand` at `asked_at`: its time is up now, and no answer has come."""
        self._requests.append(Owed(hand, asked_at, self._clock.time()))
        self._doubted = self._paid
        self._caught_up.clear()

    def pay(self) -> Owed:
        """Counts one less: a late answer is here. Returns the request that it answers, the oldest one."""
        self._paid = True
        self._caught_up.set()
        return self._requests.popleft()

    def clear(self) -> None:
        """Forgets all: an answer came in time, or the bot is gone."""
        self._requests.clear()
        self._paid = False
        self._caught_up.set()

    async def caught_up(self) -> None:
        """Waits until the bot owes nothing, for LATE_SECONDS after the time was up at most."""
        if len(self._requests) != 1:  # One that stays silent is not waited for again.
            return
        timer = self._clock.call_at(self._requests[-1].due_at + LATE_SECONDS, self._caught_up.set)
        try:
            await self._caught_up.wait()
        finally:
            timer.cancel()
        if self._doubted:
            self.clear()
