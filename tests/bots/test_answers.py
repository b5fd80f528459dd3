"""Which of a bot's answers counts, and what it may correct; bugs of ours are raised where the bot is asked."""

import asyncio
from typing import NoReturn

import pytest

from server.bots.bot import Answer
from server.game.decisions import Call, Decision, RaiseTo
from server.game.events import BotDisconnected, Fault, FaultNoted
from tests.bots.bot_harness import CALL, FOLD, SUCCESS, Harness, error, played, raise_to
from tests.bots.views import resolved


@played
async def test_first_valid_action_counts_and_a_second_is_not_expected(harness: Harness) -> None:
    answer = await harness.asked()
    harness.connection.say(raise_to(500), FOLD)
    assert await answer == Answer(resolved(RaiseTo(500)), 0)
    assert harness.confirmed == [SUCCESS, error("NOT_EXPECTED")]


@played
async def test_invalid_action_may_be_corrected_in_time(harness: Harness) -> None:
    """ "If your message was invalid, you do have a chance to submit another take_action message"."""
    answer = await harness.asked()
    harness.connection.say(b"raise!\n")
    harness.clock.advance(1.0)
    harness.connection.say({"command": "take_action", "action": "bet"}, raise_to("much"), raise_to(50))
    harness.clock.advance(1.0)
    harness.connection.say(raise_to("250"))
    assert await answer == Answer(resolved(RaiseTo(250)), 2000)
    errors = ["INVALID_INPUT", "BAD_ACTION_TYPE", "BAD_VALUE", "INVALID_RAISE_AMOUNT"]
    assert harness.confirmed == [*map(error, errors), SUCCESS]


@played
async def test_invalid_action_does_not_stop_the_clock(harness: Harness) -> None:
    cases: list[tuple[dict[str, object] | bytes, Fault]] = [(raise_to(50), "illegal"), (b"garbage\n", "malformed")]
    for refused, fault in cases:
        answer = await harness.asked()
        harness.clock.advance(2.0)
        harness.connection.say(refused)
        harness.clock.advance(1.0)
        assert await answer == Answer(None, 3000, fault), "not a timeout: it was refused"


@played
async def test_no_late_answer_is_awaited_after_a_refused_one(harness: Harness) -> None:
    first = await harness.asked()
    harness.connection.say(raise_to(50))
    harness.clock.advance(3.0)
    await first
    second = await harness.asked()
    harness.connection.say(CALL)
    assert await second == Answer(resolved(Call()), 0)


@played
async def test_flood_of_garbage_does_not_flood_the_journal(harness: Harness) -> None:
    for _ in range(1000):
        harness.connection.say(b"garbage\n")
    assert harness.events_of(FaultNoted) == [FaultNoted(7, "malformed", "not a JSON object")] * 3
    harness.clock.advance(5.0)
    harness.connection.say(b"garbage\n")
    assert harness.events_of(FaultNoted)[3:] == [FaultNoted(7, "malformed", "not a JSON object (and 997 more before)")]


@played
async def test_bug_in_the_rules_is_raised_where_the_bot_is_asked(harness: Harness) -> None:
    def broken(_: Decision) -> NoReturn:
        raise KeyError("no such seat")

    answer = await harness.asked(broken)
    harness.connection.say(CALL)
    with pytest.raises(KeyError, match="no such seat"):
        await answer


@played
async def test_cancelled_request_leaves_nothing_behind(harness: Harness) -> None:
    answer = await harness.asked()
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    harness.connection.say(CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")]
    assert not (await harness.asked()).done()


@played
async def test_author_learns_the_fault_of_every_turn(harness: Harness) -> None:
    for _ in range(12):
        answer = await harness.asked()
        harness.connection.say({"command": "take_action", "action": "bet"})
        harness.clock.advance(3.0)
        assert (await answer).fault
    assert len(harness.record.reasons) == 12
    assert len(harness.events_of(FaultNoted)) < 12, "the journal gets a few"


@played
async def test_lost_bot_folds_at_once_whoever_ended_the_connection(harness: Harness) -> None:
    answer = await harness.asked()
    harness.clock.advance(1.0)
    harness.connection.lose("reset the connection")
    assert await answer == Answer(None, 1000, "disconnected")
    assert harness.events == [BotDisconnected(7, "reset the connection")]
    ours = Harness()
    answer = await ours.asked()
    ours.bot.hang_up()
    assert (await answer).fault == "disconnected"
    assert (ours.connection.closed, ours.events) == (True, []), "hanging up on a bot is no event"
