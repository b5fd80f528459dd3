"""Bots that are HTTP servers: only the reply to the current request counts, and a broken server harms no other bot."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.bots.bot import Answer
from server.bots.dialects.http_calls import Reply, Request
from server.bots.dialects.messages import MAX_COST_DOLLARS, MAX_TOKENS
from server.bots.http_bot import HttpBot
from server.bots.transports.http import Address, HttpConnection
from server.contests.arena.dialect import ArenaDialect, player_ids
from server.contests.arena.rules import ARENA
from server.game.betting import resolve
from server.game.decisions import Action, Call, Decision
from server.game.events import Account, Event, FaultNoted, HandEnded
from server.game.view import View
from tests.bots.http_servers import Caller, Play, always, answer, host_playing, once
from tests.bots.tcp_client import FakeClock, FaultRecord, settle
from tests.bots.views import entrants_of, table_view
from tests.game.table import Table, deal

CALL = {"action": "call", "amount": 20}


def asked_table(think_ms: int = 3000) -> Table:
    return deal("2000 2000 2000 2000", rules=replace(ARENA, think_ms=think_ms))


def resolved(decision: Decision) -> Action:
    return resolve(asked_table().hand, decision)


class ArenaWithNews(ArenaDialect):
    """The messages of the contest Arena, and news: at the end of each hand, bots get two more requests."""

    news_types: tuple[type[Event], ...] = (HandEnded,)

    def notify(self, event: Event, view: View) -> list[Request]:
        return [Request("POST", "/one"), Request("POST", "/two")]


Calls = list[tuple[str, asyncio.Future[Reply]]]
"""The paths that were called, each with the reply that the test gives."""


class HeldConnection(HttpConnection):
    """A connection on which every call waits until the test answers it."""

    def __init__(self, calls: Calls) -> None:
        super().__init__(Address("", (), 0))
        self._calls = calls

    async def call(self, request: Request) -> Reply:
        self._calls.append((request.path, asyncio.get_running_loop().create_future()))
        return await self._calls[-1][1]

    def successor(self) -> "HeldConnection":
        return HeldConnection(self._calls)


class HttpHarness:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.calls: Calls = []
        self.events: list[Event] = []
        dialect = ArenaWithNews(player_ids(entrants_of(4)))
        self.record = FaultRecord()
        connection = HeldConnection(self.calls)
        self.bot = HttpBot(7, dialect, connection, self.events.append, self.clock, record=self.record)

    async def ask(self, think_ms: int = 3000) -> asyncio.Task[Answer]:
        """Asks the bot; returns a task whose result is the answer."""
        task = asyncio.create_task(self.bot.ask(table_view(asked_table(think_ms)), resolved))
        await settle()
        return task

    async def notify(self) -> None:
        self.bot.notify(HandEnded((), ""), table_view(asked_table()))
        await settle()

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.calls]

    @property
    def faults(self) -> list[str]:
        return [event.fault for event in self.events if isinstance(event, FaultNoted)]

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await settle()

    async def reply(self, body: object, status: int = 200) -> None:
        self.calls[-1][1].set_result(Reply(status, json.dumps(body).encode()))
        await settle()


@pytest.fixture
async def harness() -> AsyncIterator[HttpHarness]:
    opened = HttpHarness()
    yield opened
    opened.bot.hang_up()
    await opened.bot.close()


async def test_table_waits_3_seconds_for_one_late_answer_and_drops_any_other(harness: HttpHarness) -> None:
    for _ in range(2):
        pending = await harness.ask(think_ms=1000)
        harness.clock.advance(1.0)
        await pending
    (_, first), (_, second) = harness.calls
    assert (first.cancelled(), second.cancelled()) == (False, True)
    await harness.pass_time(2.0)
    await settle()
    assert first.cancelled()


async def test_late_answer_does_not_count_and_does_not_delay_the_next_request(harness: HttpHarness) -> None:
    pending = await harness.ask(think_ms=1000)
    harness.clock.advance(1.0)
    assert (await pending).fault == "timeout"
    pending = await harness.ask()
    harness.calls[0][1].set_result(Reply(200, b'{"action": "fold"}'))
    await settle()
    assert not pending.done()
    await harness.reply({"action": "call"})
    assert (await pending).action == resolved(Call())
    timeout, late = harness.record.faults
    assert (timeout.late, late.late, late.hand) == (False, True, timeout.hand)


async def test_faults_never_flood_the_journal_but_the_author_learns_each_reason(harness: HttpHarness) -> None:
    for _ in range(50):
        pending = await harness.ask()
        await harness.reply({"action": "bet"})
        await pending
    assert len(harness.events) == 3
    assert harness.record.reasons == ['the action "bet" is not one of fold, check, call, raise, all_in'] * 50


async def test_bot_gets_all_news_before_a_request_and_then_its_full_time(harness: HttpHarness) -> None:
    await harness.notify()
    pending = await harness.ask()
    for path, status in (("/one", 404), ("/two", 200)):
        assert harness.paths[-1] == path
        harness.clock.advance(1.0)
        await harness.reply("whatever", status)
    assert harness.paths == ["/one", "/two", "/action"]
    await harness.reply({"action": "call"})
    assert await pending == Answer(resolved(Call()), 0)
    assert harness.events == [], "replies to news must be ignored"


async def test_unanswered_news_is_dropped_and_delays_a_request_by_one_time_limit(harness: HttpHarness) -> None:
    await harness.notify()
    await harness.pass_time(3.0)
    await harness.bot.deliver_news(0.0)
    assert (harness.paths, harness.faults) == (["/one"], ["timeout"])
    for _ in range(10):
        await harness.notify()
    pending = await harness.ask()
    for _ in range(2):
        harness.clock.advance(1.4)
        await harness.reply("")
    await harness.pass_time(0.2)
    assert harness.paths == ["/one", "/one", "/two", "/one", "/action"], "after a failure, later news must be sent"
    assert harness.faults == ["timeout"] * 2
    await harness.reply({"action": "call"})
    assert (await pending).action == resolved(Call())


async def test_closing_waits_up_to_2_seconds_for_the_last_news(harness: HttpHarness) -> None:
    await harness.notify()
    closing = asyncio.create_task(harness.bot.close())
    await settle()
    await harness.reply("")
    assert harness.paths == ["/one", "/two"]
    await harness.pass_time(1.999)
    assert not closing.done()
    harness.clock.advance(0.001)
    await closing
    assert (await (await harness.ask())).fault == "disconnected"


async def ask_server(
    play: Play, *think_ms: int, record: FaultRecord | None = None, clock: FakeClock | None = None
) -> tuple[list[Answer], list[Event]]:
    """Asks a bot whose server runs `play` once for each time limit in `think_ms`; returns all answers and events."""
    events: list[Event] = []
    async with host_playing(play) as host, asyncio.timeout(120):
        dialect = ArenaDialect(player_ids(entrants_of(4)))
        bot = HttpBot(7, dialect, HttpConnection(host.address), events.append, clock, record=record)
        answers = [await bot.ask(table_view(asked_table(each)), resolved) for each in think_ms]
        await bot.close()
    return answers, events


async def drip(caller: Caller) -> None:
    """Sends the body of an answer byte by byte, so slowly that the answer does not end in time."""
    await caller.heard()
    await caller.say(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
    while True:
        await caller.say(b" ")
        await asyncio.sleep(0.01)


async def test_author_of_a_faulty_server_sees_the_fault_and_bytes() -> None:
    for play, fault, sent in (
        (always(answer(CALL)), "", None),
        (always(answer(CALL, status="500 Internal Server Error")), "malformed", json.dumps(CALL)),
        (always(answer(CALL, status="302 Found", fields="Location: http://127.0.0.1:1/\r\n")), "malformed", None),
        (always(answer(b"fold")), "malformed", "fold"),
        (always(answer({"action": "raise", "amount": 21})), "illegal", '{"action": "raise", "amount": 21}'),
        (always(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf"), "timeout", "half"),
        (Caller.gone, "timeout", ""),
        (drip, "timeout", None),
        (once(b""), "disconnected", ""),
    ):
        record = FaultRecord()
        [answered], events = await ask_server(play, 150 if fault == "timeout" else 60_000, record=record)
        assert (answered.fault, answered.action) == (fault, None if fault else resolved(Call()))
        faults = [fault] if fault else []
        assert [event.fault for event in events if isinstance(event, FaultNoted)] == faults
        assert [each.fault for each in record.faults] == faults
        if sent is not None:
            found = record.faults[0].sent.decode()
            assert found.rstrip().endswith(sent)
            assert bool(found) == bool(sent)


async def test_answer_that_has_arrived_but_is_unread_when_the_time_is_up_counts() -> None:
    clock = FakeClock()

    async def play(caller: Caller) -> None:
        await caller.heard()
        await caller.say(answer(CALL)[:20])
        await caller.say(answer(CALL)[20:])
        clock.advance(3.0)

    assert (await ask_server(play, 3000, clock=clock))[0] == [Answer(resolved(Call()), 3000)]


async def test_note_is_made_safe_like_chat_and_is_never_a_fault() -> None:
    for note, shown in (
        ("  two\n\tlines {of} braces ", "two lines {of} braces"),
        ("\x1b[31mred\u202e", "[31mred"),
        ("x" * 500, "x" * 199 + "…"),
        *((bad, "") for bad in ("\u200b\u2060 ", "", "\ud800", 7, None, ["fold"], {"note": "note"})),
    ):
        [answered], events = await ask_server(always(answer({"action": "call", "note": note})), 60_000)
        assert (answered.note, answered.fault, events) == (shown, "", [])


NO_NUMBERS = (-1, True, None, [1], {"tokens": 1}, "1e3", "1" * 400, 10**300, 1e300, "NaN", "\ud800")


async def test_account_is_kept_within_limits_and_is_never_a_fault() -> None:
    for tokens, cost, kept in (
        (812, 0.0042, Account(812, 4200)),
        ("812", 1, Account(812, 1_000_000)),
        (0, None, Account(0)),
        (MAX_TOKENS + 1, MAX_COST_DOLLARS, Account(UNSET, MAX_COST_DOLLARS * 1_000_000)),
        *((bad, bad, UNSET) for bad in NO_NUMBERS),
    ):
        said = answer({"action": "call", "tokens": tokens, "cost": cost})
        [answered], events = await ask_server(always(said), 60_000)
        assert (answered.account, answered.fault, events) == (kept, "", [])
