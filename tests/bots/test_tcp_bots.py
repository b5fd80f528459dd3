"""Bots over real TCP: whole hands with bots like the original sample bot, bots that die, flood, or do not read."""

import asyncio
import json
import socket
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise, product
from typing import Any

import pytest

from server.bots.bot import Answer, Bot
from server.bots.transports.connection import MAX_WAITING_MESSAGES
from server.bots.transports.tcp import TcpConnection
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.decisions import Call
from server.game.events import ActionTaken, BotDisconnected, Entrant, Event, HandEnded, HandStarted, NoteGiven
from server.game.hand import next_button_and_blind
from server.journal.bus import Bus
from server.shuffle import deck_of
from server.tournament.dealer import Table
from server.tournament.resumable_log import ResumableLog
from tests.bots.tcp_client import CALL, FOLD, HOST, RESETS, TcpClient, connect, settle
from tests.bots.views import resolved, table_view
from tests.game.table import deal

NEEDS_IPV6 = pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 here")


class SampleBot:
    """A bot like the original sample bot: `recv(4096)`, split at newlines; its answers have no newline, but a note.

    A line over 4096 bytes, or one that arrives in two pieces, breaks it. It calls or, if it `raises`, raises. At its
    request number `fatal`, before or after its answer, it hangs up or, if it `resets`, resets the connection.
    """

    def __init__(self, fatal: int = 0, *, answers: bool = False, resets: bool = False, raises: bool = False) -> None:
        self._fatal, self._answers, self._resets, self._raises = fatal, answers, resets, raises
        self.heard: list[dict[str, Any]] = []

    async def play(self, port: int, name: str) -> None:
        loop, requests = asyncio.get_running_loop(), 0
        with await connect(port) as connection, suppress(ConnectionError):
            while received := await loop.sock_recv(connection, 4096):
                for message in map(json.loads, filter(None, received.decode().split("\n"))):
                    self.heard.append(message)
                    if message["command"] != "request_action":
                        continue
                    requests += 1
                    if requests != self._fatal or self._answers:
                        await loop.sock_sendall(connection, self._answer(message, name))
                    if requests == self._fatal:
                        if self._resets:
                            connection.setsockopt(*RESETS)
                        return

    def _answer(self, request: dict[str, Any], name: str) -> bytes:
        amount = request["highest_bid_value"] + 100 if self._raises else 0
        answer = {"action_type": "raise" if self._raises else "call", "raise_amount": str(amount)}
        note = f"{name}, hand {request['hand_number']}"
        return json.dumps({"command": "take_action", **answer, "note": note}).encode()


async def play_hands(programs: Sequence[SampleBot], hands: int) -> tuple[list[int], list[Event]]:
    """Plays up to `hands` hands of Quick Draw among `programs`; returns the stacks after them, and all events."""
    bus = Bus(None, lambda: 0.0)
    bots: list[Bot] = []
    tasks: list[asyncio.Task[None]] = []
    entrants = tuple(Entrant(seat, f"Bot {seat}") for seat in range(1, len(programs) + 1))
    for entrant, program in zip(entrants, programs, strict=True):
        listener = await listen_for_bot(HOST, HOST, 5.0)
        tasks.append(asyncio.create_task(program.play(listener.port, entrant.name)))
        bots.append(Bot(entrant.bot, QuickDrawDialect(), await listener.accept(), bus.publish))
    table = Table(QUICK_DRAW, 1, entrants, tuple(bots), ResumableLog(bus, lambda _: None))
    stacks, big = [5000] * len(programs), len(programs) - 2
    for number in range(1, hands + 1):
        if sum(stack > 0 for stack in stacks) < 2:
            break
        button, big = next_button_and_blind(QUICK_DRAW, big, stacks)
        hand = await table.play_hand(number, button, stacks, deck_of(number.to_bytes(32, "big")))
        stacks = [seat.stack for seat in hand.seats]
    for bot in bots:
        bot.hang_up()
    async with asyncio.timeout(10):
        await asyncio.gather(*tasks)
    return stacks, [entry.event for entry in bus.entries]


@pytest.mark.parametrize(("answers", "resets"), [*product([False, True], repeat=2)])
@pytest.mark.parametrize("fatal", [1, 2, 4, 6])
async def test_hands_continue_whenever_a_bot_dies(fatal: int, answers: bool, resets: bool) -> None:
    dying = SampleBot(fatal, answers=answers, resets=resets)
    stacks, events = await play_hands([SampleBot(), dying, SampleBot(raises=True)], 3)
    assert sum(stacks) == 3 * 5000
    assert sum(isinstance(event, HandEnded) for event in events) == 3
    assert [event.bot for event in events if isinstance(event, BotDisconnected)] == [2]
    faulty = [event for event in events if isinstance(event, ActionTaken) and event.fault]
    assert {(event.seat, event.act, event.fault) for event in faulty} <= {(1, "fold", "disconnected")}


async def test_notes_follow_the_end_of_their_hand_and_are_sent_to_no_other_bot() -> None:
    bots = [SampleBot() for _ in range(3)]
    _, events = await play_hands(bots, 3)
    assert ", hand" not in json.dumps([bot.heard for bot in bots])
    starts = [at for at, event in enumerate(events) if isinstance(event, HandStarted)]
    for number, (start, end) in enumerate(pairwise([*starts, len(events)])):
        hand = events[start:end]
        actors = [event.seat + 1 for event in hand if isinstance(event, ActionTaken)]
        notes = [event for event in hand if isinstance(event, NoteGiven)]
        assert notes == [NoteGiven(bot, at, f"Bot {bot}, hand {number}") for at, bot in enumerate(actors, 1)]
        assert isinstance(hand[hand.index(notes[0]) - 1], HandEnded)


