"""A bot that is gone: it folds at once, and what it sent before counts."""

import asyncio

from msgspec.structs import replace

from server.bots.bot import Answer, Bot
from server.bots.dialects.messages import Heard, Incompatible
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.decisions import Call
from server.game.events import BotDisconnected
from tests.bots.bot_harness import CALL, Harness, played
from tests.bots.views import asked_view, resolved


@played
async def test_a_bot_that_is_lost_while_asked_folds_at_once(harness: Harness) -> None:
    answer = await harness.asked()
    harness.clock.advance(1.0)
    harness.connection.lose("reset the connection")
    assert await answer == Answer(None, 1000, "disconnected")
    assert harness.events == [BotDisconnected(7, "reset the connection")]


@played
async def test_a_lost_bot_folds_at_once_from_then_on(harness: Harness) -> None:
    harness.connection.lose()
    for _ in range(3):
        assert await harness.bot.ask(asked_view(), resolved) == Answer(None, 0, "disconnected")
    assert not harness.bot.connected
    assert harness.connection.sent == []
    assert len(harness.events) == 1


@played
async def test_an_answer_sent_just_before_the_end_counts(harness: Harness) -> None:
    answer = await harness.asked()
    harness.connection.say(CALL)
    harness.connection.lose()
    assert await answer == Answer(resolved(Call()), 0)


@played
async def test_hanging_up_is_our_own_doing(harness: Harness) -> None:
    answer = await harness.asked()
    harness.bot.hang_up()
    assert (await answer).fault == "disconnected"
    assert harness.connection.closed
    assert harness.events == []


# -- contests in which a fault costs the rest --------------------------------------------------------

STRICT = replace(QUICK_DRAW, fault_costs="rest", time_bank_ms=5000)


@played
async def test_where_a_fault_costs_the_rest_a_silent_bot_is_not_asked_again(harness: Harness) -> None:
    answer = await harness.asked(view=asked_view(STRICT))
    harness.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    assert harness.connection.closed
    assert len(harness.events_of(BotDisconnected)) == 1
    assert await harness.bot.ask(asked_view(STRICT), resolved) == Answer(None, 0, "disconnected")


@played
async def test_a_bot_may_think_no_longer_than_its_time_bank_lasts_in_all_of_a_game(harness: Harness) -> None:
    for seconds in (2.9, 2.0):
        answer = await harness.asked(view=asked_view(STRICT))
        harness.clock.advance(seconds)
        harness.connection.say(CALL)
        assert (await answer).action
    last = await harness.asked(view=asked_view(STRICT))
    harness.clock.advance(0.1)
    assert await last == Answer(None, 100, "timeout")


@played
async def test_the_time_bank_is_full_again_in_the_next_game(harness: Harness) -> None:
    for game in (1, 2, 3):
        answer = await harness.asked(view=asked_view(STRICT, game))
        harness.clock.advance(2.9)
        harness.connection.say(CALL)
        assert (await answer).action


class Foreign(QuickDraw):
    """A dialect in which whatever a bot says is of another version."""

    def receive(self, received: bytes) -> list[Heard]:
        return [Heard(received, Incompatible("speaks version 3"))]


@played
async def test_a_bot_of_another_version_of_the_protocol_is_let_go(harness: Harness) -> None:
    bot = Bot(7, Foreign(), harness.connection, harness.events.append, harness.clock)
    answer = asyncio.create_task(bot.ask(asked_view(), resolved))
    await asyncio.sleep(0)
    harness.connection.say(b"VERSION:3.0.0\r\n", b"VERSION:3.0.0\r\n")
    assert (await answer).fault == "disconnected"
    assert harness.events == [BotDisconnected(7, "speaks version 3")]
    assert harness.connection.closed
