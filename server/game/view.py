"""A hand as one seat may see it. This is the only place that hides cards from bots: no dialect sees a whole hand."""

from msgspec import Struct
from msgspec.structs import replace

from server.game.cards import Card, Deck
from server.game.events import Entrant, TurnStarted
from server.game.hand import Hand, Seat


class View(Struct, frozen=True):
    """A hand through the eyes of one seat. `entrants` go by seat, `game` counts from 1."""

    seat: int
    game: int
    entrants: tuple[Entrant, ...]
    hand: Hand
    """Without the deck, and without cards this seat may not see."""
    full_board: tuple[Card, ...] = ()
    """All five board cards, also those not dealt; given only when the hand is over and everything is shown."""

    @property
    def turn(self) -> TurnStarted:
        """The turn of the seat that is asked."""
        assert self.hand.turn is not None, "somebody is asked"
        return self.hand.turn


def view_of(hand: Hand, seat: int, game: int, entrants: tuple[Entrant, ...]) -> View:
    """What `seat` may know of `hand` now: its own cards, and once the hand is over those that were shown.

    "All bots cards will be revealed at the end of every hand regardless of any actions taken": under such rules the
    board to its end, too.
    """
    seats = tuple(_hidden(other, own=at == seat or (hand.over and other.shown)) for at, other in enumerate(hand.seats))
    board = hand.runout() if hand.over and hand.rules.show == "all" else ()
    return View(seat, game, entrants, replace(hand, seats=seats, deck=Deck()), board)


def _hidden(other: Seat, *, own: bool) -> Seat:
    return other if own or not other.cards else replace(other, cards=())
