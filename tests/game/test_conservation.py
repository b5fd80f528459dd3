"""Chips are neither made nor lost: checked after every event of 6,000 random hands under all contests' rules.

The promises of the benchmarks play a million of them.
"""

import random
from collections import Counter

import pytest

from server.game.events import BetsCollected, HandEnded, PotAwarded
from server.game.hand import Hand, evolve
from server.game.ranking import strength
from server.game.rules import Rules
from tests.game.random_hands import RULES, random_hand
from tests.game.table import money
from tests.game.test_pots import slow_split

HANDS = 6_000


@pytest.mark.parametrize("contest", RULES)
def test_chips_are_conserved_after_every_event(contest: str) -> None:
    play_conserving(RULES[contest], random.Random(contest), HANDS // len(RULES) + 1)


def play_conserving(rules: Rules, dice: random.Random, hands: int) -> None:
    """Plays `hands` random hands. Raises AssertionError where a chip is made or lost."""
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


@pytest.mark.parametrize("contest", RULES)
def test_every_payout_is_that_of_the_slow_splitter(contest: str) -> None:
    dice = random.Random(contest)
    for _ in range(300):
        start, events = random_hand(dice, RULES[contest])
        hand = start
        for event in events:
            hand = evolve(hand, event)
        live = [seat for seat in hand.live if hand.seats[seat].committed]
        strengths = {at: strength(hand.seats[at].cards + hand.board) if len(hand.live) > 1 else 0 for at in live}
        order = later_order(hand)
        committed = [seat.committed for seat in hand.seats]
        assert winnings(hand) == slow_split(committed, strengths, order, hand.rules)


def later_order(hand: Hand) -> list[int]:
    """Seats in the order in which they act after the flop, worked out from the rule alone."""
    count = len(hand.seats)
    first = hand.order[0] if hand.rules.later_streets_from == "big_blind" else (hand.button + 1) % count
    return [(first + step) % count for step in range(count)]


def winnings(hand: Hand) -> Counter[int]:
    won: Counter[int] = Counter()
    for pot in hand.awarded:
        assert isinstance(pot, PotAwarded)
        for award in pot.awards:
            won[award.seat] += award.amount
    return won
