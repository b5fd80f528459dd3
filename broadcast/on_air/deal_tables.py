"""Lets only the main table of each deal go on air. In a deal, several tables play the same cards. The table that was
recorded first is the main table.

No I/O. The other tables are held back until `DealEnded`, when all tables are compared. So viewers see no other table
before the main table's game is over. Bots start over with each deal and repeat their greetings, but a repeated line of
chat goes on air only once.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from broadcast.on_air.diary import is_from_desk
from server.game.events import (
    ChatSent,
    DealEnded,
    Event,
    GameEnded,
    GameForfeited,
    GameStarted,
    HandStarted,
    StageEnded,
    StageStarted,
)
from server.journal.journal import Entry

LINES_KEPT = 20
"""How many different lines of each bot are remembered, to keep repeated lines off the air."""


class DealTable(Struct, frozen=True):
    """A table of a deal, once its game is over. Has the bots in seat order, the game's events, and the chips that each
    seat won.

    If bots are ranked by the chips won minus luck, `luck` is how many chips the luck of the board gave each seat.
    Otherwise `luck` is ().
    """

    game: int
    seats: tuple[int, ...]
    events: tuple[Event, ...]
    won: tuple[int, ...]
    luck: tuple[int, ...] = ()

    @property
    def scores(self) -> tuple[int, ...]:
        """Each seat's score: the chips that it has won, minus its luck if its luck is known."""
        return tuple(won - luck for won, luck in zip(self.won, self.luck, strict=True)) if self.luck else self.won

    @property
    def hands(self) -> int:
        """The number of hands that were played."""
        return sum(isinstance(event, HandStarted) for event in self.events)


class MainTables:
    """Lets only the main table of each deal go on air. `GameStarted.dealt_as` is set only at the other tables."""

    def __init__(self) -> None:
        self._has_deals = False
        self._is_off_air = False
        self._game_started: GameStarted | None = None
        self._events: list[Event] = []
        self._tables: list[DealTable] = []
        self._recent_lines: dict[int, deque[str]] = {}
        """For each bot, the last lines of its chat that were on air."""

    def accept(self, entry: Entry) -> bool:
        """Returns whether `entry` goes on air. Must be called with each entry of the journal, in order."""
        event = entry.event
        match event:
            case StageStarted(deals=deals):
                self._has_deals, self._is_off_air, self._tables = bool(deals), False, []
            case _ if not self._has_deals or is_from_desk(event):
                return True
            case GameStarted(dealt_as=dealt_as):
                self._is_off_air, self._game_started, self._events = dealt_as is not UNSET, event, []
                self._tables = self._tables if self._is_off_air else []
            case GameEnded(stacks=stacks, luck=luck) if self._game_started:
                game = self._game_started
                won = tuple(after - before for before, after in zip(game.stacks, stacks, strict=False))
                self._tables.append(DealTable(game.game, game.seats, tuple(self._events), won, luck))
                self._game_started = None
            case DealEnded() | StageEnded():
                self._is_off_air = False
            case _ if self._game_started:
                self._events.append(event)
        return not (self._is_off_air or (isinstance(event, ChatSent) and self._is_repeated(event)))

    def _is_repeated(self, chat: ChatSent) -> bool:
        """Returns whether the bot has already said this on air. If not, remembers the line."""
        said = self._recent_lines.setdefault(chat.bot, deque(maxlen=LINES_KEPT))
        if chat.text in said:
            return True
        said.append(chat.text)
        return False

    def take_tables(self) -> tuple[DealTable, ...]:
        """Returns all tables of the deal that has just ended, in the order in which they were recorded."""
        tables, self._tables = tuple(self._tables), []
        return tables


def retell_from_table(table: int, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yields a recording's `entries` as if table number `table` of each deal had been recorded first. A film (a
    recorded show) that is made of these entries shows that table.

    The tables of a deal are numbered from 1, in the order in which they were recorded. A deal stays as it is if it has
    no table with this number, or has not ended.
    """
    has_deals, deal_entries = False, list[Entry]()
    for entry in entries:
        if isinstance(entry.event, StageStarted):
            has_deals = bool(entry.event.deals)
        if not deal_entries and not (has_deals and isinstance(entry.event, GameStarted)):
            yield entry
            continue
        deal_entries.append(entry)
        if isinstance(entry.event, DealEnded):
            yield from _put_table_first(table, deal_entries)
            deal_entries = []
    yield from deal_entries


def max_tables_in_deal(entries: Iterable[Entry]) -> int:
    """Returns the number of tables of the deal with the most tables, or 0 if there are no deals."""
    max_tables = tables = 0
    for entry in entries:
        if isinstance(entry.event, GameStarted):
            tables = tables + 1 if entry.event.dealt_as is not UNSET else 1
        elif isinstance(entry.event, DealEnded):
            max_tables = max(max_tables, tables)
    return max_tables


def _put_table_first(table: int, deal_entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yields the entries of a deal with table number `table` first. Renumbers the games, so that their numbers
    ascend.
    """
    tables: list[list[Event]] = []
    for entry in deal_entries[:-1]:
        if isinstance(entry.event, GameStarted):
            tables.append([])
        tables[-1].append(entry.event)
    games = [each[0] for each in tables]
    tables.insert(0, tables.pop(table - 1 if table <= len(tables) else 0))
    moved = [
        _in_game(game, event)
        for game, each in zip(games, tables, strict=True)
        if isinstance(game, GameStarted)
        for event in each
    ]
    for entry, event in zip(deal_entries, [*moved, deal_entries[-1].event], strict=True):
        yield replace(entry, event=event)


def _in_game(game: GameStarted, event: Event) -> Event:
    """Returns `event` as if it had happened in `game`."""
    match event:
        case GameStarted():
            return replace(event, game=game.game, draw_key=game.draw_key, dealt_as=game.dealt_as)
        case GameEnded() | GameForfeited():
            return replace(event, game=game.game)
        case _:
            return event
