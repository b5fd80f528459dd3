"""Plays a sparring match at mirrored tables: every bot plays each deal from every seat, so no bot has luckier cards.

There are as many tables as bots. From one table to the next, the bots move by one seat. All tables have the same decks.
Each deal is played at every table before the next deal begins.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from broadcast.odds.earned import EarnedByBot, Earnings
from server.bots.bot import Answer
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import Style
from server.contests import CONTESTS
from server.game.decisions import Action, Decision
from server.game.events import BotDisconnected, Entrant, Event, GameEnded
from server.game.formats import Format, StagePlan
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Journal
from server.tournament.director import ConnectedBot, Director

OnDeal = Callable[[Sequence[EarnedByBot]], bool]
"""A function that is called after each deal. It takes the bots' results at each table, and returns whether the match
continues.
"""


class BotLeft(Exception):
    """Bot number `bot` has disconnected for good. `reason` says why."""

    def __init__(self, bot: int, reason: str) -> None:
        super().__init__(reason)
        self.bot = bot
        self.reason = reason


class MirroredTables:
    """The tables of one match. Every deal starts with full stacks and the first blinds of the contest."""

    def __init__(
        self,
        contest_format: Format,
        entrants: Sequence[Entrant],
        seed: bytes,
        on_deal: OnDeal,
        recordings_folder: Path | None = None,
        *,
        first_deal: int = 1,
    ) -> None:
        """`contest_format` is a format made by `sparring_format`. If `recordings_folder` is None, nothing is recorded.

        Plays the deals from number `first_deal` on. Recordings are not synced to disk, so a crash of this computer may
        destroy them. Raises OSError if a recording cannot be created.
        """
        self._on_deal = on_deal
        self._current_table = 0
        self._play_events = [asyncio.Event() for _ in entrants]
        self._play_events[0].set()
        self._is_over = False
        self._bot_left: BotLeft | None = None
        self._tables: list[_Table] = []
        for table_number, may_play in enumerate(self._play_events):
            bus = Bus(
                Journal(table_recording_path(recordings_folder, table_number), defer_sync=lambda _: None)
                if recordings_folder
                else None,
                time.monotonic,
            )
            director = Director(
                contest_format,
                entrants_in_seat_order(entrants, table_number),
                seed=seed,
                bus=bus,
                gate=may_play.wait,
                games_before=first_deal - 1,
                is_stage_cut=lambda: self._is_over,
            )
            self._tables.append(_Table(director, bus, self._end_deal))

    def seat_bots(self, bots: Sequence[ConnectedBot]) -> None:
        """Seats all bots at all tables."""
        for table in self._tables:
            for bot in bots:
                table.director.add_bot(bot)

    def record_bot_event(self, event: Event) -> None:
        """Records an event that a bot caused outside its turn. A bot that leaves ends the match."""
        self._tables[self._current_table].director.record_bot_event(event)
        if isinstance(event, BotDisconnected):
            self._bot_left = self._bot_left or BotLeft(event.bot, event.reason)

    async def play(self) -> None:
        """Plays until the last deal, or until `on_deal` ends the match. Raises OSError, or BotLeft if a bot left."""
        try:
            async with asyncio.TaskGroup() as group:
                for table in self._tables:
                    group.create_task(table.director.run())
        finally:
            for table in self._tables:
                table.bus.close()
        if self._bot_left:
            raise self._bot_left

    def _end_deal(self) -> None:
        """Ends a deal at the current table. Lets the next table play the deal. After the last table, calls `on_deal`
        and starts the next deal.
        """
        self._play_events[self._current_table].clear()
        self._current_table = (self._current_table + 1) % len(self._tables)
        if not self._current_table:
            self._is_over = self._bot_left is not None or not self._on_deal(
                [table.take_latest_unit() for table in self._tables]
            )
        for may_play in self._play_events if self._is_over else [self._play_events[self._current_table]]:
            may_play.set()


class _Table:
    """A table that plays each deal as a separate game."""

    def __init__(self, director: Director, bus: Bus, on_end: Callable[[], None]) -> None:
        self.director = director
        self.bus = bus
        self._on_end = on_end
        self._earnings = Earnings()
        bus.listeners.append(self._on_event)

    def take_latest_unit(self) -> EarnedByBot:
        """Returns the bots' results in the latest deal at this table, which is a unit of `Earnings`. Forgets the deal,
        because a match may have a million deals.
        """
        unit = self._earnings.units[-1]
        self.bus.forget()
        self._earnings.units[:] = [{}]
        return unit

    def _on_event(self, event: Event) -> None:
        self._earnings.apply(event)
        if isinstance(event, GameEnded):
            self._on_end()


def sparring_format(contest_id: str, deals: int, bots: int) -> Format:
    """The format of a match of independent deals, each with full stacks and the first blinds."""
    plan = StagePlan("Sparring", deals, hands=1, seats=bots, draws_seats=False, series=True)
    return replace(CONTESTS[contest_id].format, title="Sparring", stages=(plan,))


def entrants_in_seat_order(entrants: Sequence[Entrant], table: int) -> list[Entrant]:
    """The bots at a table, in the order of their seats. Tables are numbered from 0."""
    return [*entrants[table:], *entrants[:table]]


def table_recording_path(folder: Path, table: int) -> Path:
    """The path of a table's recording. Tables are numbered from 0."""
    return folder / f"table-{table + 1}.jsonl"


class HouseBot(InProcessBot):
    """A house bot. Its random numbers depend only on the match's seed, the bot's number, the deal and the seat."""

    def __init__(self, bot: int, style: Style, seed: bytes) -> None:
        """`bot` is the bot's number, and `seed` is the match's seed."""
        self._random = random.Random()  # noqa: S311 (only decides how a house bot plays)
        super().__init__(bot, style, self._random)
        self._seed = seed
        self._game_and_seat = (0, 0)

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        if self._game_and_seat != (view.game, view.seat):
            self._game_and_seat = (view.game, view.seat)
            self._random.seed(f"{self._seed.hex()} {self.id} {view.game} {view.seat}")
        return await super().ask(view, resolve)
