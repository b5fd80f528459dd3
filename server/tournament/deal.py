"""Plays one deal (the same cards) at all its tables, each with its own bots, and keeps the events until the deal is
over.

Nothing of a deal is written before all its tables have been played, so no bot can look at another table. After a crash,
new instances of the bots play again all hands that were not written yet.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from server.bots.absent import AbsentBot
from server.bots.bot import Answer
from server.game.deals import table_over
from server.game.decisions import Action, Decision
from server.game.events import (
    OUT_OF_TURN,
    BotDisconnected,
    Entrant,
    Event,
    FaultNoted,
    GameEnded,
    GameForfeited,
    GameStarted,
    NoteGiven,
)
from server.game.hand import next_blind
from server.game.rules import Rules
from server.game.tournament import forfeit
from server.game.view import View
from server.shuffle import deck_of, hand_name, key_of
from server.tournament.dealer import Seated, Table
from server.tournament.resumable_log import Diverged

NO_GAME = 0
"""Stands for the number of a game that is not in the journal yet. The game gets its real number when it is written."""
MAX_WORDS = 200
"""The maximum number of chats, notes and faults (OUT_OF_TURN) kept for each table of a deal. Further ones are lost."""


class TableLog:
    """The events at one table of a deal. In a resumed tournament, the table first repeats the events `recorded`
    there.
    """

    def __init__(self, recorded: Sequence[Event] = ()) -> None:
        self.events: list[Event] = []
        self._past = deque(recorded)
        self._words = 0

    @property
    def recalled(self) -> Event | None:
        """The next recorded event to repeat; None if all events have been repeated."""
        return self._past[0] if self._past else None

    def recalls(self, kind: type[Event]) -> bool:
        """Whether the recorded events that have yet to be repeated include one of the type `kind`."""
        return any(isinstance(event, kind) for event in self._past)

    async def write(self, events: Sequence[Event], notes: Sequence[NoteGiven] = ()) -> None:
        """Keeps `events`, then `notes`. Raises Diverged if different events were recorded."""
        for event in events:
            recorded = self._past.popleft() if self._past else event
            if recorded != event:
                raise Diverged(f"a table has {recorded}, but the same seed and rules lead to {event}")
        self.events += [*events, *notes]

    def hear(self, event: Event) -> None:
        """Keeps an event that a bot has caused out of turn."""
        self._words += 1
        if self._words <= MAX_WORDS:
            self.events.append(event)


class DealTable(Struct):
    """A table of a deal: who sits where, with which bots, and what has happened there."""

    seats: tuple[int, ...]
    table: Table
    log: TableLog
    stacks: tuple[int, ...] = ()
    """The chips by seat at the end."""


class Deal(Struct, frozen=True):
    """A deal to be played: its rules and its number of hands. `game` is the number of its first game, from which the
    keys of the decks are derived.
    """

    rules: Rules
    game: int
    hands: int
    stacks: tuple[int, ...]
    """The chips by seat at the start."""
    keys: tuple[bytes, ...]
    """The keys of the decks, hand by hand."""


PlayTable = Callable[[Deal, int, tuple[Entrant, ...], Sequence[Event]], Coroutine[Any, Any, DealTable]]
"""Plays one table of a deal, with instances of the bots for this table alone. Gets the table's number (from 0), its
entrants in seat order, and the events recorded there before a crash.
"""


def deal_keys(seed: bytes, game: int, hands: int) -> tuple[bytes, ...]:
    """Returns the keys of the decks of a deal, hand by hand. `game` is the number of the deal's first game."""
    return tuple(key_of(seed, hand_name(game, hand)) for hand in range(1, hands + 1))


