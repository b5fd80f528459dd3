"""No chip is made or lost: checked after every event of 6,000 random hands under the rules of all contests.

The benchmark in tests/bench/promised/hands.py plays a million such hands.
"""

import random

import pytest

from server.game.events import BetsCollected, HandEnded
from server.game.hand import evolve
from server.game.rules import Rules
from tests.game.random_hands import RULES, random_hand
from tests.game.table import money

HANDS = 6_000


@pytest.mark.parametrize("contest", RULES)
def test_chips_are_conserved_after_every_event(contest: str) -> None:
    play_conserving(RULES[contest], random.Random(contest), HANDS // len(RULES) + 1)


def play_conserving(rules: Rules, dice: random.Random, hands: int) -> None:
    """Plays `hands` random hands. Raises AssertionError if a chip is made or lost."""
    for _ in range(hands):
        hand, events = random_hand(dice, rules)
        chips = money(hand)
        for event in events:
            hand = evolve(hand, event)
            assert money(hand) == chips, event
            if type(event) is BetsCollected:
                assert sum(pot.amount for pot in hand.pots) == sum(seat.committed for seat in hand.seats)
            elif type(event) is HandEnded:
                assert sum(event.stacks) == chips
        assert hand.over
        assert min(seat.stack for seat in hand.seats) >= 0
