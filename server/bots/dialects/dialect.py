"""What a bot that talks over a connection of its own says and is sent."""

from collections.abc import Sequence
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
