"""The requests and replies of bots that are servers, as values, and what their dialects have in common. Pure.

Which of them there are is each contest's dialect; sending them is the connection's.
"""

from typing import Protocol

from msgspec import Struct

from server.bots.dialects.messages import Decided, Malformed
from server.game.events import Event
from server.game.view import View
from server.text.json_faults import BadJson, decoded, parsed

OK = 200


class Request(Struct, frozen=True):
    """A call to a bot's server."""

    method: str
    path: str
    body: bytes = b""
    content_type: str = ""


HEALTH = Request("GET", "/health")
"""Asks a bot how it is; no answer is no fault."""


def named_request(request: Request) -> tuple[str, str]:
    """The name of a call, such as "POST /action", and its text."""
    text = request.body.decode()
    event = text.partition("event=")[2].partition("&")[0]
    return f"{request.method} {request.path}{f': {event}' if event else ''}", text


class Reply(Struct, frozen=True):
    """What the bot's server returned."""

    status: int
    body: bytes = b""


def other_status(status: int) -> str:
    """What is wrong with a reply of another status than 200, in words for its author."""
    hint = ": redirects are not followed" if 300 <= status < 400 else ""
    return f"answered with status {status} instead of {OK}{hint}"


def not_json(body: bytes) -> str:
    """Why a body is no JSON, in words for its author; "" if it is."""
    if not body.strip():
        return "the answer is empty, and JSON is expected"
    if body.startswith(b"\x1f\x8b"):
        return "the answer is compressed, and must be sent as it is"
    try:
        parsed(decoded(body.removeprefix(b"\xef\xbb\xbf")))
    except BadJson as fault:
        return f"the answer is not JSON: {fault}"
    return ""


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
