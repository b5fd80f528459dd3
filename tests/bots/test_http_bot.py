"""Bots that are HTTP servers: only the reply to each request counts, and a broken server harms no other bot."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

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
from server.game.decisions import Action, Call, Decision
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

    def reply(self, answered: object, status: int = 200) -> None:
        self.calls[-1][1].set_result(Reply(status, json.dumps(answered).encode()))


class AskedBot:
    """The server's object of an HTTP bot, with a fake connection and a fake clock."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.connection = HeldConnection()
        self.events: list[Event] = []
        dialect = WithNews(player_ids(entrants_of(4)))
        self.record = KeptWrongs()
        self.bot = HttpBot(7, dialect, self.connection, self.events.append, self.clock, record=self.record)

    async def ask(self, think_ms: int = 3000) -> asyncio.Task[Answer]:
        """Asks the bot; the task ends with its answer."""
        task = asyncio.create_task(self.bot.ask(seen(asked_table(think_ms)), resolved))
        await settle()
        return task

    async def notify(self) -> None:
        self.bot.notify(ENDED, seen(asked_table()))
        await settle()


def with_http_bot(script: Callable[[AskedBot], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Makes `script` a test, with a bot on a held connection."""

    @in_event_loop
    async def test() -> None:
        asked = AskedBot()
        await script(asked)
        asked.bot.hang_up()
        await asked.bot.close()
        assert all(each.closed for each in asked.connection.all)

    return test


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
    assert [event.fault for event in asked.events if isinstance(event, FaultNoted)] == ["timeout"]
    asked.connection.reply({"action": "call"})
    assert (await asking).action == resolved(Call())


@with_http_bot
async def test_closing_waits_2_seconds_until_the_last_news_is_sent(asked: AskedBot) -> None:
    await asked.notify()
    closing = asyncio.create_task(asked.bot.close())
    await settle()
    asked.connection.reply("")
    await settle()
    assert asked.connection.paths == ["/one", "/two"]
    asked.clock.advance(1.999)
    await settle()
    assert not closing.done()
    asked.clock.advance(0.001)
    await closing
    assert await asked.bot.ask(seen(asked_table()), resolved) == Answer(None, 0, "disconnected")


def played(
    play: Play, *think_ms: int, record: KeptWrongs | None = None, clock: FakeClock | None = None
) -> tuple[list[Answer], list[Event]]:
    """The answers of a bot whose server does `play`, one for each of `think_ms`, and the events."""
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
    ("play", "fault", "sent"),
    [
        (always(answer(CALL)), "", None),
        (always(answer(CALL, fields="Content-Type: text/plain\r\n")), "", None),
        (always(answer(CALL, status="500 Internal Server Error")), "malformed", json.dumps(CALL)),
        (always(answer(CALL, status="302 Found", fields="Location: http://127.0.0.1:1/\r\n")), "malformed", None),
        (always(answer(b"fold")), "malformed", "fold"),
        (always(answer({"action": "raise", "amount": 21})), "illegal", '{"action": "raise", "amount": 21}'),
        (always(answer({**CALL, "why": "x" * 5000})), "malformed", None),
        (always(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf"), "timeout", "half"),
        (always(b"call\r\n\r\n"), "malformed", "call"),
        (silent, "timeout", ""),
        (dripping, "timeout", None),
        (once(b""), "disconnected", ""),
    ],
)
def test_each_kind_of_server_has_its_fault_and_its_author_sees_what_arrived(
    play: Play, fault: str, sent: str | None
) -> None:
    kept = KeptWrongs()
    [answered], events = played(play, 150 if fault == "timeout" else 60_000, record=kept)
    assert (answered.fault, answered.action) == (fault, None if fault else resolved(Call()))
    faults = [fault] if fault else []
    assert [event.fault for event in events if isinstance(event, FaultNoted)] == faults
    assert [wrong.fault for wrong in kept.found] == faults
    if sent is not None:
        found = kept.found[0].sent.decode()
        assert found.rstrip().endswith(sent)
        assert bool(found) == bool(sent)


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
    asked, late = kept.found
    assert (late.hand, late.sent) == (asked.hand, b'{"action": "fold"}')


def test_answer_in_the_socket_when_the_time_is_up_counts() -> None:
    clock = FakeClock()

    async def play(caller: Caller) -> None:
        await caller.heard()
        whole = answer(CALL)
        await caller.say(whole[:20])
        await caller.say(whole[20:])
        clock.advance(3.0)

    assert played(play, 3000, clock=clock)[0] == [Answer(resolved(Call()), 3000)]
