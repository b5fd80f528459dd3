"""Chats that arrive together are written to disk together. The director passes them on only after that."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from server.bots.bot import Answer
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.decisions import Action, Decision
from server.game.events import BotDisconnected, ChatSent, Entrant, Event
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from tests.support.games.contests import SEED


class Listener:
    """A bot that never answers. `chats` lists the chats that it gets. Fails if a chat is not yet on disk."""

    news_types = (ChatSent,)

    def __init__(self, bot: int, journal: Path) -> None:
        self.id = bot
        self.chats: list[Event] = []
        self.is_asked = asyncio.Event()
        self._journal = journal

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        self.is_asked.set()
        await asyncio.Event().wait()
        raise AssertionError("this bot never answers")

    def notify(self, event: Event, view: View) -> None:
        assert event in events_on(self._journal)
        self.chats.append(event)


def events_on(journal: Path) -> Sequence[Event]:
    return [entry.event for entry in read_journal(journal).entries]


async def test_chats_are_passed_on_only_once_they_are_on_disk(tmp_path: Path) -> None:
    path, syncs = tmp_path / "contest.jsonl", list[int]()
    chats: list[Event] = [ChatSent(1 + number % 3, f"Howdy {number}") for number in range(30)]
    farewell: list[Event] = [ChatSent(1, "Farewell"), BotDisconnected(1, "closed the connection")]
    bus = Bus(Journal(path, defer_sync=syncs.append), lambda: 0.0)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot}") for bot in (1, 2, 3)]
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=SEED, bus=bus)
    bots = [Listener(entrant.bot, path) for entrant in entrants]
    for bot in bots:
        director.add_bot(bot)
    game = asyncio.create_task(director.run())
    requests = [asyncio.create_task(bot.is_asked.wait()) for bot in bots]
    await asyncio.wait(requests, return_when=asyncio.FIRST_COMPLETED)
    syncs_before = len(syncs)
    for chat in chats:
        director.record_bot_event(chat)
    assert not any(bot.chats for bot in bots), "no chat may be passed on before it is written"
    await asyncio.sleep(0)
    assert len(syncs) == syncs_before + 1
    assert list(events_on(path)[-30:]) == chats
    assert [bot.chats for bot in bots] == [chats] * 3
    for event in farewell:
        director.record_bot_event(event)
    assert list(events_on(path)[-2:]) == farewell
    await asyncio.sleep(0)
    assert list(events_on(path)[-2:]) == farewell, "each chat must be written once"
    assert [bot.chats[30:] for bot in bots] == [farewell[:1]] * 3
    game.cancel()
    await asyncio.wait([game])
