"""Bots that are HTTP servers: one call for each question, its answer counts, and a broken server harms no other bot."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from server.bots.bot import Answer
from server.bots.dialects.http_calls import Reply, Request
from server.bots.http_bot import HttpBot
from server.bots.transports.http import Address, HttpConnection
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA
from server.game.decide import resolve
from server.game.decisions import Action, Call, Decision, IllegalAction, RaiseTo
from server.game.events import Event, Fault, FaultNoted, HandEnded
from server.game.view import View
from tests.bots.bot_harness import KeptWrongs
from tests.bots.fakes import FakeClock
from tests.bots.http_servers import Caller, Play, always, answer, host_playing
from tests.bots.tcp_client import settle
from tests.bots.views import entrants_of, seen
from tests.game.table import Table, deal

ENDED = HandEnded((), "")


def asked_table(think_ms: int = 3000) -> Table:
    return deal("2000 2000 2000 2000", rules=replace(ARENA, think_ms=think_ms))


def resolved(decision: Decision) -> Action:
    """What `decision` comes to at that table."""
    return resolve(asked_table().hand, decision)


# -- a bot at the end of a connection that the test holds --------------------------------------------------


class WithNews(Arena):
    """The Arena's dialect with news, as another contest has it."""

    news: tuple[type[Event], ...] = (HandEnded,)

    def notify(self, event: Event, view: View) -> list[Request]:
        return [Request("POST", "/one"), Request("POST", "/two")]


class HeldConnection(HttpConnection):
    """A connection on which every call waits until the test answers it."""

    def __init__(self, former: "HeldConnection | None" = None) -> None:
        super().__init__(Address("", (), 0))
        self.calls: list[tuple[str, asyncio.Future[Reply]]] = former.calls if former else []
        self.all: list[HeldConnection] = former.all if former else []
        """Itself and its successors; all their calls are among `calls`."""
        self.all.append(self)
        self.closed = False

    async def call(self, request: Request) -> Reply:
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.calls.append((request.path, reply))
        return await reply

    def successor(self) -> "HeldConnection":
        return HeldConnection(self)

    async def close(self) -> None:
        self.closed = True

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.calls]

    def reply(self, answered: object, status: int = 200, *, call: int = -1) -> None:
        self.calls[call][1].set_result(Reply(status, json.dumps(answered).encode()))


class AskedBot:
    """The server's object of an HTTP bot, with a fake connection and a fake clock."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.connection = HeldConnection()
        self.events: list[Event] = []
        dialect = WithNews(player_ids(entrants_of(4)))
        self.record = KeptWrongs()
        self.bot = HttpBot(7, dialect, self.connection, self.events.append, self.clock, record=self.record)

    async def ask(
        self, by_rules: Callable[[Decision], Action] = resolved, think_ms: int = 3000
    ) -> asyncio.Task[Answer]:
        """The bot is asked; the answer is still to come."""
        task = asyncio.create_task(self.bot.ask(seen(asked_table(think_ms)), by_rules))
        await settle()
        return task

    async def notify(self) -> None:
        self.bot.notify(ENDED, seen(asked_table()))
        await settle()


def with_http_bot(script: Callable[[AskedBot], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test of a bot on a held connection."""

    async def run() -> None:
        asked = AskedBot()
        await script(asked)
        asked.bot.hang_up()
        await asked.bot.close()
        assert all(each.closed for each in asked.connection.all)

    def test() -> None:
        asyncio.run(run())

    test.__name__ = script.__name__
    test.__doc__ = script.__doc__
    return test


@with_http_bot
async def test_the_answer_to_the_call_is_the_decision(asked: AskedBot) -> None:
    asking = await asked.ask()
    asked.clock.advance(1.25)
    asked.connection.reply({"action": "raise", "amount": 60})
    assert await asking == Answer(resolved(RaiseTo(60)), 1250)
    assert asked.events == []


@with_http_bot
async def test_three_seconds_are_three_seconds(asked: AskedBot) -> None:
    asking = await asked.ask()
    asked.clock.advance(2.999)
    await settle()
    assert not asking.done()
    asked.clock.advance(0.001)
    assert await asking == Answer(None, 3000, "timeout")
    assert asked.events == [FaultNoted(7, "timeout", "no whole answer within 3 s")]


