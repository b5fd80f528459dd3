"""Answers in time count, late and invalid ones are refused with the reason, and a bot's chat and log are limited."""

import asyncio
import json

import pytest
from msgspec.structs import replace

from server.bots.bot import Answer
from server.bots.transports.tcp import MESSAGE_GAP_SECONDS
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import ChatSent, FaultNoted, HandEnded
from tests.bots.tcp_client import CALL, FOLD, HOWDY, TcpClient, settle
from tests.bots.views import asked_view, resolved, table_view
from tests.game.table import deal

BET = b'{"command":"take_action","action":"bet"}'
NO_ANSWER = b'{"command":"no_answer"}'
GET_LOGS = b'{"command":"get_logs"}'
SUCCESS = {"command": "confirm_action", "result": "success"}


def error(code: str) -> dict[str, str]:
    return {"command": "confirm_action", "result": "error", "error": code}


def raise_to(amount: object) -> bytes:
    return json.dumps({"command": "take_action", "action": "raise", "raise_amount": amount}).encode()


def chat(text: str) -> bytes:
    return json.dumps({"command": "send_chat", "message": text}).encode()


async def test_time_runs_for_3_seconds_once_the_request_is_sent(client: TcpClient) -> None:
    client.bot.notify(HandEnded((), ""), table_view(deal("500 500").play("fold"), 0))
    answer = client.ask()
    await settle()
    client.clock.advance(MESSAGE_GAP_SECONDS)  # between the message before and the request
    client.clock.advance(2.999)
    await client.say(CALL)
    assert await answer == Answer(resolved(Call()), 2999)
    silent = await client.request()
    client.clock.advance(3.0)
    assert await silent == Answer(None, 3000, "timeout")


async def test_answer_that_arrived_while_the_server_was_busy_counts(client: TcpClient) -> None:
    answer = await client.request()
    await asyncio.get_running_loop().sock_sendall(client.connection, CALL)
    client.clock.advance(3.0)
    assert await answer == Answer(resolved(Call()), 3000)


@pytest.mark.parametrize(("said", "late_answers"), [(CALL, 1), (NO_ANSWER, 0)])
async def test_late_bot_is_asked_again_once_it_answers_or_announces_no_answer(
    said: bytes, late_answers: int, client: TcpClient
) -> None:
    """The message `no_answer` counts only for a request whose time is up; it does not end an open request."""
    assert (await client.turn(NO_ANSWER)).fault == "timeout"
    second = client.ask()
    client.clock.advance(1.0)
    assert len(await client.heard("request_action")) == 1
    await client.say(said)
    assert len(await client.heard("request_action")) == 2
    await client.say(NO_ANSWER + FOLD)
    assert (await second).action == resolved(Fold())
    assert (len(client.events), len(client.record.faults)) == (late_answers, 1 + late_answers)


async def test_late_answers_do_not_count_and_the_author_reads_how_late_they_were(client: TcpClient) -> None:
    for _ in range(3):
        await client.turn_in_vain()
    last = client.ask()
    await client.say(CALL * 3)
    late = [each for each in client.record.faults if each.late]
    assert [each.reason for each in late] == [
        f"its answer came after {seconds}.0 s, {seconds - 3}.0 s late: it does not count" for seconds in (18, 9, 6)
    ]
    assert {each.hand for each in late} == {asked_view().hand}
    assert client.events == [FaultNoted(7, "timeout", each.reason) for each in late]
    assert await client.heard("confirm_action") == [error("NOT_EXPECTED")] * 3
    assert not last.done()
    await client.say(FOLD)
    assert (await last).action == resolved(Fold())


async def test_bot_that_skipped_a_late_answer_is_no_longer_late(client: TcpClient) -> None:
    await client.turn_in_vain()
    second = await client.ask_late()
    await client.say(CALL)
    client.clock.advance(3.0)
    assert (await second).fault == "timeout"
    third = await client.ask_late()
    await client.say(CALL)
    assert (await third).action == resolved(Call())


async def test_author_of_a_silent_bot_reads_what_arrived_and_whether_it_may_have_to_flush(client: TcpClient) -> None:
    await client.turn_in_vain()
    await client.say(HOWDY + CALL)
    half = CALL[:20]
    for said in (b"", half):
        assert (await client.turn(said)).fault == "timeout"
        await client.say(CALL[len(said) :])
    first, second, third = (each for each in client.record.faults if not each.late)
    assert [("flush" in each.reason) for each in (first, second)] == [True, False]
    assert (third.sent, third.reason) == (half, "the end of its message did not arrive within 3 s")


async def test_time_bank_is_used_up_during_a_game_and_full_in_the_next_game(client: TcpClient) -> None:
    rules = replace(QUICK_DRAW, time_bank_ms=5000)
    for game, seconds in ((1, 2.9), (2, 2.9), (2, 2.0)):
        assert (await client.turn(CALL, after=seconds, view=asked_view(rules, game))).action
    last = await client.request(asked_view(rules, 2))
    client.clock.advance(0.1)
    assert await last == Answer(None, 100, "timeout")


