"""Bots over real TCP: whole hands with bots like the original sample bot, bots that die, flood, or do not read."""

import asyncio
import json
import socket
import struct
from typing import Any

import pytest

from server.bots.bot import Answer
from server.bots.transports.connection import MAX_WAITING
from server.bots.transports.tcp import TcpConnection
from server.game.decisions import Call
from server.game.events import ActionTaken, BotDisconnected, HandEnded
from tests.bots.tcp_client import CALL, FOLD, SampleBot, TcpClient, connect, play_hands, settle
from tests.bots.views import resolved, table_view
from tests.game.table import deal


def caller(_: dict[str, Any]) -> tuple[str, int]:
    return "call", 0


def raiser(request: dict[str, Any]) -> tuple[str, int]:
    return "raise", request["highest_bid_value"] + 100


class DyingBot(SampleBot):
    """Calls until its request number `fatal`, then dies before or after answering that request, as `how` says."""

    def __init__(self, fatal: int, how: str) -> None:
        super().__init__(caller)
        self._fatal = fatal
        self._how = how

    async def __call__(self, port: int, name: str) -> None:
        with await connect(port) as connection:
            await self._live(connection)
            if "reset" in self._how:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def _live(self, connection: socket.socket) -> None:
        requests = 0
        while received := await asyncio.get_running_loop().sock_recv(connection, 4096):
            for line in received.splitlines():
                command = json.loads(line)["command"]
                requests += command == "request_action"
                fatal = command == "hand_result" if self._how == "in hand_result" else requests == self._fatal
                if command == "request_action" and (not fatal or "after" in self._how):
                    await self._send(connection, action_type="call", raise_amount="0")
                if fatal:
                    return


@pytest.mark.parametrize("how", ["close", "reset", "close after answer", "reset after answer", "in hand_result"])
@pytest.mark.parametrize("fatal", [1, 2, 4, 6])
def test_hands_continue_whenever_a_bot_dies(fatal: int, how: str) -> None:
    bots = [SampleBot(caller), DyingBot(fatal, how), SampleBot(raiser)]
    stacks, events = asyncio.run(play_hands(bots, 3))
    assert sum(stacks) == 3 * 5000
    assert sum(isinstance(event, HandEnded) for event in events) == 3
    assert [event.bot for event in events if isinstance(event, BotDisconnected)] == [2]
    faulty = [event for event in events if isinstance(event, ActionTaken) and event.fault]
    assert {(event.seat, event.act, event.fault) for event in faulty} <= {(1, "fold", "disconnected")}


def test_hands_continue_if_one_of_the_last_two_bots_or_every_bot_dies() -> None:
    stacks, events = asyncio.run(play_hands([SampleBot(caller), DyingBot(1, "reset")], 4))
    assert sum(stacks) == 10_000
    assert stacks[0] > stacks[1]
    assert sum(isinstance(event, HandEnded) for event in events) == 4
    stacks, events = asyncio.run(play_hands([DyingBot(1, "close"), DyingBot(1, "reset"), DyingBot(1, "close")], 3))
    assert sum(stacks) == 15_000
    assert sum(isinstance(event, HandEnded) for event in events) == 3


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
        full = full + 1 if outgoing.waiting >= MAX_WAITING else 0
        events += 1
        assert events < 10_000
    for _ in range(200):
        client.bot.notify(HandEnded((), ""), view)
        await client.say(b"garbage\n")
        client.clock.advance(0.1)
        assert outgoing.waiting <= MAX_WAITING + 1
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
    assert received.count(b"hand_result") > MAX_WAITING
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


async def test_answer_counts_if_the_connection_closes_right_after_it(client: TcpClient) -> None:
    answer = await client.request()
    await asyncio.get_running_loop().sock_sendall(client.connection, CALL)
    client.close()
    assert await answer == Answer(resolved(Call()), 0)
    await settle()
    assert (await client.ask()).fault == "disconnected"


async def test_bot_that_closes_its_sending_side_counts_as_disconnected(client: TcpClient) -> None:
    answer = await client.request()
    client.connection.shutdown(1)
    assert await answer == Answer(None, 0, "disconnected")
    assert [type(event) for event in client.events] == [BotDisconnected]
