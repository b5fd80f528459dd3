"""Starts bots, lets them play the tables of a deal (all with the same cards) one by one, and records their mistakes."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol

from server.app.decisions.faults import describe_fault
from server.app.evening.boxed_bots import BotEntry
from server.app.sparring.bot_launcher import BotLauncher
from server.app.sparring.sides import Side
from server.bots.absent_bot import AbsentBot
from server.bots.message_records import BotFault, Record
from server.bots.sandbox.runner import CannotRun
from server.bots.sandbox.shared_runner import SharedRunner
from server.child_environment import PYTHON_VARIABLES
from server.errors import Refusal
from server.game.events import ActionTaken, BotDisconnected, Entrant, Event, Fault
from server.system.processes import memory_of_tree
from server.tournament.director import ConnectedBot
from server.tournament.play_deal import Deal, DealRoom, DealTable

STARTS_AT_ONCE = 2
"""At most this many bots start at the same time, because a start loads the machine more than a game does."""
START_TRIES = 3
"""If a bot has failed to start this many times, the table plays without the bot."""


def side_of(entry: BotEntry) -> Side:
    """Returns a bot's side, which says how the bot is started."""
    return Side("folder", str(entry.folder), entry.name) if entry.folder else Side("command", entry.command, entry.name)


class LatestFaults(Record):
    """Keeps a bot's latest fault of each kind."""

    def __init__(self) -> None:
        self._latest: dict[Fault, BotFault] = {}

    def record_fault(self, bot_fault: BotFault) -> None:
        if not bot_fault.late:
            self._latest[bot_fault.fault] = bot_fault

    def describe(self, fault: Fault) -> str:
        """Describes a fault in the same words as the command `highnoon probe`."""
        return describe_fault(fault, list(self._latest.values()))


class TableBots(AsyncExitStack):
    """A set of bot instances that play one table at a time. The bots stop when the context ends."""

    def __init__(
        self, contest_id: str, entrants: Sequence[Entrant], work_folder: Path, shared_runner: SharedRunner | None
    ) -> None:
        """`entrants` are all bots of the evening. Temporary files go into the folder `work_folder`."""
        super().__init__()
        self.missing: dict[int, str] = {}
        """Why bots could not be started, keyed by bot number. These bots fold at every table."""
        self._faults = {entrant.bot: LatestFaults() for entrant in entrants}
        self._room = DealRoom(1)
        self._table = 0
        self._bots: dict[int, ConnectedBot] = {}
        self._launcher = BotLauncher(
            contest_id,
            entrants,
            self._on_bot_event,
            work_folder,
            lambda _: None,
            shared_runner=shared_runner,
            make_record=self._faults.__getitem__,
            environment=PYTHON_VARIABLES,
        )

    async def start(self, sides: Mapping[int, Side], start_slots: asyncio.Semaphore) -> None:
        """Starts the bots in `sides`, keyed by bot number. `start_slots` limits how many bots start at a time."""
        await self.enter_async_context(self._launcher)
        await asyncio.gather(*(self._start(bot, side, start_slots) for bot, side in sides.items()))

    async def _start(self, bot: int, side: Side, start_slots: asyncio.Semaphore) -> None:
        try:
            async with start_slots:
                self._bots[bot] = await self._launcher.launch(bot, side, b"")
        except (Refusal, CannotRun, OSError) as error:
            self.missing[bot] = str(error)

    def memory_bytes(self) -> int:
        """Returns how many bytes of memory the programs without a box use now. Takes some milliseconds."""
        return sum(memory_of_tree(program.pid) for program in tuple(self._launcher.unboxed))

    async def play(
        self, deal: Deal, table: int, entrants: tuple[Entrant, ...], recorded_events: Sequence[Event] = ()
    ) -> DealTable:
        """Plays table `table` (from 0) of a deal. `entrants` are the table's bots in seat order.

        The table continues after the `recorded_events`. Raises Diverged if the rules contradict these events.
        """
        self._table = table
        for entrant in entrants:
            if why := self.missing.get(entrant.bot):
                self._on_bot_event(BotDisconnected(entrant.bot, why))
        bots = tuple(self._bots.get(entrant.bot, AbsentBot()) for entrant in entrants)
        (played_table,) = await self._room.play(deal, [(entrants, bots, recorded_events)], table)
        return played_table

    def faults_at(self, table: DealTable) -> dict[int, str]:
        """Describes the latest mistake that each bot made at `table` when it had to act, keyed by bot number."""
        actions = [event for event in table.log.events if isinstance(event, ActionTaken) and event.fault]
        latest_faults = {table.seats[action.seat]: action.fault for action in actions}
        return {bot: self._faults[bot].describe(fault) for bot, fault in latest_faults.items()}

    def _on_bot_event(self, event: Event) -> None:
        self._room.add_bot_event(self._table, event)