async def test_invalid_action_may_be_corrected_in_time_and_the_first_valid_one_counts(client: TcpClient) -> None:
    """The rule book: "If your message was invalid, you do have a chance to submit another take_action message"."""
    answer = await client.request()
    await client.say(b"raise!\n")
    client.clock.advance(1.0)
    await client.say(BET + raise_to("much") + raise_to(50))
    client.clock.advance(1.0)
    await client.say(raise_to("250") + FOLD)
    assert await answer == Answer(resolved(RaiseTo(250)), 2000)
    errors = ["INVALID_INPUT", "BAD_ACTION_TYPE", "BAD_VALUE", "INVALID_RAISE_AMOUNT"]
    assert await client.heard("confirm_action") == [*map(error, errors), SUCCESS, error("NOT_EXPECTED")]


async def test_bot_whose_time_ends_after_an_invalid_action_owes_no_late_answer(client: TcpClient) -> None:
    for refused, fault in ((raise_to(50), "illegal"), (b"garbage\n", "malformed")):
        refusal = await client.turn(refused, after=2.0)
        assert (refusal.action, refusal.fault) == (None, fault), "the bot has answered, so its fault is not a timeout"
        assert await client.turn(CALL) == Answer(resolved(Call()), 0)


async def test_journal_gets_a_few_of_a_bots_faults_and_the_author_those_of_every_turn(client: TcpClient) -> None:
    garbage = FaultNoted(7, "malformed", "not a JSON object")
    await client.say(b"garbage\n" * 1000)
    assert client.events == [garbage] * 3
    client.clock.advance(5.0)
    await client.say(b"garbage\n")
    assert client.events[3:] == [replace(garbage, detail="not a JSON object (and 997 more before)")]
    client.record.faults.clear()
    for _ in range(12):
        assert (await client.turn(BET)).fault
    assert len(client.record.reasons) == 12
    assert len(client.events) < 16


async def test_request_ends_at_once_when_it_is_cancelled_or_the_server_hangs_up(client: TcpClient) -> None:
    answer = await client.request()
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    await client.say(CALL)
    assert await client.heard("confirm_action") == [error("NOT_EXPECTED")]
    answer, noted = await client.request(), len(client.events)
    client.bot.hang_up()
    assert (await answer).fault == "disconnected"
    assert await client.receive() == b""
    assert len(client.events) == noted, "hanging up on a bot is not an event"


async def test_bot_may_chat_while_it_is_asked_but_only_once_in_5_seconds(client: TcpClient) -> None:
    answer = await client.request()
    for _ in range(11):
        await client.say(HOWDY)
        client.clock.advance(0.25)
    await client.say(CALL)
    assert (await answer).action == resolved(Call())
    client.clock.advance(2.0)
    await client.say(HOWDY)
    assert client.events == [ChatSent(7, "Howdy")], "the last chat came 4.75 s after the first"
    client.clock.advance(0.26)
    await client.say(HOWDY)
    await client.heard("confirm_action")
    assert client.events == [ChatSent(7, "Howdy")] * 2
    assert await client.heard("confirm_action") == [SUCCESS]


async def test_refused_chat_is_not_counted_and_invisible_characters_are_stripped(client: TcpClient) -> None:
    await client.say(chat("a {brace}") + chat("\u202eHow\u200bdy \t \u0007Se\u00f1or\u2066") + chat("\u200b\u202e"))
    assert [event for event in client.events if isinstance(event, ChatSent)] == [ChatSent(7, "Howdy Señor")]
    refused = [error("BAD_VALUE")] * 2
    assert await client.heard("confirm_action") == refused, "an empty chat is refused even within the 5 seconds"
    await client.say(GET_LOGS)
    logs = (await client.read())["logs"]
    assert "the chat is shown without hidden characters (U+202E, U+200B, U+0007, …)" in " ".join(logs)


async def test_get_logs_returns_the_bots_own_transcript(client: TcpClient) -> None:
    await client.turn(CALL, after=0.25)
    await client.say(GET_LOGS)
    [message] = await client.heard("log_data")
    logs = message["logs"]
    times = [float(line.split(" ")[0]) for line in logs]
    assert [time - times[0] for time in times] == pytest.approx([0, 0.25, 0.25, 0.25])
    assert [line.split(" ")[1] for line in logs] == [">", "<", ">", "<"]
    assert logs[1].endswith(CALL.decode())


async def test_only_the_note_on_the_valid_action_counts(client: TcpClient) -> None:
    noted = CALL[:-1] + b',"note":"  just enough "}'
    assert (await client.turn(raise_to(1)[:-1] + b',"note":"too little"}', CALL)).note == ""
    assert (await client.turn(noted)).note == "just enough"
