"""Bots that do what they should not, over real sockets: nothing breaks, nothing hangs, and what is valid counts."""

import asyncio
import json
from collections.abc import Callable

import pytest

from server.bots.bot import Answer
from server.bots.transports.outbox import MAX_WAITING
from server.bots.transports.tcp import DROPPABLE_WAITING, TcpConnection
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import BotDisconnected, ChatSent, FaultNoted, HandEnded
from tests.bots.rig import CALL, FOLD, HOWDY, Rig, connected, over_tcp, settle
from tests.bots.views import resolved, seen
from tests.game.table import deal

# -- manners ---------------------------------------------------------------------------------------


@over_tcp
async def test_a_bot_that_sends_no_newline(rig: Rig) -> None:
    answer = await rig.request()
    await rig.say(CALL)
    assert await answer == Answer(resolved(Call()), 0)
    assert await rig.confirmed() == "success"


@over_tcp
async def test_a_bot_that_glues_messages_together(rig: Rig) -> None:
    answer = await rig.request()
    await rig.say(CALL + HOWDY + b'{"command":"get_logs"}')
    assert await answer == Answer(resolved(Call()), 0)
    assert rig.events == [ChatSent(7, "Howdy")]
    assert await rig.confirmed() == "success"
    assert (await rig.read())["command"] == "log_data"


@over_tcp
async def test_a_bot_that_sends_strings_like_the_sample_bot(rig: Rig) -> None:
    answer = await rig.request()
    await rig.say(b'{"command": "take_action", "action_type": "raise", "raise_amount": "250"}')
    assert await answer == Answer(resolved(RaiseTo(250)), 0)


@over_tcp
async def test_a_bot_that_sends_byte_by_byte(rig: Rig) -> None:
    answer = await rig.request()
    await rig.say(*(CALL[at : at + 1] for at in range(len(CALL))))
    assert await answer == Answer(resolved(Call()), 0)


@over_tcp
async def test_a_bot_that_sends_garbage_first(rig: Rig) -> None:
    answer = await rig.request()
    await rig.say(b'{"command":"take_act' + b"\xff\x00}{[" + CALL)
    assert (await answer).action == resolved(Call())
    assert await rig.confirmed() == "INVALID_INPUT"


@over_tcp
async def test_a_bot_that_answers_late(rig: Rig) -> None:
    first = await rig.request()
    rig.clock.advance(3.0)
    assert (await first).fault == "timeout"
    await rig.say(CALL)
    assert await rig.confirmed() == "NOT_EXPECTED"
    second = await rig.request()
    assert not second.done()
    await rig.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@over_tcp
async def test_a_bot_that_answers_twice(rig: Rig) -> None:
    answer = await rig.request()
    await rig.say(CALL + FOLD)
    assert await answer == Answer(resolved(Call()), 0)
    assert [await rig.confirmed(), await rig.confirmed()] == ["success", "NOT_EXPECTED"]


@over_tcp
async def test_a_bot_that_answers_the_next_request_beforehand(rig: Rig) -> None:
    answer = await rig.request()
    await rig.say(CALL)
    assert (await answer).action == resolved(Call())
    assert await rig.confirmed() == "success"
    await asyncio.get_running_loop().sock_sendall(rig.connection, FOLD)  # not read by the server before it asks
    answer = rig.ask()
    messages = [await rig.read(), await rig.read()]
    assert sorted(message["command"] for message in messages) == ["confirm_action", "request_action"]
    assert not answer.done()
    await rig.say(CALL)
    assert (await answer).action == resolved(Call())


@over_tcp
async def test_a_bot_that_acts_out_of_turn(rig: Rig) -> None:
    await rig.say(CALL)
    assert await rig.confirmed() == "NOT_EXPECTED"
    assert len(rig.events) == 1


@over_tcp
async def test_a_bot_that_says_nothing(rig: Rig) -> None:
    answer = await rig.request()
    rig.clock.advance(3.0)
    assert await answer == Answer(None, 3000, "timeout")


@over_tcp
async def test_a_bot_that_says_nothing_but_garbage(rig: Rig) -> None:
    answer = await rig.request()
    for _ in range(30):
        await rig.say(b"garbage\n" * 10)
        rig.clock.advance(0.1)
    assert await answer == Answer(None, 3000, "malformed")
    assert 0 < len(rig.events) <= 4
    assert {type(event) for event in rig.events} == {FaultNoted}


# -- one write for each message, with a pause ------------------------------------------------------


@over_tcp
async def test_every_recv_of_4096_gets_exactly_one_message(rig: Rig) -> None:
    view = seen(deal("5000 5000 5000 5000 5000 5000").play("fold fold fold fold fold"), 0)
    for _ in range(5):
        rig.bot.tell(HandEnded((), ""), view)
    for _ in range(5):
        assert (await rig.read())["command"] == "hand_result"


@over_tcp
async def test_the_next_message_waits_15_ms(rig: Rig) -> None:
    view = seen(deal("500 500").play("fold"), 0)
    rig.bot.tell(HandEnded((), ""), view)
    rig.bot.tell(HandEnded((), ""), view)
    await settle()
    rig.clock.advance(0.014)
    await settle()
    assert rig.connection.recv(4096).count(b"\n") == 1
    with pytest.raises(BlockingIOError):
        rig.connection.recv(4096)
    rig.clock.advance(0.001)
    await settle()
    assert rig.connection.recv(4096).count(b"\n") == 1


# -- bots that do not read -------------------------------------------------------------------------


