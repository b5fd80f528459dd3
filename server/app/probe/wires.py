"""How messages come to a bot that is tried: in pieces, several at once, or with fields that it does not know."""

import json
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode

from msgspec.structs import replace

from server.bots.dialects.http_calls import HttpDialect, Refused, Reply, Request
from server.bots.dialects.messages import Decided, Dialect, Malformed
from server.bots.transports.connection import Connection
from server.contests.situations import Manner
from server.game.events import Event
from server.game.view import View

PIECES = 5
STRANGE = {"zz_unknown": {"of": ["a later", "version"], "number": 1.5, "nothing": None}}


class Wire:
    """The manner in which messages come now; what it wraps looks here before each of them."""

    def __init__(self) -> None:
        self.manner: Manner = ""


class OddConnection:
    """A connection that sends as its wire says."""

    def __init__(self, connection: Connection, wire: Wire) -> None:
        self._connection = connection
        self._wire = wire
        self._held = b""

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """As the connection's own."""
        self._connection.attach(received, lost)

    def send(
        self, message: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Sends in pieces, or holds news back until a request goes with it.

        Refusals and logs, which are droppable, are not held back: the bot may wait for them before it says more.
        """
        if self._wire.manner == "glued" and handed is None and not droppable:
            self._held += message
            return lambda: None
        message, self._held = self._held + message, b""
        if self._wire.manner == "pieces":
            size = max(1, len(message) // PIECES)
            while len(message) > size:
                self._connection.send(message[:size])
                message = message[size:]
        return self._connection.send(message, droppable=droppable and self._wire.manner != "pieces", handed=handed)

    def drain(self) -> None:
        """As the connection's own."""
        self._connection.drain()

    def close(self) -> None:
        """As the connection's own."""
        self._connection.close()


class OddJson:
    """A dialect of JSON lines whose requests have fields that nobody knows, when its wire says so."""

    def __init__(self, dialect: Dialect, wire: Wire) -> None:
        self._dialect = dialect
        self._wire = wire
        self.news, self.second_try = dialect.news, dialect.second_try
        self.receive, self.answer, self.logs = dialect.receive, dialect.answer, dialect.logs

    @property
    def unfinished(self) -> bytes:
        """As the dialect's own."""
        return self._dialect.unfinished

    def ask(self, view: View) -> bytes:
        """The request for a decision."""
        return self._odd(self._dialect.ask(view))

    def tell(self, event: Event, view: View) -> bytes | None:
        """The message for an event."""
        message = self._dialect.tell(event, view)
        return self._odd(message) if message else message

    def _odd(self, line: bytes) -> bytes:
        if self._wire.manner != "unknown fields":
            return line
        return json.dumps({**STRANGE, **json.loads(line)}, ensure_ascii=False).encode() + b"\n"


class OddCalls:
    """A dialect of HTTP calls whose requests have fields that nobody knows, when its wire says so."""

    def __init__(self, dialect: HttpDialect, wire: Wire) -> None:
        self._dialect = dialect
        self._wire = wire
        self.news = dialect.news

    def ask(self, view: View) -> Request:
        """The request for a decision."""
        return self._odd(self._dialect.ask(view))

    def read(self, reply: Reply, view: View) -> Decided | Refused | Malformed:
        """As the dialect's own."""
        return self._dialect.read(reply, view)

    def tell(self, event: Event, view: View) -> list[Request]:
        """The calls for an event."""
        return [self._odd(request) for request in self._dialect.tell(event, view)]

    def _odd(self, request: Request) -> Request:
        if self._wire.manner != "unknown fields" or not request.body:
            return request
        if request.content_type == "application/json":
            return replace(request, body=json.dumps({**STRANGE, **json.loads(request.body)}).encode())
        fields = [("zz_unknown[of][0]", "a later version"), *parse_qsl(request.body.decode(), keep_blank_values=True)]
        return replace(request, body=urlencode(fields).encode())
