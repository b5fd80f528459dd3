"""A bot with a fake clock and a fake connection, and the Quick Draw messages that the bot sends and receives."""

import asyncio
from typing import Any

from server.bots.bot import Answer, Bot
from server.bots.owed_answers import LATE_SECONDS
from server.bots.record import Record, Wrong
from server.contests.quick_draw.dialect import QuickDraw
from server.game.events import Event
from server.game.view import View
from tests.bots.fakes import FakeClock, FakeConnection
from tests.bots.views import asked_view, resolved

CALL = {"command": "take_action", "action": "call"}
FOLD = {"command": "take_action", "action": "fold"}
SUCCESS = {"command": "confirm_action", "result": "success"}


def error(code: str) -> dict[str, str]:
    return {"command": "confirm_action", "result": "error", "error": code}


def raise_to(amount: object) -> dict[str, object]:
    return {"command": "take_action", "action": "raise", "raise_amount": amount}


def chat(text: str) -> dict[str, str]:
    return {"command": "send_chat", "message": text}


class FaultRecord(Record):
    def __init__(self) -> None:
        self.faults: list[Wrong] = []

    @property
    def reasons(self) -> list[str]:
        return [each.reason for each in self.faults]

    def wrong(self, wrong: Wrong) -> None:
        self.faults.append(wrong)


class Harness:
    """The server's end of a fake connection to a bot. The test acts as the bot's program."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.connection = FakeConnection()
        self.events: list[Event] = []
        self.record = FaultRecord()
        self.bot = Bot(7, QuickDraw(), self.connection, self.events.append, self.clock, record=self.record)

    async def ask(self, view: View | None = None) -> asyncio.Task[Answer]:
        """Asks the bot; returns a task whose result is the answer."""
        task = asyncio.create_task(self.bot.ask(view or asked_view(), resolved))
        await asyncio.sleep(0)
        return task

    async def ask_in_vain(self) -> Answer:
        """Asks the bot, which does not answer, not even in the extra time that late answers have."""
        answer = await self.ask()
        self.clock.advance(LATE_SECONDS)
        await asyncio.sleep(0)
        self.clock.advance(3.0)
        return await answer

    @property
    def confirmed(self) -> list[dict[str, Any]]:
        return [message for message in self.connection.sent if message["command"] == "confirm_action"]

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [message for message in self.connection.sent if message["command"] == "request_action"]

    def events_of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]
