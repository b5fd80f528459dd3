"""Starts the bots of an evening (a tournament) of deals. In a deal, several tables play the same cards.

Each table has its own instance of each bot, so no instance sees the same cards twice. A bot in a folder is built once
and runs in boxes (sandboxes). A bot given as a command is a program that the organiser trusts. It runs without a box,
but does not get the secrets in the server's environment variables.
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
from server.app.evening.deals_on_workers import WorkerTablePlayer
from server.app.evening.table_bots import STARTS_AT_ONCE, LocalTablePlayer, side_of
from server.app.evening.trial_deal import TrialDeal
from server.app.sparring.bot_launcher import BotLauncher
from server.app.sparring.on_workers import prepare_for_workers
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Runner
from server.bots.sandbox.shared_runner import SharedRunner
from server.child_environment import PYTHON_VARIABLES
from server.console import ProgressLine, say
from server.errors import Refusal
from server.game.events import Entrant
from server.game.formats import Format
from server.system.processes import free_memory, processor_count
from server.text.characters import printable
from server.text.grammar import count_text

if TYPE_CHECKING:
    from server.workers.work_dispatcher import WorkDispatcher

LIGHT_BOXES_WARNING = (
    'with runner = "light", instances of a bot can signal each other by locks on files that all light boxes share. So '
    "they can tell the next table the cards. Docker's boxes keep the instances apart"
)
"""The warning that is printed if the organiser has chosen light boxes."""


class DealBots:
    """Starts the bots of an evening of deals."""

    def __init__(
        self,
        room: CardRoom,
        contest_format: Format,
        entrants: Sequence[Entrant],
        entries: Sequence[BotEntry],
        logs: Path,
    ) -> None:
        """The bots' output goes into the folder `logs`, in a subfolder for each table."""
        self._room = room
        self._contest_format = contest_format
        self._entrants = entrants
        self._entries = entries
        self._table_count = min(contest_format.stages[-1].seats, len(entries))
        self._logs = logs
        self._start_slots = asyncio.Semaphore(STARTS_AT_ONCE)

    async def start(
        self, runner: Runner | None, exit_stack: AsyncExitStack, *, resumed: bool, free_bytes: int | None = None
    ) -> None:
        """Starts all bots at every table, and prints a line for each bot. The bots stop when `exit_stack` ends.

        If there are several tables, first plays a trial deal, and prints how long the evening will take. Also prints
        how much memory the evening needs. In a `resumed` evening, the trial deal only measures the memory of bots
        without boxes. If all bots have boxes, a resumed evening needs no trial deal.

        `runner` runs the boxes, and is None if no bot has a box. By default, `free_bytes` is this machine's free
        memory. If this memory is too small for all bots, each table starts its bots only when the table plays. Raises
        Refusal if even one table might need too much memory.
        """
        entries, table_count = self._entries, self._table_count
        say(
            f"starting {count_text(len(entries), 'bot')} at {count_text(table_count, 'table')}; their output "
            f"is in {self._logs}"
        )
        shared_runner = SharedRunner(runner) if runner else None
        if runner:
            exit_stack.push_async_callback(runner.close)
        boxed_count = sum(entry.folder is not None for entry in entries)
        available_bytes = free_memory() if free_bytes is None else free_bytes
        memory, faults = DealMemory(available_bytes, table_count, max(1, len(entries)), boxed_count), dict[int, str]()
        memory.tables_at_once()  # raises Refusal before anything is started
        if table_count > 1 and not (resumed and boxed_count == len(entries)):
            memory, faults = await self._play_trial_deal(memory, shared_runner, timed=not resumed)
        if entries:
            say(f"  {memory.describe()}")
        if (fitting_tables := memory.tables_at_once()) == table_count:
            await self._start_at_all_tables(shared_runner, exit_stack)
        else:
            self._start_anew_at_each_table(shared_runner, min(processor_count(), fitting_tables))
        for bot, fault in faults.items():
            self._room.health.update_bot(bot, note=fault)
        for remark in runner.remarks if runner else ():
            say(f"  {remark}")

    async def _play_trial_deal(
        self, memory: DealMemory, shared_runner: SharedRunner | None, *, timed: bool
    ) -> tuple[DealMemory, dict[int, str]]:
        """Plays a trial deal. Returns `memory` with the measured values, and the bots' faults. If `timed`, also
        measures and prints how long deals take.
        """
        line, sides = ProgressLine(), {entry.bot: side_of(entry) for entry in self._entries}
        async with TrialDeal(
            self._contest_format, self._entrants, sides, shared_runner, partial(self._show_trial, line)
        ) as trial:
            await trial.play_each_bot()
            memory = replace(memory, unboxed_bytes=trial.unboxed_bytes)
            fitting_tables = memory.tables_at_once()
            tables_at_once = min(processor_count(), fitting_tables)
            if timed:
                await (trial.play_all_tables if fitting_tables == self._table_count else trial.play_all_tables_anew)(
                    tables_at_once
                )
            line.end()
            missing, faults = trial.missing, trial.faults()
        self._report_faults(missing, faults)
        if timed:
            say(f"  {trial.describe_time(self._contest_format.max_deals_for(len(sides)), tables_at_once)}")
        return memory, faults

    def _report_faults(self, missing: Mapping[int, str], faults: Mapping[int, str]) -> None:
        """Prints the bots' mistakes in the trial deal. Removes the entries of bots that could not be started."""
        for entry in self._entries:
            if why := missing.get(entry.bot):
                self._mark_missing(entry, why)
            elif fault := faults.get(entry.bot):
                say(f"  {printable(entry.name)}: {printable(fault)}")
        self._entries = [entry for entry in self._entries if entry.bot not in missing]

    def _show_trial(self, line: ProgressLine, doing: str) -> None:
        self._room.health.preparing = doing
        line.show("  a trial deal, which nobody sees", doing.removeprefix("a trial deal"))

    async def start_on_workers(
        self,
        dispatcher: "WorkDispatcher",
        sandbox: str,
        environment: BoxEnvironment,
        exit_stack: AsyncExitStack,
        *,
        resumed: bool,
    ) -> None:
        """Lets workers (other machines) play all tables. The workers' boxes are of the kind `sandbox`, and are set up
        as `environment` says.

        If `resumed` is false, the workers first play a trial deal, and this machine prints how long the evening will
        take. Raises Refusal if a bot cannot be sent to workers.
        """
        work_folder = Path(exit_stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
        sides = {entry.bot: side_of(entry) for entry in self._entries}
        sent_bots = prepare_for_workers(list(sides.values()), self._contest_format.contest, work_folder)
        table_player = WorkerTablePlayer(
            dispatcher, self._contest_format.contest, list(sides), sent_bots, sandbox, environment
        )
        say(f"all tables are played by the workers of {dispatcher.connection.address}, with one processor for each bot")
        if not table_player.tables_at_once(self._table_count):
            needed = [count_text(self._table_count, "processor"), f"boxes: {sandbox}", *sorted(sent_bots.languages)]
            self._room.health.preparing = f"waiting for a worker with {', '.join(needed)}"
            say(f"  {self._room.health.preparing}")
            await table_player.wait_for_workers(self._table_count)
        faults = dict[int, str]()
        if self._table_count > 1 and not resumed:
            line, tables_at_once = ProgressLine(), table_player.tables_at_once(self._table_count)
            async with TrialDeal(
                self._contest_format, self._entrants, sides, None, partial(self._show_trial, line)
            ) as trial:
                await trial.play_all_tables_by(table_player)
            line.end()
            faults = trial.faults()
            self._report_faults(trial.missing, faults)
            say(f"  {trial.describe_time(self._contest_format.max_deals_for(len(sides)), max(1, tables_at_once))}")
        self._room.director.delegate_deals(table_player.play, [entry.bot for entry in self._entries])
        for entry in self._entries:
            self._room.health.update_bot(entry.bot, box="on workers", note=faults.get(entry.bot, ""))

    async def _start_at_all_tables(self, shared_runner: SharedRunner | None, exit_stack: AsyncExitStack) -> None:
        launchers = []
        for table in range(self._table_count):
            folder = self._logs / f"table-{table + 1}"
            folder.mkdir(parents=True, exist_ok=True)
            on_event = partial(self._room.director.record_table_event, table)
            launcher = BotLauncher(
                self._contest_format.contest,
                self._entrants,
                on_event,
                folder,
                lambda _: None,
                shared_runner=shared_runner,
                environment=PYTHON_VARIABLES,
            )
            launchers.append(await exit_stack.enter_async_context(launcher))
        await asyncio.gather(*(self._start(entry, launchers) for entry in self._entries))

    def _start_anew_at_each_table(self, shared_runner: SharedRunner | None, tables_at_once: int) -> None:
        sides = {entry.bot: side_of(entry) for entry in self._entries}
        table_player = LocalTablePlayer(
            self._contest_format.contest, self._entrants, sides, shared_runner, self._logs, tables_at_once
        )
        self._room.director.delegate_deals(table_player.play, sides)
        for entry in self._entries:
            self._room.health.update_bot(entry.bot, box="new at each table")

    async def _start(self, entry: BotEntry, launchers: Sequence[BotLauncher]) -> None:
        """Starts one bot at every table. If the bot fails to start at one table, it plays at no table."""
        room = self._room
        room.health.update_bot(entry.bot, state="starting")
        started_bots = []
        try:
            for launcher in launchers:
                async with self._start_slots:
                    started_bots.append(await launcher.launch(entry.bot, side_of(entry), b""))
        except (Refusal, CannotRun, OSError) as error:
            self._mark_missing(entry, f"at table {len(started_bots) + 1}: {error}")
            return
        for table, bot in enumerate(started_bots):
            room.director.add_table_bot(table, bot)
        placement = "in boxes" if entry.folder else "without boxes"
        room.health.update_bot(entry.bot, box=f"{count_text(len(started_bots), 'program')}, {placement}")
        say(f"  {printable(entry.name)}: {count_text(len(started_bots), 'program')}, one for each table, {placement}")

    def _mark_missing(self, entry: BotEntry, why: str) -> None:
        self._room.health.update_bot(entry.bot, note=why, state="missing")
        say(f"  {printable(entry.name)}: {printable(why)}")
