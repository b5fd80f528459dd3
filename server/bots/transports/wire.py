"""What every transport offers and what time it goes by. Bytes only: no poker, no JSON."""

from collections.abc import Callable
from typing import Protocol


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


class Wire(Protocol):
    """A connection to one bot."""

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """Starts reading. `lost` is called once, with the reason, when the other end is gone."""

    def send(self, message: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None) -> Parcel:
        """Puts a whole message on its way and returns at once. Droppable ones are given up first."""

    def withdraw(self, parcel: Parcel) -> None:
        """Takes back what is not yet with the kernel; nothing happens to the rest."""

    def drain(self) -> None:
        """Reads what has already arrived, now."""

    def close(self) -> None:
        """Sends what waits, then closes; `lost` is not called."""
