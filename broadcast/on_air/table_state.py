"""The table as viewers see it after each event. Captions, statistics, drama and odds are computed from this state.

No I/O. The state after an entry depends only on this entry and earlier ones, never on later entries.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Literal, Self

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from broadcast.on_air.deal_tables import DealTable, MainTables
from broadcast.on_air.events import Chance, EquitiesChanged
from server.game import events
from server.game.cards import Card
from server.game.events import Event
from server.journal.journal import Entry
from server.text.grammar import short_name


class Seat(Struct, frozen=True, gc=False):
    """A seat during a hand. All amounts are in chips."""

    starting_stack: int
    """The stack before the hand."""
    stack: int
    committed: int = 0
    won: int = 0
    cards: tuple[Card, ...] = ()
    """The known hole cards."""
    folded: bool = False
    all_in: bool = False
    """Whether the seat has put in all its chips, or all chips that the rules allow."""
    ranking: str = ""
    """The name of the hand, once the hand is shown. `best` has its five cards."""
    best: tuple[Card, ...] = ()

    @property
    def dealt_in(self) -> bool:
        """Whether the seat had chips when the hand started."""
        return self.starting_stack > 0

    @property
    def is_in_hand(self) -> bool:
        """Whether the seat can still win the pot."""
        return self.dealt_in and not self.folded


class TableState(Struct, frozen=True, gc=False):
    """The table at one moment. `seats` and `board` belong to the latest hand."""

    names: dict[int, str] = {}
    """The short names of the bots, keyed by their numbers."""
    bots: tuple[int, ...] = ()
    """The bot in each seat of the current game."""
    hand: events.HandStarted = events.HandStarted(0, 0, 0, 0, 0, (), "")
    seats: tuple[Seat, ...] = ()
    board: tuple[Card, ...] = ()
    street: str = "preflop"
    pot: int = 0
    hand_cap: int | UnsetType = UNSET
    """The maximum number of chips that a seat may put into a hand, if the rules set one."""

    def after(self, event: Event) -> Self:
        """Returns the table after `event`. Raises IndexError for an unknown seat, as in a forged recording."""
        match event:
            case events.TournamentOpened(entrants=entrants, rules=rules):
                names = {entrant.bot: short_name(entrant.name) for entrant in entrants}
                return replace(self, names=names, hand_cap=rules.hand_cap)
            case events.GameStarted(seats=bots):
                return replace(self, bots=bots)
            case events.HandStarted(stacks=stacks):
                seats = tuple(Seat(stack, stack) for stack in stacks)
                return replace(self, hand=event, seats=seats, board=(), street="preflop", pot=0)
            case _:
                return self._after_hand_event(event)

    def bot_name(self, seat: int) -> str:
        """Returns the name of the bot in a seat. Raises IndexError or KeyError if there is none."""
        return self.names[self.bots[seat]]

    @property
    def seats_in_hand(self) -> list[int]:
        """The seats that can still win the pot."""
        return [index for index, seat in enumerate(self.seats) if seat.is_in_hand]

    @property
    def is_all_dealt(self) -> bool:
        """Whether every seat that was dealt in has known cards."""
        return all(seat.cards for seat in self.seats if seat.dealt_in)

    def _after_hand_event(self, event: Event) -> Self:
        table = self
        match event:
            case events.HoleDealt(seat=seat_index, cards=cards):
                # "" is an unknown card
                table = self._with_seat(seat_index, cards=tuple(card for card in cards if card))
            case events.StreetDealt(street=street, cards=cards):
                table = replace(self, street=street, board=self.board + cards)
            case events.HandShown(seat=seat_index, ranking=ranking, best=best):
                table = self._with_seat(seat_index, ranking=ranking, best=best)
            case events.BlindPosted(seat=seat_index, amount=amount, all_in=all_in):
                table = self._with_seat(seat_index, all_in=all_in)._pay(seat_index, amount)
            case events.ActionTaken(seat=seat_index, amount=amount, act=act, all_in=all_in):
                seat = self.seats[seat_index]
                table = self._with_seat(seat_index, folded=act == "fold", all_in=all_in or seat.all_in)._pay(
                    seat_index, amount
                )
            case events.BetReturned(seat=seat_index, amount=amount):
                table = self._with_seat(seat_index, all_in=False)._pay(seat_index, -amount)
            case events.SeatVacated(seat=seat_index, amount=amount):
                table = self._with_seat(seat_index, stack=self.seats[seat_index].stack - amount)
            case events.PotAwarded():
                table = self._award(event)
        return table

    def _award(self, event: events.PotAwarded) -> Self:
        table = replace(self, pot=self.pot - event.amount)
        for award in event.awards:
            seat = table.seats[award.seat]
            table = table._with_seat(award.seat, stack=seat.stack + award.amount, won=seat.won + award.amount)
        return table

    def _pay(self, seat_index: int, amount: int) -> Self:
        """Moves `amount` from a seat into the pot. A negative amount goes back to the seat."""
        seat = self.seats[seat_index]
        table = replace(self, pot=self.pot + amount)
        return table._with_seat(seat_index, stack=seat.stack - amount, committed=seat.committed + amount)

    def _with_seat(self, seat_index: int, **changes: object) -> Self:
        seats = list(self.seats)
        seats[seat_index] = replace(seats[seat_index], **changes)
        return replace(self, seats=tuple(seats))


class Coverage(Struct, frozen=True):
    """How much of a deal the show tells. In a deal, several tables play the same cards. With "full", the show tells all
    hands, and then compares the tables. With "whole comparison", it tells only the result of each hand, and then
    compares the tables. With "brief", it tells these results and a shorter comparison. With "only comparison", it shows
    only a very short comparison.
    """

    detail: Literal["full", "whole comparison", "brief", "only comparison"] = "full"
    hand_ms: int | None = None
    """The maximum time for each hand, in milliseconds at speed 1, or None if there is no limit."""


FULL_COVERAGE = Coverage()


class TableEntry(Entry, frozen=True, gc=False):
    """A recorded entry, with the table after it.

    The entry of a `DealEnded` also has the tables of the deal, the main table first. `coverage` says how much of the
    entry's deal is told. `believes_ahead` is true if the acting bot's thought says that the bot is ahead. The show sets
    `coverage` and `believes_ahead` before the entry goes on air.
    """

    table: TableState
    tables: tuple[DealTable, ...] = ()
    coverage: Coverage = FULL_COVERAGE
    believes_ahead: bool = False


def with_tables(entries: Iterable[Entry]) -> Iterator[TableEntry]:
    """Yields each entry with the table after it. `entries` must begin with the first entry of a recording. Raises
    IndexError for an unknown seat.
    """
    table = TableState()
    for entry in entries:
        table = table.after(entry.event)
        yield TableEntry(entry.seq, entry.at_ms, entry.event, table)


async def follow_with_tables(entries: AsyncIterator[Entry]) -> AsyncIterator[TableEntry]:
    """Like `with_tables`, but for a journal that still grows: yields each entry as soon as it is written. Raises
    IndexError for an unknown seat.

    In a stage of deals, yields only each deal's main table and `DealEnded`: see `MainTables`.
    """
    table, main_tables = TableState(), MainTables()
    async for entry in entries:
        if main_tables.accept(entry):
            table = table.after(entry.event)
            tables = main_tables.take_tables() if isinstance(entry.event, events.DealEnded) else ()
            yield TableEntry(entry.seq, entry.at_ms, entry.event, table, tables)


class HandOdds(Struct, frozen=True):
    """The chances on air during a hand, keyed by seat."""

    current: dict[int, Chance] = {}
    previous: dict[int, Chance] = {}
    """The chances before their last change."""

    @property
    def favourite(self) -> int | None:
        """The seat that is most likely to win, or None if no chances are on air or all other seats have folded."""
        return max(self.current, key=lambda seat: self.current[seat].win) if len(self.current) > 1 else None

    def after(self, odds: EquitiesChanged) -> Self:
        """Returns the chances after the change `odds`."""
        return type(self)({chance.seat: chance for chance in odds.chances}, self.current)
