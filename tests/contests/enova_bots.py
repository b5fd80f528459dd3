"""Enova for tests: a hand with a dialect for each seat, bots that are real HTTP servers, and a reader of forms."""

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
from tests.bots.http_servers import HOST, Caller, answer, host_playing
from tests.bots.views import NAMES, entrants_of
from tests.game.table import deal


class EnovaTable:
    """A hand in which the last seat with chips has the big blind. `calls` has the notifications of each seat."""

    def __init__(self, stacks: str, hands: str = "", board: str = "", *, names: tuple[str, ...] = NAMES) -> None:
        table = deal(stacks, hands, board, rules=ENOVA)
        self.hand, seats = table.hand, len(table.hand.seats)
        self.entrants: tuple[Entrant, ...] = entrants_of(seats, names)
        self.dialects = [EnovaDialect() for _ in range(seats)]
        self.calls: list[list[Request]] = [[] for _ in range(seats)]
        self.events: list[Event] = []
        self.game = 4
        self._happen(table.events)

    @property
    def seat(self) -> int:
        assert self.hand.turn is not None
        return self.hand.turn.seat

    @property
    def view(self) -> View:
        return view_of(self.hand, self.seat, self.game, self.entrants)

    def form(self) -> dict[str, Any]:
        request = self.dialects[self.seat].ask(self.view)
        assert (request.method, request.path) == ("POST", "/player/action")
        assert request.content_type == "application/x-www-form-urlencoded"
        return rack(request.body)

    def answer(self, body: bytes, status: int = 200) -> Fault:
        """Plays an answer of the seat to act; returns the answer's fault, or ""."""
        self.form()
        outcome = self.dialects[self.seat].read(Reply(status, body), self.view)
        if isinstance(outcome, Malformed):
            return self._apply(Fold(), "malformed")
        try:
            return self._apply(outcome.decision, "")
        except IllegalAction:
            return self._apply(fault_decision(self.hand, "illegal"), "illegal")

    def play(self, script: str) -> "EnovaTable":
        """Plays the answers in `script`, such as "blind:1 bet:2 fold". Fails if an answer is a fault."""
        for word in script.split():
            action, _, amount = word.partition(":")
            assert not self.answer(b'{"action": "%s", "amount": "%s"}' % (action.encode(), amount.encode()))
        return self

    def news(self, seat: int) -> list[tuple[str, dict[str, Any]]]:
        """The paths that were called for `seat`, with their forms."""
        return [(request.path, rack(request.body)) for request in self.calls[seat]]

    def notified(self, seat: int) -> list[str]:
        return [form["event"] for path, form in self.news(seat) if path == "/player/notify"]

    def _apply(self, decision: Decision, fault: Fault) -> Fault:
        self.hand, events = take_turn(self.hand, decision, fault=fault)
        self._happen(events)
        return fault

    def _happen(self, events: Sequence[Event]) -> None:
        self.events += events
        for event in events:
            for seat, dialect in enumerate(self.dialects):
                if isinstance(event, dialect.news_types):
                    self.calls[seat] += dialect.notify(event, view_of(self.hand, seat, self.game, self.entrants))


def rack(body: bytes) -> dict[str, Any]:
    """Reads a form as Ruby's Rack does: unescapes keys before nesting them; "[0]" makes a table with the key "0"."""
    params: dict[str, Any] = {}
    for pair in body.decode("ascii").split("&"):
        name, equals, value = pair.partition("=")
        assert equals, pair
        _normalize(params, unquote_plus(name), unquote_plus(value))
    return params


def _normalize(params: dict[str, Any], name: str, value: str) -> None:
    match = re.match(r"[\[\]]*([^\[\]]+)\]*", name)
    assert match, name
    key, after = match[1], name[match.end() :]
    assert not after.startswith("[]"), "Rack would make a list, but contestants' bots need a table with .values"
    if not after:
        assert key not in params, f"{key} appears twice"
        params[key] = value
        return
    assert after.startswith("["), name
    inner = params.setdefault(key, {})
    assert isinstance(inner, dict), name
    _normalize(inner, after, value)


Form = dict[str, Any]
Answer = tuple[int, bytes]
OK: Answer = (200, b"")
NEVER: Answer = (0, b"never")
HANG_UP: Answer = (0, b"hang up")


class EnovaServer:
    """A bot that answers each path and form with the reply of `choose`.

    The reply NEVER means no answer, and HANG_UP ends the connection. A form with bad nesting also ends it, because a
    real bot would fail on such a form. `heard` lists all calls.
    """

    def __init__(self, choose: Callable[[str, Form], Answer]) -> None:
        self._choose = choose
        self.heard: list[tuple[str, Form]] = []
        self.port = 0

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    async def play(self, caller: Caller) -> None:
        while True:
            head, body = await caller.heard()
            path, form = head.split(" ", 2)[1], rack(body) if body else {}
            self.heard.append((path, form))
            reply = self._choose(path, form)
            if reply == NEVER:
                await caller.gone()
            if reply in (NEVER, HANG_UP):
                return
            status, content = reply
            await caller.say(answer(content, status=f"{status} Fine"))


@contextlib.asynccontextmanager
async def serving_bots(bots: Sequence[EnovaServer]) -> AsyncIterator[None]:
    """Serves the bots, each on its own port, and closes their connections at the end of the block."""
    async with contextlib.AsyncExitStack() as hosts:
        for bot in bots:
            host = await hosts.enter_async_context(host_playing(bot.play))
            bot.port = host.address.port
        yield
