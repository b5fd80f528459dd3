"""Main and side pots: which seats may win how many chips, and how one pot is shared among its winners. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from server.game.events import Award, Pot
from server.game.rules import Rules


def split_pots(committed: Sequence[int], live: Iterable[int], dead: int = 0) -> tuple[Pot, ...]:
    """Main pot first, then side pots, from each seat's chips in this hand; only `live` seats may win.

    `dead` chips are nobody's bet: they go into the main pot, whoever it is that put in nothing else.

    "In the showdown, you can only win an amount from each player equal to your total bet for the hand -
    all remaining chips will be distributed to the 2nd place hand": one pot for each all-in height.
    """
    contenders = sorted(live)
    pots: list[Pot] = []
    counted = -dead
    for height in sorted({committed[seat] for seat in contenders}):
        up_to_here = sum([chips if chips < height else height for chips in committed])
        if up_to_here > counted:
            pots.append(Pot(up_to_here - counted, tuple([seat for seat in contenders if committed[seat] >= height])))
        counted = up_to_here
    beyond = sum(committed) - counted
    if beyond and pots:  # a folded seat put in more than any live one
        pots[-1] = Pot(pots[-1].amount + beyond, pots[-1].seats)
    return tuple(pots)


def share_pot(pot: Pot, strengths: Mapping[int, int], order: Sequence[int], rules: Rules) -> tuple[Award, ...]:
    """The awards of one pot: the best of its seats share it, in betting order; odd chips go as the rules say."""
    best = max([strengths[seat] for seat in pot.seats])
    winners = [seat for seat in order if seat in pot.seats and strengths[seat] == best]
    share, odd = divmod(pot.amount, len(winners))
    lucky = winners[0] if rules.odd_chips == "first_in_order" else winners[-1]
    return tuple([Award(seat, share + (odd if seat == lucky else 0)) for seat in winners])
