"""How many seven-card hands are evaluated in a second? The peers: phevaluator and pokerkit.

Run: `make bench BENCH=evaluator`.
"""

import random
import sys
from pathlib import Path

import phevaluator
from pokerkit import Card, StandardHighHand

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.game.cards import DECK
from server.game.ranking import best_five, ranking_name, strength
from tests.bench.common.scales import options, print_machine, print_ratio, side_by_side

DICE = random.Random(7)
HANDS = [DICE.sample(DECK, 7) for _ in range(10_000)]
PARSED = [tuple(Card.parse("".join(cards))) for cards in HANDS[:200]]


def ours(hands: int) -> None:
    for number in range(hands):
        strength(HANDS[number % len(HANDS)])


def ours_in_words(hands: int) -> None:
    for number in range(hands):
        cards = HANDS[number % len(HANDS)]
        ranking_name(strength(cards))
        best_five(cards)


def phevaluators(hands: int) -> None:
    for number in range(hands):
        phevaluator.evaluate_cards(*HANDS[number % len(HANDS)])


def pokerkits(hands: int) -> None:
    for number in range(hands):
        StandardHighHand.from_game(PARSED[number % len(PARSED)])


if __name__ == "__main__":
    seconds = options(__doc__, seconds=12.0).seconds / 3
    print_machine()
    for what, mine, peer, theirs in (
        ("strength of 7 cards", ours, "phevaluator", phevaluators),
        ("strength of 7 cards", ours, "pokerkit", pokerkits),
        ("name and best five", ours_in_words, "pokerkit", pokerkits),
    ):
        print_ratio(what, "hands/s", peer, side_by_side(mine, theirs, seconds))
