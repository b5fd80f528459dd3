"""The practice server: starts, shows and ends all its games, and chooses the house bots for them.

Also limits how many shows stay open, and how far each show can be rewound.
"""

import asyncio
import logging
import os
import re
import time
from collections import OrderedDict, deque
from collections.abc import Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from broadcast.api.metrics import MetricValue
from broadcast.app import Studio
from broadcast.archive.indexing import RECORDING_SUFFIX
from broadcast.on_air.air_log import AirLog
from server.app.decisions.faults import FaultReport
from server.app.practice.author_page_store import PracticePages
from server.app.practice.game_summaries import GameSummarizer, SummaryOrder
from server.app.practice.games.child import Child
from server.app.practice.games.game_processes import GameLost, GameProcesses
from server.app.practice.games.plan import BotEndpoint, Rivals, plan_game
from server.app.practice.guests import Guest, Guests, PracticeShow
from server.app.practice.limits import PracticeLimits, Slots
from server.app.practice.open_challenges import OpenChallenges
from server.bots.house.characters import CHARACTERS
from server.config.settings import Settings
from server.game.events import Entrant
from server.game.formats import Format
from server.registration.practice_options import HouseSettings, PracticeOptions
from server.text.grammar import count_text
from server.text.look_alikes import look_alike

CHANNELS_KEPT = 300
"""At most this many channels are open, one for each game's show. If there are more, the oldest channel is closed."""
REWIND_BYTES = 192 << 10
"""A channel has this many bytes of memory for rewinding its show. This is enough for about sixty hands. All channels
together take 60 MB.
"""
REASONS_KEPT = 300
"""The server remembers at most this many lost games, each with the reason."""
_CHANNEL_NAME = re.compile(r"practice-([1-9][0-9]{0,8})")


