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
from tests.bots.http_servers import Caller, Script, answer_with, make_response, serve_bot
from tests.bots.tcp_client import FakeClock, FaultRecord
from tests.bots.views import entrants_of, table_view
from tests.game.table import Table, deal
from tests.support.idle_loop import settle

CALL = {"action": "call", "amount": 20}


def arena_table(think_ms: int = 3000) -> Table:
    return deal("2000 2000 2000 2000", rules=replace(ARENA, think_ms=think_ms))


def action_of(decision: Decision) -> Action:
    return resolve(arena_table().hand, decision)


class ArenaWithNews(ArenaDialect):
    """Sends a bot the requests of the contest Arena, and two reports (news) at the end of each hand."""

    notified_events: tuple[type[Event], ...] = (HandEnded,)

    def notify(self, event: Event, view: View) -> list[Request]:
        return [Request("POST", "/one"), Request("POST", "/two")]


Calls = list[tuple[str, asyncio.Future[Reply]]]
"""The path of each call, with a future. To answer a call, the test sets the result of its future."""


class ManualConnection(HttpConnection):
    """A connection whose calls wait until the test sets their replies.

    If a reply is late, the bot makes its next calls on the connection's `successor`. Both have the same list of calls.
    """

    def __init__(self, calls: Calls) -> None:
        super().__init__(Address("", (), 0))
        self._calls = calls

    async def call(self, request: Request) -> Reply:
        self._calls.append((request.path, asyncio.get_running_loop().create_future()))
        return await self._calls[-1][1]

    def successor(self) -> "ManualConnection":
        return ManualConnection(self._calls)


class HttpHarness:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.calls: Calls = []
        self.events: list[Event] = []
        self.record = FaultRecord()
        dialect, connection = ArenaWithNews(player_ids(entrants_of(4))), ManualConnection(self.calls)
        self.bot = HttpBot(7, dialect, connection, self.events.append, self.clock, record=self.record)

    async def ask(self, think_ms: int = 3000) -> asyncio.Task[Answer]:
        task = asyncio.create_task(self.bot.ask(table_view(arena_table(think_ms)), action_of))
        await settle()
        return task

    async def notify(self) -> None:
        self.bot.notify(HandEnded((), ""), table_view(arena_table()))
        await settle()

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.calls]

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await settle()

    async def reply(self, body: object, status: int = 200) -> None:
        self.calls[-1][1].set_result(Reply(status, json.dumps(body).encode()))
        await settle()


@pytest.fixture
async def harness() -> AsyncIterator[HttpHarness]:
    new_harness = HttpHarness()
    yield new_harness
    new_harness.bot.hang_up()
    await new_harness.bot.close()


async def test_table_waits_3_seconds_for_one_late_answer(harness: HttpHarness) -> None:
    for _ in range(2):
        answer_task = await harness.ask(think_ms=1000)
        harness.clock.advance(1.0)
        await answer_task
    (_, first_reply), (_, second_reply) = harness.calls
    assert (first_reply.cancelled(), second_reply.cancelled()) == (False, True)
    await harness.pass_time(2.0)
    await settle()
    assert first_reply.cancelled()


async def test_late_answer_does_not_delay_the_next_request(harness: HttpHarness) -> None:
    answer_task = await harness.ask(think_ms=1000)
    harness.clock.advance(1.0)
    assert (await answer_task).fault == "timeout"
    answer_task = await harness.ask()
    harness.calls[0][1].set_result(Reply(200, b'{"action": "fold"}'))
    await settle()
    assert not answer_task.done()
    await harness.reply({"action": "call"})
    assert (await answer_task).action == action_of(Call())
    timeout, late_answer = harness.record.faults
    assert (timeout.late, late_answer.late, late_answer.hand) == (False, True, timeout.hand)


async def test_journal_gets_only_a_few_faults(harness: HttpHarness) -> None:
    for _ in range(50):
        answer_task = await harness.ask()
        await harness.reply({"action": "bet"})
        await answer_task
    assert (len(harness.events), len(harness.record.faults)) == (3, 50)


async def test_bot_gets_all_news_before_a_request(harness: HttpHarness) -> None:
    await harness.notify()
    answer_task = await harness.ask()
    for path, status in (("/one", 404), ("/two", 200)):
        assert harness.paths[-1] == path
        harness.clock.advance(1.0)
        await harness.reply("whatever", status)
    assert harness.paths == ["/one", "/two", "/action"]
    await harness.reply({"action": "call"})
    assert await answer_task == Answer(action_of(Call()), 0)
    assert harness.events == [], "replies to news must be ignored"


async def test_unanswered_news_delays_a_request_by_only_one_time_limit(harness: HttpHarness) -> None:
    await harness.notify()
    await harness.pass_time(3.0)
    await harness.bot.deliver_news(0.0)
    assert (harness.paths, [fault.fault for fault in harness.record.faults]) == (["/one"], ["timeout"])
    for _ in range(10):
        await harness.notify()
    answer_task = await harness.ask()
    for _ in range(2):
        harness.clock.advance(1.4)
        await harness.reply("")
    await harness.pass_time(0.2)
    assert harness.paths == ["/one", "/one", "/two", "/one", "/action"], "after a failure, later news must be sent"
    assert [fault.fault for fault in harness.record.faults] == ["timeout"] * 2
    await harness.reply({"action": "call"})
    assert (await answer_task).action == action_of(Call())


