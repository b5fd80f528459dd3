"""What a bot that talks over a connection stands on: a dialect, which knows its messages, and a way for bytes."""

from collections.abc import Callable, Sequence
from typing import Protocol

from server.bots.dialects.messages import Heard, Outcome
from server.game.events import Event
from server.game.view import View


class Dialect(Protocol):
    """How a contest's bots talk: events and views in, bytes out, and back. Pure. An answer of no bytes is not sent."""

    @property
    def news(self) -> tuple[type[Event], ...]:
        """The kinds of events that bots are told of."""

    @property
    def second_try(self) -> bool:
        """Whether a bot whose answer was refused may give another one in its time."""

    def ask(self, view: View) -> bytes:
        """The request for a decision of the seat of `view`."""

    def tell(self, event: Event, view: View) -> bytes | None:
        """The message that tells the seat of `view` of `event`; None where its contest has none."""

    def receive(self, received: bytes) -> list[Heard]:
        """What the bot has said with the bytes so far, in order; the bytes may be cut anywhere."""

    @property
    def unfinished(self) -> bytes:
        """The beginning of a message whose end has not come; b"" for none."""

    def answer(self, outcome: Outcome) -> bytes:
        """The reply to what the bot said."""

    def logs(self, transcript: Sequence[str]) -> bytes:
        """The reply to a bot that wants its own log; `transcript` has the lines, oldest first."""


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