def test_a_bot_that_reads_nothing_loses_error_replies_first_and_fills_no_memory() -> None:
    async def run() -> None:
        rig = await connected()
        outgoing = rig.bot._connection
        assert isinstance(outgoing, TcpConnection)
        try:
            await _never_read(rig, outgoing)
        finally:
            rig.bot.hang_up()
            rig.clock.advance(2.0)
            rig.close()

    asyncio.run(run())


async def _never_read(rig: Rig, outgoing: TcpConnection) -> None:
    view = seen(deal("5000 5000 5000 5000 5000 5000").play("fold fold fold fold fold"), 0)
    told = full = 0
    while full < 50:  # The kernel takes no more, not even after a while; then the outbox is full and stays so.
        rig.bot.tell(HandEnded((), ""), view)
        rig.clock.advance(0.015)
        await settle()
        full = full + 1 if outgoing.waiting >= MAX_WAITING else 0
        told += 1
        assert told < 10_000
    for _ in range(200):
        rig.bot.tell(HandEnded((), ""), view)
        await rig.say(b"garbage\n")
        rig.clock.advance(0.1)
        assert outgoing.waiting <= MAX_WAITING + 1
    answer = rig.ask()
    await settle()
    rig.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    received = b""
    for _ in range(told):
        rig.clock.advance(0.015)
        await settle()
        try:
            received += rig.connection.recv(65536)
        except BlockingIOError:
            break
    assert received.count(b"hand_result") > MAX_WAITING
    assert received.count(b"request_action") == 0, "a request whose time is up is not sent any more"
    # Not all 200; the machine may deliver the last bit of garbage only now that the bot reads.
    assert received.count(b"confirm_action") < 20


@over_tcp
async def test_error_replies_do_not_pile_up(rig: Rig) -> None:
    await rig.say(b"garbage\n" * 200)
    rig.clock.advance(1.0)
    received = b""
    for _ in range(100):
        rig.clock.advance(0.015)
        await settle()
        try:
            received += rig.connection.recv(65536)
        except BlockingIOError:
            break
    assert received.count(b"INVALID_INPUT") <= DROPPABLE_WAITING + 1


@over_tcp
async def test_a_bot_that_sends_too_much_is_not_read_for_a_while(rig: Rig) -> None:
    loop = asyncio.get_running_loop()
    flood = asyncio.create_task(loop.sock_sendall(rig.connection, b"garbage " * 2_000_000 + CALL))
    for _ in range(50):
        await settle()
    answer = rig.ask()
    await settle()
    assert not flood.done(), "TCP holds the flood back"
    for _ in range(400):
        if answer.done():
            break
        rig.clock.advance(0.125)
        await settle()
    assert (await answer).fault == "timeout", "its own flood was in its way; nobody waited longer than 3 seconds"
    flood.cancel()
    assert len(rig.events) <= 2


# -- bots that die ---------------------------------------------------------------------------------

DEATHS: list[Callable[[Rig], None]] = [Rig.close, Rig.reset]


@pytest.mark.parametrize("die", DEATHS)
@pytest.mark.parametrize("moment", ["connected", "mid-message", "after the request", "after the answer", "all at once"])
def test_a_bot_may_die_at_any_moment(moment: str, die: Callable[[Rig], None]) -> None:
    async def run() -> None:
        rig = await connected()
        first = await _until(moment, rig)
        die(rig)
        await settle()
        assert first is None or (await first) == Answer(None, 0, "disconnected")
        assert [type(event) for event in rig.events] == [BotDisconnected]
        for _ in range(3):
            assert await rig.ask() == Answer(None, 0, "disconnected")
        rig.bot.tell(HandEnded((), ""), seen(deal("500 500").play("fold"), 0))
        rig.bot.hang_up()

    asyncio.run(run())


async def _until(moment: str, rig: Rig) -> asyncio.Task[Answer] | None:
    """Plays up to `moment`; the answer that is still to come, if there is one."""
    match moment:
        case "mid-message":
            answer = await rig.request()
            await rig.say(CALL[:20])
            return answer
        case "after the request":
            return await rig.request()
        case "after the answer":
            answer = await rig.request()
            await rig.say(CALL)
            assert await answer == Answer(resolved(Call()), 0)
            return None
        case "all at once":
            await rig.say(HOWDY[:-1])
            return rig.ask()
        case _:
            return None


def test_an_answer_and_a_close_in_one_breath() -> None:
    async def run() -> None:
        rig = await connected()
        answer = await rig.request()
        await asyncio.get_running_loop().sock_sendall(rig.connection, CALL)
        rig.close()
        assert await answer == Answer(resolved(Call()), 0)
        await settle()
        assert (await rig.ask()).fault == "disconnected"
        rig.bot.hang_up()

    asyncio.run(run())


def test_a_bot_that_shuts_its_mouth_for_good_is_gone() -> None:
    """Whoever can say nothing any more cannot play; nobody waits for it."""

    async def run() -> None:
        rig = await connected()
        answer = await rig.request()
        rig.connection.shutdown(1)
        assert await answer == Answer(None, 0, "disconnected")
        rig.close()
        rig.bot.hang_up()

    asyncio.run(run())


@over_tcp
async def test_hanging_up_sends_what_was_still_to_be_said(rig: Rig) -> None:
    view = seen(deal("500 500").play("fold"), 0)
    rig.bot.tell(HandEnded((), ""), view)
    rig.bot.tell(HandEnded((), ""), view)
    await asyncio.get_running_loop().sock_sendall(rig.connection, b"unread")
    rig.bot.hang_up()
    assert [json.loads(await rig.receive())["command"] for _ in range(2)] == ["hand_result"] * 2
    assert await rig.receive() == b""
