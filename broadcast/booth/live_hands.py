"""Says which bot's hand leads on the current board, and on which street this hand took the lead. Also counts the outs
of the other hands.

No I/O. Viewers can see all cards that are used here, so nothing is estimated.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.on_air.picture_state import State
from server.game.cards import DECK, Card
from server.game.ranking import category, ranking_name, strength

STREETS = {3: "flop", 4: "turn", 5: "river"}
"""The streets, keyed by the number of cards on the board."""


class LiveHand(Struct, frozen=True):
    """A hand that has not folded. `made` is its kind ("two pair", "royal flush").

    If the hand leads, alone or tied, `since` is the street on which it took the lead. If the hand trails, `outs` is the
    number of cards that would give it the lead, alone or tied, on the next street. `outs` is None if the hand leads, or
    if no street follows.
    """

    seat: int
    made: str
    since: str = ""
    outs: int | None = None


def live_hands(picture: State) -> list[LiveHand]:
    """Returns the hands of all seats that have not folded. Returns [] before the flop, and if there are fewer than two
    such hands.
    """
    board, seats = picture.board, picture.seats
    live_seats = [index for index, seat in enumerate(seats) if seat.dealt_in and not seat.folded and all(seat.cards)]
    if len(board) not in STREETS or len(live_seats) < 2 or not all(len(seats[at].cards) == 2 for at in live_seats):
        return []
    hole_cards, known = (
        [seats[at].cards for at in live_seats],
        {*board, *(card for seat in seats for card in seat.cards)},
    )
    leaders_by_street = {
        street: _leaders(hole_cards, board[:count]) for count, street in STREETS.items() if count <= len(board)
    }
    leaders = leaders_by_street[STREETS[len(board)]]
    next_cards = [card for card in DECK if card not in known] if len(board) < max(STREETS) else []
    outs = Counter(index for card in next_cards for index in _leaders(hole_cards, [*board, card]))
    return [
        LiveHand(
            seat,
            _hand_kind(strength([*hole_cards[index], *board])),
            _lead_street(index, leaders_by_street) if index in leaders else "",
            outs[index] if next_cards and index not in leaders else None,
        )
        for index, seat in enumerate(live_seats)
    ]


def _hand_kind(value: int) -> str:
    """Returns the kind of a hand of strength `value`. A royal flush counts as a kind of its own."""
    name = ranking_name(value)
    return name if name == "royal flush" else category(value)


def _leaders(held: Sequence[Sequence[Card]], board: Sequence[Card]) -> set[int]:
    values = [strength([*cards, *board]) for cards in held]
    return {index for index, value in enumerate(values) if value == max(values)}


def _lead_street(index: int, leaders_by_street: Mapping[str, set[int]]) -> str:
    """Returns the street on which hand `index` took its present lead, or "" if it does not lead."""
    first = ""
    for street, ahead in leaders_by_street.items():
        first = (first or street) if index in ahead else ""
    return first