class DealRoom:
    """The tables of a stage that is played in deals."""

    def __init__(self, at_once: int) -> None:
        """Plays `at_once` tables at the same time. Each table asks one bot at a time."""
        self._playing = asyncio.Semaphore(at_once)
        self._tables: dict[int, DealTable] = {}
        self._between: dict[int, list[Event]] = {}
        """The events that bots have caused between two deals, by table."""

    def hear(self, number: int, event: Event) -> None:
        """Keeps an event that a bot at table `number` (from 0) has caused out of turn, and passes it to the table."""
        if isinstance(event, BotDisconnected):  # the bot plays on at its other tables
            event = FaultNoted(event.bot, "disconnected", f"at table {number + 1}: {event.reason}")
        seated = self._tables.get(number)
        if seated is None:
            waiting = self._between.setdefault(number, [])
            waiting[MAX_WORDS - 1 :] = [event]
            return
        seated.log.hear(event)
        seated.table.notify(event)

    async def play(
        self,
        deal: Deal,
        tables: Sequence[tuple[tuple[Entrant, ...], tuple[Seated, ...], Sequence[Event]]],
        first: int = 0,
    ) -> list[DealTable]:
        """Plays a deal at `tables`. Returns the played tables in the same order.

        Each item of `tables` has the entrants and their bots in seat order, and the events recorded at that table.
        Tables are numbered from `first` on. Raises Diverged if the rules lead to events that differ from the recorded
        ones.
        """
        played = []
        for number, (entrants, bots, recorded) in enumerate(tables, first):
            log = TableLog(recorded)
            table = Table(deal.rules, deal.game, entrants, bots, log)
            played.append(DealTable(tuple(entrant.bot for entrant in entrants), table, log))
            for event in self._between.pop(number, ()):
                log.hear(event)
        self._tables = dict(enumerate(played, first))
        try:
            async with asyncio.TaskGroup() as group:
                for seated in played:
                    group.create_task(self._play_table(deal, seated))
        finally:
            self._tables = {}
        return played

    async def _play_table(self, deal: Deal, seated: DealTable) -> None:
        async with self._playing:
            await _play_hands(deal, seated)


async def _play_hands(deal: Deal, seated: DealTable) -> None:
    stacks, hand, big = list(deal.stacks), 0, len(deal.stacks) - 2
    forfeited = False
    while not (forfeited or table_over(deal.hands, hand, stacks)):
        hand += 1
        button, big = next_blind(deal.rules, big, stacks)
        played = await seated.table.play_hand(hand, button, stacks, deck_of(deal.keys[hand - 1]))
        stacks, big = [seat.stack for seat in played.seats], played.big_blind_of(big)
        forfeited = played.forfeited >= 0
        if forfeited:
            await seated.log.write([GameForfeited(NO_GAME, played.forfeited, played.fault)])
            stacks = list(forfeit(played.forfeited, stacks))
    seated.stacks = tuple(stacks)


class _NobodyDecides(AbsentBot):
    """Sits at a table at which all decisions are already recorded."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        raise Diverged("a table ends before its last decision")


async def replayed(deal: Deal, entrants: tuple[Entrant, ...], events: Sequence[Event]) -> DealTable:
    """Plays a table of a deal again from its `events`, without its bots; `entrants` are in seat order.

    Raises Diverged if the recorded decisions lead to different events, IllegalAction if the rules forbid a decision.
    """
    turns = [event for event in events if not isinstance(event, OUT_OF_TURN)]
    log = TableLog(turns)
    table = Table(deal.rules, deal.game, entrants, (_NobodyDecides(),) * len(entrants), log)
    seated = DealTable(tuple(entrant.bot for entrant in entrants), table, log)
    await _play_hands(deal, seated)
    if log.events != turns:
        raise Diverged(f"a table has {len(turns)} events, but the same deal and decisions lead to {len(log.events)}")
    log.events = list(events)
    return seated


def recorded_tables(upcoming: Sequence[Event]) -> dict[tuple[int, ...], list[Event]]:
    """Groups the recorded events in `upcoming` by table, up to the end of the deal. The keys are the tables' seat
    orders.

    The tables are in the order in which they were recorded.
    """
    tables: dict[tuple[int, ...], list[Event]] = {}
    inside: list[Event] | None = None
    for event in upcoming:
        if isinstance(event, GameStarted):
            inside = tables.setdefault(event.seats, [])
        elif isinstance(event, GameEnded):
            inside = None
        elif inside is None:
            break
        else:
            inside.append(replace(event, game=NO_GAME) if isinstance(event, GameForfeited) else event)
    return tables


def in_writes(events: Sequence[Event]) -> list[tuple[list[Event], list[Event]]]:
    """Splits a table's events into writes to the journal. Each write has events of the table, then events of its
    bots.
    """
    writes: list[tuple[list[Event], list[Event]]] = [([], [])]
    for event in events:
        if isinstance(event, OUT_OF_TURN):
            writes[-1][1].append(event)
        else:
            if writes[-1][1]:
                writes.append(([], []))
            writes[-1][0].append(event)
    return writes
