"""Bots that are HTTP servers: the reply to each request counts, and a broken server harms no other bot."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from server.bots.bot import Answer
from server.bots.dialects.http_calls import Reply, Request
from server.bots.http_bot import HttpBot
from server.bots.record import Wrong
from server.bots.transports.http import Address, HttpConnection
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA
from server.game.betting import resolve
from server.game.decisions import Action, Call, Decision, RaiseTo
from server.game.events import Event, FaultNoted, HandEnded
from server.game.view import View
from tests.bots.bot_harness import KeptWrongs
from tests.bots.fakes import FakeClock
from tests.bots.http_servers import Caller, Play, always, answer, host_playing, once
from tests.bots.tcp_client import settle
from tests.bots.views import entrants_of, seen
from tests.game.table import Table, deal
from tests.support.event_loop import in_event_loop

ENDED = HandEnded((), "")


def asked_table(think_ms: int = 3000) -> Table:
    return deal("2000 2000 2000 2000", rules=replace(ARENA, think_ms=think_ms))


def resolved(decision: Decision) -> Action:
    """The action that `decision` becomes at that table."""
    return resolve(asked_table().hand, decision)


# -- a bot on a connection that the test holds --------------------------------------------------


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
        """Asks the bot; the task ends with its answer."""
        task = asyncio.create_task(self.bot.ask(seen(asked_table(think_ms)), by_rules))
        await settle()
        return task

    async def notify(self) -> None:
        self.bot.notify(ENDED, seen(asked_table()))
        await settle()


def with_http_bot(script: Callable[[AskedBot], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Makes a test of `script`, with a bot on a held connection."""

    @in_event_loop
    async def test() -> None:
        asked = AskedBot()
        await script(asked)
        asked.bot.hang_up()
        await asked.bot.close()
        assert all(each.closed for each in asked.connection.all)

    return test


@with_http_bot
async def test_reply_to_the_call_is_the_decision(asked: AskedBot) -> None:
    asking = await asked.ask()
    asked.clock.advance(1.25)
    asked.connection.reply({"action": "raise", "amount": 60})
    assert await asking == Answer(resolved(RaiseTo(60)), 1250)
    assert asked.events == []


@with_http_bot
async def test_time_is_up_after_exactly_3_seconds(asked: AskedBot) -> None:
    asking = await asked.ask()
    asked.clock.advance(2.999)
    await settle()
    assert not asking.done()
    asked.clock.advance(0.001)
    assert await asking == Answer(None, 3000, "timeout")
    assert asked.events == [FaultNoted(7, "timeout", "no whole answer within 3 s")]


@with_http_bot
async def test_author_reads_how_late_an_answer_came_and_in_which_hand(asked: AskedBot) -> None:
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
async def test_one_late_answer_at_a_time_is_awaited_for_3_seconds(asked: AskedBot) -> None:
    for _ in range(2):
        asking = await asked.ask(think_ms=1000)
        asked.clock.advance(1.0)
        await asking
    (_, first), (_, second) = asked.connection.calls
    assert (first.cancelled(), second.cancelled()) == (False, True)
    asked.clock.advance(2.0)
    for _ in range(2):  # more turns than an answer is awaited
        await settle()
    assert first.cancelled()


@with_http_bot
async def test_faults_never_flood_the_journal_but_the_author_learns_each_reason(asked: AskedBot) -> None:
    for _ in range(50):
        asking = await asked.ask()
        asked.connection.reply({"action": "bet"})
        await asking
    assert len(asked.events) == 3
    assert asked.record.reasons == ['the action "bet" is none of fold, check, call, raise, all_in'] * 50


@with_http_bot
async def test_bug_of_ours_is_raised(asked: AskedBot) -> None:
    def broken(_: Decision) -> NoReturn:
        raise ZeroDivisionError

    asking = await asked.ask(broken)
    asked.connection.reply({"action": "call"})
    with pytest.raises(ZeroDivisionError):
        await asking


@with_http_bot
async def test_bot_cannot_be_asked_twice_at_once(asked: AskedBot) -> None:
    asking = await asked.ask()
    with pytest.raises(RuntimeError):
        await asked.bot.ask(seen(asked_table()), resolved)
    asked.connection.reply({"action": "call"})
    await asking


@with_http_bot
async def test_bot_folds_after_we_hang_up(asked: AskedBot) -> None:
    asked.bot.hang_up()
    assert not asked.bot.connected
    assert await asked.bot.ask(seen(asked_table()), resolved) == Answer(None, 0, "disconnected")
    await asked.notify()
    assert asked.connection.calls == []


# -- news ------------------------------------------------------------------------------------------


@with_http_bot
async def test_question_follows_all_news_and_its_time_starts_then(asked: AskedBot) -> None:
    await asked.notify()
    asking = await asked.ask()
    for path, status in (("/one", 404), ("/two", 200)):
        assert asked.connection.paths[-1] == path
        asked.clock.advance(1.0)
        asked.connection.reply("whatever", status)
        await settle()
    assert asked.connection.paths == ["/one", "/two", "/action"]
    asked.connection.reply({"action": "call"})
    assert await asking == Answer(resolved(Call()), 0)
    assert asked.events == [], "replies to news are ignored"


