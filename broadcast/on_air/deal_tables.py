"""The tables of a deal: the first one recorded goes on air; what happened at the others is kept for the comparison.

Pure. Nobody sees another table of a deal before the first one's game is over, because nothing of the others is passed
on before `DealEnded`. Bots that begin each deal anew also greet anew: what a bot repeats goes on air only once.
"""

from collections import deque

from msgspec import UNSET, Struct

from broadcast.on_air.diary import is_from_desk
from server.game.events import (
    ChatSent,
    DealEnded,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    StageEnded,
    StageStarted,
)
from server.journal.journal import Entry

LINES_KEPT = 20
"""How many different lines of each bot are remembered, so that they are not repeated."""


class DealTable(Struct, frozen=True):
    """A table of a deal after its game: the bots in seat order, what happened, and the chips won in each seat."""

    game: int
    seats: tuple[int, ...]
    events: tuple[Event, ...]
    won: tuple[int, ...]

    @property
    def hands(self) -> int:
        """The number of hands that were played."""
        return sum(isinstance(event, HandStarted) for event in self.events)


class MainTables:
    """Passes over all tables of each deal except the first one."""

    def __init__(self) -> None:
        self._has_deals = False
        self._passes_over = False
        self._started: GameStarted | None = None
        self._events: list[Event] = []
        self._tables: list[DealTable] = []
        self._said: dict[int, deque[str]] = {}
        """The last lines of chat of each bot that were on air."""

    def shows(self, entry: Entry) -> bool:
        """Whether the next entry of the journal goes on air."""
        event = entry.event
        match event:
            case StageStarted(deals=deals):
                self._has_deals, self._passes_over, self._tables = bool(deals), False, []
            case _ if not self._has_deals or is_from_desk(event):
                return True
            case GameStarted(dealt_as=dealt_as):
                self._passes_over, self._started, self._events = dealt_as is not UNSET, event, []
                self._tables = self._tables if self._passes_over else []
            case GameEnded(stacks=stacks) if self._started:
                begun = self._started
                won = tuple(after - before for before, after in zip(begun.stacks, stacks, strict=False))
                self._tables.append(DealTable(begun.game, begun.seats, tuple(self._events), won))
                self._started = None
            case DealEnded() | StageEnded():
                self._passes_over = False
            case _ if self._started:
                self._events.append(event)
        return not (self._passes_over or (isinstance(event, ChatSent) and self._repeats(event)))

    def _repeats(self, chat: ChatSent) -> bool:
        """Whether a bot has already said this on air."""
        said = self._said.setdefault(chat.bot, deque(maxlen=LINES_KEPT))
        if chat.text in said:
            return True
        said.append(chat.text)
        return False

    def take(self) -> tuple[DealTable, ...]:
        """Returns all tables of the deal that has just ended, in the order in which they were recorded."""
        tables, self._tables = tuple(self._tables), []
        return tables
