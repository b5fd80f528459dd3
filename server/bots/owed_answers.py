"""Counts the late answers that a bot still owes. Most answers do not name their request, so a late answer could be
taken for an answer to the next request.
"""

import asyncio
from collections import deque

from msgspec import Struct

from server.bots.transports.clock import Clock
from server.game.hand import Hand

LATE_SECONDS = 3.0
"""If an answer is late, the next request waits at most this many seconds for it. A bot that stays silent gets this time
only once.
"""


class OverdueRequest(Struct, frozen=True):
    """A request whose time is up: its hand, when it was sent, and when the answer was due."""

    hand: Hand
    asked_at: float
    due_at: float

    def describe_lateness(self, now: float) -> str:
        """Returns a sentence for the author, about the lateness of an answer that arrived at the time `now`."""
        return f"its answer came after {now - self.asked_at:.1f} s, {now - self.due_at:.1f} s late: it does not count"


class OwedAnswers:
    """The overdue requests to one bot."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._requests = deque[OverdueRequest]()
        self._has_late_answer = False
        """Whether the bot has answered late, and has met no deadline since."""
        self._may_skip_requests = False
        """Whether the bot, after a late answer, has missed another deadline. If so, the bot may be skipping requests,
        and the answer that it owes may never come.
        """
        self._caught_up = asyncio.Event()

    def __bool__(self) -> bool:
        return bool(self._requests)

    def add(self, hand: Hand, asked_at: float) -> None:
        """Adds a request of `hand`, sent at `asked_at`, whose time has just run out."""
        self._requests.append(OverdueRequest(hand, asked_at, self._clock.time()))
        self._may_skip_requests = self._has_late_answer
        self._caught_up.clear()

    def pop_oldest_request(self) -> OverdueRequest:
        """Removes and returns the oldest request. Call this when a late answer comes, because the answer belongs to
        that request.
        """
        self._has_late_answer = True
        self._caught_up.set()
        return self._requests.popleft()

    def clear(self) -> None:
        self._requests.clear()
        self._has_late_answer = False
        self._caught_up.set()

    async def wait_until_caught_up(self) -> None:
        """If the bot owes exactly one answer, waits until that answer comes or is LATE_SECONDS late."""
        if len(self._requests) != 1:  # A bot that owes several answers gets no more extra time.
            return
        timer = self._clock.call_at(self._requests[-1].due_at + LATE_SECONDS, self._caught_up.set)
        try:
            await self._caught_up.wait()
        finally:
            timer.cancel()
        if self._may_skip_requests:
            self.clear()
