"""Computes title odds from the stacks alone, by the independent chip model of Malmuth and Harville. No I/O.

Each bot's chance of first place is its share of the chips. If the number of hands is limited, the largest stack wins at
the end, so the leader's chance is larger than the leader's share (see `first_place_chances`).
"""

import math
from collections.abc import Sequence

LEAD_WEIGHT = 50.0
"""The weight of a lead when one hand is left. The lead is given as a fraction of all chips. When n hands are left, the
weight is divided by the square root of n.
"""
LEAD_LOST_CHANCE = 0.03
"""The chance that one hand makes the lead worthless, so that only the shares of the chips matter. Both constants were
fitted to 1,500 finals between house bots. `tests/odds/test_title.py` tests them on other finals.
"""


def first_place_chances(stacks: Sequence[int], hands_left: int | None = None) -> tuple[float, ...]:
    """Returns each bot's chance, from 0 to 1, to have the most chips after `hands_left` hands. If `hands_left` is None,
    returns each bot's chance to win all chips.

    The more hands remain, the less a lead is worth. Even one hand can make a lead worthless. Raises ValueError if
    nobody has a chip.
    """
    total, leader_stack = sum(stacks), max(stacks, default=0)
    if leader_stack <= 0:
        raise ValueError("nobody has a chip")
    if hands_left is None:
        return tuple(stack / total for stack in stacks)
    if hands_left <= 0:
        return _normalise([float(stack == leader_stack) for stack in stacks])
    weight = LEAD_WEIGHT / math.sqrt(hands_left)
    lead_shares = _normalise([math.exp(weight * (stack - leader_stack) / total) if stack else 0.0 for stack in stacks])
    lost_chance = 1 - (1 - LEAD_LOST_CHANCE) ** hands_left
    return tuple(
        (1 - lost_chance) * lead + lost_chance * stack / total for lead, stack in zip(lead_shares, stacks, strict=True)
    )


def _normalise(weights: Sequence[float]) -> tuple[float, ...]:
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def chance_in_permille(chance: float) -> int:
    """Converts a chance from 0 to 1 into tenths of a percent. 0 and 1000 are reserved for certain results."""
    return round(1000 * chance) if chance in (0.0, 1.0) else min(999, max(1, round(1000 * chance)))
