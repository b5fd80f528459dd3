"""A bot's three seconds: when they start, what comes late, and when the server waits for nobody."""

import asyncio
import json

from msgspec.structs import replace

from server.bots.bot import Answer
from server.bots.owed_answers import LATE_SECONDS
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.decisions import Call, Fold
from server.game.events import FaultNoted
from tests.bots.bot_harness import CALL, FOLD, SUCCESS, Harness, chat, error, played
from tests.bots.views import asked_view, resolved


@played
async def test_time_runs_for_3_seconds_once_the_kernel_has_the_request(harness: Harness) -> None:
    harness.connection.kernel_takes = False
    answer = await harness.asked()
    harness.clock.advance(1.0)
    harness.connection.let_through()
    harness.clock.advance(2.999)
    await asyncio.sleep(0)
    assert not answer.done()
    harness.connection.say(CALL)
    assert await answer == Answer(resolved(Call()), 2999)
    unread = await harness.asked()
    harness.clock.advance(3.0)
    assert await unread == Answer(None, 3000, "timeout")
    harness.connection.let_through()
    assert len(harness.requests) == 1
    assert harness.confirmed == [SUCCESS]


@played
async def test_answer_that_arrived_while_the_server_was_busy_counts(harness: Harness) -> None:
    answer = await harness.asked()
    harness.connection.arrived.append(json.dumps(CALL).encode())
    harness.clock.advance(3.0)
    assert await answer == Answer(resolved(Call()), 3000)


@played
async def test_late_answer_does_not_count_for_the_next_request(harness: Harness) -> None:
    assert (await harness.silent()).fault == "timeout"
    second = await harness.asked()
    harness.clock.advance(LATE_SECONDS)
    await asyncio.sleep(0)
    assert len(harness.requests) == 2
    harness.connection.say(CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")]
    await asyncio.sleep(0)
    assert not second.done()
    harness.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@played
async def test_author_reads_how_late_an_answer_came_and_in_which_hand(harness: Harness) -> None:
    await harness.silent()
    harness.clock.advance(2.0)
    harness.connection.say(CALL)
    late = harness.record.found[-1]
    assert harness.events == [FaultNoted(7, "timeout", late.reason)]
    assert late.reason == "its answer came after 8.0 s, 5.0 s late: it does not count"
    assert (late.hand, late.late) == (asked_view().hand, True)


@played
async def test_late_bot_is_asked_again_as_soon_as_it_has_caught_up(harness: Harness) -> None:
    first = await harness.asked()
    harness.clock.advance(3.0)
    await first
    second = await harness.asked()
    assert len(harness.requests) == 1
    harness.clock.advance(1.0)
    harness.connection.say(CALL)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(harness.requests) == 2
    harness.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@played
async def test_bot_that_wakes_up_after_several_requests_is_late_for_each_but_the_last(harness: Harness) -> None:
    for _ in range(3):
        assert (await harness.silent()).fault == "timeout"
    last = await harness.asked()
    harness.connection.say(CALL, CALL, CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")] * 3
    late = [each.reason.partition(",")[0] for each in harness.record.found if each.late]
    assert late == [f"its answer came after {seconds} s" for seconds in (18.0, 9.0, 6.0)]
    await asyncio.sleep(0)
    assert not last.done()
    harness.connection.say(FOLD)
    assert (await last).action == resolved(Fold())


@played
async def test_bot_that_skipped_an_answer_is_no_longer_late(harness: Harness) -> None:
    for messages in ((), (CALL,)):
        answer = await harness.asked()
        harness.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        harness.connection.say(*messages)
        harness.clock.advance(3.0)
        assert (await answer).fault == "timeout"
    third = await harness.asked()
    harness.clock.advance(LATE_SECONDS)
    await asyncio.sleep(0)
    harness.connection.say(CALL)
    assert await third == Answer(resolved(Call()), 0)


@played
async def test_author_sees_half_a_message_that_had_come_when_the_time_was_up(harness: Harness) -> None:
    answer = await harness.asked()
    half = json.dumps(CALL).encode()[:20]
    harness.connection.say(half)
    harness.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    (wrong,) = harness.record.found
    assert (wrong.sent, wrong.reason) == (half, "the end of its message did not come within 3 s")


@played
async def test_author_of_a_bot_that_never_sent_anything_is_asked_whether_it_flushes(harness: Harness) -> None:
    for _ in range(2):
        await harness.silent()
        harness.connection.say(chat("hello"))
    assert [("flush" in each.reason) for each in harness.record.found] == [True, False]


@played
async def test_time_bank_lasts_for_one_game_and_is_full_in_the_next(harness: Harness) -> None:
    rules = replace(QUICK_DRAW, time_bank_ms=5000)
    for game, seconds in ((1, 2.9), (2, 2.9), (2, 2.0)):
        answer = await harness.asked(view=asked_view(rules, game))
        harness.clock.advance(seconds)
        harness.connection.say(CALL)
        assert (await answer).action
    last = await harness.asked(view=asked_view(rules, 2))
    harness.clock.advance(0.1)
    assert await last == Answer(None, 100, "timeout")