@with_http_bot
async def test_news_is_dropped_if_the_bot_does_not_take_it(asked: AskedBot) -> None:
    await asked.notify()
    asked.clock.advance(3.0)
    await settle()
    await asked.bot.deliver_news(0.0)
    assert asked.connection.paths == ["/one"]
    assert [event.fault for event in asked.events if isinstance(event, FaultNoted)] == ["timeout"]
    await asked.notify()
    assert asked.connection.paths == ["/one", "/one"], "the next event is sent again"


@with_http_bot
async def test_all_slow_news_together_delays_a_question_by_one_limit(asked: AskedBot) -> None:
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
async def test_last_event_is_sent_before_the_connection_closes(asked: AskedBot) -> None:
    await asked.notify()
    closing = asyncio.create_task(asked.bot.close())
    for path in ("/one", "/two"):
        await settle()
        assert asked.connection.paths[-1] == path
        assert not closing.done()
        asked.connection.reply("")
    await closing


@with_http_bot
async def test_bot_that_does_not_take_the_last_news_delays_nobody(asked: AskedBot) -> None:
    await asked.notify()
    closing = asyncio.create_task(asked.bot.close())
    await settle()
    asked.clock.advance(2.0)
    await closing
    assert asked.connection.paths == ["/one"]


# -- over real sockets -------------------------------------------------------------------------------


def played(
    play: Play, *think_ms: int, record: KeptWrongs | None = None, clock: FakeClock | None = None
) -> tuple[list[Answer], list[Event]]:
    """The answers of a bot whose server does `play`, one for each time to think, and the events."""
    events: list[Event] = []

    async def run() -> list[Answer]:
        async with host_playing(play) as host, asyncio.timeout(120):
            dialect = Arena(player_ids(entrants_of(4)))
            bot = HttpBot(7, dialect, HttpConnection(host.address), events.append, clock, record=record)
            answers = [await bot.ask(seen(asked_table(each)), resolved) for each in think_ms]
            await bot.close()
        return answers

    return asyncio.run(run()), events


async def silent(caller: Caller) -> None:
    await caller.gone()


async def dripping(caller: Caller) -> None:
    """An endless body, a byte at a time."""
    await caller.heard()
    await caller.say(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
    while True:
        await caller.say(b" ")
        await asyncio.sleep(0.01)


CALL = {"action": "call", "amount": 20}


@pytest.mark.parametrize(
    ("play", "fault"),
    [
        (always(answer(CALL)), ""),
        (always(answer(CALL, fields="Content-Type: text/plain\r\n")), ""),
        (always(answer(CALL, status="500 Internal Server Error")), "malformed"),
        (always(answer(CALL, status="302 Found", fields="Location: http://127.0.0.1:1/action\r\n")), "malformed"),
        (always(answer(b"fold")), "malformed"),
        (always(answer({"action": "raise", "amount": 50.0})), "illegal"),
        (always(answer({"action": "raise", "amount": 21})), "illegal"),
        (always(answer({"action": "check"})), "illegal"),
        (always(answer({**CALL, "why": "x" * 5000})), "malformed"),
        (always(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + json.dumps(CALL).encode()), "timeout"),
        (silent, "timeout"),
        (dripping, "timeout"),
        (once(b""), "disconnected"),
    ],
)
def test_each_kind_of_server_has_its_fault(play: Play, fault: str) -> None:
    [answered], events = played(play, 150 if fault == "timeout" else 60_000)
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
def test_author_sees_half_an_answer_and_what_is_not_http(play: Play, sent: str) -> None:
    kept = KeptWrongs()
    [answered], _ = played(play, 150, record=kept)
    assert answered.fault
    (wrong,) = kept.found
    assert wrong.sent.decode().rstrip().endswith(sent)
    assert bool(wrong.sent) == bool(sent)


def test_late_answer_over_a_real_socket_neither_delays_nor_counts() -> None:
    numbers, asked_again, came = count(1), asyncio.Event(), asyncio.Event()

    class Awaited(KeptWrongs):
        def wrong(self, wrong: Wrong) -> None:
            super().wrong(wrong)
            if wrong.late:
                came.set()

    async def play(caller: Caller) -> None:
        await caller.heard()
        if next(numbers) == 1:
            await asked_again.wait()
            await caller.say(answer({"action": "fold"}))
        else:
            asked_again.set()
            await came.wait()
            await caller.say(answer(CALL))

    kept = Awaited()
    [first, second], _ = played(play, 150, 60_000, record=kept)
    assert (first.fault, second.action) == ("timeout", resolved(Call()))
    assert [wrong.late for wrong in kept.found] == [False, True]


def test_broken_server_may_answer_the_next_call() -> None:
    numbers = count(1)

    async def play(caller: Caller) -> None:
        await caller.heard()
        if next(numbers) == 1:
            caller.reset()
        else:
            await caller.say(answer(CALL))

    answers, _ = played(play, 3000, 3000)
    assert [each.fault for each in answers] == ["disconnected", ""]


def test_answer_in_the_socket_when_the_time_is_up_counts() -> None:
    clock = FakeClock()

    async def play(caller: Caller) -> None:
        await caller.heard()
        whole = answer(CALL)
        await caller.say(whole[:20])
        await caller.say(whole[20:])
        clock.advance(3.0)

    assert played(play, 3000, clock=clock)[0] == [Answer(resolved(Call()), 3000)]
