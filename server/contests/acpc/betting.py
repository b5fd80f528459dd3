"""A hand as the protocol writes it: betting, cards, positions. Put together event by event. Pure.

Position 0 is the first seat after the button: the small blind, heads-up the big blind.
"""

from collections.abc import Mapping, Sequence

from server.game.cards import Card
from server.game.events import ActionTaken, BlindPosted, Event, StreetDealt


class Betting:
    """The actions of one hand: "r300c/cr600f". A raise is to all that its player has put into the hand.

    `text` is what was done so far, `paid` the chips by seat, `board` the cards of each street.
    """

    def __init__(self) -> None:
        self.text = ""
        self.paid: dict[int, int] = {}
        self.board: list[tuple[Card, ...]] = []

    def take(self, event: Event) -> None:
        """Adds what `event` changes."""
        match event:
            case BlindPosted(seat=seat, amount=amount):
                self._pay(seat, amount)
            case ActionTaken(seat=seat, amount=amount, act=act):
                self._pay(seat, amount)
                self.text += "f" if act == "fold" else "c" if act in ("check", "call") else f"r{self.paid[seat]}"
            case StreetDealt(cards=cards):
                self.text += "/"
                self.board.append(cards)
            case _:
                pass

    def cards(self, hole: Mapping[int, Sequence[Card]], positions: Sequence[int]) -> str:
        """The cards field, such as "TdAs|/2c8c3h": what is known of `hole` by seat, then the board."""
        return "/".join(["|".join("".join(hole[seat]) for seat in positions), *map("".join, self.board)])

    def _pay(self, seat: int, amount: int) -> None:
        self.paid[seat] = self.paid.get(seat, 0) + amount
