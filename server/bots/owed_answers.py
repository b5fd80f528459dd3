"""Counts the answers that a bot still owes to requests whose time is up.

An answer does not say to which request it belongs. So we count, to keep a late answer from counting for the next
request.
"""

import asyncio
from collections import deque

from msgspec import Struct

from server.bots.transports.clock import Clock
from server.game.hand import Hand

LATE_SECONDS = 3.0
"""How long the next request waits for the late answer of a silent bot. A bot gets this extra time only once."""


class Owed(Struct, frozen=True):
    """A request whose time is up: its hand, when it was sent, and when its answer was due."""

    hand: Hand
    asked_at: float
    due_at: float

    def lateness(self, now: float) -> str:
        """Returns text for the author that says how late an answer is if it arrives `now`."""
        return f"its answer came after {now - self.asked_at:.1f} s, {now - self.due_at:.1f} s late: it does not count"


class OwedAnswers:
    """The requests that one bot still has to answer although their time is up."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._requests = deque[Owed]()
        self._paid = False
        """Whether a late answer has arrived since the last answer that was in time."""
        self._doubted = False
        """Whether the bot was silent again after a late answer. It may skip requests instead of answering late."""
        self._caught_up = asyncio.Event()

    def __bool__(self) -> bool:
        return bool(self._requests)

    def add(self, hand: Hand, asked_at: float) -> None:
        """Adds a request of `hand`, sent at `asked_at`. Its time is up now, without an answer."""
        self._requests.append(Owed(hand, asked_at, self._clock.time()))
        self._doubted = self._paid
        self._caught_up.clear()

    def pay(self) -> Owed:
        """Matches a late answer to the oldest request; removes and returns that request."""
        self._paid = True
        self._caught_up.set()
        return self._requests.popleft()

    def clear(self) -> None:
        """Forgets all requests, because an answer came in time or the bot is gone."""
        self._requests.clear()
        self._paid = False
        self._caught_up.set()

    async def wait_until_caught_up(self) -> None:
        """Waits until the bot owes nothing, at most LATE_SECONDS after its time was up."""
        if len(self._requests) != 1:  # A bot that stays silent gets no more extra time.
            return
        timer = self._clock.call_at(self._requests[-1].due_at + LATE_SECONDS, self._caught_up.set)
        try:
            await self._caught_up.wait()
        finally:
            timer.cancel()
        if self._doubted:
            self.clear()
