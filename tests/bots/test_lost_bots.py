"""A bot that is gone: it folds at once, and what it sent before counts."""

from server.bots.bot import Answer
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
