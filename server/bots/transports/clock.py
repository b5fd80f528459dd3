"""The monotonic clock that times bots' answers."""

from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancels the call, if it has not been made yet."""


class Clock(Protocol):
    """Monotonic time in seconds, and scheduled calls. A running event loop is such a clock."""

    def time(self) -> float:
        """Returns the seconds since an arbitrary moment."""

    def call_at(self, when: float, callback: Callable[[], object], /) -> Timer:
        """Schedules a call at `when`, in seconds of this clock."""
