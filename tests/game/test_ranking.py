"""Hands have the right rank, name and best five cards.

They are compared with another evaluator and with the known number of hands of each kind.
"""

import random
from collections import Counter
from itertools import combinations

import pytest

from server.game.cards import DECK, RANKS, parse_cards
from server.game.ranking import best_five, category, ranking_name, strength


def test_all_2_598_960_five_card_hands_are_of_the_right_category() -> None:
    found = Counter(map(strength, combinations(DECK, 5)))
    assert len(found) == 7462, "there must be 7,462 different strengths"
    counts: Counter[str] = Counter()
    for value, times in found.items():
        counts[category(value)] += times
    assert counts == {
        "high card": 1_302_540,
        "pair": 1_098_240,
        "two pair": 123_552,
        "three of a kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full house": 3_744,
        "four of a kind": 624,
        "straight flush": 40,
    }


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ac Kd Qh Js 9c", "high card, ace"),
        ("7c 7d Ah Ks 3c", "pair of sevens, ace kicker"),
        ("Kc Kd 4h 4s Ac", "two pair, kings and fours, ace kicker"),
        ("6c 6d 6h Js 2c", "three of a kind, sixes, jack kicker"),
        ("5c 6d 7h 8s 9c", "straight, nine high"),
        ("Ac 2d 3h 4s 5c", "straight, five high"),
        ("2c 5c 9c Jc Kc", "flush, king high"),
        ("Tc Td Th 2s 2c", "full house, tens over twos"),
        ("9c 9d 9h 9s Qc", "four of a kind, nines, queen kicker"),
        ("5c 6c 7c 8c 9c", "straight flush, nine high"),
        ("Ac 2c 3c 4c 5c", "straight flush, five high"),
        ("Tc Jc Qc Kc Ac", "royal flush"),
        ("Kc Kd 4h 4s Ac 3d 3c", "two pair, kings and fours, ace kicker"),
    ],
)
def test_a_hand_has_a_name(cards: str, name: str) -> None:
    assert ranking_name(strength(parse_cards(cards))) == name


def test_the_best_five_cards_belong_to_the_hand_and_equal_its_strength() -> None:
    dice = random.Random(5)
    for count in [5, 6, 7] * 2_000:
        cards = dice.sample(DECK, count)
        five = best_five(cards)
        assert len(set(five)) == 5
        assert set(five) <= set(cards)
        assert strength(five) == strength(cards)
        wheel = ranking_name(strength(five)).endswith("five high") and five[-1][0] == "A"
        assert groups(five)[: 4 if wheel else 5] == sorted(groups(five), reverse=True)[1 if wheel else 0 :]


def groups(cards: tuple[str, ...]) -> list[tuple[int, int]]:
    """Returns for each card how often its rank occurs, and how high the rank is."""
    ranks = [card[0] for card in cards]
    return [(ranks.count(rank), RANKS.index(rank)) for rank in ranks]
