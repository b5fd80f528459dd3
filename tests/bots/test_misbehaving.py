"""Bots that break the protocol, over real sockets: the server goes on, and whatever is valid still counts."""

import asyncio
import json
from collections.abc import Callable

import pytest

from server.bots.bot import Answer
from server.bots.transports.connection import MAX_WAITING
from server.bots.transports.tcp import DROPPABLE_WAITING, TcpConnection
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import BotDisconnected, ChatSent, FaultNoted, HandEnded
from tests.bots.tcp_client import CALL, FOLD, HOWDY, TcpClient, connected, over_tcp, settle
from tests.bots.views import resolved, seen
from tests.game.table import deal

# -- manners ---------------------------------------------------------------------------------------


@over_tcp
async def test_a_bot_that_sends_no_newline(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(CALL)
    assert await answer == Answer(resolved(Call()), 0)
    assert await client.confirmed() == "success"


@over_tcp
async def test_a_bot_that_glues_messages_together(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(CALL + HOWDY + b'{"command":"get_logs"}')
    assert await answer == Answer(resolved(Call()), 0)
    assert client.events == [ChatSent(7, "Howdy")]
    assert await client.confirmed() == "success"
    assert (await client.read())["command"] == "log_data"


@over_tcp
async def test_a_bot_that_sends_strings_like_the_sample_bot(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(b'{"command": "take_action", "action_type": "raise", "raise_amount": "250"}')
    assert await answer == Answer(resolved(RaiseTo(250)), 0)


@over_tcp
async def test_a_bot_that_sends_byte_by_byte(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(*(CALL[at : at + 1] for at in range(len(CALL))))
    assert await answer == Answer(resolved(Call()), 0)


@over_tcp
async def test_a_bot_that_sends_garbage_first(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(b'{"command":"take_act' + b"\xff\x00}{[" + CALL)
    assert (await answer).action == resolved(Call())
    assert await client.confirmed() == "INVALID_INPUT"


@over_tcp
async def test_a_bot_that_answers_late(client: TcpClient) -> None:
    first = await client.request()
    client.clock.advance(3.0)
    assert (await first).fault == "timeout"
    await client.say(CALL)
    assert await client.confirmed() == "NOT_EXPECTED"
    second = await client.request()
    assert not second.done()
    await client.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@over_tcp
async def test_a_bot_that_answers_twice(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(CALL + FOLD)
    assert await answer == Answer(resolved(Call()), 0)
    assert [await client.confirmed(), await client.confirmed()] == ["success", "NOT_EXPECTED"]


@over_tcp
async def test_a_bot_that_answers_the_next_request_beforehand(client: TcpClient) -> None:
    answer = await client.request()
    await client.say(CALL)
    assert (await answer).action == resolved(Call())
    assert await client.confirmed() == "success"
    await asyncio.get_running_loop().sock_sendall(client.connection, FOLD)  # not read by the server before it asks
    answer = client.ask()
    messages = [await client.read(), await client.read()]
    assert sorted(message["command"] for message in messages) == ["confirm_action", "request_action"]
    assert not answer.done()
    await client.say(CALL)
    assert (await answer).action == resolved(Call())


@over_tcp
async def test_a_bot_that_acts_out_of_turn(client: TcpClient) -> None:
    await client.say(CALL)
    assert await client.confirmed() == "NOT_EXPECTED"
    assert len(client.events) == 1


@over_tcp
async def test_a_bot_that_says_nothing(client: TcpClient) -> None:
    answer = await client.request()
    client.clock.advance(3.0)
    assert await answer == Answer(None, 3000, "timeout")


@over_tcp
async def test_a_bot_that_says_nothing_but_garbage(client: TcpClient) -> None:
    answer = await client.request()
    for _ in range(30):
        await client.say(b"garbage\n" * 10)
        client.clock.advance(0.1)
    assert await answer == Answer(None, 3000, "malformed")
    assert 0 < len(client.events) <= 4
    assert {type(event) for event in client.events} == {FaultNoted}


# -- one write for each message, with a pause ------------------------------------------------------


@over_tcp
async def test_every_recv_of_4096_gets_exactly_one_message(client: TcpClient) -> None:
    view = seen(deal("5000 5000 5000 5000 5000 5000").play("fold fold fold fold fold"), 0)
    for _ in range(5):
        client.bot.notify(HandEnded((), ""), view)
    for _ in range(5):
        assert (await client.read())["command"] == "hand_result"


@over_tcp
async def test_the_next_message_waits_15_ms(client: TcpClient) -> None:
    view = seen(deal("500 500").play("fold"), 0)
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


# -- bots that do not read -------------------------------------------------------------------------


def test_a_bot_that_reads_nothing_loses_error_replies_first_and_fills_no_memory() -> None:
    async def run() -> None:
        client = await connected()
        outgoing = client.bot._connection
        assert isinstance(outgoing, TcpConnection)
        try:
            await _never_read(client, outgoing)
        finally:
            client.bot.hang_up()
            client.clock.advance(2.0)
            client.close()

    asyncio.run(run())


async def _never_read(client: TcpClient, outgoing: TcpConnection) -> None:
    view = seen(deal("5000 5000 5000 5000 5000 5000").play("fold fold fold fold fold"), 0)
    events = full = 0
    while full < 50:  # The kernel takes no more, not even after a while; then the outbox is full and stays so.
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
    assert received.count(b"request_action") == 0, "a request whose time is up is not sent any more"
    # Not all 200; the machine may deliver the last bit of garbage only now that the bot reads.
    assert received.count(b"confirm_action") < 20


@over_tcp
async def test_error_replies_do_not_pile_up(client: TcpClient) -> None:
    await client.say(b"garbage\n" * 200)
    client.clock.advance(1.0)
    received = b""
    for _ in range(100):
        client.clock.advance(0.015)
        await settle()
        try:
            received += client.connection.recv(65536)
        except BlockingIOError:
            break
    assert received.count(b"INVALID_INPUT") <= DROPPABLE_WAITING + 1


@over_tcp
async def test_a_bot_that_sends_too_much_is_not_read_for_a_while(client: TcpClient) -> None:
    loop = asyncio.get_running_loop()
    flood = asyncio.create_task(loop.sock_sendall(client.connection, b"garbage " * 2_000_000 + CALL))
    for _ in range(50):
        await settle()
    answer = client.ask()
    await settle()
    assert not flood.done(), "TCP holds the flood back"
    for _ in range(400):
        if answer.done():
            break
        client.clock.advance(0.125)
        await settle()
    assert (await answer).fault == "timeout", "its own flood was in its way; nobody waited longer than 3 seconds"
    flood.cancel()
    assert len(client.events) <= 2


# -- bots that die ---------------------------------------------------------------------------------

DEATHS: list[Callable[[TcpClient], None]] = [TcpClient.close, TcpClient.reset]


@pytest.mark.parametrize("die", DEATHS)
@pytest.mark.parametrize("moment", ["connected", "mid-message", "after the request", "after the answer", "all at once"])
def test_a_bot_may_die_at_any_moment(moment: str, die: Callable[[TcpClient], None]) -> None:
    async def run() -> None:
        client = await connected()
        first = await _until(moment, client)
        die(client)
        await settle()
        assert first is None or (await first) == Answer(None, 0, "disconnected")
        assert [type(event) for event in client.events] == [BotDisconnected]
        for _ in range(3):
            assert await client.ask() == Answer(None, 0, "disconnected")
        client.bot.notify(HandEnded((), ""), seen(deal("500 500").play("fold"), 0))
        client.bot.hang_up()

    asyncio.run(run())


async def _until(moment: str, client: TcpClient) -> asyncio.Task[Answer] | None:
    """Plays up to `moment`; the answer that is still to come, if there is one."""
    match moment:
        case "mid-message":
            answer = await client.request()
            await client.say(CALL[:20])
            return answer
        case "after the request":
            return await client.request()
        case "after the answer":
            answer = await client.request()
            await client.say(CALL)
            assert await answer == Answer(resolved(Call()), 0)
            return None
        case "all at once":
            await client.say(HOWDY[:-1])
            return client.ask()
        case _:
            return None


def test_an_answer_and_a_close_in_one_breath() -> None:
    async def run() -> None:
        client = await connected()
        answer = await client.request()
        await asyncio.get_running_loop().sock_sendall(client.connection, CALL)
        client.close()
        assert await answer == Answer(resolved(Call()), 0)
        await settle()
        assert (await client.ask()).fault == "disconnected"
        client.bot.hang_up()

    asyncio.run(run())


def test_a_bot_that_shuts_its_mouth_for_good_is_gone() -> None:
    """Whoever can say nothing any more cannot play; nobody waits for it."""

    async def run() -> None:
        client = await connected()
        answer = await client.request()
        client.connection.shutdown(1)
        assert await answer == Answer(None, 0, "disconnected")
        client.close()
        client.bot.hang_up()

    asyncio.run(run())


@over_tcp
async def test_hanging_up_sends_what_was_still_to_be_said(client: TcpClient) -> None:
    view = seen(deal("500 500").play("fold"), 0)
    client.bot.notify(HandEnded((), ""), view)
    client.bot.notify(HandEnded((), ""), view)
    await asyncio.get_running_loop().sock_sendall(client.connection, b"unread")
    client.bot.hang_up()
    assert [json.loads(await client.receive())["command"] for _ in range(2)] == ["hand_result"] * 2
    assert await client.receive() == b""