class PracticeServer:
    """Concurrent practice games, each with its own recording and its own channel.

    Game processes play the games, and this process shows them.
    """

    def __init__(
        self,
        settings: Settings,
        studio: Studio,
        characters: Sequence[Entrant],
        limits: PracticeLimits | None = None,
        workers: int = 0,
    ) -> None:
        """`workers` processes play the games. With 0, there is one process per processor."""
        self.settings = settings
        self.slots = Slots(limits)
        folder = settings.recordings / "practice"
        self.processes = GameProcesses(folder, settings.practice_kept, workers or os.cpu_count() or 1)
        self.guests = Guests()
        self.practice_pages = PracticePages(settings.data / "practice-pages")
        self.challenges = OpenChallenges(settings.data / "practice-challenges.json")
        self._summarizer = GameSummarizer()
        self._studio = studio
        self._characters = list(zip(CHARACTERS, characters, strict=True))
        self._guest_count = 0
        self._has_started = False
        self._open_channels: deque[str] = deque()
        self._reserved_channels: set[str] = set()
        self._show_tasks: dict[str, asyncio.Task[None]] = {}
        self._lost_reasons: OrderedDict[str, str] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        studio.why_absent = self.why_absent

    def add_guest(self, name: str, status: str, options: PracticeOptions, opponent: Guest | None = None) -> Guest:
        """Adds a guest, a bot that practises, and reserves its channel. The channel opens when the bot's game begins.

        If `name` is "", makes up a name. `status` is the first status of the game, as text. If `opponent` is given, the
        new bot plays against this guest on the same channel. Bots with the same name and key share an author's page.
        Raises RegistrationRefused (429) if too many keys have been tried with the name.
        """
        self._guest_count += 1
        channel = opponent.channel if opponent else f"practice-{self._guest_count}"
        name = name or f"Guest {self._guest_count}"
        page_token = self.practice_pages.token(name, options.key)
        self._reserved_channels.add(channel)
        guest = Guest(name, channel, status, page_token=page_token, strength=options.house_settings.strength)
        self.guests.latest.appendleft(guest)
        return guest

    def start_processes(self) -> None:
        """Starts the game processes if they are not running yet, so that the first game does not wait for them."""
        if not self._has_started:
            self._has_started = True
            for child in self._children:
                self.start(child.run())

    @property
    def _children(self) -> list[Child[Any]]:
        return [self._summarizer.child, *(process.child for process in self.processes.all)]

    def health(self) -> tuple[float, list[int]]:
        """Returns how late the slowest game process was, in milliseconds, and the ids of all child processes."""
        return max(process.lag_ms for process in self.processes.all), [
            child.pid for child in self._children if child.pid
        ]

    def readings(self) -> Iterator[MetricValue]:
        """Yields the load of the server, for its metrics."""
        yield MetricValue(
            "highnoon_queue_games", "Registered bots whose games have not begun", len(self._reserved_channels)
        )
        yield MetricValue("highnoon_tables", "Tables that are taken", self.slots.address_slots.taken)
        yield MetricValue(
            "highnoon_table_lag_seconds", "How late the slowest game process was", self.health()[0] / 1000
        )

    async def stop(self) -> None:
        """Stops all games and shows, and ends the child processes."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def play(
        self,
        players: Sequence[tuple[Guest, BotEndpoint]],
        contest_format: Format,
        *,
        house_settings: HouseSettings,
        agents: bool = False,
    ) -> None:
        """Plays a game to its end, with the bots of one or two authors. Shows the game on the bots' channel.

        `house_settings` says how house bots play. `agents` says whether the authors' bots are agents (bots that play
        by MCP). Reports how the game ended, or why it was lost. The game counts for a bot's rung (its place among the
        house bots) only if each seat has the button equally often.
        """
        self.start_processes()
        guests, bots = [guest for guest, _ in players], [bot for _, bot in players]
        names = [guest.name for guest in guests]
        stage = contest_format.stages[0]
        has_equal_positions = stage.hands % stage.seats == 0
        for guest in guests:
            guest.rung = house_settings.strength if has_equal_positions else 0
            guest.against = tuple(name for name in names if name != guest.name)
        rivals = self._choose_rivals(names, stage.seats - len(players))
        air = self._open_channel(guests)
        plan = plan_game(
            self.settings,
            names,
            contest_format,
            rivals,
            channel=air.channel,
            epoch=air.epoch,
            house_settings=house_settings,
            agents=agents,
        )
        show = PracticeShow(air, Path(plan.journal))
        on_growth, on_fault = partial(self._show_more, guests, show), partial(self._report_fault, guests)
        try:
            await self.processes.play(plan, bots, on_growth, on_fault)
        except GameLost as lost:
            self.report_lost(guests, f"has lost its game, {lost}")
        else:
            for guest in guests:
                self._report_result(guest, show)
        finally:
            show.close()

    def _open_channel(self, guests: Sequence[Guest]) -> AirLog:
        channel = guests[0].channel
        self._reserved_channels.discard(channel)
        self._open_channels.append(channel)
        if len(self._open_channels) > CHANNELS_KEPT:
            self._close_channel(self._open_channels.popleft())
        for guest in guests:
            guest.seated = True
        names = " against ".join(guest.name for guest in guests)
        return self._studio.open_channel(channel, self.settings.speed, names, REWIND_BYTES)

    def _show_more(self, guests: Sequence[Guest], show: PracticeShow, seq: int) -> None:
        """Lets the show read the recording up to entry number `seq`. The first call starts the show."""
        channel = guests[0].channel
        if not guests[0].recording:
            path = show.journal.relative_to(self.settings.recordings)
            self._show_tasks[channel] = show_task = self.start(show.run())
            show_task.add_done_callback(lambda _: self._show_tasks.pop(channel, None))
            for guest in guests:
                guest.recording = path.with_suffix("").as_posix()
                self.guests.report_status(guest, "plays")
        show.read_to(seq)

    def _report_fault(self, guests: Sequence[Guest], bot: int, fault: FaultReport) -> None:
        self.guests.report_fault(next(guest for guest in guests if guest.number == bot), fault)

    def _report_result(self, guest: Guest, practice_show: PracticeShow) -> None:
        """Reports a bot's place and the number of hands played, once the show of the game has ended."""
        end_event = practice_show.end_event
        assert end_event is not None, "the game is over, so its places are known"
        guest.played = True
        self.start(self._add_to_practice_page(guest, int(time.time())))
        place = next(placing.place for placing in end_event.placings if placing.bot == guest.number)
        status = (
            f"has played {count_text(practice_show.hands, 'hand')} and finished in place {place} of "
            f"{len(end_event.placings)}"
        )
        show_task = self._show_tasks.get(guest.channel)
        if show_task is None:
            self.guests.report_status(guest, status, over=True)
        else:
            show_task.add_done_callback(lambda _: self.guests.report_status(guest, status, over=True))

    async def _add_to_practice_page(self, guest: Guest, ended_at: int) -> None:
        """Adds a finished game to its author's page. If the disk fails, logs the failure and continues."""
        path = self.settings.recordings / f"{guest.recording}{RECORDING_SUFFIX}"
        faults, against = tuple(guest.faults), guest.against
        order = SummaryOrder(
            guest.recording,
            str(path),
            ended_at,
            faults,
            guest.further_fault_count,
            guest.number,
            guest.strength,
            against,
        )
        answer = await self._summarizer.summarize(order)
        why = answer.why
        try:
            if answer.game:
                await asyncio.to_thread(
                    self.practice_pages.add, guest.page_token, guest.name, answer.game, guest.rung, guest.client
                )
        except OSError as error:
            why = str(error)
        if why:
            logging.getLogger(__name__).error("a game is missing from its author's page: %s", why)

    def report_lost(self, guests: Sequence[Guest], why: str) -> None:
        """Reports that the game of `guests` failed or never started. `why` continues a sentence that begins with the
        bot's name, such as "never connected".
        """
        channel, names = guests[0].channel, " and ".join(guest.name for guest in guests)
        self._reserved_channels.discard(channel)
        if channel in self._open_channels:
            self._open_channels.remove(channel)
            self._close_channel(channel)
        self._lost_reasons[channel] = f"{names} {why}."
        if len(self._lost_reasons) > REASONS_KEPT:
            self._lost_reasons.popitem(last=False)
        for guest in guests:
            guest.seated, guest.recording = False, ""
            self.guests.report_status(guest, why, over=True)

    def why_absent(self, channel: str) -> str:
        """Returns why a channel is not open, or "" if it might still open."""
        number = _CHANNEL_NAME.fullmatch(channel)
        if number is None:
            return f"There is no channel {channel[:40]} here: practice games are on practice-1, practice-2 and so on."
        if channel in self._reserved_channels or int(number[1]) > self._guest_count:
            return ""
        return self._lost_reasons.get(channel, f"The show of {channel} is over.")

    def start(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs `coroutine` in a task. A failure is logged, and affects no other game."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._end_task)
        return task

    def _choose_rivals(self, names: Sequence[str], count: int) -> Rivals:
        """Returns `count` house bots for the other seats. The choice changes from game to game. Leaves out house bots
        whose names look like one of `names`.
        """
        candidates = [pair for pair in self._characters if not any(look_alike(pair[0].name, name) for name in names)]
        offset = self._guest_count % len(candidates)
        return (candidates[offset:] + candidates[:offset])[:count]

    def _close_channel(self, channel: str) -> None:
        self._studio.close_channel(channel)
        if show := self._show_tasks.get(channel):
            show.cancel()

    def _end_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logging.getLogger(__name__).error("a practice game failed: %s", error, exc_info=error)
