"""The way for the bytes of a bot that talks over a connection."""

from collections.abc import Callable
from typing import Protocol


class Connection(Protocol):
    """A connection to one bot. It moves bytes and knows nothing of what they mean."""

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """Starts reading. `lost` is called once, with the reason, when the other end is gone."""

    def send(
        self, message: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Queues a whole message and returns at once a function that takes it back, if it has not been sent.

        Where too many messages wait, droppable ones are given up first. `handed` is called when the kernel has the
        message, after everything the bot said before has been read.
        """

    def drain(self) -> None:
        """Reads what has already arrived and passes it on, before this returns."""

    def close(self) -> None:
        """Sends what waits, then closes. `lost` is not called."""
