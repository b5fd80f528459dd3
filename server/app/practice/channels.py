"""What all practice games of a command share: their channels, limits and files, the house bots, a task for each game.

Knows no contest.
"""

import asyncio
import logging
import re
import time
from collections import OrderedDict, deque
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from broadcast.app import Studio
from broadcast.archive.indexing import ENDING
from broadcast.on_air.log import AirLog
from server.app.practice.guests import Guest, Guests, Observer
from server.app.practice.limits import Limits, Places
from server.app.practice.own_games import game_of
from server.app.practice.own_pages import OwnPages
from server.app.practice.recordings import PracticeRecordings
from server.app.practice.table import PracticeTable
from server.bots.house.characters import CHARACTERS, Character
from server.config.settings import Settings
from server.console import hands_in_words
from server.game.events import Entrant, TournamentEnded
from server.journal.journal import JournalDamaged, read_journal
from server.text.names_and_chat import folded_name

CHANNELS_KEPT = 300
"""Channels that are kept open; the oldest are closed first."""
REWIND_BYTES = 192 << 10
"""Of each channel, to go back in its show: some sixty hands, so that all channels together take 60 MB at most."""
WORDS_KEPT = 300
"""Games that were never shown, for which the reason is kept."""
_CHANNEL = re.compile(r"practice-([1-9][0-9]{0,8})")

Rivals = Sequence[tuple[Character, Entrant]]
"""House bots, each with its entry in the game."""


class PracticeChannels:
    """Practice games that run at once, each with its own journal, on-air log and channel."""

    def __init__(
        self, settings: Settings, studio: Studio, characters: Sequence[Entrant], limits: Limits | None = None
    ) -> None:
        self.settings = settings
        self.places = Places(limits)
        self.files = PracticeRecordings(settings.recordings / "practice", settings.practice_kept)
        self.guests = Guests()
        self.own = OwnPages(settings.data / "practice-pages")
        self._studio = studio
        self._characters = list(zip(CHARACTERS, characters, strict=True))
        self._opened = 0
        self._channels: deque[str] = deque()
        self._coming: set[str] = set()
        self._shows: dict[str, asyncio.Task[None]] = {}
        self._words: OrderedDict[str, str] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        studio.why_absent = self.absent

    def guest(self, name: str, stands: str, key: str = "") -> Guest:
        """Adds a bot with a channel of its own, which opens with its game; with the name "" it is given one.

        With the `key` of an earlier game the page of its author goes on.
        """
        self._opened += 1
        channel = f"practice-{self._opened}"
        self._coming.add(channel)
        name = name or f"Guest {self._opened}"
        return self.guests.add(name, channel, stands, self.own.token(name, key))

    def open(self, guest: Guest) -> AirLog:
        """Opens the bot's channel; closes the oldest one where there are too many."""
        self._coming.discard(guest.channel)
        self._channels.append(guest.channel)
        if len(self._channels) > CHANNELS_KEPT:
            self._close(self._channels.popleft())
        guest.seated = True
        return self._studio.open_channel(guest.channel, self.settings.speed, guest.name, REWIND_BYTES)

    def show(self, guest: Guest, table: PracticeTable) -> Observer:
        """Starts the show of a table on the bot's channel, and follows its events for what the bot does wrong."""
        guest.recording = table.recording
        observer = Observer(self.guests, guest)
        table.listen(observer.hear)
        self._shows[guest.channel] = show = self.start(table.show())
        show.add_done_callback(lambda _: self._shows.pop(guest.channel, None))
        self.guests.stands(guest, "plays")
        return observer

    def played(self, guest: Guest, observer: Observer, ended: TournamentEnded) -> None:
        """Says how the bot's game ended once its show has: its place, and how many hands `observer` counted."""
        self.start(self._keep(guest, int(time.time())))
        place = next(placing.place for placing in ended.placings if placing.bot == 1)
        words = f"has played {hands_in_words(observer.hands)} and come in as number {place} of {len(ended.placings)}"
        show = self._shows.get(guest.channel)
        if show is None:
            self.guests.stands(guest, words, over=True)
        else:
            show.add_done_callback(lambda _: self.guests.stands(guest, words, over=True))

    async def _keep(self, guest: Guest, ended: int) -> None:
        """Adds a game that is over to the page of its author. A disk that does not take it costs no more than that."""
        path = self.settings.recordings / f"{guest.recording}{ENDING}"
        await asyncio.to_thread(self._add_to_page, guest, path, ended)

    def _add_to_page(self, guest: Guest, path: Path, ended: int) -> None:
        try:
            events = [entry.event for entry in read_journal(path).entries]
            game = game_of(guest.recording, ended, events, guest.faults, guest.more)
            self.own.add(guest.own, guest.name, game)
        except (OSError, JournalDamaged, LookupError, ValueError, StopIteration) as error:
            logging.getLogger(__name__).error("a game is missing on its author's page: %s", error)

    def lose(self, guest: Guest, why: str) -> None:
        """Says that the bot has no game, or none any more; `why` continues its name, as in "never connected"."""
        self._coming.discard(guest.channel)
        if guest.channel in self._channels:
            self._channels.remove(guest.channel)
            self._close(guest.channel)
        self._words[guest.channel] = f"{guest.name} {why}."
        if len(self._words) > WORDS_KEPT:
            self._words.popitem(last=False)
        guest.seated, guest.recording = False, ""
        self.guests.stands(guest, why, over=True)

    def absent(self, channel: str) -> str:
        """Why there is no such channel and will be none; "" where it may still come."""
        number = _CHANNEL.fullmatch(channel)
        if number is None:
            return f"There is no channel {channel[:40]} here: practice games are on practice-1, practice-2 and so on."
        if channel in self._coming or int(number[1]) > self._opened:
            return ""
        return self._words.get(channel, f"The show of {channel} is over.")

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs `work` as a task of its own; if it fails, that is logged and no other game is touched."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def rivals(self, name: str, count: int) -> Rivals:
        """`count` house bots for the other seats: others in each game, and none whose name is like that of the bot."""
        others = [pair for pair in self._characters if folded_name(pair[0].name) != folded_name(name)]
        turn = self._opened % len(others)
        return (others[turn:] + others[:turn])[:count]

    def _close(self, channel: str) -> None:
        self._studio.close_channel(channel)
        if show := self._shows.get(channel):
            show.cancel()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logging.getLogger(__name__).error("a practice game broke off: %s", error, exc_info=error)
