"""A bot's notes: read from the wire, recorded after the end of the hand, sent to no other bot."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from server.bots.bot import Answer
from server.bots.dialects.http_calls import Reply
from server.bots.dialects.messages import Decided
from server.bots.http_bot import HttpBot
from server.bots.transports.http import HttpConnection
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA
from server.contests.enova.dialect import Enova
from server.game.betting import resolve
from server.game.events import ActionTaken, BotDisconnected, Event, FaultNoted, HandEnded, HandStarted, NoteGiven
from tests.bots.http_servers import always, answer, host_playing
from tests.bots.tcp_client import TcpClient, over_tcp
from tests.bots.tcp_table import SampleBot, play_hands
from tests.bots.views import entrants_of, seen
from tests.contests.enova.enova_table import EnovaTable
from tests.game.table import deal


class BotWithNotes(SampleBot):
    """Calls, with a note on each action that has its hand and the number of its answer."""

    def __init__(self, name: str) -> None:
        super().__init__(self._call)
        self._name = name
        self._answers = 0

    def _call(self, request: dict[str, Any]) -> tuple[str, int]:
        self._answers += 1
        self.note = f"{self._name}, hand {request['hand_number']}, answer {self._answers}"
        return "call", 0

    async def _send(self, connection: Any, **action: str) -> None:
        await super()._send(connection, **action, note=self.note)


def hands_of(events: list[Event]) -> list[list[Event]]:
    """The events from the start of each hand to the start of the next."""
    begins = [at for at, event in enumerate(events) if isinstance(event, HandStarted)]
    return [events[begin:end] for begin, end in zip(begins, [*begins[1:], len(events)], strict=True)]


def test_notes_follow_the_end_of_their_hand_and_no_other_bot_gets_them() -> None:
    bots = [BotWithNotes(f"Bot {number}") for number in range(1, 4)]
    _, events = asyncio.run(play_hands(bots, 3))
    heard = json.dumps([bot.heard for bot in bots])
    assert "answer 1" not in heard
    assert "note" not in heard
    assert not [event for event in events if isinstance(event, FaultNoted | BotDisconnected)]
    hands = hands_of(events)
    assert len(hands) == 3
    for number, hand in enumerate(hands):
        ended = next(at for at, event in enumerate(hand) if isinstance(event, HandEnded))
        actions = [event for event in hand if isinstance(event, ActionTaken)]
        notes = hand[ended + 1 :]
        assert [note.action for note in notes if isinstance(note, NoteGiven)] == [*range(1, len(actions) + 1)]
        for note, action in zip(notes, actions, strict=True):
            assert isinstance(note, NoteGiven)
            assert note.bot == action.seat + 1
            assert note.text.startswith(f"Bot {note.bot}, hand {number}, answer ")


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("I had to see it", "I had to see it"),
        ("  two\n\tlines {of} braces ", "two lines {of} braces"),
        ("\x1b[31mred\u202e", "[31mred"),
        ("x" * 500, "x" * 199 + "…"),
        ("\u200b\u2060 ", ""),
        ("", ""),
        (7, ""),
        (None, ""),
        (["fold"], ""),
        ({"note": "note"}, ""),
    ],
)
def test_note_is_made_safe_like_chat_and_is_never_a_fault(note: object, shown: str) -> None:
    @over_tcp
    async def script(client: TcpClient) -> None:
        asking = await client.request()
        await client.say(json.dumps({"command": "take_action", "action": "call", "note": note}).encode())
        answered = await asking
        assert (answered.note, answered.fault) == (shown, "")
        assert await client.confirmed() == "success"

    script()
    answered, events = over_http({"action": "call", "note": note})
    assert (answered.note, answered.fault, events) == (shown, "", [])


def test_lone_surrogate_in_a_note_is_no_fault() -> None:
    answered, events = over_http({"action": "call", "note": "\ud800"})
    assert (answered.note, answered.fault, events) == ("", "", [])


def over_http(said: dict[str, Any]) -> tuple[Answer, list[Event]]:
    """The answer of an Arena bot over a real connection, and the events."""

    async def run() -> tuple[Answer, list[Event]]:
        events: list[Event] = []
        table = deal("2000 2000 2000 2000", rules=ARENA)
        async with host_playing(always(answer(said))) as host, asyncio.timeout(60):
            bot = HttpBot(7, Arena(player_ids(entrants_of(4))), HttpConnection(host.address), events.append)
            answered = await bot.ask(seen(table), partial(resolve, table.hand))
            await bot.close()
        return answered, events

    return asyncio.run(run())


@over_tcp
async def test_note_of_a_refused_action_is_dropped(client: TcpClient) -> None:
    asking = await client.request()
    await client.say(b'{"command":"take_action","action":"raise","raise_amount":1,"note":"too little"}')
    assert await client.confirmed() == "INVALID_RAISE_AMOUNT"
    await client.say(b'{"command":"take_action","action":"call"}')
    assert (await asking).note == ""


def test_enova_bot_may_add_a_note_to_any_answer() -> None:
    table = EnovaTable("100 100 100")
    for said in ({"action": "fold"}, {"action": "bet", "amount": 2}, {"action": "blind", "amount": "1"}):
        message = Enova().read(Reply(200, json.dumps({**said, "note": "just because"}).encode()), table.view)
        assert isinstance(message, Decided)
        assert message.note == "just because"
