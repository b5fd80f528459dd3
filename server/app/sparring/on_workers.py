"""Plays a sparring match on workers (other machines). Each order makes a worker play several deals. The results are
counted as if one machine had played all deals.

Bots restart with each order. So a bot that learns from hands can remember fewer hands than on a single machine.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from broadcast.odds.earned import EarnedByBot
from server.app.sparring.deals_job import DEALS_JOB, DealsOrder, VerifiedDeal, VerifiedDeals, verify_deals
from server.app.sparring.mirrored_tables import entrants_in_seat_order, sparring_format, table_recording_path
from server.app.sparring.sides import Side, boxed_submission, command_submission
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import Event
from server.journal.bus import Bus
from server.journal.journal import Entry, Journal
from server.submissions.command_bots import BOT_JSON
from server.submissions.folder_rules import digest_of
from server.tournament.director import Director
from server.workers.abilities import CORES_PER_GAME, CORES_RESOURCE, languages_in
from server.workers.worker_messages import Done, encode

if TYPE_CHECKING:
    from server.workers.connection import KnownWorker
    from server.workers.work_dispatcher import WorkDispatcher

DEALS_PER_ORDER = 50
"""How many deals a worker gets in one order."""


class SentBots(Struct, frozen=True):
    """What workers need for a match: the sides, the bots' folders (keyed by digest), and the programming languages that
    the bots need.
    """

    sides: tuple[Side, ...]
    folders: Mapping[str, Path]
    languages: frozenset[str]

    @property
    def cores(self) -> int:
        """How many processors a match needs: one for each bot in a folder, but at least `CORES_PER_GAME`."""
        return max(CORES_PER_GAME, sum(side.kind == "folder" for side in self.sides))


def prepare_for_workers(sides: Sequence[Side], contest_id: str, work_folder: Path) -> SentBots:
    """Prepares `sides` for workers. Archives are unpacked to `work_folder`.

    Raises OSError. Raises Refusal if a side can play only on this machine, or if a folder is not a valid submission.
    """
    sent_sides, folders, commands = [], dict[str, Path](), []
    for number, side in enumerate(sides, 1):
        if side.kind not in ("house", "folder"):
            raise Refusal(f"{side.text} cannot be sent: workers take only folders and house styles")
        if side.kind == "house":
            sent_sides.append(side)
            continue
        if CONTESTS[contest_id].marker_file == BOT_JSON:
            submission = command_submission(side, work_folder / f"sent-{number}")
            folder, command_text = submission.folder, f"{submission.build} {submission.run}"
        else:
            folder = boxed_submission(side, work_folder / f"sent-{number}").folder
            command_text = (folder / "Dockerfile").read_text(encoding="utf-8", errors="replace")
        digest = digest_of(folder)
        folders[digest] = folder
        commands.append(command_text)
        sent_sides.append(replace(side, text=digest))
    return SentBots(tuple(sent_sides), folders, languages_in(" ".join(commands)))


async def play_on_workers(  # noqa: PLR0917 (the parameters say who plays, what is played, and who is told)
    dispatcher: "WorkDispatcher",
    sent_bots: SentBots,
    full_order: DealsOrder,
    on_deal: Callable[[Sequence[EarnedByBot]], bool],
    on_event: Callable[[Event], object],
    recordings_folder: Path | None,
) -> None:
    """Plays a match until `on_deal` ends it. If `recordings_folder` is given, writes a recording of each table to this
    folder.

    `full_order` is one order for all deals, which is split into small orders. After each deal, calls `on_event` with
    each event of the deal. Then calls `on_deal` with the deal's `units`: the bots' earnings at each table. `on_deal`
    returns whether to continue. Raises BotLeft if a bot disconnects. Raises OSError if no worker can play or a
    recording cannot be written.
    """
    recordings = _Recordings(recordings_folder, full_order)
    order_tasks = deque[asyncio.Task[VerifiedDeals]]()
    first_deals = iter(range(1, full_order.deals + 1, DEALS_PER_ORDER))
    try:
        while True:
            order_count = max(1, 2 * dispatcher.max_open_orders(sent_bots.cores))
            while len(order_tasks) < order_count and (first := next(first_deals, 0)):
                order_tasks.append(asyncio.create_task(_play_order(dispatcher, sent_bots, full_order, first)))
            if not order_tasks[0].done():
                change = asyncio.create_task(dispatcher.connection.wait_for_change())
                await asyncio.wait({order_tasks[0], change}, return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
                continue
            verified = order_tasks.popleft().result()
            for deal in verified.deals:
                recordings.add(verified, deal)
                for entry in chain.from_iterable(deal.entries):
                    on_event(entry.event)
                if not on_deal(deal.units):
                    return
            if verified.bot_left:
                raise verified.bot_left
    finally:
        for task in order_tasks:
            task.cancel()
        await asyncio.gather(*order_tasks, return_exceptions=True)
        await recordings.end()


async def _play_order(
    dispatcher: "WorkDispatcher", sent_bots: SentBots, full_order: DealsOrder, first: int
) -> VerifiedDeals:
    from server.workers.work_dispatcher import Work  # noqa: PLC0415 - Dask is installed only where workers are used

    order = replace(full_order, first=first, count=min(DEALS_PER_ORDER, full_order.deals + 1 - first))
    name = f"deals {first} to {first + order.count - 1}"

    async def verify_result(done: Done, _worker: "KnownWorker") -> VerifiedDeals:
        return await asyncio.to_thread(verify_deals, done.result, order)

    work = Work(
        name, DEALS_JOB, encode(order), {CORES_RESOURCE: float(sent_bots.cores)}, sent_bots.folders, sent_bots.languages
    )
    return await dispatcher.do_on_worker(work, verify_result)


class _Recordings:
    """The recordings of all tables, written as if this machine had played the match. If the folder is None, writes no
    recordings.
    """

    def __init__(self, folder: Path | None, order: DealsOrder) -> None:
        """Starts the recordings. Raises OSError."""
        self._order = order
        tables = range(len(order.sides))
        self._journals = [Journal(table_recording_path(folder, table)) for table in tables] if folder else []
        self._last_entries = [Entry(0, 0, Event()) for _ in tables]

    def add(self, verified: VerifiedDeals, deal: VerifiedDeal) -> None:
        """Adds a deal to the recordings. Raises OSError."""
        for table, (journal, entries) in enumerate(zip(self._journals, deal.entries, strict=False)):
            last_entry = self._last_entries[table]
            opening = [] if last_entry.seq else verified.openings[table]
            offset_ms = last_entry.at_ms - (opening or entries)[0].at_ms
            new_entries = [
                Entry(number, offset_ms + entry.at_ms, entry.event)
                for number, entry in enumerate([*opening, *entries], last_entry.seq + 1)
            ]
            journal.append(new_entries)
            self._last_entries[table] = new_entries[-1]

    async def end(self) -> None:
        """Ends each recording with the events that follow the last deal. Raises OSError."""
        order = self._order
        contest_format = sparring_format(order.contest, order.deals, len(order.sides))
        for table, journal in enumerate(self._journals):
            journal.close()
            resumed, recording = Journal.resume(journal.path)
            bus = Bus(resumed, time.monotonic)
            bus.load(recording.entries)
            entrants = entrants_in_seat_order(order.entrants, table)
            await Director(contest_format, entrants, seed=order.seed, bus=bus, is_stage_cut=lambda: True).run()
            bus.close()
