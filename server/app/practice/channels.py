"""What all practice games of a command share: their channels, limits and files, the house bots, a task for each game.

Knows no contest.
"""

import asyncio
import logging
import os
import re
import socket
import time
from collections import OrderedDict, deque
from collections.abc import Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.archive.indexing import ENDING
from broadcast.on_air.log import AirLog
from server.app.practice.games.plan import Rivals, even, plan_game
from server.app.practice.games.workers import GameLost, Workers
from server.app.practice.guests import Guest, Guests
from server.app.practice.limits import Limits, Places
from server.app.practice.own_pages import OwnPages
from server.app.practice.own_process import OwnGames, WorkOut
from server.app.practice.show import PracticeShow
from server.bots.house.characters import CHARACTERS
from server.bots.transports.http import Address
from server.config.settings import Settings
from server.console import hands_in_words
from server.game.events import Entrant
from server.game.tournament import Contest
from server.registration.wishes import Asked, House
from server.text.names_and_chat import folded_name

CHANNELS_KEPT = 300
"""Channels that are kept open; the oldest are closed first."""
REWIND_BYTES = 192 << 10
"""Of each channel, to go back in its show: some sixty hands, so that all channels together take 60 MB at most."""
WORDS_KEPT = 300
"""Games that were never shown, for which the reason is kept."""
_CHANNEL = re.compile(r"practice-([1-9][0-9]{0,8})")


class PracticeChannels:
    """Practice games that run at once, each with its own journal, on-air log and channel.

    They are played by worker processes; here they are shown.
    """

    def __init__(
        self,
        settings: Settings,
        studio: Studio,
        characters: Sequence[Entrant],
        limits: Limits | None = None,
        workers: int = 0,
    ) -> None:
        """So many `workers` play the games; 0: one for each processor."""
        self.settings = settings
        self.places = Places(limits)
        folder = settings.recordings / "practice"
        self.workers = Workers(folder, settings.practice_kept, workers or os.cpu_count() or 1, self.start)
        self.guests = Guests()
        self.own = OwnPages(settings.data / "practice-pages")
        self._own_games = OwnGames()
        self._studio = studio
        self._characters = list(zip(CHARACTERS, characters, strict=True))
        self._opened = 0
        self._begun = False
        self._channels: deque[str] = deque()
        self._coming: set[str] = set()
        self._shows: dict[str, asyncio.Task[None]] = {}
        self._words: OrderedDict[str, str] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        studio.why_absent = self.absent

    def guest(self, name: str, stands: str, asked: Asked) -> Guest:
        """Adds a bot with a channel of its own, which opens with its game; with the name "" it is given one.

        With the key of an earlier game the page of its author goes on.
        """
        self._opened += 1
        channel = f"practice-{self._opened}"
        self._coming.add(channel)
        name = name or f"Guest {self._opened}"
        own = self.own.token(name, asked.key)
        return self.guests.add(Guest(name, channel, stands, own=own, strength=asked.house.strength))

    def begin(self) -> None:
        """Starts the processes, so that the first game need not wait for them."""
        self.workers.begin()
        if not self._begun:
            self._begun = True
            self.start(self._own_games.child.run())

    def health(self) -> tuple[float, list[int]]:
        """How many milliseconds the latest worker is late, and the numbers of all processes beside this one."""
        children = [self._own_games.child, *(worker.child for worker in self.workers.all)]
        return max(worker.lag_ms for worker in self.workers.all), [child.pid for child in children if child.pid]

    async def end(self) -> None:
        """Breaks off all games and shows and ends the processes; returns once what was played is on disk."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def play(
        self,
        guest: Guest,
        contest: Contest,
        bot: socket.socket | Address,
        *,
        house: House,
        linger_seconds: float = 0.0,
    ) -> None:
        """Plays the bot's game to its end, over its socket or by calls to its address, and shows it on its channel.

        House bots play as `house` says; a socket is closed `linger_seconds` after the end. The bot's page says
        how the game ended, also where it was lost.
        """
        self.begin()
        guest.rung = house.strength if even(contest) else 0
        rivals = self._rivals(guest.name, contest.stages[0].seats - 1)
        air = self._open(guest)
        plan = plan_game(self.settings, guest.name, contest, rivals, channel=air.channel, run=air.epoch, house=house)
        show = PracticeShow(air, Path(plan.journal))
        grown, wrong = partial(self._grown, guest, show), partial(self.guests.wrong, guest)
        try:
            await self.workers.play(plan, bot, grown, wrong, linger_seconds=linger_seconds)
        except GameLost as lost:
            self.lose(guest, f"has lost its game, {lost}")
        else:
            self._played(guest, show)
        finally:
            show.close()

    def _open(self, guest: Guest) -> AirLog:
        """Opens the bot's channel; closes the oldest one where there are too many."""
        self._coming.discard(guest.channel)
        self._channels.append(guest.channel)
        if len(self._channels) > CHANNELS_KEPT:
            self._close(self._channels.popleft())
        guest.seated = True
        return self._studio.open_channel(guest.channel, self.settings.speed, guest.name, REWIND_BYTES)

    def _grown(self, guest: Guest, show: PracticeShow, seq: int) -> None:
        """Shows what has been played; the first time the show begins."""
        if not guest.recording:
            path = show.journal.relative_to(self.settings.recordings)
            guest.recording = path.with_suffix("").as_posix()
            self._shows[guest.channel] = showing = self.start(show.run())
            showing.add_done_callback(lambda _: self._shows.pop(guest.channel, None))
            self.guests.stands(guest, "plays")
        show.grown(seq)

    def _played(self, guest: Guest, played: PracticeShow) -> None:
        """Says how the bot's game ended once its show has: its place, and how many hands it had."""
        ended = played.ended
        assert ended is not None, "a game that is over has its placings"
        guest.played = True
        self.start(self._keep(guest, int(time.time())))
        place = next(placing.place for placing in ended.placings if placing.bot == 1)
        words = f"has played {hands_in_words(played.hands)} and come in as number {place} of {len(ended.placings)}"
        show = self._shows.get(guest.channel)
        if show is None:
            self.guests.stands(guest, words, over=True)
        else:
            show.add_done_callback(lambda _: self.guests.stands(guest, words, over=True))

    async def _keep(self, guest: Guest, ended: int) -> None:
        """Adds a game that is over to the page of its author. A disk that does not take it costs no more than that."""
        path = self.settings.recordings / f"{guest.recording}{ENDING}"
        order = WorkOut(guest.recording, str(path), ended, tuple(guest.faults), guest.more)
        worked_out = await self._own_games.work_out(order)
        why = worked_out.why
        try:
            if worked_out.game:
                game = replace(worked_out.game, strength=guest.strength)
                await asyncio.to_thread(self.own.add, guest.own, guest.name, game, guest.rung)
        except OSError as error:
            why = str(error)
        if why:
            logging.getLogger(__name__).error("a game is missing on its author's page: %s", why)

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

    def _rivals(self, name: str, count: int) -> Rivals:
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
