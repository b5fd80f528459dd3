"""Chats on their way through the director: what comes together is synced once, and on disk before a bot hears it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from server.bots.bot import Answer
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.decisions import Action, Decision
from server.game.events import BotDisconnected, ChatSent, Entrant, Event
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from tests.support.contests import SEED

BOTS = (1, 2, 3)


class Listener:
    """A bot that never answers, and keeps the chats it hears before they are on disk."""

    def __init__(self, bot: int, journal: Path) -> None:
        self.id = bot
        self.news = (ChatSent,)
        self.heard: list[Event] = []
        self.asked = asyncio.Event()
        self.unwritten: list[Event] = []
        self._journal = journal

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("it never answers")

    def notify(self, event: Event, view: View) -> None:
        self.heard.append(event)
        if event not in events_on(self._journal):
            self.unwritten.append(event)


class Room:
    """A contest of bots that never answer, on a journal that counts how often it is synced."""

    def __init__(self, folder: Path) -> None:
        self.synced = 0
        self.journal = folder / "contest.jsonl"
        bus = Bus(Journal(self.journal, settle=self._settle), lambda: 0.0)
        entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot}") for bot in BOTS]
        self.director = Director(QUICK_DRAW_FORMAT, entrants, seed=SEED, bus=bus)
        self.bots = [Listener(bot, self.journal) for bot in BOTS]
        for bot in self.bots:
            self.director.welcome(bot)

    def _settle(self, _file: int) -> None:
        self.synced += 1

    async def first_question(self) -> None:
        """Returns when a bot is being asked, so that nothing but chat is going on."""
        asked = [asyncio.create_task(bot.asked.wait()) for bot in self.bots]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        for task in asked:
            task.cancel()


def events_on(journal: Path) -> Sequence[Event]:
    return [entry.event for entry in read_journal(journal).entries]


def in_a_room(folder: Path, story: Callable[[Room], Awaitable[None]]) -> None:
    """Runs `story` while a bot is being asked."""

    async def run() -> None:
        room = Room(folder)
        playing = asyncio.create_task(room.director.run())
        await room.first_question()
        await story(room)
        playing.cancel()
        await asyncio.wait([playing])

    asyncio.run(run())


def test_chats_that_come_together_are_synced_once_and_passed_on_in_order(tmp_path: Path) -> None:
    chats = [ChatSent(1 + number % 3, f"Howdy {number}") for number in range(30)]

    async def story(room: Room) -> None:
        synced = room.synced
        for chat in chats:
            room.director.hear(chat)
        assert not any(bot.heard for bot in room.bots), "nothing is passed on before it is written"
        await asyncio.sleep(0)
        assert room.synced == synced + 1
        assert list(events_on(room.journal)[-30:]) == chats
        assert [bot.heard for bot in room.bots] == [chats] * 3
        assert not any(bot.unwritten for bot in room.bots)

    in_a_room(tmp_path, story)


def test_a_chat_is_written_before_what_its_bot_did_next(tmp_path: Path) -> None:
    chat, gone = ChatSent(1, "Farewell"), BotDisconnected(1, "closed the connection")

    async def story(room: Room) -> None:
        room.director.hear(chat)
        room.director.hear(gone)
        assert list(events_on(room.journal)[-2:]) == [chat, gone]
        await asyncio.sleep(0)
        assert list(events_on(room.journal)[-2:]) == [chat, gone], "it is written once"
        assert [bot.heard for bot in room.bots] == [[chat]] * 3

    in_a_room(tmp_path, story)
