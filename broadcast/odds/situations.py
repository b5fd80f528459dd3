"""When the chances of a hand change, and what they depend on: cards that lie face up, and nothing else. Pure."""

from msgspec import Struct

from server.game.cards import Card
from server.game.events import ActionTaken, Event, HandStarted, HoleDealt, StreetDealt

MOST_HANDS = 12
"""More at one table are shown without chances."""


class Held(Struct, frozen=True):
    """The two cards of a seat."""

    seat: int
    cards: tuple[Card, Card]


class Spot(Struct, frozen=True):
    """A moment of a hand, as far as chances go."""

    live: tuple[Held, ...]
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    """The cards of those who have folded."""


class Spots:
    """Follows a hand event by event; it knows nothing of those to come."""

    def __init__(self) -> None:
        self._dealt_in = 0
        self._held: dict[int, Held] = {}
        self._folded: set[int] = set()
        self._board: tuple[Card, ...] = ()

    def after(self, event: Event) -> Spot | None:
        """The spot that `event` leads to, where it changes anybody's chances."""
        match event:
            case HandStarted(stacks=stacks):
                self._dealt_in = sum(stack > 0 for stack in stacks)
                self._held, self._folded, self._board = {}, set(), ()
                return None
            case HoleDealt(seat=seat, cards=(one, other)) if one:
                self._held[seat] = Held(seat, (one, other))
                return self._spot() if len(self._held) == self._dealt_in else None
            case StreetDealt(cards=cards):
                self._board += cards
                return self._spot()
            case ActionTaken(seat=seat, act="fold"):
                self._folded.add(seat)
                return self._spot()
        return None

    def _spot(self) -> Spot | None:
        live = tuple(held for seat, held in sorted(self._held.items()) if seat not in self._folded)
        dead = tuple(card for seat in sorted(self._folded & {*self._held}) for card in self._held[seat].cards)
        everybody = len(live) == self._dealt_in - len(self._folded)  # else there are cards that nobody has seen
        return Spot(live, self._board, dead) if everybody and 1 <= len(live) <= MOST_HANDS else None


def in_tenths(part: int, whole: int) -> int:
    """A share in tenths of a percent, rounded; 0 and 1000 are kept for what is certain."""
    if part in (0, whole):
        return 1000 * (part > 0)
    return min(999, max(1, (2000 * part + whole) // (2 * whole)))
