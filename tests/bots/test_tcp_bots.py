"""Tests bots over TCP with a fake clock. Only timely answers count. Bad messages get errors. No bot harms another."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from itertools import pairwise

import pytest
from msgspec.structs import replace

from server.app.practice.games.plan import practice_format
from server.bots.bot import Answer
from server.bots.transports.connection import MAX_WAITING_MESSAGES
from server.bots.transports.tcp import MESSAGE_GAP_SECONDS, TcpConnection
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.rules import QUICK_DRAW, QUICK_DRAW_FORMAT
from server.game import events
from server.game.decisions import Action, Call, Decision, Fold, RaiseTo
from server.game.view import View
from tests.bots.tcp_client import CALL, CHAT, FOLD, HOST, TcpClient, connect, connect_client
from tests.bots.views import first_turn_view, resolve_action, table_view
from tests.game.table import deal
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.recordings import of_kind
from tests.support.idle_loop import settle

BET = b'{"command":"take_action","action":"bet"}'
NO_ANSWER = b'{"command":"no_answer"}'
GET_LOGS = b'{"command":"get_logs"}'
SUCCESS = {"command": "confirm_action", "result": "success"}
NEEDS_IPV6 = pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 here")


class NoteWritingBot(DiceBot):
    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        await asyncio.sleep(0)
        return Answer(resolve(self._decide(view)), 0, note=f"bot {self.id}, hand {view.hand.number}")


@pytest.fixture
async def client() -> AsyncIterator[TcpClient]:
    new_client = await connect_client()
    yield new_client
    new_client.bot.hang_up()
    new_client.clock.advance(60.0)
    new_client.close()


def error(code: str) -> dict[str, str]:
    return {"command": "confirm_action", "result": "error", "error": code}


def raise_to(amount: object) -> bytes:
    return json.dumps({"command": "take_action", "action": "raise", "raise_amount": amount}).encode()


async def test_answer_counts_if_it_arrives_within_3_seconds_of_its_request(client: TcpClient) -> None:
    client.bot.notify(events.HandEnded((), ""), table_view(deal("500 500").play("fold"), 0))
    answer = client.ask()
    await settle()
    client.clock.advance(MESSAGE_GAP_SECONDS)  # The server pauses between two messages.
    client.clock.advance(2.999)
    await client.say(CALL)
    assert await answer == Answer(resolve_action(Call()), 2999)
    answer = await client.request()
    await asyncio.get_running_loop().sock_sendall(client.connection, CALL)
    client.clock.advance(3.0)  # The server is busy, and has not read the answer yet.
    assert await answer == Answer(resolve_action(Call()), 3000)
    no_answer = await client.request()
    client.clock.advance(3.0)
    assert await no_answer == Answer(None, 3000, "timeout")


@pytest.mark.parametrize(("message", "late_answers"), [(CALL, 1), (NO_ANSWER, 0)])
async def test_late_bot_is_asked_again_after_a_message(message: bytes, late_answers: int, client: TcpClient) -> None:
    """A bot sends `no_answer` to skip a request whose time is up. A request that still has time stays open."""
    assert (await client.turn(NO_ANSWER)).fault == "timeout"
    second_answer = client.ask()
    client.clock.advance(1.0)
    assert len(await client.read_all("request_action")) == 1
    await client.say(message)
    assert len(await client.read_all("request_action")) == 2
    await client.say(NO_ANSWER + FOLD)
    assert (await second_answer).action == resolve_action(Fold())
    assert (len(client.events), len(client.record.faults)) == (late_answers, 1 + late_answers)


async def test_author_reads_how_late_an_answer_was(client: TcpClient) -> None:
    for _ in range(3):
        await client.miss_turn()
    last_answer = client.ask()
    await client.say(CALL * 3)
    late_faults = [fault for fault in client.record.faults if fault.late]
    assert [fault.reason for fault in late_faults] == [
        f"its answer came after {seconds}.0 s, {seconds - 3}.0 s late: it does not count" for seconds in (18, 9, 6)
    ]
    assert {fault.hand for fault in late_faults} == {first_turn_view().hand}
    assert client.events == [events.FaultNoted(7, "timeout", fault.reason) for fault in late_faults]
    assert await client.read_all("confirm_action") == [error("NOT_EXPECTED")] * 3
    assert not last_answer.done()
    await client.say(FOLD)
    assert (await last_answer).action == resolve_action(Fold())


async def test_bot_that_skipped_a_late_answer_is_no_longer_late(client: TcpClient) -> None:
    await client.miss_turn()
    second_answer = await client.ask_late()
    await client.say(CALL)
    client.clock.advance(3.0)
    assert (await second_answer).fault == "timeout"
    third_answer = await client.ask_late()
    await client.say(CALL)
    assert (await third_answer).action == resolve_action(Call())


async def test_author_of_a_silent_bot_reads_what_arrived(client: TcpClient) -> None:
    await client.miss_turn()
    await client.say(CHAT + CALL)
    half_message = CALL[:20]
    for start in (b"", half_message):
        assert (await client.turn(start)).fault == "timeout"
        await client.say(CALL[len(start) :])
    first, second, third = (fault for fault in client.record.faults if not fault.late)
    assert ("flush" in first.reason, "flush" in second.reason) == (True, False)
    assert (third.sent, third.reason) == (half_message, "the end of its message did not arrive within 3 s")


async def test_time_bank_is_full_again_in_each_game(client: TcpClient) -> None:
    rules = replace(QUICK_DRAW, time_bank_ms=5000)
    for game, seconds in ((1, 2.9), (2, 2.9), (2, 2.0)):
        assert (await client.turn(CALL, after=seconds, view=first_turn_view(rules, game))).action
    last_answer = await client.request(first_turn_view(rules, 2))
    client.clock.advance(0.1)
    assert await last_answer == Answer(None, 100, "timeout")


async def test_first_valid_action_in_time_counts(client: TcpClient) -> None:
    """The rule book: "If your message was invalid, you do have a chance to submit another take_action message"."""
    answer = await client.request()
    await client.say(b"raise!\n")
    client.clock.advance(1.0)
    await client.say(BET + raise_to("much") + raise_to(50))
    client.clock.advance(1.0)
    await client.say(raise_to("250") + FOLD)
    assert await answer == Answer(resolve_action(RaiseTo(250)), 2000)
    errors = ["INVALID_INPUT", "BAD_ACTION_TYPE", "BAD_VALUE", "INVALID_RAISE_AMOUNT"]
    assert await client.read_all("confirm_action") == [*map(error, errors), SUCCESS, error("NOT_EXPECTED")]


async def test_no_late_answer_is_expected_after_an_invalid_action(client: TcpClient) -> None:
    for refused_message, fault in ((raise_to(50), "illegal"), (b"garbage\n", "malformed")):
        refusal = await client.turn(refused_message, after=2.0)
        assert (refusal.action, refusal.fault) == (None, fault), "the bot has answered, so its fault is not a timeout"
        assert await client.turn(CALL) == Answer(resolve_action(Call()), 0)


async def test_journal_gets_only_a_few_of_a_bots_faults(client: TcpClient) -> None:
    garbage = events.FaultNoted(7, "malformed", "not a JSON object")
    await client.say(b"garbage\n" * 1000)
    assert client.events == [garbage] * 3
    client.clock.advance(5.0)
    await client.say(b"garbage\n")
    assert client.events[3:] == [replace(garbage, detail="not a JSON object (and 997 more before)")]
    client.record.faults.clear()
    for _ in range(12):
        assert (await client.turn(BET)).fault
    assert len(client.record.faults) == 12
    assert len(client.events) < 16


async def test_cancelled_request_ends_at_once(client: TcpClient) -> None:
    answer = await client.request()
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    await client.say(CALL)
    assert await client.read_all("confirm_action") == [error("NOT_EXPECTED")]
    answer, event_count = await client.request(), len(client.events)
    client.bot.hang_up()
    assert (await answer).fault == "disconnected"
    assert await client.receive() == b""
    assert len(client.events) == event_count, "the server must record no event if it hangs up itself"


async def test_bot_may_chat_once_in_5_seconds(client: TcpClient) -> None:
    answer = await client.request()
    for _ in range(11):
        await client.say(CHAT)
        client.clock.advance(0.25)
    await client.say(CALL)
    assert (await answer).action == resolve_action(Call())
    client.clock.advance(2.0)
    await client.say(CHAT)
    assert client.events == [events.ChatSent(7, "Howdy")], "a chat 4.75 s after the first chat must be refused"
    client.clock.advance(0.26)
    await client.say(CHAT)
    await client.read_all("confirm_action")
    assert client.events == [events.ChatSent(7, "Howdy")] * 2
    assert await client.read_all("confirm_action") == [SUCCESS]


async def test_chat_is_shown_without_invisible_characters(client: TcpClient) -> None:
    for text in ("a {brace}", "\u202eHow\u200bdy \t \u0007Se\u00f1or\u2066", "\u200b\u202e"):
        await client.say(json.dumps({"command": "send_chat", "message": text}).encode())
    chats = [event.text for event in client.events if isinstance(event, events.ChatSent)]
    assert chats == ["Howdy Señor"]
    refusals = [error("BAD_VALUE")] * 2
    assert await client.read_all("confirm_action") == refusals, "a bad chat must get an error even if it comes too soon"
    await client.say(GET_LOGS)
    logs = (await client.read())["logs"]
    assert "the chat is shown without hidden characters (U+202E, U+200B, U+0007, …)" in " ".join(logs)


async def test_get_logs_returns_the_bots_own_transcript(client: TcpClient) -> None:
    await client.turn(CALL, after=0.25)
    await client.say(GET_LOGS)
    [message] = await client.read_all("log_data")
    logs = message["logs"]
    times = [float(line.split(" ")[0]) for line in logs]
    assert [time - times[0] for time in times] == pytest.approx([0, 0.25, 0.25, 0.25])
    assert [line.split(" ")[1] for line in logs] == [">", "<", ">", "<"]
    assert logs[1].endswith(CALL.decode())


async def test_only_the_note_on_the_valid_action_counts(client: TcpClient) -> None:
    assert (await client.turn(raise_to(1)[:-1] + b',"note":"too little"}', CALL)).note == ""
    assert (await client.turn(CALL[:-1] + b',"note":"  just enough "}')).note == "just enough"


async def test_action_sent_before_its_request_does_not_answer_it(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(CALL)
    assert (await answer).action == resolve_action(Call())
    assert (await client.read())["result"] == "success"
    # The server reads this action only after it has sent the next request.
    await asyncio.get_running_loop().sock_sendall(client.connection, FOLD)
    answer = client.ask()
    messages = [await client.read(), await client.read()]
    assert sorted(message["command"] for message in messages) == ["confirm_action", "request_action"]
    assert not answer.done()
    await client.say(CALL)
    assert (await answer).action == resolve_action(Call())


async def test_messages_are_sent_15_ms_apart(client: TcpClient) -> None:
    view = table_view(deal("500 500").play("fold"), 0)
    client.bot.notify(events.HandEnded((), ""), view)
    client.bot.notify(events.HandEnded((), ""), view)
    await settle()
    client.clock.advance(0.014)
    await settle()
    assert client.connection.recv(4096).count(b"\n") == 1
    with pytest.raises(BlockingIOError):
        client.connection.recv(4096)
    client.clock.advance(0.001)
    await settle()
    assert client.connection.recv(4096).count(b"\n") == 1
    client.bot.notify(events.HandEnded((), ""), view)
    client.bot.notify(events.HandEnded((), ""), view)
    await asyncio.get_running_loop().sock_sendall(client.connection, b"unread")
    client.bot.hang_up()
    assert [json.loads(await client.receive())["command"] for _ in range(2)] == ["hand_result"] * 2
    assert await client.receive() == b""


async def test_bot_that_never_reads_fills_no_memory(client: TcpClient) -> None:
    outgoing = client.bot._connection
    assert isinstance(outgoing, TcpConnection)
    view = table_view(deal("5000 5000 5000 5000 5000 5000").play("fold fold fold fold fold"), 0)
    message_count = full_rounds = 0
    while full_rounds < 50:  # By then, both the kernel's buffer and the server's queue are full.
        client.bot.notify(events.HandEnded((), ""), view)
        client.clock.advance(0.015)
        await settle()
        full_rounds = full_rounds + 1 if outgoing.waiting_count >= MAX_WAITING_MESSAGES else 0
        message_count += 1
        assert message_count < 10_000
    for _ in range(200):
        client.bot.notify(events.HandEnded((), ""), view)
        await client.say(b"garbage\n")
        client.clock.advance(0.1)
        assert outgoing.waiting_count <= MAX_WAITING_MESSAGES + 1
    answer = client.ask()
    await settle()
    client.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    received = b""
    for _ in range(message_count):
        client.clock.advance(0.015)
        await settle()
        try:
            received += client.connection.recv(65536)
        except BlockingIOError:
            break
    assert received.count(b"hand_result") > MAX_WAITING_MESSAGES
    assert received.count(b"request_action") == 0, "a request may not be sent after its time is up"
    # The bot sent garbage 200 times, but gets few replies: the server stops reading while the bot does not read.
    assert received.count(b"confirm_action") < 20


async def test_server_stops_reading_from_a_bot_that_floods_it(client: TcpClient) -> None:
    loop = asyncio.get_running_loop()
    flood = asyncio.create_task(loop.sock_sendall(client.connection, b"garbage " * 2_000_000 + CALL))
    for _ in range(50):
        await settle()
    answer = client.ask()
    await settle()
    assert not flood.done(), "the flood must be blocked, because the server has stopped reading"
    for _ in range(400):
        if answer.done():
            break
        client.clock.advance(0.125)
        await settle()
    assert (await answer).fault == "timeout", "a bot has only 3 seconds, even if its flood blocks its answer"
    flood.cancel()
    assert len(client.events) <= 2


@pytest.mark.parametrize("answers", [True, False])
async def test_closed_connection_disconnects_a_bot_after_its_last_answer(answers: bool, client: TcpClient) -> None:
    answer = await client.request()
    await asyncio.get_running_loop().sock_sendall(client.connection, CALL if answers else b"")
    client.close() if answers else client.connection.shutdown(socket.SHUT_WR)
    assert await answer == (Answer(resolve_action(Call()), 0) if answers else Answer(None, 0, "disconnected"))
    await settle()
    assert (await client.ask()).fault == "disconnected"
    assert [type(event) for event in client.events] == [events.BotDisconnected]


async def test_listener_accepts_only_one_connection_of_the_bot() -> None:
    listener = await listen_for_bot(HOST, HOST, 30.0)
    stranger = await connect(listener.port, "127.0.0.2")
    await settle()
    assert await asyncio.get_running_loop().sock_recv(stranger, 1) == b""
    bot = await connect(listener.port)
    accepted = await listener.accept()
    with pytest.raises(ConnectionRefusedError):
        await connect(listener.port)
    assert await listener.accept() is accepted
    for connection in (accepted, stranger, bot):
        connection.close()


@pytest.mark.parametrize(
    ("host", "registered"),
    [(HOST, "::ffff:127.0.0.1"), *(pytest.param("::", address, marks=NEEDS_IPV6) for address in (HOST, "::1"))],
)
async def test_bot_is_accepted_from_its_ipv4_or_ipv6_address(host: str, registered: str) -> None:
    """A server on "::" accepts IPv4 and IPv6. But a bot must use the version of IP with which it registered."""
    listener = await listen_for_bot(host, registered, 30.0)
    with socket.create_connection((registered.removeprefix("::ffff:"), listener.port)):
        (await listener.accept()).close()


def test_notes_follow_the_end_of_their_hand() -> None:
    """A note (a bot's reason for an action) may give away the bot's cards, so nobody may read it during the hand."""
    entries = play_contest(1, 3, practice_format(QUICK_DRAW_FORMAT, 3, 8), kind=NoteWritingBot)
    all_events, (game,) = [entry.event for entry in entries], of_kind(entries, events.GameStarted)
    starts = [index for index, event in enumerate(all_events) if isinstance(event, events.HandStarted)]
    for number, (start, end) in enumerate(pairwise([*starts, len(all_events)]), 1):
        hand = all_events[start:end]
        bots = [game.seats[event.seat] for event in hand if isinstance(event, events.ActionTaken)]
        notes = [event for event in hand if isinstance(event, events.NoteGiven)]
        text = "bot {}, hand {}"
        assert notes == [events.NoteGiven(bot, turn, text.format(bot, number)) for turn, bot in enumerate(bots, 1)]
        assert isinstance(hand[hand.index(notes[0]) - 1], events.HandEnded)
