"""Plays a trial deal before a tournament of deals, to see how long the bots take and which bots do not answer.

In a deal, all tables play the same cards, and every bot has every seat once. The trial deal has its own seed and its
own instances of the bots, and its result is not published.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from server.app.evening.table_bots import STARTS_AT_ONCE, LocalTablePlayer, TableBots, TablePlayer
from server.app.sparring.sides import Side
from server.bots.sandbox.shared_runner import SharedRunner
from server.game.deals import deal_rules, deal_seat_orders
from server.game.events import ActionTaken, Entrant
from server.game.formats import Format
from server.shuffle import fresh_seed
from server.text.grammar import count_text, duration_text, out_of, rough_duration_text
from server.tournament.play_deal import Deal, DealTable, deal_keys

TRIAL_SECONDS = 300.0
"""After this many seconds, the trial deal ends, so that slow bots do not delay the evening."""
MEASURE_SECONDS = 0.2
"""The pause between two measurements of the memory that the bots take."""
DECISIONS_PER_HAND = 3
"""About how many decisions a bot makes in a hand. The estimate of a deal's longest time uses this number."""


class TrialDeal(AsyncExitStack):
    """A trial deal. Its bots stop when the context ends."""

    def __init__(  # noqa: PLR0917 (every argument is needed)
        self,
        contest_format: Format,
        entrants: Sequence[Entrant],
        sides: Mapping[int, Side],
        shared_runner: SharedRunner | None,
        on_progress: Callable[[str], object] = lambda _: None,
        seconds: float = TRIAL_SECONDS,
    ) -> None:
        """`sides` says how each bot is started, keyed by bot number. `on_progress` is called with the progress as text.

        The bots play for at most `seconds`.
        """
        super().__init__()
        self._max_seconds = seconds
        last_stage = contest_format.stages[-1]
        self._contest_format = contest_format
        self._entrants = {entrant.bot: entrant for entrant in entrants}
        self._sides = sides
        self._shared_runner = shared_runner
        self._on_progress = on_progress
        self._start_slots = asyncio.Semaphore(STARTS_AT_ONCE)
        self._seats = min(last_stage.seats, len(sides))
        bots, starts = list(sides), range(0, len(sides), self._seats)
        self._groups = [bots[min(start, len(bots) - self._seats) :][: self._seats] for start in starts]
        """Groups of bots. Each group fills one table, and every bot is in a group."""
        self.missing: dict[int, str] = {}
        """Why bots could not be started, keyed by bot number."""
        self._deal = Deal(
            deal_rules(contest_format.rules, 1),
            1,
            last_stage.hands,
            (contest_format.starting_stack,) * self._seats,
            deal_keys(fresh_seed(), 1, last_stage.hands),
        )
        self._work_folder = Path()
        self._seconds_left = seconds
        self._lanes: list[TableBots] = []
        """Lanes are sets of bot instances. All lanes play at the same time. Each lane plays one table at a time."""
        self.unboxed_bytes = 0
        """The peak memory of all bots without a box, with one instance of each bot, in bytes."""
        self._request_counts = Counter[int]()
        self._failure_counts = Counter[int]()
        self._fault_texts: dict[int, str] = {}
        self._finished_tables = 0
        """How many tables of the deal are over. The latest table ended after `_finished_seconds` seconds."""
        self._finished_seconds = 0.0

    async def __aenter__(self) -> "TrialDeal":
        self._work_folder = Path(
            self.enter_context(TemporaryDirectory(prefix="highnoon-trial-", ignore_cleanup_errors=True))
        )
        return self

    async def play_each_bot(self) -> None:
        """Lets every bot play at a table, until the time is up. The tables play one after the other."""
        lane = await self._add_lane()
        watch_task = asyncio.create_task(self._watch_memory(lane))
        try:
            self._on_progress("a trial deal: starting the bots")
            await lane.start(self._sides, self._start_slots)
            self._on_progress("a trial deal, one table first")
            async with self._time_limit():
                for group in self._groups:
                    await self._play(lane, 0, group)
        except TimeoutError:
            pass
        finally:
            watch_task.cancel()
        await self._measure_memory(lane)

    async def play_all_tables(self, tables_at_once: int) -> None:
        """Plays the whole deal, but stops when the time is up. Plays `tables_at_once` tables at the same time."""
        tables = self._list_tables()

        async def play_in(lane: TableBots) -> None:
            while tables:
                number, seats = tables.popleft()
                await self._play(lane, number, seats)
                self._count_table(started_at)

        while len(self._lanes) < tables_at_once and self._seconds_left > 0:
            await (await self._add_lane()).start(self._sides, self._start_slots)
        started_at = time.monotonic()
        with suppress(TimeoutError):
            async with self._time_limit(), asyncio.TaskGroup() as group:
                for lane in self._lanes[:tables_at_once]:
                    group.create_task(play_in(lane))

    async def play_all_tables_anew(self, tables_at_once: int) -> None:
        """Plays the whole deal like `play_all_tables`, but with new instances of the bots at each table."""
        await self._lanes[0].aclose()
        sides = {bot: side for bot, side in self._sides.items() if bot not in self.missing}
        entrants, work = list(self._entrants.values()), self._work_folder / "anew"
        await self.play_all_tables_by(
            LocalTablePlayer(self._contest_format.contest, entrants, sides, self._shared_runner, work, tables_at_once),
            self._groups[:1],
        )

    async def play_all_tables_by(self, player: TablePlayer, groups: Sequence[Sequence[int]] | None = None) -> None:
        """Lets `player` play the whole deal with the first group of bots. Then lets `player` play one table with each
        further group. Stops when the time is up.

        Each group fills a table. By default, the groups contain all bots.
        """

        async def play(number: int, seats: Sequence[int]) -> None:
            table = await player.play(self._deal, number, tuple(self._entrants[bot] for bot in seats))
            self._count_decisions(table, player.missing, player.faults)

        async def play_in_time(number: int, seats: Sequence[int]) -> None:
            await play(number, seats)
            self._count_table(started_at)

        started_at = time.monotonic()
        with suppress(TimeoutError):
            async with self._time_limit():
                async with asyncio.TaskGroup() as tasks:
                    for number, seats in self._list_tables():
                        tasks.create_task(play_in_time(number, seats))
                for group in (self._groups if groups is None else groups)[1:]:
                    await play(0, group)

    @asynccontextmanager
    async def _time_limit(self) -> AsyncIterator[None]:
        """Raises TimeoutError once the trial's time is used up. Only the time inside such contexts counts."""
        started_at = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds_left):
                yield
        finally:
            self._seconds_left = max(0.0, self._seconds_left - (time.monotonic() - started_at))

    def _list_tables(self) -> deque[tuple[int, tuple[int, ...]]]:
        """Returns the number of each table of the deal, with the table's bots in seat order."""
        return deque(enumerate(deal_seat_orders(self._groups[0])))

    def _count_table(self, started_at: float) -> None:
        self._finished_tables, self._finished_seconds = self._finished_tables + 1, time.monotonic() - started_at
        self._on_progress(f"a trial deal, {out_of(self._finished_tables, self._seats)} tables")

    async def _add_lane(self) -> TableBots:
        work = self._work_folder / f"{len(self._lanes)}"
        work.mkdir()
        lane = TableBots(self._contest_format.contest, list(self._entrants.values()), work, self._shared_runner)
        self._lanes.append(await self.enter_async_context(lane))
        return lane

    async def _watch_memory(self, lane: TableBots) -> None:
        while True:
            await self._measure_memory(lane)
            await asyncio.sleep(MEASURE_SECONDS)

    async def _measure_memory(self, lane: TableBots) -> None:
        self.unboxed_bytes = max(self.unboxed_bytes, await asyncio.to_thread(lane.memory_bytes))

    async def _play(self, lane: TableBots, number: int, seats: Sequence[int]) -> None:
        table = await lane.play(self._deal, number, tuple(self._entrants[bot] for bot in seats))
        self._count_decisions(table, lane.missing, lane.faults_at(table))

    def _count_decisions(self, table: DealTable, missing: Mapping[int, str], faults: Mapping[int, str]) -> None:
        self.missing.update(missing)
        self._fault_texts.update(faults)
        for event in table.log.events:
            if isinstance(event, ActionTaken):
                self._request_counts[table.seats[event.seat]] += 1
                self._failure_counts[table.seats[event.seat]] += bool(event.fault)

    # -- the trial's findings

    def faults(self) -> dict[int, str]:
        """Describes the mistakes of the started bots. The texts are keyed by bot number."""
        return {
            bot: f"no valid answer to {failed} of "
            f"{count_text(self._request_counts[bot], 'request')} in the trial deal: {why}"
            for bot, why in self._fault_texts.items()
            if (failed := self._failure_counts[bot]) and bot not in self.missing
        }

    def describe_time(self, deals: int, tables_at_once: int) -> str:
        """Returns a sentence that says how long `deals` deals will take, as measured in the trial. The sentence also
        says how long the deals take if every bot uses all of its time. `tables_at_once` tables play at a time.
        """
        think_ms, hands = self._contest_format.rules.think_ms, self._deal.hands
        rounds = -(-self._seats // tables_at_once)
        max_seconds = deals * rounds * self._seats * hands * DECISIONS_PER_HAND * think_ms / 1000
        return (
            f"{self._describe_measured_time(deals)}, at most about {duration_text(max_seconds)} if every bot used all "
            "of its time"
        )

    def _describe_measured_time(self, deals: int) -> str:
        deals_text, tables = count_text(deals, "deal"), f"{out_of(self._finished_tables, self._seats)} tables"
        if not self._finished_tables:
            return f"{deals_text}: no table of the trial deal was over after {duration_text(self._max_seconds)}"
        deal_seconds = self._finished_seconds / self._finished_tables * self._seats
        sample = f"a trial deal of {duration_text(deal_seconds)}"
        if self._finished_tables < self._seats:
            sample = f"{tables} of a trial deal, in {duration_text(self._finished_seconds)}"
        return f"{rough_duration_text(deal_seconds * deals)} for {deals_text} (measured by {sample})"
