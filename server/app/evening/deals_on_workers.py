"""Plays the tables of a tournament's deals on workers (other machines), with new instances of the bots at each table.

All tables of a deal have the same cards. To verify a worker's result, this machine plays the table again, with the
deal's cards and the decisions that the worker reported. This cannot prove that the bots made these decisions.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from server.app.evening.table_bots import LocalTablePlayer
from server.app.sparring.on_workers import SentBots
from server.app.sparring.sides import Side, side_at
from server.bots.sandbox.runner import BoxEnvironment
from server.console import say
from server.game.decisions import IllegalAction
from server.game.events import ANYTIME_EVENTS, ChatSent, Entrant, Event, FaultNoted, JournalEvent, NoteGiven
from server.text.characters import clip_text, printable
from server.text.names_and_chat import clean_chat, clean_thought
from server.tournament.play_deal import MAX_ANYTIME_EVENTS, Deal, DealTable, replay_table
from server.tournament.resumable_log import Diverged
from server.verify.recording import check_clock
from server.verify.refutation import ENGINE_ERRORS, Refuted
from server.workers.abilities import CORES_PER_GAME, CORES_RESOURCE, sandbox_resource
from server.workers.worker_messages import GAME_BYTES, Done, ResultRejected, decode_result, encode
from server.workers.workplace import Workplace

if TYPE_CHECKING:
    from server.workers.connection import KnownWorker
    from server.workers.work_dispatcher import WorkDispatcher

JournalEvents = tuple[JournalEvent, ...]
TABLE_JOB = "table"
MAX_REMARK_CHARACTERS = 400
"""At most this many characters of a worker's remark about a bot are kept. Longer remarks are cut off."""


class TableOrder(Struct, frozen=True):
    """An order to play table number `table` (from 0) of a deal. The entrants and their sides are in seat order.

    A side says how a bot is started. The side's `text` is the SHA-256 of the bot's files. Play continues after the
    `recorded` events.
    """

    contest: str
    deal: Deal
    table: int
    entrants: tuple[Entrant, ...]
    sides: tuple[Side, ...]
    environment: BoxEnvironment
    recorded: JournalEvents = ()
    complete: bool = True
    """Whether the table is played only if all bots start. If false, a bot that cannot start folds."""


class PlayedTable(Struct, frozen=True):
    """What happened at a table. `missing` says why bots could not start, and `faults` says what the started bots did
    wrong. Both are keyed by bot number.
    """

    events: JournalEvents
    missing: dict[int, str] = {}
    faults: dict[int, str] = {}


_read_order = msgspec.msgpack.Decoder(TableOrder).decode
_read_played = msgspec.msgpack.Decoder(PlayedTable).decode


async def play_table(workplace: Workplace, body: bytes) -> bytes:
    """Does a worker's job: plays the table of an encoded `TableOrder`. Returns an encoded `PlayedTable`.

    Raises OSError if the disk fails. Raises CannotRun if a bot cannot be started here although the order needs all
    bots.
    """
    order = _read_order(body)
    shared_runner = await workplace.shared_runner_in(order.environment)
    sides = {entrant.bot: side_at(workplace, side) for entrant, side in zip(order.entrants, order.sides, strict=True)}
    with workplace.temporary_folder() as folder:
        table_player = LocalTablePlayer(
            order.contest, order.entrants, sides, shared_runner, Path(folder), tries=1, all_must_start=order.complete
        )
        table = await table_player.play(order.deal, order.table, order.entrants, order.recorded)
    say(f"table {order.table + 1} of a deal: {', '.join(printable(entrant.name) for entrant in order.entrants)}")
    return encode(
        PlayedTable(cast("JournalEvents", tuple(table.log.events)), table_player.missing, table_player.faults)
    )


async def verify_table(result: bytes, order: TableOrder) -> tuple[DealTable, PlayedTable]:
    """Plays an encoded `PlayedTable` again, without bots, with the cards and rules of the order. Returns the table and
    what the worker reported about the bots.

    Raises ResultRejected if the reported events cannot have happened, or do not begin with the recorded events.
    """
    try:
        played_table = _read_played(decode_result(result, GAME_BYTES))
        seats = [entrant.bot for entrant in order.entrants]
        game_events = [event for event in played_table.events if not isinstance(event, ANYTIME_EVENTS)]
        if len(played_table.events) - len(game_events) > MAX_ANYTIME_EVENTS + len(game_events):
            raise Refuted("its bots have sent more chats and notes than bots may send")
        if tuple(game_events[: len(order.recorded)]) != order.recorded:
            raise Refuted("it does not begin with the recorded events")
        events = [_sanitize_event(event, seats) for event in played_table.events]
        table = await replay_table(order.deal, order.entrants, events)
        if order.deal.rules.exhibition_bank_ms is not UNSET:
            check_clock(game_events)
    except (msgspec.DecodeError, Diverged, Refuted, IllegalAction, *ENGINE_ERRORS) as error:
        raise ResultRejected(str(error)) from None
    missing, faults = (
        {bot: _sanitize_remark(remark) for bot, remark in remarks.items() if bot in seats}
        for remarks in (played_table.missing, played_table.faults)
    )
    return table, PlayedTable((), missing, faults)