@with_http_bot
async def test_the_author_reads_after_how_long_a_late_answer_came_and_in_which_hand(asked: AskedBot) -> None:
    asking = await asked.ask()
    asked.clock.advance(3.0)
    assert (await asking).fault == "timeout"
    asking = await asked.ask()
    asked.clock.advance(1.0)
    asked.connection.reply({"action": "fold"}, call=0)
    await settle()
    late = asked.record.found[-1]
    assert late.reason == "its answer came after 4.0 s, 1.0 s late: it does not count"
    assert (late.late, late.hand, late.sent) == (True, asked.record.found[0].hand, b'{"action": "fold"}')
    asked.connection.reply({"action": "call"})
    assert await asking == Answer(resolved(Call()), 1000)


@with_http_bot
async def test_one_late_answer_at_a_time_is_waited_for_and_for_three_seconds(asked: AskedBot) -> None:
    for _ in range(2):
        asking = await asked.ask(think_ms=1000)
        asked.clock.advance(1.0)
        await asking
    (_, first), (_, second) = asked.connection.calls
    assert (first.cancelled(), second.cancelled()) == (False, True)
    asked.clock.advance(2.0)
    for _ in range(2):  # more turns than an answer is waited for
        await settle()
    assert first.cancelled()


@with_http_bot
async def test_an_answer_that_was_there_in_time_counts_however_busy_we_were(asked: AskedBot) -> None:
    asking = await asked.ask()
    asked.clock.advance(3.0)
    asked.connection.reply({"action": "call"})
    assert (await asking).action == resolved(Call())


@with_http_bot
async def test_a_late_answer_is_never_taken_for_the_next_question(asked: AskedBot) -> None:
    asking = await asked.ask()
    asked.clock.advance(3.0)
    await asking
    asking = await asked.ask()
    assert len(asked.connection.calls) == 2
    asked.connection.reply({"action": "call"})
    assert (await asking).action == resolved(Call())


@with_http_bot
async def test_what_the_rules_refuse_is_a_fault_and_there_is_no_second_try(asked: AskedBot) -> None:
    def refuse(_: Decision) -> NoReturn:
        raise IllegalAction("too little")

    asking = await asked.ask(refuse)
    asked.connection.reply({"action": "raise", "amount": 21})
    assert await asking == Answer(None, 0, "illegal")
    assert asked.events == [FaultNoted(7, "illegal", "too little")]


@with_http_bot
async def test_what_the_dialect_refuses_is_illegal_and_what_it_cannot_read_malformed(asked: AskedBot) -> None:
    for reply, status, fault in (({"action": "check"}, 200, "illegal"), ([], 200, "malformed"), ({}, 500, "malformed")):
        asking = await asked.ask()
        asked.connection.reply(reply, status)
        assert (await asking).fault == fault


@with_http_bot
async def test_misdeeds_never_flood_the_journal_but_its_author_learns_the_reason_of_each(asked: AskedBot) -> None:
    for _ in range(50):
        asking = await asked.ask()
        asked.connection.reply({"action": "bet"})
        await asking
    assert len(asked.events) == 3
    assert asked.record.reasons == ['the action "bet" is none of fold, check, call, raise, all_in'] * 50


@with_http_bot
async def test_our_own_mistakes_are_raised(asked: AskedBot) -> None:
    def broken(_: Decision) -> NoReturn:
        raise ZeroDivisionError

    asking = await asked.ask(broken)
    asked.connection.reply({"action": "call"})
    with pytest.raises(ZeroDivisionError):
        await asking


@with_http_bot
async def test_a_bot_is_asked_once_at_a_time(asked: AskedBot) -> None:
    asking = await asked.ask()
    with pytest.raises(RuntimeError):
        await asked.bot.ask(seen(asked_table()), resolved)
    asked.connection.reply({"action": "call"})
    await asking


@with_http_bot
async def test_after_we_hung_up_it_folds(asked: AskedBot) -> None:
    asked.bot.hang_up()
    assert not asked.bot.connected
    assert await asked.bot.ask(seen(asked_table()), resolved) == Answer(None, 0, "disconnected")
    await asked.notify()
    assert asked.connection.calls == []


# -- news ------------------------------------------------------------------------------------------


@with_http_bot
async def test_news_comes_in_order_one_after_the_other(asked: AskedBot) -> None:
    await asked.notify()
    assert asked.connection.paths == ["/one"]
    asked.connection.reply("whatever", 404)
    await settle()
    assert asked.connection.paths == ["/one", "/two"]
    asked.connection.reply("")
    await asked.bot.deliver_news(5.0)
    assert asked.events == [], "what comes back matters to nobody"


