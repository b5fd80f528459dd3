"""Answers in time count, late and invalid ones are refused with the reason, and a bot's chat and log are limited."""

import asyncio
import json

import pytest
from msgspec.structs import replace

from server.bots.bot import Answer
from server.bots.owed_answers import LATE_SECONDS
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import BotDisconnected, ChatSent, Fault, FaultNoted
from tests.bots.bot_harness import CALL, FOLD, SUCCESS, Harness, chat, error, raise_to
from tests.bots.views import asked_view, resolved


async def test_time_runs_for_3_seconds_once_the_kernel_has_the_request(harness: Harness) -> None:
    harness.connection.kernel_takes = False
    answer = await harness.ask()
    harness.clock.advance(1.0)
    harness.connection.let_through()
    harness.clock.advance(2.999)
    await asyncio.sleep(0)
    assert not answer.done()
    harness.connection.say(CALL)
    assert await answer == Answer(resolved(Call()), 2999)
    unread = await harness.ask()
    harness.clock.advance(3.0)
    assert await unread == Answer(None, 3000, "timeout")
    harness.connection.let_through()
    assert len(harness.requests) == 1
    assert harness.confirmed == [SUCCESS]


async def test_answer_that_arrived_while_the_server_was_busy_counts(harness: Harness) -> None:
    answer = await harness.ask()
    harness.connection.arrived.append(json.dumps(CALL).encode())
    harness.clock.advance(3.0)
    assert await answer == Answer(resolved(Call()), 3000)