def _sanitize_event(event: Event, seats: Sequence[int]) -> Event:
    """Returns the event with harmless texts, because a worker might send any text and claim that a bot wrote it. Raises
    Refuted if the bots at this table cannot cause the event.
    """
    if not isinstance(event, ANYTIME_EVENTS):
        return event  # the replay checks the events of the game itself
    if isinstance(event, ChatSent | FaultNoted | NoteGiven) and event.bot in seats:
        match event:
            case ChatSent():
                return replace(event, text=clean_chat(event.text))
            case FaultNoted():
                return replace(event, detail=_sanitize_remark(event.detail))
            case NoteGiven(thought=thought):
                return replace(
                    event, text=clean_chat(event.text), thought=(thought and clean_thought(thought)) or UNSET
                )
    raise Refuted("it has an event that bots at this table cannot cause")


def _sanitize_remark(text: str) -> str:
    return clip_text(printable(text), MAX_REMARK_CHARACTERS)


class WorkerTablePlayer:
    """Plays the tables of deals on workers."""

    def __init__(  # noqa: PLR0917 (who plays what, and where)
        self,
        dispatcher: "WorkDispatcher",
        contest_id: str,
        bots: Sequence[int],
        sent_bots: SentBots,
        sandbox: str,
        environment: BoxEnvironment,
    ) -> None:
        """`sent_bots` has the sides of `bots`, in the same order. The bots play in sandboxes of the kind `sandbox`,
        which are set up as `environment` says.
        """
        self.missing: dict[int, str] = {}
        """Why bots could not be started on any worker, keyed by bot number."""
        self.faults: dict[int, str] = {}
        """The latest mistake that each bot made when it had to act, keyed by bot number."""
        self._dispatcher = dispatcher
        self._contest_id = contest_id
        self._sides = dict(zip(bots, sent_bots.sides, strict=True))
        self._sent_bots = sent_bots
        self._environment = environment
        self._needs = {CORES_RESOURCE: 1.0, sandbox_resource(sandbox): 1.0}

    def tables_at_once(self, seats: int) -> int:
        """Returns how many tables of `seats` seats the workers can play at the same time now."""
        needs = self._needs | {CORES_RESOURCE: _cores_needed(seats)}
        workers = self._dispatcher.connection.find_able(needs, self._sent_bots.languages)
        return sum(int(worker.abilities.cores // needs[CORES_RESOURCE]) for worker in workers)

    async def wait_for_workers(self, seats: int) -> None:
        """Waits until a worker can play a table of `seats` seats."""
        while not self.tables_at_once(seats):
            await self._dispatcher.connection.wait_for_change()

    async def play(
        self, deal: Deal, table: int, entrants: tuple[Entrant, ...], recorded_events: Sequence[Event] = ()
    ) -> DealTable:
        """Plays table number `table` (from 0) of a deal on a worker, after the `recorded_events`. If the worker dies,
        another worker gets the same order.

        A bot that no worker can start folds. Raises OSError if no worker can play the table at all.
        """
        sides = tuple(self._sides[entrant.bot] for entrant in entrants)
        order = TableOrder(
            self._contest_id,
            deal,
            table,
            entrants,
            sides,
            self._environment,
            cast("JournalEvents", tuple(recorded_events)),
        )
        try:
            return await self._order_table(order)
        except OSError as error:
            say(f"  table {table + 1}: {error}; the table is played without the bots that do not start")
            return await self._order_table(replace(order, complete=False))

    async def _order_table(self, order: TableOrder) -> DealTable:
        from server.workers.work_dispatcher import Work  # noqa: PLC0415 - Dask is installed only where workers are used

        async def accept(done: Done, _worker: "KnownWorker") -> DealTable:
            table, played_table = await verify_table(done.result, order)
            self.missing.update(played_table.missing)
            self.faults.update(played_table.faults)
            return table

        cores = _cores_needed(len(order.entrants))
        folders = {side.text: self._sent_bots.folders[side.text] for side in order.sides}
        name = f"table {order.table + 1} of the deal from game {order.deal.game}"
        needs = self._needs | {CORES_RESOURCE: cores}
        work = Work(name, TABLE_JOB, encode(order), needs, folders, self._sent_bots.languages)
        async with self._dispatcher.open_order(int(cores)):
            return await self._dispatcher.do_on_worker(work, accept)


def _cores_needed(seats: int) -> float:
    """Returns how many processors a table needs: one for each bot, so that no two bots share a processor."""
    return float(max(CORES_PER_GAME, seats))