async def test_closing_waits_up_to_2_seconds_for_the_last_news(harness: HttpHarness) -> None:
    await harness.notify()
    close_task = asyncio.create_task(harness.bot.close())
    await settle()
    await harness.reply("")
    assert harness.paths == ["/one", "/two"]
    await harness.pass_time(1.999)
    assert not close_task.done()
    harness.clock.advance(0.001)
    await close_task
    assert (await (await harness.ask())).fault == "disconnected"


async def ask_server(
    script: Script, think_ms: int = 60_000, *, record: FaultRecord | None = None, clock: FakeClock | None = None
) -> tuple[Answer, list[Event]]:
    """Asks a bot for one action. The bot's server follows `script`. Returns the answer and all events."""
    events: list[Event] = []
    async with serve_bot(script) as host, asyncio.timeout(120):
        dialect = ArenaDialect(player_ids(entrants_of(4)))
        bot = HttpBot(7, dialect, HttpConnection(host.address), events.append, clock, record=record)
        answer = await bot.ask(table_view(arena_table(think_ms)), action_of)
        await bot.close()
    return answer, events


async def drip(caller: Caller) -> None:
    """Sends an answer byte by byte, too slowly to finish in time."""
    await caller.read_request()
    await caller.say(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
    while True:
        await caller.say(b" ")
        await asyncio.sleep(0.01)


async def test_author_reads_each_fault_and_what_the_server_sent() -> None:
    redirect = make_response(CALL, status="302 Found", fields="Location: http://127.0.0.1:1/\r\n")
    for script, fault, text in (
        (answer_with(make_response(CALL)), "", None),
        (answer_with(make_response(CALL, status="500 Internal Server Error")), "malformed", json.dumps(CALL)),
        (answer_with(redirect), "malformed", None),
        (answer_with(make_response(b"fold")), "malformed", "fold"),
        (answer_with(make_response({"action": "raise", "amount": 21})), "illegal", '"amount": 21}'),
        (answer_with(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf"), "timeout", "half"),
        (Caller.wait_until_gone, "timeout", ""),
        (drip, "timeout", None),
        (answer_with(b"", times=1), "disconnected", ""),
    ):
        record = FaultRecord()
        bot_answer, events = await ask_server(script, 150 if fault == "timeout" else 60_000, record=record)
        assert (bot_answer.fault, bot_answer.action) == (fault, None if fault else action_of(Call()))
        faults = [fault] if fault else []
        assert [event.fault for event in events if isinstance(event, FaultNoted)] == faults
        assert [recorded.fault for recorded in record.faults] == faults
        if text is not None:
            recorded_text = record.faults[0].sent.decode()
            assert recorded_text.rstrip().endswith(text)
            assert bool(recorded_text) == bool(text)


async def test_answer_that_arrived_in_time_counts_even_if_it_is_read_late() -> None:
    clock = FakeClock()

    async def script(caller: Caller) -> None:
        await caller.read_request()
        await caller.say(make_response(CALL)[:20])
        await caller.say(make_response(CALL)[20:])
        clock.advance(3.0)

    assert (await ask_server(script, 3000, clock=clock))[0] == Answer(action_of(Call()), 3000)


async def test_odd_note_or_number_beside_an_action_is_made_safe_or_dropped_but_is_no_fault() -> None:
    for note, safe_note in (
        ("  two\n\tlines {of} braces ", "two lines {of} braces"),
        ("\x1b[31mred\u202e", "[31mred"),
        ("x" * 500, "x" * 199 + "…"),
        *((wrong_note, "") for wrong_note in ("\u200b\u2060 ", "", "\ud800", 7, None, ["fold"], {"note": "note"})),
    ):
        bot_answer, events = await ask_server(answer_with(make_response({"action": "call", "note": note})))
        assert (bot_answer.note, bot_answer.fault, events) == (safe_note, "", [])
    bad_numbers = (-1, True, None, [1], {"tokens": 1}, "1e3", "1" * 400, 10**300, 1e300, "NaN", "\ud800")
    for tokens, cost, account in (
        (812, 0.0042, Account(812, 4200)),  # `Account`: tokens, and the cost in millionths of a dollar
        ("812", 1, Account(812, 1_000_000)),
        (0, None, Account(0)),
        (MAX_TOKENS + 1, MAX_COST_DOLLARS, Account(UNSET, MAX_COST_DOLLARS * 1_000_000)),
        *((number, number, UNSET) for number in bad_numbers),
    ):
        response = make_response({"action": "call", "tokens": tokens, "cost": cost})
        bot_answer, events = await ask_server(answer_with(response))
        assert (bot_answer.account, bot_answer.fault, events) == (account, "", [])
