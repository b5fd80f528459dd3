"""What every connection to a bot needs: a queue of messages, limits of what is read, and a clock. Moves no bytes."""

from collections import deque
from collections.abc import Callable
from typing import Protocol

READ_BYTES = 2048
"""Bytes that are read at once at most, so that nobody's garbage holds up the others."""
BYTES_PER_SECOND = 16 * 1024
"""What a bot may say in the long run; a busy one says a tenth of it."""
BURST_BYTES = 16 * 1024
"""What it may say at once."""
MOST_WAITING = 64
"""Messages waiting for a bot that does not read; past it the oldest droppable one goes, else the oldest."""
DRAINED_READS = 4
"""So many reads take the longest message that a bot may send."""


class Timer(Protocol):
    """A call that will be made later, unless it is cancelled."""

    def cancel(self) -> None:
        """Calls it off; does nothing if it has been made."""


class Clock(Protocol):
    """Monotonic time in seconds, and calls to be made at a time. A running event loop is one."""

    def time(self) -> float:
        """Seconds since some moment."""

    def call_at(self, when: float, callback: Callable[[], object], /) -> Timer:
        """Has `callback` called at the time `when`, in seconds of this clock."""


class Message:
    """A message on its way out. `handed` is called when the kernel has all of it."""

    def __init__(self, raw: bytes, droppable: bool, handed: Callable[[], None] | None) -> None:
        self.raw = raw
        self.droppable = droppable
        self.handed = handed


class Outbox(deque[Message]):
    """The messages that wait for one bot, oldest first."""

    def put(self, message: Message) -> None:
        """Adds one; past MOST_WAITING the oldest droppable one is given up, else the oldest."""
        self.append(message)
        if len(self) > MOST_WAITING:
            self.remove(next((waiting for waiting in self if waiting.droppable), self[0]))

    def withdraw(self, message: Message) -> None:
        """Removes one, if it still waits."""
        if message in self:
            self.remove(message)