async def test_action_sent_before_its_request_does_not_answer_it(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(CALL)
    assert (await answer).action == resolved(Call())
    assert (await client.read())["result"] == "success"
    # The server reads this only after it has asked.
    await asyncio.get_running_loop().sock_sendall(client.connection, FOLD)
    answer = client.ask()
    messages = [await client.read(), await client.read()]
    assert sorted(message["command"] for message in messages) == ["confirm_action", "request_action"]
    assert not answer.done()
    await client.say(CALL)
    assert (await answer).action == resolved(Call())


async def test_messages_are_sent_separately_and_15_ms_apart_even_after_the_server_hangs_up(client: TcpClient) -> None:
    view = table_view(deal("500 500").play("fold"), 0)
    client.bot.notify(HandEnded((), ""), view)
    client.bot.notify(HandEnded((), ""), view)
    await settle()
    client.clock.advance(0.014)
    await settle()
    assert client.connection.recv(4096).count(b"\n") == 1
    with pytest.raises(BlockingIOError):
        client.connection.recv(4096)
    client.clock.advance(0.001)
    await settle()
    assert client.connection.recv(4096).count(b"\n") == 1
    client.bot.notify(HandEnded((), ""), view)
    client.bot.notify(HandEnded((), ""), view)
    await asyncio.get_running_loop().sock_sendall(client.connection, b"unread")
    client.bot.hang_up()
    assert [json.loads(await client.receive())["command"] for _ in range(2)] == ["hand_result"] * 2
    assert await client.receive() == b""


async def test_bot_that_never_reads_loses_error_replies_first_and_fills_no_memory(client: TcpClient) -> None:
    outgoing = client.bot._connection
    assert isinstance(outgoing, TcpConnection)
    view = table_view(deal("5000 5000 5000 5000 5000 5000").play("fold fold fold fold fold"), 0)
    events = full = 0
    while full < 50:  # until both the kernel's buffer and our outbox have stayed full for a while
        client.bot.notify(HandEnded((), ""), view)
        client.clock.advance(0.015)
        await settle()
        full = full + 1 if outgoing.waiting_count >= MAX_WAITING_MESSAGES else 0
        events += 1
        assert events < 10_000
    for _ in range(200):
        client.bot.notify(HandEnded((), ""), view)
        await client.say(b"garbage\n")
        client.clock.advance(0.1)
        assert outgoing.waiting_count <= MAX_WAITING_MESSAGES + 1
    answer = client.ask()
    await settle()
    client.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    received = b""
    for _ in range(events):
        client.clock.advance(0.015)
        await settle()
        try:
            received += client.connection.recv(65536)
        except BlockingIOError:
            break
    assert received.count(b"hand_result") > MAX_WAITING_MESSAGES
    assert received.count(b"request_action") == 0, "a request may not be sent after its time is up"
    # Not 200, but perhaps a few: the server reads, and confirms, the last garbage only now that the bot reads.
    assert received.count(b"confirm_action") < 20


async def test_server_stops_reading_from_a_bot_that_floods_it(client: TcpClient) -> None:
    loop = asyncio.get_running_loop()
    flood = asyncio.create_task(loop.sock_sendall(client.connection, b"garbage " * 2_000_000 + CALL))
    for _ in range(50):
        await settle()
    answer = client.ask()
    await settle()
    assert not flood.done(), "a server that does not read must hold back the flood"
    for _ in range(400):
        if answer.done():
            break
        client.clock.advance(0.125)
        await settle()
    assert (await answer).fault == "timeout", "a bot whose own flood blocks its answer gets no more than its 3 seconds"
    flood.cancel()
    assert len(client.events) <= 2


@pytest.mark.parametrize("answers", [True, False])
async def test_closed_connection_disconnects_a_bot_but_its_answer_right_before_counts(
    answers: bool, client: TcpClient
) -> None:
    answer = await client.request()
    await asyncio.get_running_loop().sock_sendall(client.connection, CALL if answers else b"")
    client.close() if answers else client.connection.shutdown(socket.SHUT_WR)
    assert await answer == (Answer(resolved(Call()), 0) if answers else Answer(None, 0, "disconnected"))
    await settle()
    assert (await client.ask()).fault == "disconnected"
    assert [type(event) for event in client.events] == [BotDisconnected]


async def test_listener_accepts_exactly_one_connection_and_only_of_the_bot() -> None:
    listener = await listen_for_bot(HOST, HOST, 30.0)
    stranger = await connect(listener.port, "127.0.0.2")
    await settle()
    assert await asyncio.get_running_loop().sock_recv(stranger, 1) == b""
    bot = await connect(listener.port)
    accepted = await listener.accept()
    with pytest.raises(ConnectionRefusedError):
        await connect(listener.port)
    assert await listener.accept() is accepted
    for each in (accepted, stranger, bot):
        each.close()


@pytest.mark.parametrize(
    ("host", "registered", "called"),
    [
        (HOST, "::ffff:127.0.0.1", HOST),
        pytest.param("::", "127.0.0.1", "127.0.0.1", marks=NEEDS_IPV6),
        pytest.param("::", "::1", "::1", marks=NEEDS_IPV6),
    ],
)
async def test_bot_is_accepted_from_its_ipv4_or_ipv6_address(host: str, registered: str, called: str) -> None:
    """A server on "::" accepts IPv4 and IPv6; a bot must connect over the version with which it registered."""
    listener = await listen_for_bot(host, registered, 30.0)
    with socket.create_connection((called, listener.port)):
        (await listener.accept()).close()
