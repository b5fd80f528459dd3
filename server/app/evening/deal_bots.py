"""Starts the bots of an evening of deals. In a deal, several tables play the same cards.

Each bot is started once for each table, so no instance sees the same cards twice. A bot in a folder is built once and
runs in boxes (sandboxes). A command is a program that the organiser trusts. It runs without a box, but does not get the
secrets in the server's environment variables.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec.structs import replace

from server.app.evening.boxed_bots import BotEntry
from server.app.evening.card_room import CardRoom
from server.app.evening.deal_memory import DealMemory
from server.app.evening.deals_on_workers import WorkersTables
from server.app.evening.table_bots import STARTS_AT_ONCE, NewBots, side_of
from server.app.evening.trial_deal import TrialDeal
from server.app.sparring.on_workers import prepare_for_workers
from server.app.sparring.seats import Seats
from server.bots.sandbox.boxes import Boxes
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Runner
from server.child_environment import OUR_PYTHON
from server.console import ProgressLine, say
from server.errors import Refusal
from server.game.events import Entrant
from server.game.formats import Format
from server.system.processes import free_memory, processors
from server.text.characters import printable
from server.text.grammar import counted

if TYPE_CHECKING:
    from server.workers.asking import Asking

TALKATIVE = (
    'with runner = "light", instances of a bot can signal each other by locks on files that all light boxes share. So '
    "they can tell the next table the cards. Docker's boxes keep the instances apart"
)
"""The warning to an organiser who chose light boxes."""


class DealBots:
    """Starts and stops the bots of an evening of deals."""

    def __init__(
        self, room: CardRoom, contest: Format, entrants: Sequence[Entrant], entries: Sequence[BotEntry], logs: Path
    ) -> None:
        """The bots' output goes into the folder `logs`, in a subfolder for each table."""
        self._room = room
        self._contest = contest
        self._entrants = entrants
        self._entries = entries
        self._tables = min(contest.stages[-1].seats, len(entries))
        self._logs = logs
        self._starting = asyncio.Semaphore(STARTS_AT_ONCE)

    async def start(
        self, runner: Runner | None, closing: AsyncExitStack, *, resumed: bool, free_bytes: int | None = None
    ) -> None:
        """Starts all bots at every table, and prints a line for each bot. The bots stop when `closing` ends.

        First plays a trial deal, and prints how long the evening will take and how much memory it needs. A `resumed`
        evening plays a trial deal only if it must measure memory.

        `runner` runs the boxes; it is None if no bot has one. `free_bytes` is by default this machine's free memory. If
        not all bots fit into it, each bot is started only when its table plays. Raises Refusal if even one table might
        need too much memory.
        """
        entries, tables = self._entries, self._tables
        say(f"starting {counted(len(entries), 'bot')} at {counted(tables, 'table')}; their output is in {self._logs}")
        boxes = Boxes(runner) if runner else None
        if runner:
            closing.push_async_callback(runner.close)
        boxed = sum(entry.folder is not None for entry in entries)
        free = free_memory() if free_bytes is None else free_bytes
        memory, faults = DealMemory(free, tables, max(1, len(entries)), boxed), dict[int, str]()
        memory.tables_at_once()  # raises Refusal before anything is started
        if tables > 1 and not (resumed and boxed == len(entries)):
            memory, faults = await self._try_bots(memory, boxes, timed=not resumed)
        if entries:
            say(f"  {memory.describe()}")
        if (fit := memory.tables_at_once()) == tables:
            await self._start_at_all_tables(boxes, closing)
        else:
            self._start_anew_at_each_table(boxes, min(processors(), fit))
        for bot, fault in faults.items():
            self._room.health.mark(bot, note=fault)
        for note in runner.notes if runner else ():
            say(f"  {note}")

    async def _try_bots(
        self, memory: DealMemory, boxes: Boxes | None, *, timed: bool
    ) -> tuple[DealMemory, dict[int, str]]:
        """Plays a trial deal. Returns `memory` with the measured values, and the bots' faults."""
        line, sides = ProgressLine(), {entry.bot: side_of(entry) for entry in self._entries}
        async with TrialDeal(self._contest, self._entrants, sides, boxes, partial(self._show_trial, line)) as trial:
            await trial.play_each_bot()
            memory = replace(memory, unboxed_bytes=trial.unboxed_bytes)
            fit = memory.tables_at_once()
            at_once = min(processors(), fit)
            if timed:
                await (trial.play_all_tables if fit == self._tables else trial.play_all_tables_anew)(at_once)
            line.end()
            missing, faults = trial.missing, trial.faults()
        self._report(missing, faults)
        if timed:
            say(f"  {trial.describe_time(self._contest.deals_for(len(sides)), at_once)}")
        return memory, faults

    def _report(self, missing: Mapping[int, str], faults: Mapping[int, str]) -> None:
        """Prints the bots' mistakes in the trial deal. Removes the entries of bots that could not be started."""
        for entry in self._entries:
            if why := missing.get(entry.bot):
                self._cannot_play(entry, why)
            elif fault := faults.get(entry.bot):
                say(f"  {printable(entry.name)}: {printable(fault)}")
        self._entries = [entry for entry in self._entries if entry.bot not in missing]

    def _show_trial(self, line: ProgressLine, doing: str) -> None:
        self._room.health.preparing = doing
        line.show("  a trial deal, which nobody sees", doing.removeprefix("a trial deal"))

    async def start_on_workers(
        self,
        asking: "Asking",
        sandbox: str,
        environment: BoxEnvironment,
        closing: AsyncExitStack,
        *,
        resumed: bool,
    ) -> None:
        """Lets workers play all tables, in boxes of the kind `sandbox`, which `environment` describes.

        Unless the evening is `resumed`, the workers first play a trial deal, and this machine prints how long the
        evening will take. Raises Refusal if a bot cannot be sent to workers.
        """
        work = Path(closing.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
        sides = {entry.bot: side_of(entry) for entry in self._entries}
        sent = prepare_for_workers(list(sides.values()), self._contest.contest, work)
        tables = WorkersTables(asking, self._contest.contest, list(sides), sent, sandbox, environment)
        say(f"all tables are played by the workers of {asking.connection.address}, with one processor for each bot")
        if not tables.at_once(self._tables):
            needed = [counted(self._tables, "processor"), f"boxes: {sandbox}", *sorted(sent.languages)]
            self._room.health.preparing = f"waiting for a worker with {', '.join(needed)}"
            say(f"  {self._room.health.preparing}")
            await tables.wait_for_workers(self._tables)
        faults = dict[int, str]()
        if self._tables > 1 and not resumed:
            line, at_once = ProgressLine(), tables.at_once(self._tables)
            async with TrialDeal(self._contest, self._entrants, sides, None, partial(self._show_trial, line)) as trial:
                await trial.play_all_tables_by(tables)
            line.end()
            faults = trial.faults()
            self._report(trial.missing, faults)
            say(f"  {trial.describe_time(self._contest.deals_for(len(sides)), max(1, at_once))}")
        self._room.director.play_deals_by(tables.play, [entry.bot for entry in self._entries])
        for entry in self._entries:
            self._room.health.mark(entry.bot, box="on workers", note=faults.get(entry.bot, ""))

    async def _start_at_all_tables(self, boxes: Boxes | None, closing: AsyncExitStack) -> None:
        seats = []
        for table in range(self._tables):
            folder = self._logs / f"table-{table + 1}"
            folder.mkdir(parents=True, exist_ok=True)
            hear = partial(self._room.director.hear_at, table)
            at_table = Seats(
                self._contest.contest,
                self._entrants,
                hear,
                folder,
                lambda _: None,
                boxes=boxes,
                environment=OUR_PYTHON,
            )
            seats.append(await closing.enter_async_context(at_table))
        await asyncio.gather(*(self._start(entry, seats) for entry in self._entries))

    def _start_anew_at_each_table(self, boxes: Boxes | None, at_once: int) -> None:
        sides = {entry.bot: side_of(entry) for entry in self._entries}
        bots = NewBots(self._contest.contest, self._entrants, sides, boxes, self._logs, at_once)
        self._room.director.play_deals_by(bots.play, sides)
        for entry in self._entries:
            self._room.health.mark(entry.bot, box="new at each table")

    async def _start(self, entry: BotEntry, seats: Sequence[Seats]) -> None:
        """Starts one bot at every table. A bot that fails at one table plays at none."""
        room = self._room
        room.health.mark(entry.bot, state="starting")
        started = []
        try:
            for at_table in seats:
                async with self._starting:
                    started.append(await at_table.seat(entry.bot, side_of(entry), b""))
        except (Refusal, CannotRun, OSError) as error:
            self._cannot_play(entry, f"at table {len(started) + 1}: {error}")
            return
        for table, bot in enumerate(started):
            room.director.welcome_at(table, bot)
        where = "in boxes" if entry.folder else "without boxes"
        room.health.mark(entry.bot, box=f"{counted(len(started), 'program')}, {where}")
        say(f"  {printable(entry.name)}: {counted(len(started), 'program')}, one for each table, {where}")

    def _cannot_play(self, entry: BotEntry, why: str) -> None:
        self._room.health.mark(entry.bot, note=why, state="missing")
        say(f"  {printable(entry.name)}: {printable(why)}")
