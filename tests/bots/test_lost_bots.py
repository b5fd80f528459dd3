"""A bot that is gone: it folds at once, whoever ended the connection."""

import asyncio

from msgspec.structs import replace

from server.bots.bot import Answer, Bot
from server.bots.dialects.messages import Heard, Incompatible
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import BotDisconnected
from tests.bots.bot_harness import CALL, Harness, played
from tests.bots.views import asked_view, resolved

STRICT = replace(QUICK_DRAW, fault_costs="rest", time_bank_ms=5000)
"""Rules by which a fault costs a bot the rest of the game."""


@played
async def test_bot_lost_while_it_is_asked_folds_at_once(harness: Harness) -> None:
    answer = await harness.asked()
    harness.clock.advance(1.0)
    harness.connection.lose("reset the connection")
    assert await answer == Answer(None, 1000, "disconnected")
    assert harness.events == [BotDisconnected(7, "reset the connection")]


@played
async def test_hanging_up_on_a_bot_is_no_event(harness: Harness) -> None:
    answer = await harness.asked()
    harness.bot.hang_up()
    assert (await answer).fault == "disconnected"
    assert harness.connection.closed
    assert harness.events == []


@played
async def test_silent_bot_is_not_asked_again_where_a_fault_costs_the_rest(harness: Harness) -> None:
    answer = await harness.asked(view=asked_view(STRICT))
    harness.clock.advance(3.0)
    assert (await answer).fault == "timeout"
    assert harness.connection.closed
    assert len(harness.events_of(BotDisconnected)) == 1
    assert await harness.bot.ask(asked_view(STRICT), resolved) == Answer(None, 0, "disconnected")


@played
async def test_time_bank_lasts_for_one_game_and_is_full_in_the_next(harness: Harness) -> None:
    for game, seconds in ((1, 2.9), (2, 2.9), (2, 2.0)):
        answer = await harness.asked(view=asked_view(STRICT, game))
        harness.clock.advance(seconds)
        harness.connection.say(CALL)
        assert (await answer).action
    last = await harness.asked(view=asked_view(STRICT, 2))
    harness.clock.advance(0.1)
    assert await last == Answer(None, 100, "timeout")


class Foreign(QuickDraw):
    """A dialect in which every message is of another version."""

    def receive(self, received: bytes) -> list[Heard]:
        return [Heard(received, Incompatible("speaks version 3"))]


@played
async def test_bot_of_another_protocol_version_is_disconnected(harness: Harness) -> None:
    bot = Bot(7, Foreign(), harness.connection, harness.events.append, harness.clock)
    answer = asyncio.create_task(bot.ask(asked_view(), resolved))
    await asyncio.sleep(0)
    harness.connection.say(b"VERSION:3.0.0\r\n", b"VERSION:3.0.0\r\n")
    assert (await answer).fault == "disconnected"
    assert harness.events == [BotDisconnected(7, "speaks version 3")]
    assert harness.connection.closed