@with_http_bot
async def test_a_question_waits_for_the_news_and_its_time_starts_then(asked: AskedBot) -> None:
    await asked.notify()
    asking = await asked.ask()
    for path in ("/one", "/two"):
        assert asked.connection.paths[-1] == path
        asked.clock.advance(1.0)
        asked.connection.reply("")
        await settle()
    assert asked.connection.paths[-1] == "/action"
    asked.connection.reply({"action": "call"})
    assert await asking == Answer(resolved(Call()), 0)


@with_http_bot
async def test_news_that_nobody_takes_is_given_up(asked: AskedBot) -> None:
    await asked.notify()
    asked.clock.advance(3.0)
    await settle()
    await asked.bot.deliver_news(0.0)
    assert asked.connection.paths == ["/one"]
    assert [event.fault for event in asked.events if isinstance(event, FaultNoted)] == ["timeout"]
    await asked.notify()
    assert asked.connection.paths == ["/one", "/one"], "the next is tried again"


@with_http_bot
async def test_slow_news_holds_a_question_up_for_one_limit_in_all(asked: AskedBot) -> None:
    for _ in range(10):
        await asked.notify()
    asking = await asked.ask()
    for _ in range(2):
        asked.clock.advance(1.4)
        asked.connection.reply("")
        await settle()
    asked.clock.advance(0.2)
    await settle()
    assert asked.connection.paths == ["/one", "/two", "/one", "/action"]
    asked.connection.reply({"action": "call"})
    assert (await asking).action == resolved(Call())


@with_http_bot
async def test_the_last_event_is_sent_before_the_connection_is_closed(asked: AskedBot) -> None:
    await asked.notify()
    closing = asyncio.create_task(asked.bot.close())
    for path in ("/one", "/two"):
        await settle()
        assert asked.connection.paths[-1] == path
        assert not closing.done()
        asked.connection.reply("")
    await closing


@with_http_bot
async def test_a_bot_that_does_not_take_the_last_news_keeps_nobody(asked: AskedBot) -> None:
    await asked.notify()
    closing = asyncio.create_task(asked.bot.close())
    await settle()
    asked.clock.advance(2.0)
    await closing
    assert asked.connection.paths == ["/one"]


# -- over real sockets -------------------------------------------------------------------------------


def played(play: Play, think_ms: int) -> tuple[Answer, list[Event]]:
    """What a bot whose server does `play` decided, and the events."""

    async def run() -> tuple[Answer, list[Event]]:
        events: list[Event] = []
        async with host_playing(play) as host, asyncio.timeout(120):
            bot = HttpBot(7, Arena(player_ids(entrants_of(4))), HttpConnection(host.address), events.append)
            table = asked_table(think_ms)
            answered = await bot.ask(seen(table), partial(resolve, table.hand))
            await bot.close()
        return answered, events

    return asyncio.run(run())


async def silent(caller: Caller) -> None:
    await caller.gone()


