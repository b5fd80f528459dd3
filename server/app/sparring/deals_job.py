"""Plays some deals of a sparring match on a worker (another machine), which builds each bot only once.

In a deal, several tables play the same cards. The machine that gave the order verifies the deals. But it cannot prove
that the answers came from the bots.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.odds.earned import EarnedByBot, earned_in_each_unit
from server.app.sparring.bot_launcher import BotLauncher
from server.app.sparring.mirrored_tables import (
    BotLeft,
    MirroredTables,
    entrants_in_seat_order,
    sparring_format,
    table_recording_path,
)
from server.app.sparring.sides import Side, side_at
from server.bots.sandbox.runner import CannotRun
from server.console import say
from server.errors import Refusal
from server.game import events
from server.game.tournament import open_tournament, start_stage
from server.journal.journal import Entry, JournalDamaged, parse_journal
from server.shuffle import commitment
from server.verify.recording import verify
from server.verify.refutation import Refuted, expect_equal
from server.workers.worker_messages import GAME_BYTES, ResultRejected, decode_result, encode
from server.workers.workplace import Workplace

DEALS_JOB = "deals"


class DealsOrder(Struct, frozen=True):
    """An order to play `count` deals of a match, beginning with deal number `first`. The whole match has `deals` deals.

    A side is a bot: a house style or a folder. If a side is a folder, `Side.text` is the SHA-256 of its files.
    """

    contest: str
    sides: tuple[Side, ...]
    seed: bytes
    deals: int
    first: int
    count: int

    @property
    def entrants(self) -> list[events.Entrant]:
        """The bots, numbered from 1."""
        return [events.Entrant(number, side.name) for number, side in enumerate(self.sides, 1)]


class PlayedDeals(Struct, frozen=True):
    """The journal of each table. If a bot disconnected, `lost` is the bot's number and `reason` says why. Otherwise
    `lost` is 0.
    """

    tables: tuple[bytes, ...]
    lost: int = 0
    reason: str = ""


_read_order = msgspec.msgpack.Decoder(DealsOrder).decode


async def play_deals(workplace: Workplace, body: bytes) -> bytes:
    """Plays the deals of an encoded `DealsOrder`. Returns encoded `PlayedDeals`. Raises CannotRun, OSError."""
    order = _read_order(body)
    played_count, bot_left = 0, BotLeft(0, "")

    def count_deal(_tables: Sequence[EarnedByBot]) -> bool:
        nonlocal played_count
        played_count += 1
        return played_count < order.count

    with workplace.temporary_folder() as folder:
        work, recordings_folder = Path(folder), Path(folder) / "tables"
        contest_format = sparring_format(order.contest, order.deals, len(order.sides))
        tables = MirroredTables(
            contest_format, order.entrants, order.seed, count_deal, recordings_folder, first_deal=order.first
        )
        async with BotLauncher(
            order.contest,
            order.entrants,
            tables.record_bot_event,
            work,
            lambda _: None,
            shared_runner=workplace.shared_runner,
        ) as launcher:
            try:
                sides = [side_at(workplace, side) for side in order.sides]
                bots = [await launcher.launch(number, side, order.seed) for number, side in enumerate(sides, 1)]
            except Refusal as error:
                raise CannotRun(str(error)) from None
            tables.seat_bots(bots)
            try:
                await tables.play()
            except BotLeft as left:
                bot_left = left
        journals = tuple(table_recording_path(recordings_folder, table).read_bytes() for table in range(len(sides)))
    say(f"deals {order.first} to {order.first + played_count - 1}: {', '.join(side.name for side in order.sides)}")
    return encode(PlayedDeals(journals, bot_left.bot, bot_left.reason))


_read_played = msgspec.msgpack.Decoder(PlayedDeals).decode


class VerifiedDeal(Struct, frozen=True):
    """One deal. `units` has the bots' earnings at each table, and `entries` the deal's part of each table's journal."""

    units: tuple[EarnedByBot, ...]
    entries: tuple[list[Entry], ...]


class VerifiedDeals(Struct, frozen=True):
    """Deals that have been verified. `openings` has the entries before the first deal, for each table's journal.

    If a bot disconnected, `bot_left` says which bot, and some of the ordered deals may be missing.
    """

    openings: tuple[list[Entry], ...]
    deals: list[VerifiedDeal]
    bot_left: BotLeft | None


def verify_deals(result: bytes, order: DealsOrder) -> VerifiedDeals:
    """Verifies encoded `PlayedDeals` as the command `highnoon verify` does. Checks that they match the order.

    Raises ResultRejected.
    """
    try:
        played_deals = _read_played(decode_result(result, GAME_BYTES))
        expect_equal("the number of tables", len(played_deals.tables), len(order.sides))
        tables = [_VerifiedTable(text, order, table_number) for table_number, text in enumerate(played_deals.tables)]
        counts = {len(table.deals) for table in tables}
        expect_equal("how many different numbers of deals the tables have", len(counts), 1)
        if not played_deals.lost:
            expect_equal("the number of deals", counts, {order.count})
        elif not 1 <= played_deals.lost <= len(order.sides) or max(counts) > order.count:
            raise Refuted("the bot that left is not in the match, or there are too many deals")
    except (msgspec.DecodeError, JournalDamaged, Refuted) as error:
        raise ResultRejected(str(error)) from None
    deals = [
        VerifiedDeal(tuple(table.units[index] for table in tables), tuple(table.deals[index] for table in tables))
        for index in range(counts.pop())
    ]
    bot_left = BotLeft(played_deals.lost, played_deals.reason) if played_deals.lost else None
    return VerifiedDeals(tuple(table.opening for table in tables), deals, bot_left)


class _VerifiedTable:
    """The verified journal of one table."""

    def __init__(self, text: bytes, order: DealsOrder, table_number: int) -> None:
        """Raises JournalDamaged for a damaged journal. Raises Refuted if the journal is invalid, or if it belongs to
        another match or table.
        """
        entries = parse_journal(text).entries
        expect_equal("whether it is complete", verify(entries, order.first - 1).finished, True)
        recorded = [entry.event for entry in entries]
        contest_format = sparring_format(order.contest, order.deals, len(order.sides))
        seated_entrants, seed = tuple(entrants_in_seat_order(order.entrants, table_number)), commitment(order.seed)
        opened = events.TournamentOpened(
            contest_format.contest,
            contest_format.title,
            contest_format.rules,
            contest_format.starting_stack,
            seated_entrants,
            seed,
        )
        expect_equal("the match", recorded[0], opened)
        stage = start_stage(contest_format, open_tournament(opened), 1, contest_format.stages[0])
        expect_equal("the stage", [event for event in recorded if isinstance(event, events.StageStarted)], [stage])
        self.opening, *self.deals = _split_into_deals(entries)
        self.units = earned_in_each_unit(recorded)  # here, each unit is a deal
        expect_equal("the number of deals with winnings", len(self.units), len(self.deals))


def _split_into_deals(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yields the entries before the first deal, and then the entries of each deal. Leaves out the end of the match."""
    deals, end_types = 0, (events.StageCut, events.StageEnded, events.TournamentEnded)

    def deal_of(entry: Entry) -> int:
        nonlocal deals
        deals += isinstance(entry.event, events.GameStarted)
        return deals

    for _, part in groupby(entries, deal_of):
        yield [entry for entry in part if not isinstance(entry.event, end_types)]
