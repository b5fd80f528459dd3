"""Monotonic time for bots, and calls to be made at a time."""

from collections.abc import Callable
from typing import Protocol


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
