"""Makes views: a view is a hand as one seat may see it. The code that writes messages to bots gets only views, so no
other module has to hide cards.
"""

from msgspec import Struct
from msgspec.structs import replace

from server.game.cards import Card, Deck
from server.game.events import Entrant, TurnStarted
from server.game.hand import Hand


class View(Struct, frozen=True):
    """A hand as one seat sees it. `entrants` are in seat order. `game` is the game's number, from 1."""

    seat: int
    game: int
    entrants: tuple[Entrant, ...]
    hand: Hand
    """The hand, without its deck and without the cards that this seat may not see."""
    full_board: tuple[Card, ...] = ()
    """All five board cards, even those not dealt. Empty during the hand, or if the rules do not show all cards."""

    @property
    def turn(self) -> TurnStarted:
        """The acting seat's turn."""
        assert self.hand.turn is not None, "it is nobody's turn"
        return self.hand.turn


def view_of(hand: Hand, seat: int, game: int, entrants: tuple[Entrant, ...]) -> View:
    """Returns what `seat` may know about `hand` now: its own cards and, after the hand, all cards that were shown.

    After the hand, the seat also knows the whole board if the rules say: "All bots cards will be revealed at the end of
    every hand regardless of any actions taken".
    """
    seats = tuple(
        other if index == seat or not other.cards or (hand.over and other.shown) else replace(other, cards=())
        for index, other in enumerate(hand.seats)
    )
    board = hand.full_board() if hand.over and hand.rules.show == "all" else ()
    return View(seat, game, entrants, replace(hand, seats=seats, deck=Deck()), board)
