"""A bot's notes: read from its answers, recorded after the end of the hand, and sent to no other bot."""

import asyncio
import json
from typing import Any

import pytest
from msgspec import UNSET

from server.bots.dialects.http_calls import Reply
from server.bots.dialects.messages import MOST_COST, MOST_TOKENS, Decided
from server.contests.enova.dialect import Enova
from server.game.events import Account, ActionTaken, HandEnded, HandStarted, NoteGiven
from tests.bots.bot_harness import CALL, Harness, raise_to
from tests.bots.http_servers import always, answer
from tests.bots.tcp_client import SampleBot, play_hands
from tests.bots.test_http_bot import ask_server
from tests.contests.enova.enova_table import EnovaTable


class BotWithNotes(SampleBot):
    """Always calls. The note on each action is the bot's name and the number of the hand."""

    def __init__(self, name: str) -> None:
        super().__init__(self._call)
        self._name = name

    def _call(self, request: dict[str, Any]) -> tuple[str, int]:
        self.note = f"{self._name}, hand {request['hand_number']}"
        return "call", 0

    async def _send(self, connection: Any, **action: str) -> None:
        await super()._send(connection, **action, note=self.note)


def test_notes_follow_the_end_of_their_hand_and_are_sent_to_no_other_bot() -> None:
    bots = [BotWithNotes(f"Bot {number}") for number in range(1, 4)]
    _, events = asyncio.run(play_hands(bots, 3))
    heard = json.dumps([bot.heard for bot in bots])
    assert "note" not in heard
    assert ", hand" not in heard
    actors: list[int] = []
    hands, ended, numbers = -1, False, iter(range(0))
    for event in events:
        match event:
            case HandStarted():
                assert not actors, "every note on a hand must be recorded before the next hand begins"
                hands, ended, numbers = hands + 1, False, iter(range(1, 100))
            case ActionTaken(seat=seat):
                actors.append(seat + 1)
            case HandEnded():
                ended = True
            case NoteGiven(bot=bot, action=action, text=text):
                assert ended
                assert (bot, action) == (actors.pop(0), next(numbers))
                assert text == f"Bot {bot}, hand {hands}"
    assert (hands, actors) == (2, [])


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("  two\n\tlines {of} braces ", "two lines {of} braces"),
        ("\x1b[31mred\u202e", "[31mred"),
        ("x" * 500, "x" * 199 + "…"),
        *((bad, "") for bad in ("\u200b\u2060 ", "", "\ud800", 7, None, ["fold"], {"note": "note"})),
    ],
)
async def test_note_is_made_safe_like_chat_and_is_never_a_fault(note: object, shown: str) -> None:
    [answered], events = await ask_server(always(answer({"action": "call", "note": note})), 60_000)
    assert (answered.note, answered.fault, events) == (shown, "", [])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"tokens": 812, "cost": 0.0042}, Account(812, 4200)),
        ({"tokens": "812", "cost": 1}, Account(812, 1_000_000)),
        ({"tokens": 0}, Account(0)),
        ({"tokens": MOST_TOKENS + 1, "cost": MOST_COST}, Account(UNSET, MOST_COST * 1_000_000)),
        *(
            ({"tokens": bad, "cost": bad}, UNSET)
            for bad in (-1, True, None, [1], {"tokens": 1}, "1e3", "1" * 400, 10**300, 1e300, "NaN", "\ud800")
        ),
    ],
)
async def test_account_is_kept_within_its_limits_and_is_never_a_fault(said: object, kept: object) -> None:
    assert isinstance(said, dict)
    [answered], events = await ask_server(always(answer({"action": "call", **said})), 60_000)
    assert (answered.account, answered.fault, events) == (kept, "", [])


async def test_note_of_a_refused_action_is_dropped(harness: Harness) -> None:
    asking = await harness.ask()
    harness.connection.say({**raise_to(1), "note": "too little"}, CALL)
    assert (await asking).note == ""
    asking = await harness.ask()
    harness.connection.say({**CALL, "note": "  just enough "})
    assert (await asking).note == "just enough"


def test_enova_bot_may_add_a_note_to_any_answer() -> None:
    table = EnovaTable("100 100 100")
    for said in ({"action": "fold"}, {"action": "bet", "amount": 2}, {"action": "blind", "amount": "1"}):
        message = Enova().read(Reply(200, json.dumps({**said, "note": "just because"}).encode()), table.view)
        assert isinstance(message, Decided)
        assert message.note == "just because"