async def test_late_answer_does_not_count_and_the_author_reads_how_late_it_was(harness: Harness) -> None:
    assert (await harness.ask_in_vain()).fault == "timeout"
    second = await harness.ask()
    harness.clock.advance(LATE_SECONDS)
    await asyncio.sleep(0)
    assert len(harness.requests) == 2
    harness.connection.say(CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")]
    late = harness.record.faults[-1]
    assert harness.events == [FaultNoted(7, "timeout", late.reason)]
    assert late.reason == "its answer came after 9.0 s, 6.0 s late: it does not count"
    assert (late.hand, late.late) == (asked_view().hand, True)
    await asyncio.sleep(0)
    assert not second.done()
    harness.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


async def test_late_bot_is_asked_again_as_soon_as_it_has_caught_up(harness: Harness) -> None:
    first = await harness.ask()
    harness.clock.advance(3.0)
    await first
    second = await harness.ask()
    assert len(harness.requests) == 1
    harness.clock.advance(1.0)
    harness.connection.say(CALL)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(harness.requests) == 2
    harness.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


async def test_late_bot_that_announces_no_answer_is_asked_again_at_once_without_a_second_fault(
    harness: Harness,
) -> None:
    """The message `no_answer` counts only for a request whose time is up; it does not end an open request."""
    no_answer = {"command": "no_answer"}
    first = await harness.ask()
    harness.connection.say(no_answer)
    harness.clock.advance(3.0)
    assert (await first).fault == "timeout"
    second = await harness.ask()
    assert len(harness.requests) == 1
    harness.connection.say(no_answer)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(harness.requests) == 2
    harness.connection.say(no_answer, FOLD)
    assert await second == Answer(resolved(Fold()), 0)
    assert (harness.events, len(harness.record.faults)) == ([], 1)


async def test_bot_that_answers_several_requests_at_once_is_late_for_all_but_the_last(harness: Harness) -> None:
    for _ in range(3):
        assert (await harness.ask_in_vain()).fault == "timeout"
    last = await harness.ask()
    harness.connection.say(CALL, CALL, CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")] * 3
    late = [each.reason.partition(",")[0] for each in harness.record.faults if each.late]
    assert late == [f"its answer came after {seconds} s" for seconds in (18.0, 9.0, 6.0)]
    await asyncio.sleep(0)
    assert not last.done()
    harness.connection.say(FOLD)
    assert (await last).action == resolved(Fold())


async def test_bot_that_skipped_a_late_answer_is_no_longer_late(harness: Harness) -> None:
    for messages in ((), (CALL,)):
        answer = await harness.ask()
        harness.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        harness.connection.say(*messages)
        harness.clock.advance(3.0)
        assert (await answer).fault == "timeout"
    third = await harness.ask()
    harness.clock.advance(LATE_SECONDS)
    await asyncio.sleep(0)
    harness.connection.say(CALL)
    assert await third == Answer(resolved(Call()), 0)


async def test_author_sees_half_a_message_that_had_arrived_when_the_time_was_up(harness: Harness) -> None:
    answer = await harness.ask()
    half = json.dumps(CALL).encode()[:20]
    harness.connection.say(half)
    harness.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    (wrong,) = harness.record.faults
    assert (wrong.sent, wrong.reason) == (half, "the end of its message did not arrive within 3 s")


async def test_author_of_a_bot_that_never_sent_anything_is_asked_whether_it_flushes(harness: Harness) -> None:
    for _ in range(2):
        await harness.ask_in_vain()
        harness.connection.say(chat("hello"))
    assert [("flush" in each.reason) for each in harness.record.faults] == [True, False]


async def test_time_bank_is_used_up_during_a_game_and_full_in_the_next_game(harness: Harness) -> None:
    rules = replace(QUICK_DRAW, time_bank_ms=5000)
    for game, seconds in ((1, 2.9), (2, 2.9), (2, 2.0)):
        answer = await harness.ask(asked_view(rules, game))
        harness.clock.advance(seconds)
        harness.connection.say(CALL)
        assert (await answer).action
    last = await harness.ask(asked_view(rules, 2))
    harness.clock.advance(0.1)
    assert await last == Answer(None, 100, "timeout")


async def test_invalid_action_may_be_corrected_in_time_and_the_first_valid_one_counts(harness: Harness) -> None:
    """The rule book: "If your message was invalid, you do have a chance to submit another take_action message"."""
    answer = await harness.ask()
    harness.connection.say(b"raise!\n")
    harness.clock.advance(1.0)
    harness.connection.say({"command": "take_action", "action": "bet"}, raise_to("much"), raise_to(50))
    harness.clock.advance(1.0)
    harness.connection.say(raise_to("250"), FOLD)
    assert await answer == Answer(resolved(RaiseTo(250)), 2000)
    errors = ["INVALID_INPUT", "BAD_ACTION_TYPE", "BAD_VALUE", "INVALID_RAISE_AMOUNT"]
    assert harness.confirmed == [*map(error, errors), SUCCESS, error("NOT_EXPECTED")]


async def test_bot_whose_time_ends_after_an_invalid_action_owes_no_late_answer(harness: Harness) -> None:
    cases: list[tuple[dict[str, object] | bytes, Fault]] = [(raise_to(50), "illegal"), (b"garbage\n", "malformed")]
    for refused, fault in cases:
        answer = await harness.ask()
        harness.clock.advance(2.0)
        harness.connection.say(refused)
        harness.clock.advance(1.0)
        assert await answer == Answer(None, 3000, fault), "the bot has answered, so its fault is not a timeout"
        following = await harness.ask()
        harness.connection.say(CALL)
        assert await following == Answer(resolved(Call()), 0)


async def test_flood_of_garbage_does_not_flood_the_journal(harness: Harness) -> None:
    for _ in range(1000):
        harness.connection.say(b"garbage\n")
    assert harness.events_of(FaultNoted) == [FaultNoted(7, "malformed", "not a JSON object")] * 3
    harness.clock.advance(5.0)
    harness.connection.say(b"garbage\n")
    assert harness.events_of(FaultNoted)[3:] == [FaultNoted(7, "malformed", "not a JSON object (and 997 more before)")]


async def test_cancelled_request_leaves_nothing_behind(harness: Harness) -> None:
    answer = await harness.ask()
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    harness.connection.say(CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")]
    assert not (await harness.ask()).done()


async def test_author_learns_the_fault_of_every_turn(harness: Harness) -> None:
    for _ in range(12):
        answer = await harness.ask()
        harness.connection.say({"command": "take_action", "action": "bet"})
        harness.clock.advance(3.0)
        assert (await answer).fault
    assert len(harness.record.reasons) == 12
    assert len(harness.events_of(FaultNoted)) < 12, "the journal must get only a few of the faults"


async def test_request_ends_at_once_when_the_connection_is_lost_or_closed(harness: Harness) -> None:
    answer = await harness.ask()
    harness.clock.advance(1.0)
    harness.connection.lose("reset the connection")
    assert await answer == Answer(None, 1000, "disconnected")
    assert harness.events == [BotDisconnected(7, "reset the connection")]
    ours = Harness()
    answer = await ours.ask()
    ours.bot.hang_up()
    assert (await answer).fault == "disconnected"
    assert (ours.connection.closed, ours.events) == (True, []), "hanging up on a bot is not an event"


async def test_bot_may_chat_while_it_is_asked_but_only_once_in_5_seconds(harness: Harness) -> None:
    answer = await harness.ask()
    for _ in range(11):
        harness.connection.say(chat("Howdy"))
        harness.clock.advance(0.25)
    harness.connection.say(CALL)
    assert (await answer).action == resolved(Call())
    harness.clock.advance(2.0)
    harness.connection.say(chat("Howdy"))
    assert harness.events == [ChatSent(7, "Howdy")], "the last chat came 4.75 s after the first"
    harness.clock.advance(0.25)
    harness.connection.say(chat("Howdy"))
    assert harness.events == [ChatSent(7, "Howdy")] * 2
    assert harness.confirmed == [SUCCESS]


async def test_refused_chat_is_not_counted_and_invisible_characters_are_stripped(harness: Harness) -> None:
    harness.connection.say(chat("a {brace}"), chat("\u202eHow\u200bdy \t \u0007Se\u00f1or\u2066"), chat("\u200b\u202e"))
    assert harness.events_of(ChatSent) == [ChatSent(7, "Howdy Señor")]
    assert harness.confirmed == [error("BAD_VALUE")] * 2, (
        "an empty chat must be refused as such even within the 5 seconds"
    )
    harness.connection.say({"command": "get_logs"})
    logs = harness.connection.sent[-1]["logs"]
    assert "the chat is shown without hidden characters (U+202E, U+200B, U+0007, …)" in " ".join(logs)


async def test_get_logs_returns_the_bots_own_transcript(harness: Harness) -> None:
    answer = await harness.ask()
    harness.clock.advance(0.25)
    harness.connection.say(CALL)
    await answer
    harness.connection.say({"command": "get_logs"})
    logs = harness.connection.sent[-1]["logs"]
    assert [line.split(" ")[:2] for line in logs] == [["0.000", ">"], ["0.250", "<"], ["0.250", ">"], ["0.250", "<"]]
    assert logs[1].endswith(json.dumps(CALL))
    for _ in range(1000):
        harness.connection.say(b'"\\\xff' * 300 + b"\n")
    harness.connection.say({"command": "get_logs"})
    assert len(json.dumps(harness.connection.sent[-1], ensure_ascii=False, separators=(",", ":")).encode()) < 2000
