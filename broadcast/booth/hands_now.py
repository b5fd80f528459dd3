"""What the hands on air are worth on the present board: who leads, since when, and how many outs the others have.

Pure. Only open cards count, so nothing is estimated. Strengths are those of `server.game.ranking`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.on_air.picture_state import State
from server.game.cards import DECK, Card
from server.game.ranking import category, strength

STREETS = {3: "flop", 4: "turn", 5: "river"}
"""Streets by the number of cards on the board."""


class HandNow(Struct, frozen=True):
    """A live hand. `made` is what it makes ("two pair"); `since` is the street from which it has led, alone or tied.

    `outs` is the number of cards that would put it ahead, alone or tied, on the next street; None if it already leads
    or there are no more streets.
    """

    seat: int
    made: str
    since: str = ""
    outs: int | None = None


def hands_now(picture: State) -> list[HandNow]:
    """The hands of all live seats from the flop on; none if there are fewer than two."""
    board, seats = picture.board, picture.seats
    live = [at for at, seat in enumerate(seats) if seat.dealt_in and not seat.folded and all(seat.cards)]
    if len(board) not in STREETS or len(live) < 2 or not all(len(seats[at].cards) == 2 for at in live):
        return []
    held, dead = [seats[at].cards for at in live], {*board, *(card for seat in seats for card in seat.cards)}
    leading = {street: _leaders(held, board[:many]) for many, street in STREETS.items() if many <= len(board)}
    ahead = leading[STREETS[len(board)]]
    to_come = [card for card in DECK if card not in dead] if len(board) < max(STREETS) else []
    outs = Counter(at for card in to_come for at in _leaders(held, [*board, card]))
    return [
        HandNow(
            seat,
            category(strength([*held[at], *board])),
            _since(at, leading) if at in ahead else "",
            outs[at] if to_come and at not in ahead else None,
        )
        for at, seat in enumerate(live)
    ]


def _leaders(held: Sequence[Sequence[Card]], board: Sequence[Card]) -> set[int]:
    values = [strength([*cards, *board]) for cards in held]
    return {at for at, value in enumerate(values) if value == max(values)}


def _since(at: int, leading: Mapping[str, set[int]]) -> str:
    """The street from which this hand has led without a break."""
    first = ""
    for street, ahead in leading.items():
        first = (first or street) if at in ahead else ""
    return first
