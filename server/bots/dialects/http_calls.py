"""The requests and replies of bots that are servers, as values, and what their dialects have in common. Pure.

Which of them there are is each contest's dialect; sending them is the connection's.
"""

from typing import Protocol

from msgspec import Struct

from server.bots.dialects.messages import Decided, Malformed
from server.game.events import Event
from server.game.view import View


class Request(Struct, frozen=True):
    """A call to a bot's server."""

    method: str
    path: str
    body: bytes = b""
    content_type: str = ""


class Reply(Struct, frozen=True):
    """What the bot's server returned."""

    status: int
    body: bytes = b""


class Refused(Struct, frozen=True):
    """A well-formed reply with an action that is not allowed now. `reason` is in our own words."""

    reason: str


class HttpDialect(Protocol):
    """How a contest's bots are called: views and events in, requests out, and replies back. Pure."""

    @property
    def news(self) -> tuple[type[Event], ...]:
        """The kinds of events that bots are told of."""

    def ask(self, view: View) -> Request:
        """The call that asks for a decision."""

    def read(self, reply: Reply, view: View) -> Decided | Refused | Malformed:
        """What the bot's reply means in the hand of `view`."""

    def tell(self, event: Event, view: View) -> list[Request]:
        """The calls that give the bot this news, in order; often none."""
