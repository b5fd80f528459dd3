"""Keeps track of the studio's runs: whether one is there, whether the operator must be asked, when to start the next.

A run that put nothing new on air counts as a failure. After each failure the next start waits longer.
"""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from broadcast.on_air.diary import last_on_air

PATIENCE_SECONDS = 10.0
"""After so long without a studio it counts as gone."""
MOST_FAILURES = 4
"""After so many failures in a row it counts as gone, though it comes back each time."""
STEADY_SECONDS = 10.0
"""A studio that has run for so long has not failed, though it had nothing new to show."""
AGAIN_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 5.0
"""The longest wait before the next start, however often it has failed."""


class StudioWatch:
    """The runs of one tournament's studio. `diary` is the file in which a studio notes what has been on air.

    `clock` gives monotonic seconds; `patience` is how many of them pass until the studio counts as gone.
    """

    def __init__(self, diary: Path, clock: Callable[[], float], patience: float = PATIENCE_SECONDS) -> None:
        self.why = "has not come yet"
        """How the last studio ended, in words."""
        self._diary = diary
        self._clock = clock
        self._patience = patience
        self._furthest = last_on_air(diary)
        self._failures = 0
        self._came_at = 0.0
        self._left_at: float | None = clock()
        self._changed = asyncio.Event()

    @property
    def here(self) -> bool:
        """Whether there is a studio that has sent a message."""
        return self._left_at is None

    @property
    def missed(self) -> bool:
        """Whether the studio counts as gone, so that the operator is asked what to do."""
        return self._failures >= MOST_FAILURES or self.gone_seconds >= self._patience

    @property
    def gone_seconds(self) -> float:
        """How long there has been no studio, in seconds."""
        return 0.0 if self._left_at is None else self._clock() - self._left_at

    @property
    def wait_seconds(self) -> float:
        """How long to wait before the next studio is started, in seconds."""
        return min(AGAIN_SECONDS * 2.0**self._failures, LONGEST_WAIT_SECONDS)

    def heard(self) -> None:
        """Notes that the studio has sent a message."""
        if self._left_at is not None:
            self._came_at, self._left_at = self._clock(), None
            self._wake()
        if self._failures and self._clock() - self._came_at >= STEADY_SECONDS:
            self.forget_failures()

    def ended(self, why: str) -> None:
        """Notes that the studio is gone; `why` in words."""
        reached = last_on_air(self._diary)
        self._failures = 0 if reached > self._furthest else self._failures + 1
        self._furthest = max(reached, self._furthest)
        self.why = why
        if self._left_at is None:
            self._left_at = self._clock()
        self._wake()

    def forget_failures(self) -> None:
        """Forgets earlier failures: something new was shown, or the operator wants it tried again."""
        self._failures = 0
        self._wake()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Returns once `holds` is true of this watch."""
        while not holds():
            left = self._patience - self.gone_seconds
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), None if self.here or left <= 0 else left)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
