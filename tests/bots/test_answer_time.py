"""A bot's three seconds: from when they run, what comes late, and whom nobody waits for."""

import asyncio
import json

from server.bots.bot import Answer
from server.bots.owed_answers import LATE_SECONDS
from server.game.decisions import Call, Fold
from server.game.events import FaultNoted
from tests.bots.bot_harness import CALL, FOLD, SUCCESS, Harness, KeptWrongs, chat, error, played
from tests.bots.views import asked_view, resolved


@played
async def test_an_answer_within_3_seconds_counts(harness: Harness) -> None:
    answer = await harness.asked()
    harness.clock.advance(2.9)
    harness.connection.say(CALL)
    assert await answer == Answer(resolved(Call()), 2900)
    assert harness.confirmed == [SUCCESS]


@played
async def test_no_answer_within_3_seconds_is_a_fold(harness: Harness) -> None:
    answer = await harness.asked()
    harness.clock.advance(2.999)
    await asyncio.sleep(0)
    assert not answer.done()
    harness.clock.advance(0.001)
    assert await answer == Answer(None, 3000, "timeout")


@played
async def test_the_time_runs_from_handing_the_request_to_the_kernel(harness: Harness) -> None:
    harness.connection.kernel_takes = False
    answer = await harness.asked()
    harness.clock.advance(1.0)
    harness.connection.let_through()
    harness.clock.advance(2.9)
    harness.connection.say(CALL)
    assert await answer == Answer(resolved(Call()), 2900)


@played
async def test_a_bot_that_does_not_even_take_the_request_has_as_long(harness: Harness) -> None:
    harness.connection.kernel_takes = False
    answer = await harness.asked()
    harness.clock.advance(3.0)
    assert await answer == Answer(None, 3000, "timeout")
    harness.connection.let_through()
    assert harness.connection.sent == []


@played
async def test_an_answer_that_lies_there_when_the_time_is_up_counts(harness: Harness) -> None:
    """However busy the server was: it came in time."""
    answer = await harness.asked()
    harness.connection.arrived.append(json.dumps(CALL).encode())
    harness.clock.advance(3.0)
    assert await answer == Answer(resolved(Call()), 3000)


@played
async def test_a_late_answer_is_not_taken_for_the_next_request(harness: Harness) -> None:
    first = await harness.asked()
    harness.clock.advance(3.0)
    assert (await first).fault == "timeout"
    harness.connection.say(CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")]
    second = await harness.asked()
    await asyncio.sleep(0)
    assert not second.done()
    harness.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@played
async def test_a_late_answer_that_comes_after_the_next_request_is_none_to_that_either(harness: Harness) -> None:
    first = await harness.asked()
    harness.clock.advance(3.0)
    await first
    second = await harness.asked()
    harness.clock.advance(LATE_SECONDS)
    await asyncio.sleep(0)
    assert len(harness.requests) == 2
    harness.connection.say(CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")]
    assert harness.events == [FaultNoted(7, "timeout", "its answer came after 6.0 s, 3.0 s late: it does not count")]
    await asyncio.sleep(0)
    assert not second.done()
    harness.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@played
async def test_a_bot_that_is_late_is_asked_again_as_soon_as_it_has_caught_up(harness: Harness) -> None:
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
async def test_a_bot_that_wakes_up_after_many_requests_is_late_for_each_but_the_last(harness: Harness) -> None:
    for _ in range(4):
        answer = await harness.asked()
        harness.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        harness.clock.advance(3.0)
        assert (await answer).fault == "timeout"
    last = await harness.asked()
    harness.connection.say(CALL, CALL, CALL, CALL)
    assert harness.confirmed == [error("NOT_EXPECTED")] * 4
    await asyncio.sleep(0)
    assert not last.done()
    harness.connection.say(FOLD)
    assert (await last).action == resolved(Fold())


@played
async def test_a_bot_that_left_one_out_is_taken_at_its_word_again(harness: Harness) -> None:
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
async def test_a_bot_that_is_gone_is_not_waited_for(harness: Harness) -> None:
    first = await harness.asked()
    harness.clock.advance(3.0)
    await first
    second = await harness.asked()
    harness.connection.lose()
    assert await second == Answer(None, 0, "disconnected")


@played
async def test_what_was_said_before_the_request_is_no_answer_to_it(harness: Harness) -> None:
    harness.connection.arrived.append(json.dumps(CALL).encode())  # sent, but read only when the request goes out
    answer = await harness.asked()
    assert harness.confirmed == [error("NOT_EXPECTED")]
    harness.connection.say(FOLD)
    assert await answer == Answer(resolved(Fold()), 0)


@played
async def test_half_an_answer_before_the_request_and_half_after_it_is_one(harness: Harness) -> None:
    text = json.dumps(CALL).encode()
    harness.connection.say(text[:20])
    answer = await harness.asked()
    harness.connection.say(text[20:])
    assert (await answer).action == resolved(Call())


@played
async def test_the_author_reads_after_how_long_a_late_answer_came_and_in_which_hand(harness: Harness) -> None:
    kept = harness.keep(KeptWrongs())
    first = await harness.asked()
    harness.clock.advance(3.0)
    await first
    harness.clock.advance(2.0)
    harness.connection.say(CALL)
    assert kept.found[-1].reason == "its answer came after 5.0 s, 2.0 s late: it does not count"
    assert (kept.found[-1].hand, kept.found[-1].late) == (asked_view().hand, True)


@played
async def test_each_of_several_late_answers_has_its_own_time(harness: Harness) -> None:
    kept = harness.keep(KeptWrongs())
    for _ in range(2):
        answer = await harness.asked()
        harness.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        harness.clock.advance(3.0)
        await answer
    harness.connection.say(CALL, FOLD)
    late = [each.reason.partition(",")[0] for each in kept.found if each.late]
    assert late == ["its answer came after 12.0 s", "its answer came after 3.0 s"]


@played
async def test_the_author_sees_the_half_of_a_message_that_lay_there_when_the_time_was_up(harness: Harness) -> None:
    kept = harness.keep(KeptWrongs())
    answer = await harness.asked()
    half = json.dumps(CALL).encode()[:20]
    harness.connection.say(half)
    harness.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    (wrong,) = kept.found
    assert (wrong.sent, wrong.reason) == (half, "the end of its message did not come within 3 s")


@played
async def test_a_bot_from_which_nothing_has_ever_come_is_asked_whether_it_flushes(harness: Harness) -> None:
    kept = harness.keep(KeptWrongs())
    for _ in range(2):
        answer = await harness.asked()
        harness.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        harness.clock.advance(3.0)
        await answer
        harness.connection.say(chat("hello"))
    assert [("flush" in each.reason) for each in kept.found] == [True, False]