async def dripping(caller: Caller) -> None:
    """An endless body, a byte at a time."""
    await caller.heard()
    await caller.say(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
    while True:
        await caller.say(b" ")
        await asyncio.sleep(0.01)


async def muttering(caller: Caller) -> None:
    """Informational answers without end."""
    await caller.heard()
    while True:
        await caller.say(b"HTTP/1.1 102 Processing\r\n\r\n")
        await asyncio.sleep(0.01)


async def hanging_up(caller: Caller) -> None:
    await caller.heard()


async def flooding(caller: Caller) -> None:
    await caller.heard()
    await caller.say(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        await caller.say(b"{" * 10_000)


CALL = {"action": "call", "amount": 20}


@pytest.mark.parametrize(
    ("play", "fault"),
    [
        (always(answer(CALL)), ""),
        (always(answer(CALL, fields="Content-Type: text/plain\r\n")), ""),
        (always(answer(CALL, status="403 Forbidden")), "malformed"),
        (always(answer(CALL, status="500 Internal Server Error")), "malformed"),
        (always(answer(CALL, status="302 Found", fields="Location: http://127.0.0.1:1/action\r\n")), "malformed"),
        (always(answer(b"fold")), "malformed"),
        (always(answer(b"<html>call</html>")), "malformed"),
        (always(answer({"action": "raise", "amount": 50.0})), "illegal"),
        (always(answer({"action": "raise", "amount": 21})), "illegal"),
        (always(answer({"action": "check"})), "illegal"),
        (always(answer({**CALL, "why": "x" * 5000})), "malformed"),
        (always(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + json.dumps(CALL).encode()), "malformed"),
        (always(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + json.dumps(CALL).encode()), "timeout"),
        (silent, "timeout"),
        (dripping, "timeout"),
        (muttering, "timeout"),
        (hanging_up, "disconnected"),
        (flooding, "malformed"),
    ],
)
def test_servers_as_they_are(play: Play, fault: str) -> None:
    answered, events = played(play, 150 if fault == "timeout" else 60_000)
    assert (answered.fault, answered.action) == (fault, None if fault else resolved(Call()))
    assert [event.fault for event in events if isinstance(event, FaultNoted)] == ([fault] if fault else [])


@pytest.mark.parametrize(
    ("play", "sent"),
    [
        (always(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + json.dumps(CALL).encode()), json.dumps(CALL)),
        (always(b"call\r\n\r\n"), "call"),
        (silent, ""),
    ],
)
def test_the_author_sees_the_half_of_an_answer_that_was_there_and_what_was_no_http(play: Play, sent: str) -> None:
    kept = KeptWrongs()

    async def run() -> None:
        async with host_playing(play) as host:
            connection = HttpConnection(host.address)
            bot = HttpBot(7, Arena(player_ids(entrants_of(4))), connection, lambda _: None, record=kept)
            assert (await bot.ask(seen(asked_table(150)), resolved)).fault
            await bot.close()

    asyncio.run(run())
    (wrong,) = kept.found
    assert wrong.sent.decode().rstrip().endswith(sent)
    assert bool(wrong.sent) == bool(sent)


def test_a_late_answer_over_a_real_socket_delays_nothing_and_counts_for_nothing() -> None:
    kept, asked_again, came = KeptWrongs(), asyncio.Event(), asyncio.Event()

    def recorded(_: Event) -> None:
        if kept.found[-1].late:
            came.set()

    async def play(caller: Caller) -> None:
        await caller.heard()
        if host.connections == 1:
            await asked_again.wait()
            await caller.say(answer({"action": "fold"}))
        else:
            asked_again.set()
            await came.wait()
            await caller.say(answer(CALL))

    host: Any = None

    async def run() -> list[Answer]:
        nonlocal host
        async with host_playing(play) as host, asyncio.timeout(60):
            connection = HttpConnection(host.address)
            bot = HttpBot(7, Arena(player_ids(entrants_of(4))), connection, recorded, record=kept)
            answers = [await bot.ask(seen(asked_table(think_ms)), resolved) for think_ms in (150, 60_000)]
            await bot.close()
            return answers

    first, second = asyncio.run(run())
    assert (first.fault, second.action) == ("timeout", resolved(Call()))
    assert [wrong.late for wrong in kept.found] == [False, True]


def test_a_broken_bot_may_be_well_again_the_next_time() -> None:
    async def play(caller: Caller) -> None:
        await caller.heard()
        if host.connections == 1:
            caller.reset()
        else:
            await caller.say(answer(CALL))

    host: Any = None

    async def run() -> list[Fault]:
        nonlocal host
        async with host_playing(play) as host:
            bot = HttpBot(7, Arena(player_ids(entrants_of(4))), HttpConnection(host.address), lambda _: None)
            faults = [(await bot.ask(seen(asked_table()), resolved)).fault for _ in range(2)]
            await bot.close()
            return faults

    assert asyncio.run(run()) == ["disconnected", ""]


def test_an_answer_that_lies_in_the_socket_when_the_time_is_up_came_in_time() -> None:
    clock = FakeClock()

    async def play(caller: Caller) -> None:
        await caller.heard()
        whole = answer(CALL)
        await caller.say(whole[:20])
        await caller.say(whole[20:])
        clock.advance(3.0)

    async def run() -> Answer:
        async with host_playing(play) as host:
            bot = HttpBot(7, Arena(player_ids(entrants_of(4))), HttpConnection(host.address), lambda _: None, clock)
            answered = await bot.ask(seen(asked_table()), resolved)
            await bot.close()
            return answered

    assert asyncio.run(run()) == Answer(resolved(Call()), 3000)