class TablePlayer(Protocol):
    """Plays tables of deals with new instances of the bots, on this machine or on workers (other machines)."""

    missing: dict[int, str]
    """Why bots could not be started, keyed by bot number."""
    faults: dict[int, str]
    """The latest mistake that each bot made when it had to act, keyed by bot number."""

    async def play(
        self, deal: Deal, table: int, entrants: tuple[Entrant, ...], recorded_events: Sequence[Event] = ()
    ) -> DealTable:
        """Plays table number `table` (from 0) of a deal, after the `recorded_events`."""


class LocalTablePlayer:
    """Plays each table of each deal with new instances of its bots, and then stops these instances."""

    def __init__(  # noqa: PLR0917 (who plays what, and where)
        self,
        contest_id: str,
        entrants: Sequence[Entrant],
        sides: Mapping[int, Side],
        shared_runner: SharedRunner | None,
        work_folder: Path,
        tables_at_once: int = 1,
        *,
        tries: int = START_TRIES,
        all_must_start: bool = False,
    ) -> None:
        """`sides` says how each bot is started. At most `tables_at_once` tables have running bots at the same time.
        Files go into `work_folder`, in a folder for each table.

        If a bot fails to start at a table `tries` times, the bot folds at this table. With `all_must_start`, a table
        without all of its bots is not played at all.
        """
        self.missing: dict[int, str] = {}
        """Why bots could not be started, keyed by bot number."""
        self.faults: dict[int, str] = {}
        """The latest mistake that each bot made when it had to act, keyed by bot number."""
        self._tries = tries
        self._all_must_start = all_must_start
        self._contest_id = contest_id
        self._entrants = entrants
        self._sides = sides
        self._shared_runner = shared_runner
        self._work_folder = work_folder
        self._table_slots = asyncio.Semaphore(tables_at_once)
        self._start_slots = asyncio.Semaphore(STARTS_AT_ONCE)

    async def play(
        self, deal: Deal, table: int, entrants: tuple[Entrant, ...], recorded_events: Sequence[Event] = ()
    ) -> DealTable:
        """Plays table number `table` (from 0) of a deal. Raises CannotRun if all bots must start and a bot cannot be
        started.
        """
        work = self._work_folder / f"table-{table + 1}"
        work.mkdir(parents=True, exist_ok=True)
        sides = {entrant.bot: self._sides[entrant.bot] for entrant in entrants if entrant.bot in self._sides}
        async with self._table_slots:
            for attempt in range(1, self._tries + 1):
                async with TableBots(self._contest_id, self._entrants, work, self._shared_runner) as bots:
                    await bots.start(sides, self._start_slots)
                    if bots.missing and (self._all_must_start or attempt < self._tries):
                        continue
                    played_table = await bots.play(deal, table, entrants, recorded_events)
                    self.missing.update(bots.missing)
                    self.faults.update(bots.faults_at(played_table))
                    return played_table
        raise CannotRun("; ".join(bots.missing.values()))
