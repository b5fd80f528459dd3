"""One bot: its time limit, its second tries and its chat, on a fake clock."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

import pytest

from server.bots.bot import Answer, Bot
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.owed_answers import LATE_SECONDS
from server.game.decisions import Action, Call, Decision, Fold, RaiseTo
from server.game.events import BotDisconnected, ChatSent, Event, FaultNoted, HandEnded
from tests.bots.fakes import FakeClock, FakeConnection
from tests.bots.views import asked_view, resolved, seen
from tests.game.table import deal

CALL = {"command": "take_action", "action": "call"}
FOLD = {"command": "take_action", "action": "fold"}
SUCCESS = {"command": "confirm_action", "result": "success"}


def error(code: str) -> dict[str, str]:
    return {"command": "confirm_action", "result": "error", "error": code}


def raise_to(amount: object) -> dict[str, object]:
    return {"command": "take_action", "action": "raise", "raise_amount": amount}


def chat(text: str) -> dict[str, str]:
    return {"command": "send_chat", "message": text}


class Stage:
    """One bot on a fake connection."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.connection = FakeConnection()
        self.events: list[Event] = []
        self.bot = Bot(7, QuickDraw(), self.connection, self.events.append, self.clock)

    async def asked(self, resolve: Callable[[Decision], Action] = resolved) -> asyncio.Task[Answer]:
        """The bot is asked; the answer is still to come."""
        task = asyncio.create_task(self.bot.ask(asked_view(), resolve))
        await asyncio.sleep(0)
        return task

    @property
    def confirmed(self) -> list[dict[str, Any]]:
        return [message for message in self.connection.sent if message["command"] == "confirm_action"]

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [message for message in self.connection.sent if message["command"] == "request_action"]

    def noted(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


def played(script: Callable[[Stage], Awaitable[None]]) -> Callable[[], None]:
    """A test of its own event loop."""

    def test() -> None:
        async def run() -> None:
            await script(Stage())

        asyncio.run(run())

    test.__name__ = script.__name__
    test.__doc__ = script.__doc__
    return test


# -- three seconds ---------------------------------------------------------------------------------


@played
async def test_an_answer_within_3_seconds_counts(stage: Stage) -> None:
    answer = await stage.asked()
    stage.clock.advance(2.9)
    stage.connection.say(CALL)
    assert await answer == Answer(resolved(Call()), 2900)
    assert stage.confirmed == [SUCCESS]


@played
async def test_no_answer_within_3_seconds_is_a_fold(stage: Stage) -> None:
    answer = await stage.asked()
    stage.clock.advance(2.999)
    await asyncio.sleep(0)
    assert not answer.done()
    stage.clock.advance(0.001)
    assert await answer == Answer(None, 3000, "timeout")


@played
async def test_the_time_runs_from_handing_the_request_to_the_kernel(stage: Stage) -> None:
    stage.connection.kernel_takes = False
    answer = await stage.asked()
    stage.clock.advance(1.0)
    stage.connection.let_through()
    stage.clock.advance(2.9)
    stage.connection.say(CALL)
    assert await answer == Answer(resolved(Call()), 2900)


@played
async def test_a_bot_that_does_not_even_take_the_request_has_as_long(stage: Stage) -> None:
    stage.connection.kernel_takes = False
    answer = await stage.asked()
    stage.clock.advance(3.0)
    assert await answer == Answer(None, 3000, "timeout")
    stage.connection.let_through()
    assert stage.connection.sent == []


@played
async def test_an_answer_that_lies_there_when_the_time_is_up_counts(stage: Stage) -> None:
    """However busy the server was: it came in time."""
    answer = await stage.asked()
    stage.connection.arrived.append(json.dumps(CALL).encode())
    stage.clock.advance(3.0)
    assert await answer == Answer(resolved(Call()), 3000)


@played
async def test_a_late_answer_is_not_taken_for_the_next_request(stage: Stage) -> None:
    first = await stage.asked()
    stage.clock.advance(3.0)
    assert (await first).fault == "timeout"
    stage.connection.say(CALL)
    assert stage.confirmed == [error("NOT_EXPECTED")]
    second = await stage.asked()
    await asyncio.sleep(0)
    assert not second.done()
    stage.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@played
async def test_a_late_answer_that_comes_after_the_next_request_is_none_to_that_either(stage: Stage) -> None:
    first = await stage.asked()
    stage.clock.advance(3.0)
    await first
    second = await stage.asked()
    stage.clock.advance(LATE_SECONDS)
    await asyncio.sleep(0)
    assert len(stage.requests) == 2
    stage.connection.say(CALL)
    assert stage.confirmed == [error("NOT_EXPECTED")]
    assert stage.events == [FaultNoted(7, "timeout", "an answer came 3.0 seconds late and does not count")]
    await asyncio.sleep(0)
    assert not second.done()
    stage.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@played
async def test_a_bot_that_is_late_is_asked_again_as_soon_as_it_has_caught_up(stage: Stage) -> None:
    first = await stage.asked()
    stage.clock.advance(3.0)
    await first
    second = await stage.asked()
    assert len(stage.requests) == 1
    stage.clock.advance(1.0)
    stage.connection.say(CALL)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(stage.requests) == 2
    stage.connection.say(FOLD)
    assert await second == Answer(resolved(Fold()), 0)


@played
async def test_a_bot_that_wakes_up_after_many_requests_is_late_for_each_but_the_last(stage: Stage) -> None:
    for _ in range(4):
        answer = await stage.asked()
        stage.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        stage.clock.advance(3.0)
        assert (await answer).fault == "timeout"
    last = await stage.asked()
    stage.connection.say(CALL, CALL, CALL, CALL)
    assert stage.confirmed == [error("NOT_EXPECTED")] * 4
    await asyncio.sleep(0)
    assert not last.done()
    stage.connection.say(FOLD)
    assert (await last).action == resolved(Fold())


@played
async def test_a_bot_that_left_one_out_is_taken_at_its_word_again(stage: Stage) -> None:
    for said in ((), (CALL,)):
        answer = await stage.asked()
        stage.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        stage.connection.say(*said)
        stage.clock.advance(3.0)
        assert (await answer).fault == "timeout"
    third = await stage.asked()
    stage.clock.advance(LATE_SECONDS)
    await asyncio.sleep(0)
    stage.connection.say(CALL)
    assert await third == Answer(resolved(Call()), 0)


@played
async def test_a_bot_that_is_gone_is_not_waited_for(stage: Stage) -> None:
    first = await stage.asked()
    stage.clock.advance(3.0)
    await first
    second = await stage.asked()
    stage.connection.lose()
    assert await second == Answer(None, 0, "disconnected")


@played
async def test_what_was_said_before_the_request_is_no_answer_to_it(stage: Stage) -> None:
    stage.connection.arrived.append(json.dumps(CALL).encode())  # sent, but read only when the request goes out
    answer = await stage.asked()
    assert stage.confirmed == [error("NOT_EXPECTED")]
    stage.connection.say(FOLD)
    assert await answer == Answer(resolved(Fold()), 0)


@played
async def test_half_an_answer_before_the_request_and_half_after_it_is_one(stage: Stage) -> None:
    text = json.dumps(CALL).encode()
    stage.connection.say(text[:20])
    answer = await stage.asked()
    stage.connection.say(text[20:])
    assert (await answer).action == resolved(Call())


# -- one valid action ------------------------------------------------------------------------------


@played
async def test_the_first_valid_action_counts_and_a_second_is_not_expected(stage: Stage) -> None:
    answer = await stage.asked()
    stage.connection.say(raise_to(500), FOLD)
    assert await answer == Answer(resolved(RaiseTo(500)), 0)
    assert stage.confirmed == [SUCCESS, error("NOT_EXPECTED")]


@played
async def test_an_invalid_action_may_be_repaired_within_the_window(stage: Stage) -> None:
    """ "If your message was invalid, you do have a chance to submit another take_action message"."""
    answer = await stage.asked()
    stage.connection.say(b"raise!\n")
    stage.clock.advance(1.0)
    stage.connection.say({"command": "take_action", "action": "bet"}, raise_to("much"), raise_to(50))
    stage.clock.advance(1.0)
    stage.connection.say(raise_to("250"))
    assert await answer == Answer(resolved(RaiseTo(250)), 2000)
    errors = ["INVALID_INPUT", "BAD_ACTION_TYPE", "BAD_VALUE", "INVALID_RAISE_AMOUNT"]
    assert stage.confirmed == [*map(error, errors), SUCCESS]


@played
async def test_an_invalid_action_does_not_stop_the_clock(stage: Stage) -> None:
    answer = await stage.asked()
    stage.clock.advance(2.0)
    stage.connection.say(raise_to(50))
    stage.clock.advance(1.0)
    assert await answer == Answer(None, 3000, "illegal"), "it did not run out of time: it was refused"


@played
async def test_what_is_refused_is_no_answer_that_is_still_to_come(stage: Stage) -> None:
    first = await stage.asked()
    stage.connection.say(raise_to(50))
    stage.clock.advance(3.0)
    await first
    second = await stage.asked()
    stage.connection.say(CALL)
    assert await second == Answer(resolved(Call()), 0)


@played
async def test_an_action_out_of_turn_is_not_expected(stage: Stage) -> None:
    stage.connection.say(CALL)
    assert stage.confirmed == [error("NOT_EXPECTED")]
    assert stage.events == [FaultNoted(7, "illegal", "an action nobody had asked for")]


@played
async def test_a_fold_is_confirmed_too(stage: Stage) -> None:
    answer = await stage.asked()
    stage.connection.say(FOLD)
    assert await answer == Answer(resolved(Fold()), 0)
    assert stage.confirmed == [SUCCESS]


# -- gone ------------------------------------------------------------------------------------------


@played
async def test_a_bot_that_is_lost_while_asked_folds_at_once(stage: Stage) -> None:
    answer = await stage.asked()
    stage.clock.advance(1.0)
    stage.connection.lose("reset the connection")
    assert await answer == Answer(None, 1000, "disconnected")
    assert stage.events == [BotDisconnected(7, "reset the connection")]


@played
async def test_a_lost_bot_folds_at_once_from_then_on(stage: Stage) -> None:
    stage.connection.lose()
    for _ in range(3):
        assert await stage.bot.ask(asked_view(), resolved) == Answer(None, 0, "disconnected")
    assert not stage.bot.connected
    assert stage.connection.sent == []
    assert len(stage.events) == 1


@played
async def test_an_answer_sent_just_before_the_end_counts(stage: Stage) -> None:
    answer = await stage.asked()
    stage.connection.say(CALL)
    stage.connection.lose()
    assert await answer == Answer(resolved(Call()), 0)


@played
async def test_hanging_up_is_our_own_doing(stage: Stage) -> None:
    answer = await stage.asked()
    stage.bot.hang_up()
    assert (await answer).fault == "disconnected"
    assert stage.connection.closed
    assert stage.events == []


# -- talk ------------------------------------------------------------------------------------------


@played
async def test_a_chat_is_heard_at_any_time(stage: Stage) -> None:
    stage.connection.say(chat("Before"))
    answer = await stage.asked()
    stage.clock.advance(2.0)
    stage.connection.say(chat("Too soon"))
    stage.clock.advance(0.999)
    assert not answer.done()
    stage.connection.say(CALL)
    assert (await answer).action == resolved(Call())
    stage.clock.advance(2.001)
    stage.connection.say(chat("After"))
    assert stage.events == [ChatSent(7, "Before"), ChatSent(7, "After")]


@played
async def test_more_than_one_chat_in_5_seconds_is_ignored_silently(stage: Stage) -> None:
    for _ in range(50):
        stage.connection.say(chat("Howdy"))
        stage.clock.advance(0.2)
    stage.connection.say(chat("Howdy"))
    assert len(stage.noted(ChatSent)) == 3
    assert stage.connection.sent == []
    assert not stage.noted(FaultNoted)


@played
async def test_a_refused_chat_does_not_use_up_the_turn_to_talk(stage: Stage) -> None:
    stage.connection.say(chat("a {brace}"), chat("Howdy"))
    assert stage.noted(ChatSent) == [ChatSent(7, "Howdy")]
    assert stage.confirmed == [error("BAD_VALUE")]


@played
async def test_events_are_sent_through_the_dialect(stage: Stage) -> None:
    view = seen(deal("500 500 500").play("fold fold"), 0)
    stage.bot.tell(HandEnded((), ""), view)
    stage.bot.tell(ChatSent(12, "Howdy"), view)
    assert [message["command"] for message in stage.connection.sent] == ["hand_result", "receive_chat"]


@played
async def test_get_logs_gives_the_bots_own_transcript(stage: Stage) -> None:
    answer = await stage.asked()
    stage.clock.advance(0.25)
    stage.connection.say(CALL)
    await answer
    stage.connection.say({"command": "get_logs"})
    logs = stage.connection.sent[-1]["logs"]
    assert [line.split(" ")[:2] for line in logs] == [["0.000", ">"], ["0.250", "<"], ["0.250", ">"], ["0.250", "<"]]
    assert logs[1].endswith(json.dumps(CALL))
    for _ in range(1000):
        stage.connection.say(b'"\\\xff' * 300 + b"\n")
    stage.connection.say({"command": "get_logs"})
    assert len(json.dumps(stage.connection.sent[-1], ensure_ascii=False, separators=(",", ":")).encode()) < 2000


# -- misdeeds in the journal -----------------------------------------------------------------------


@played
async def test_a_flood_of_garbage_does_not_flood_the_journal(stage: Stage) -> None:
    for _ in range(1000):
        stage.connection.say(b"garbage\n")
    assert stage.noted(FaultNoted) == [FaultNoted(7, "malformed", "not a JSON object")] * 3
    stage.clock.advance(5.0)
    stage.connection.say(b"garbage\n")
    assert stage.noted(FaultNoted)[3:] == [FaultNoted(7, "malformed", "not a JSON object (and 997 more before)")]


# -- our own mistakes ------------------------------------------------------------------------------


@played
async def test_a_rule_that_breaks_belongs_to_whoever_asked(stage: Stage) -> None:
    def broken(_: Decision) -> NoReturn:
        raise KeyError("no such seat")

    answer = await stage.asked(broken)
    stage.connection.say(CALL)
    with pytest.raises(KeyError, match="no such seat"):
        await answer


@played
async def test_asking_twice_at_once_is_a_mistake(stage: Stage) -> None:
    answer = await stage.asked()
    with pytest.raises(RuntimeError, match="asked twice"):
        await stage.bot.ask(asked_view(), resolved)
    stage.connection.say(CALL)
    assert (await answer).action == resolved(Call())


@played
async def test_a_cancelled_request_leaves_nothing_behind(stage: Stage) -> None:
    answer = await stage.asked()
    answer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answer
    stage.connection.say(CALL)
    assert stage.confirmed == [error("NOT_EXPECTED")]
    assert not (await stage.asked()).done()
