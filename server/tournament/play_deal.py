"""Plays one deal (the same cards) at all its tables, and keeps the events until the deal is over. Each table has its
own instances of the bots.

A deal's events are written after all its tables have been played, so no bot can look at another table. After a crash,
new instances of the bots play again all hands that were not written yet.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from server.bots.absent_bot import AbsentBot
from server.bots.bot import Answer
from server.game.deals import is_table_over
from server.game.decisions import Action, Decision
from server.game.events import (
    ANYTIME_EVENTS,
    BotDisconnected,
    Entrant,
    Event,
    FaultNoted,
    GameEnded,
    GameForfeited,
    GameStarted,
    NoteGiven,
)
from server.game.hand import next_button_and_blind
from server.game.rules import Rules
from server.game.tournament import stacks_after_forfeit
from server.game.view import View
from server.shuffle import deck_name, deck_of, key_of
from server.tournament.dealer import SeatedBot, Table
from server.tournament.resumable_log import Diverged

NO_GAME = 0
"""Stands for the number of a table's game until the game is written to the journal and gets its number."""
MAX_ANYTIME_EVENTS = 200
"""The maximum number of chats, notes and faults (ANYTIME_EVENTS) kept for each table of a deal. Further events are
lost.
"""


class TableLog:
    """The events at one table of a deal. After a crash, the table first repeats its `recorded_events`."""

    def __init__(self, recorded_events: Sequence[Event] = ()) -> None:
        self.events: list[Event] = []
        self._events_to_repeat = deque(recorded_events)
        self._anytime_count = 0

    @property
    def next_recorded(self) -> Event | None:
        """The next recorded event to repeat, or None if all have been repeated."""
        return self._events_to_repeat[0] if self._events_to_repeat else None

    def will_repeat(self, event_type: type[Event]) -> bool:
        """Whether an event of the type `event_type` is still to be repeated."""
        return any(isinstance(event, event_type) for event in self._events_to_repeat)

    async def write(self, events: Sequence[Event], notes: Sequence[NoteGiven] = ()) -> None:
        """Keeps `events`, then `notes`. Raises Diverged if different events were recorded."""
        for event in events:
            recorded = self._events_to_repeat.popleft() if self._events_to_repeat else event
            if recorded != event:
                raise Diverged(f"a table has {recorded}, but the same seed and rules lead to {event}")
        self.events += [*events, *notes]

    def add_bot_event(self, event: Event) -> None:
        """Keeps an event that a bot may cause at any time, such as a chat."""
        self._anytime_count += 1
        if self._anytime_count <= MAX_ANYTIME_EVENTS:
            self.events.append(event)


class DealTable(Struct):
    """A table of a deal: who sits in each seat, which bots play, and what has happened at the table."""

    seats: tuple[int, ...]
    table: Table
    log: TableLog
    stacks: tuple[int, ...] = ()
    """The chips by seat at the end."""


class Deal(Struct, frozen=True):
    """A deal to be played: its rules and its number of hands. Each table plays one game. `game` is the number of the
    deal's first game. The keys of the decks are derived from this number.
    """

    rules: Rules
    game: int
    hands: int
    stacks: tuple[int, ...]
    """The chips by seat at the start."""
    keys: tuple[bytes, ...]
    """The key of each hand's deck, in the order of the hands."""


PlayTable = Callable[[Deal, int, tuple[Entrant, ...], Sequence[Event]], Coroutine[Any, Any, DealTable]]
"""A function that plays one table of a deal, with bots that play only at this table. It gets the deal, the table's
number (from 0), the entrants in seat order, and the events that were recorded at the table before a crash.
"""


def deal_keys(seed: bytes, game: int, hands: int) -> tuple[bytes, ...]:
    """Returns the keys of a deal's decks, one for each hand in order. `game` is the number of the deal's first game."""
    return tuple(key_of(seed, deck_name(game, hand)) for hand in range(1, hands + 1))


