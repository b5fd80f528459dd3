"""What every wire to a bot has: messages that wait, a limit on what is read, and the time. Moves nothing itself."""

from collections import deque
from collections.abc import Callable
from typing import Protocol

READ_BYTES = 2048
"""At most so much is read at once, so that nobody's garbage holds up the others."""
BYTES_PER_SECOND = 16 * 1024
"""What a bot may say in the long run; a busy one says a tenth of it."""
BURST_BYTES = 16 * 1024
MAX_WAITING = 64
"""Messages waiting for a bot that does not read; past it the oldest droppable one goes, else the oldest."""
DRAINED_READS = 4
"""So many reads take the longest message that a bot may send."""


class Timer(Protocol):
    """Something that will happen, unless it is called off."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Monotonic time in seconds, and what is to happen at a time. A running event loop is one."""

    def time(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> Timer: ...


class Parcel:
    """A message on its way out. `handed` is called when the kernel has all of it."""

    def __init__(self, message: bytes, droppable: bool, handed: Callable[[], None] | None) -> None:
        self.message = message
        self.droppable = droppable
        self.handed = handed


class Outbox(deque[Parcel]):
    """The messages that wait for one bot, oldest first."""

    def put(self, parcel: Parcel) -> None:
        """Takes in one more; where too many wait, one of them is given up."""
        self.append(parcel)
        if len(self) > MAX_WAITING:
            self.remove(next((waiting for waiting in self if waiting.droppable), self[0]))

    def withdraw(self, parcel: Parcel) -> None:
        """Takes one out again, if it still waits."""
        if parcel in self:
            self.remove(parcel)


class Credit:
    """A token bucket: what one bot may still say."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._bytes = float(BURST_BYTES)
        self._at = clock.time()

    def spend(self, count: int) -> float:
        """The moment until which the bot is to be read no more; 0 if it may go on."""
        now = self._clock.time()
        self._bytes = min(self._bytes + (now - self._at) * BYTES_PER_SECOND, BURST_BYTES) - count
        self._at = now
        return now + READ_BYTES / BYTES_PER_SECOND if self._bytes < 0 else 0.0
