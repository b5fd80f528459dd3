"""The requests to bots that are HTTP servers, the bots' replies, and the interface of their dialects (message formats).
No I/O.
"""

from typing import Protocol

from msgspec import Struct

from server.bots.dialects.messages import DecisionMessage, Malformed
from server.game.events import Event
from server.game.view import View
from server.text.json_faults import InvalidJson, decode_utf8, parse_json

OK = 200


class Request(Struct, frozen=True):
    """A call to a bot's server."""

    method: str
    path: str
    body: bytes = b""
    content_type: str = ""


HEALTH_REQUEST = Request("GET", "/health")
"""A health check. Bots may leave it unanswered."""


def name_and_body(request: Request) -> tuple[str, str]:
    """Returns the name of a call, such as "POST /action", and its body as text."""
    text = request.body.decode()
    event = text.partition("event=")[2].partition("&")[0]
    return f"{request.method} {request.path}{f': {event}' if event else ''}", text


class Reply(Struct, frozen=True):
    """The response of the bot's server."""

    status: int
    body: bytes = b""


def describe_bad_status(status: int) -> str:
    """Returns what to tell the bot's author about a reply whose status is not 200."""
    hint = ": redirects are not followed" if 300 <= status < 400 else ""
    return f"answered with status {status} instead of {OK}{hint}"


def json_fault(body: bytes) -> str:
    """Returns why a body is not JSON, in words for the bot's author. Returns "" if it is JSON."""
    if not body.strip():
        return "the answer is empty, and JSON is expected"
    if body.startswith(b"\x1f\x8b"):
        return "the answer is compressed; send it uncompressed"
    try:
        parse_json(decode_utf8(body.removeprefix(b"\xef\xbb\xbf")))
    except InvalidJson as fault:
        return f"the answer is not JSON: {fault}"
    return ""


class Refused(Struct, frozen=True):
    """A well-formed reply with an action that is not allowed now. `reason` is in this program's words. It quotes at
    most a plain word or a number from the reply.
    """

    reason: str


class HttpDialect(Protocol):
    """Turns a view (a hand as one seat sees it) or an event into requests to a contest's HTTP bots, and a bot's reply
    into a decision. No I/O.
    """

    @property
    def notified_events(self) -> tuple[type[Event], ...]:
        """The kinds of events that are reported to bots."""

    def ask(self, view: View) -> Request:
        """Returns the call that asks the seat of `view` for a decision."""

    def read(self, reply: Reply, view: View) -> DecisionMessage | Refused | Malformed:
        """Returns the meaning of the bot's reply in the hand of `view`."""

    def notify(self, event: Event, view: View) -> list[Request]:
        """Returns the calls that report `event` to the bot, in order. Often there are none."""
