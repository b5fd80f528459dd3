"""When the chances of a hand change, and what they depend on: cards that lie face up, and nothing else. Pure."""

from msgspec import Struct

from broadcast.on_air.table_state import TableEntry, TableState
from server.game.cards import Card
from server.game.events import ActionTaken, HoleDealt, StreetDealt

MOST_HANDS = 12
"""More at one table are shown without chances."""


class Hole(Struct, frozen=True):
    """The two cards of a seat."""

    seat: int
    cards: tuple[Card, ...]


class Situation(Struct, frozen=True):
    """Everything that the chances of a moment depend on."""

    live: tuple[Hole, ...]
    """The cards of those who can still win, by seat."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    """The cards of those who have folded, by seat."""


def situation_after(entry: TableEntry) -> Situation | None:
    """The situation that `entry` leads to; None where it changes nobody's chances or somebody's cards are unknown."""
    match entry.event:
        case HoleDealt() if entry.table.dealt:
            return _situation(entry.table)
        case StreetDealt() | ActionTaken(act="fold"):
            return _situation(entry.table)
    return None


def _situation(table: TableState) -> Situation | None:
    holes = [(Hole(at, seat.cards), seat) for at, seat in enumerate(table.seats) if seat.dealt_in]
    live = tuple(hole for hole, seat in holes if not seat.folded)
    dead = tuple(card for hole, seat in holes if seat.folded for card in hole.cards)
    known = all(len(hole.cards) == 2 for hole in live)
    return Situation(live, table.board, dead) if known and 1 <= len(live) <= MOST_HANDS else None


def in_tenths(part: int, whole: int) -> int:
    """A share in tenths of a percent, rounded; 0 and 1000 are kept for what is certain."""
    if part in (0, whole):
        return 1000 * (part > 0)
    return min(999, max(1, (2000 * part + whole) // (2 * whole)))