class DealRoom:
    """The tables of a stage that is played in deals."""

    def __init__(self, tables_at_once: int) -> None:
        """Plays at most `tables_at_once` tables at the same time. Each table asks one bot at a time."""
        self._table_slots = asyncio.Semaphore(tables_at_once)
        self._tables: dict[int, DealTable] = {}
        self._events_between_deals: dict[int, list[Event]] = {}
        """The events that bots have caused between two deals, keyed by table number."""

    def add_bot_event(self, number: int, event: Event) -> None:
        """Keeps a chat or similar event of a bot at table `number` (from 0), and tells the bots at the table."""
        if isinstance(event, BotDisconnected):  # the bot plays on at its other tables
            event = FaultNoted(event.bot, "disconnected", f"at table {number + 1}: {event.reason}")
        deal_table = self._tables.get(number)
        if deal_table is None:
            kept_events = self._events_between_deals.setdefault(number, [])
            kept_events[MAX_ANYTIME_EVENTS - 1 :] = [event]
            return
        deal_table.log.add_bot_event(event)
        deal_table.table.notify(event)

    async def play(
        self,
        deal: Deal,
        tables: Sequence[tuple[tuple[Entrant, ...], tuple[SeatedBot, ...], Sequence[Event]]],
        first_number: int = 0,
    ) -> list[DealTable]:
        """Plays a deal at `tables`. Returns the played tables in the same order.

        Each item of `tables` has the entrants and their bots in seat order, and the events recorded at that table.
        Tables are numbered from `first_number` on. Raises Diverged if the rules lead to events that differ from the
        recorded events.
        """
        played_tables = []
        for number, (entrants, bots, recorded) in enumerate(tables, first_number):
            log = TableLog(recorded)
            table = Table(deal.rules, deal.game, entrants, bots, log)
            played_tables.append(DealTable(tuple(entrant.bot for entrant in entrants), table, log))
            for event in self._events_between_deals.pop(number, ()):
                log.add_bot_event(event)
        self._tables = dict(enumerate(played_tables, first_number))
        try:
            async with asyncio.TaskGroup() as group:
                for deal_table in played_tables:
                    group.create_task(self._play_table(deal, deal_table))
        finally:
            self._tables = {}
        return played_tables

    async def _play_table(self, deal: Deal, deal_table: DealTable) -> None:
        async with self._table_slots:
            await _play_hands(deal, deal_table)


async def _play_hands(deal: Deal, deal_table: DealTable) -> None:
    stacks, hand, big_blind_seat = list(deal.stacks), 0, len(deal.stacks) - 2
    forfeited = False
    while not (forfeited or is_table_over(deal.hands, hand, stacks)):
        hand += 1
        button, big_blind_seat = next_button_and_blind(deal.rules, big_blind_seat, stacks)
        final_hand = await deal_table.table.play_hand(hand, button, stacks, deck_of(deal.keys[hand - 1]))
        stacks, big_blind_seat = [seat.stack for seat in final_hand.seats], final_hand.big_blind_seat(big_blind_seat)
        forfeited = final_hand.forfeiting_seat >= 0
        if forfeited:
            await deal_table.log.write([GameForfeited(NO_GAME, final_hand.forfeiting_seat, final_hand.fault)])
            stacks = list(stacks_after_forfeit(final_hand.forfeiting_seat, stacks))
    deal_table.stacks = tuple(stacks)


class _NobodyDecides(AbsentBot):
    """Sits at a table at which all decisions are already recorded."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        raise Diverged("a table ends before its last decision")


async def replay_table(deal: Deal, entrants: tuple[Entrant, ...], events: Sequence[Event]) -> DealTable:
    """Plays a table of a deal again from its `events`, without its bots. `entrants` are in seat order.

    Raises Diverged if the recorded decisions lead to different events, IllegalAction if the rules forbid a decision.
    """
    game_events = [event for event in events if not isinstance(event, ANYTIME_EVENTS)]
    log = TableLog(game_events)
    table = Table(deal.rules, deal.game, entrants, (_NobodyDecides(),) * len(entrants), log)
    deal_table = DealTable(tuple(entrant.bot for entrant in entrants), table, log)
    await _play_hands(deal, deal_table)
    if log.events != game_events:
        raise Diverged(
            f"a table has {len(game_events)} events, but the same deal and decisions lead to {len(log.events)}"
        )
    log.events = list(events)
    return deal_table


def recorded_tables(events_to_repeat: Sequence[Event]) -> dict[tuple[int, ...], list[Event]]:
    """Groups the events in `events_to_repeat` by table, up to the end of the deal. Each key is a table's seat order.
    The tables are in the order in which they were recorded.
    """
    tables: dict[tuple[int, ...], list[Event]] = {}
    table_events: list[Event] | None = None
    for event in events_to_repeat:
        if isinstance(event, GameStarted):
            table_events = tables.setdefault(event.seats, [])
        elif isinstance(event, GameEnded):
            table_events = None
        elif table_events is None:
            break
        else:
            table_events.append(replace(event, game=NO_GAME) if isinstance(event, GameForfeited) else event)
    return tables


def split_into_writes(events: Sequence[Event]) -> list[tuple[list[Event], list[Event]]]:
    """Splits a table's events into groups. Each group goes to the journal in one write. It has events of the game, then
    events such as chats (ANYTIME_EVENTS).
    """
    writes: list[tuple[list[Event], list[Event]]] = [([], [])]
    for event in events:
        if isinstance(event, ANYTIME_EVENTS):
            writes[-1][1].append(event)
        else:
            if writes[-1][1]:
                writes.append(([], []))
            writes[-1][0].append(event)
    return writes
