"""How large a win is, from what is on air: the twin of `static/js/overlay/reducer-hand.js`. Pure."""

from collections.abc import Sequence

from broadcast.on_air.picture_state import Seat, State, WinSize

TENTH, FORTIETH = 10, 40
"""A pot of so great a part of all chips at the table is a burst; a smaller one than the other that nobody fights for is
not worth more than a nod."""


def win_size(state: State, seats: Sequence[Seat], pot: int) -> WinSize:
    """How large the win is that leaves these `seats` and `pot`, after the picture `state`; chips are all at the table.

    The whole screen is for who takes somebody's last chips, or the lead in the last stage with a large pot.
    """
    chips = pot + sum(seat.stack for seat in seats)
    amount = sum(seat.won for seat in seats)
    if pot == 0 and any(seat.committed and not seat.stack for seat in seats):
        return "screen"
    if amount * TENTH >= chips:
        return "screen" if pot == 0 and _lead_turned(state, seats) else "burst"
    fought = sum(seat.dealt_in and not seat.folded for seat in seats) > 1
    walk = all(seat.act in ("", "fold") for seat in seats)
    return "nod" if is_nod(amount, chips, walk=walk, fought=fought) else "win"


def is_nod(amount: int, chips: int, *, walk: bool, fought: bool) -> bool:
    """Whether a pot is worth a nod: nobody fought for it, and it is a walk or a small part of all chips."""
    return not fought and (walk or amount * FORTIETH < chips) and amount * TENTH < chips


def _lead_turned(state: State, seats: Sequence[Seat]) -> bool:
    """Whether another bot than at the start of the hand has most chips, in the stage that decides the title."""
    if not state.stage or state.stage.advance:
        return False
    before = [state.bots[seat.bot].stack if seat.bot in state.bots else seat.stack for seat in seats]
    after = [seat.stack for seat in seats]
    leader = after.index(max(after))
    return before[leader] < max(before) and after.count(after[leader]) == 1
