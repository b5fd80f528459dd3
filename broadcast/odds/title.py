"""Who wins the title, from the stacks alone: the independent chip model of Malmuth and Harville, exact. Pure.

First place goes to each with the chance of its share of the chips; second place, among the rest, likewise; and so on.
Where only so many hands are left, the most chips win, and who leads has more than its share: see `first_place`.
"""

import math
from collections.abc import Sequence

MOST_PLAYERS = 12
"""All places of more are not worked out: there are two to the power of the players sets of them."""
FIRM = 50.0
"""How much a lead, as a share of all chips, counts for against the root of the hands left."""
TURNED = 0.03
"""The chance of each hand that it turns everything, after which the shares count alone.

Both are fitted to 1,500 finals of house bots; `tests/bench/title_odds.py` holds them against others.
"""


def first_place(stacks: Sequence[int], hands_left: int | None = None) -> tuple[float, ...]:
    """Everybody's chance to win, 0 to 1: with the last chip, or with the most after `hands_left` hands.

    Chips wander: a lead is worth less the more hands are left, with their root, and one hand may turn everything.
    Raises ValueError where nobody has a chip.
    """
    whole, most = sum(stacks), max(stacks, default=0)
    if most <= 0:
        raise ValueError("nobody has a chip")
    if hands_left is None:
        return tuple(stack / whole for stack in stacks)
    if hands_left <= 0:
        return _of([float(stack == most) for stack in stacks])
    firm = FIRM / math.sqrt(hands_left)
    leads = _of([math.exp(firm * (stack - most) / whole) if stack else 0.0 for stack in stacks])
    turned = 1 - (1 - TURNED) ** hands_left
    return tuple((1 - turned) * lead + turned * stack / whole for lead, stack in zip(leads, stacks, strict=True))


def _of(weights: Sequence[float]) -> tuple[float, ...]:
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)


def all_places(stacks: Sequence[int]) -> tuple[tuple[float, ...], ...]:
    """Everybody's chances of each place, best place first, if they play until one is left.

    Raises ValueError for more than `MOST_PLAYERS` players, and for one without chips.
    """
    count = len(stacks)
    if count > MOST_PLAYERS or min(stacks, default=0) <= 0:
        raise ValueError(f"one to {MOST_PLAYERS} players with chips are needed, not {tuple(stacks)}")
    places = [[0.0] * count for _ in stacks]
    placed = [0.0] * (1 << count)
    """The chance that a set of players, one bit for each, takes the best places among them."""
    placed[0] = 1.0
    left = [sum(stacks)] + [0] * ((1 << count) - 1)
    for chosen in range((1 << count) - 1):
        rest, place = left[chosen], chosen.bit_count()
        for player, stack in enumerate(stacks):
            if not chosen >> player & 1:
                chance = placed[chosen] * stack / rest
                with_it = chosen | 1 << player
                placed[with_it] += chance
                left[with_it] = rest - stack
                places[player][place] += chance
    return tuple(map(tuple, places))


def in_tenths(chance: float) -> int:
    """A chance of 0 to 1 in tenths of a percent; 0 and 1000 are kept for what is certain."""
    return round(1000 * chance) if chance in (0.0, 1.0) else min(999, max(1, round(1000 * chance)))
