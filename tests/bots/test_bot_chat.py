"""A bot's chat and its own log."""

import json

from server.game.decisions import Call
from server.game.events import ChatSent, FaultNoted
from tests.bots.bot_harness import CALL, Harness, chat, error, played
from tests.bots.views import resolved


@played
async def test_bot_may_chat_at_any_time(harness: Harness) -> None:
    harness.connection.say(chat("Before"))
    answer = await harness.asked()
    harness.clock.advance(2.0)
    harness.connection.say(chat("Too soon"))
    harness.clock.advance(0.999)
    assert not answer.done()
    harness.connection.say(CALL)
    assert (await answer).action == resolved(Call())
    harness.clock.advance(2.001)
    harness.connection.say(chat("After"))
    assert harness.events == [ChatSent(7, "Before"), ChatSent(7, "After")]


@played
async def test_more_than_one_chat_in_5_seconds_is_silently_ignored(harness: Harness) -> None:
    for _ in range(50):
        harness.connection.say(chat("Howdy"))
        harness.clock.advance(0.2)
    harness.connection.say(chat("Howdy"))
    assert len(harness.events_of(ChatSent)) == 3
    assert harness.connection.sent == []
    assert not harness.events_of(FaultNoted)


@played
async def test_refused_chat_does_not_count_against_the_limit(harness: Harness) -> None:
    harness.connection.say(chat("a {brace}"), chat("Howdy"), chat("\u200b\u202e"))
    assert harness.events_of(ChatSent) == [ChatSent(7, "Howdy")]
    assert harness.confirmed == [error("BAD_VALUE")] * 2, "an empty one is refused even when it would be ignored"


@played
async def test_invisible_characters_are_stripped_from_chat(harness: Harness) -> None:
    harness.connection.say(chat("\u202eHow\u200bdy \t \u0007Se\u00f1or\u2066"))
    assert harness.events == [ChatSent(7, "Howdy Señor")]
    harness.connection.say({"command": "get_logs"})
    logs = harness.connection.sent[-1]["logs"]
    assert "the chat is shown without hidden characters (U+202E, U+200B, U+0007, …)" in " ".join(logs)


@played
async def test_get_logs_returns_the_bots_own_transcript(harness: Harness) -> None:
    answer = await harness.asked()
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
