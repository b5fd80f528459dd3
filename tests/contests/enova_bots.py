"""Plays a scripted hand of the contest Enova, reads the forms sent to bots, and runs bots as HTTP servers."""

import contextlib
import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any
from urllib.parse import unquote_plus

from server.bots.dialects.http_calls import Reply, Request
from server.bots.dialects.messages import Malformed
from server.contests.enova.dialect import EnovaDialect
from server.contests.enova.rules import ENOVA
from server.game.betting import fault_decision, take_turn
from server.game.decisions import Decision, Fold, IllegalAction
from server.game.events import Entrant, Event, Fault
from server.game.view import View, view_of
from tests.bots.http_servers import Caller, make_response, serve_bot
from tests.bots.views import NAMES, entrants_of
from tests.game.table import deal
from tests.support.tcp_server import HOST

Form = dict[str, Any]


class EnovaTable:
    """A hand of Enova in game 4. The last seat posts the big blind, so its stack must not be 0."""

    def __init__(self, stacks: str, hands: str = "", board: str = "", *, names: tuple[str, ...] = NAMES) -> None:
        table = deal(stacks, hands, board, rules=ENOVA)
        self.hand, seats = table.hand, len(table.hand.seats)
        self.entrants: tuple[Entrant, ...] = entrants_of(seats, names)
        self.dialects = [EnovaDialect() for _ in range(seats)]
        self.calls: list[list[Request]] = [[] for _ in range(seats)]
        """The requests to each seat, except those that ask for an action."""
        self.events: list[Event] = []
        self._notify(table.events)

    @property
    def seat(self) -> int:
        assert self.hand.turn is not None
        return self.hand.turn.seat

    @property
    def view(self) -> View:
        return view_of(self.hand, self.seat, 4, self.entrants)

    def ask(self) -> dict[str, Any]:
        """Asks the acting seat for a decision. Returns the form that this seat gets."""
        request = self.dialects[self.seat].ask(self.view)
        assert (request.method, request.path) == ("POST", "/player/action")
        assert request.content_type == "application/x-www-form-urlencoded"
        return read_form(request.body)

    def answer(self, body: bytes, status: int = 200) -> Fault:
        """Plays the acting seat's answer. Returns the fault in the answer, or ""."""
        self.ask()
        content = self.dialects[self.seat].read(Reply(status, body), self.view)
        if isinstance(content, Malformed):
            return self._take(Fold(), "malformed")
        try:
            return self._take(content.decision, "")
        except IllegalAction:
            return self._take(fault_decision(self.hand, "illegal"), "illegal")

    def play(self, script: str) -> "EnovaTable":
        """Plays the answers in `script`, such as "blind:1 bet:2 fold". Fails if an answer is a fault."""
        for word in script.split():
            action, _, amount = word.partition(":")
            assert not self.answer(b'{"action": "%s", "amount": "%s"}' % (action.encode(), amount.encode()))
        return self

    def requests_to(self, seat: int) -> list[tuple[str, dict[str, Any]]]:
        return [(request.path, read_form(request.body)) for request in self.calls[seat]]

    def events_sent_to(self, seat: int) -> list[str]:
        return [form["event"] for path, form in self.requests_to(seat) if path == "/player/notify"]

    def _take(self, decision: Decision, fault: Fault) -> Fault:
        self.hand, events = take_turn(self.hand, decision, fault=fault)
        self._notify(events)
        return fault

    def _notify(self, events: Sequence[Event]) -> None:
        self.events += events
        for event in events:
            for seat, dialect in enumerate(self.dialects):
                if isinstance(event, dialect.notified_events):
                    self.calls[seat] += dialect.notify(event, view_of(self.hand, seat, 4, self.entrants))


def read_form(body: bytes) -> Form:
    """Reads a form as Ruby's Rack does: unescapes keys, then splits them at brackets. `a[0]=x` is {"a": {"0": "x"}}."""
    form: Form = {}
    for pair in body.decode("ascii").split("&"):
        name, equals, value = pair.partition("=")
        assert equals, pair
        _set_parameter(form, unquote_plus(name), unquote_plus(value))
    return form


def _set_parameter(form: Form, name: str, value: str) -> None:
    match = re.match(r"[\[\]]*([^\[\]]+)\]*", name)
    assert match, name
    key, rest = match[1], name[match.end() :]
    assert not rest.startswith("[]"), "Rack reads [] as an array, but bots call .values, which only a hash has"
    if not rest:
        assert key not in form, f"{key} appears twice"
        form[key] = value
        return
    assert rest.startswith("["), name
    nested_form = form.setdefault(key, {})
    assert isinstance(nested_form, dict), name
    _set_parameter(nested_form, rest, value)


Answer = tuple[int, bytes]
OK: Answer = (200, b"")
NO_ANSWER: Answer = (0, b"never")
HANG_UP: Answer = (0, b"hang up")


class EnovaServer:
    """A bot that keeps all requests in `calls`. `choose` returns the bot's answer to a path and a form.

    If `choose` returns NO_ANSWER, the bot gives no answer. If `choose` returns HANG_UP, the bot closes the connection.
    A badly nested form also makes the bot close the connection, because a real bot would fail on such a form.
    """

    def __init__(self, choose: Callable[[str, Form], Answer]) -> None:
        self._choose = choose
        self.calls: list[tuple[str, Form]] = []
        self.port = 0

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    async def answer_requests(self, caller: Caller) -> None:
        while True:
            head, body = await caller.read_request()
            path, form = head.split(" ", 2)[1], read_form(body) if body else {}
            self.calls.append((path, form))
            reply = self._choose(path, form)
            if reply == NO_ANSWER:
                await caller.wait_until_gone()
            if reply in (NO_ANSWER, HANG_UP):
                return
            status, content = reply
            await caller.say(make_response(content, status=f"{status} Fine"))


@contextlib.asynccontextmanager
async def serving_bots(bots: Sequence[EnovaServer]) -> AsyncIterator[None]:
    async with contextlib.AsyncExitStack() as open_servers:
        for bot in bots:
            server = await open_servers.enter_async_context(serve_bot(bot.answer_requests))
            bot.port = server.address.port
        yield
