"""Hands have the right rank, name and best five cards. Our own evaluator agrees with the library eval7."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, cycle

import pytest

from server.game.cards import DECK, RANKS, Card, parse_cards
from server.game.evaluator import CARD_NUMBERS, evaluate
from server.game.ranking import best_five, category, ranking_name, strength


def test_all_2_598_960_hands_of_five_cards_have_the_right_category() -> None:
    strengths = Counter(map(strength, combinations(DECK, 5)))
    assert len(strengths) == 7462
    counts: Counter[str] = Counter()
    for value, times in strengths.items():
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


def test_hand_has_a_name() -> None:
    for cards, name in (
        ("Ac Kd Qh Js 9c", "high card, ace"),
        ("7c 7d Ah Ks 3c", "pair of sevens, ace kicker"),
        ("Kc Kd 4h 4s Ac", "two pair, kings and fours, ace kicker"),
        ("6c 6d 6h Js 2c", "three of a kind, sixes, jack kicker"),
        ("5c 6d 7h 8s 9c", "straight, nine high"),
        ("2c 5c 9c Jc Kc", "flush, king high"),
        ("Tc Td Th 2s 2c", "full house, tens over twos"),
        ("9c 9d 9h 9s Qc", "four of a kind, nines, queen kicker"),
        ("Ac 2c 3c 4c 5c", "straight flush, five high"),
        ("Tc Jc Qc Kc Ac", "royal flush"),
        ("Kc Kd 4h 4s Ac 3d 3c", "two pair, kings and fours, ace kicker"),
    ):
        assert ranking_name(strength(parse_cards(cards))) == name


def test_best_five_cards_are_as_strong_as_the_whole_hand() -> None:
    dice = random.Random(5)
    for count in [5, 6, 7] * 2_000:
        cards = dice.sample(DECK, count)
        five = best_five(cards)
        assert len(set(five)) == 5
        assert set(five) <= set(cards)
        assert strength(five) == strength(cards)
        wheel = ranking_name(strength(five)).endswith("five high") and five[-1][0] == "A"
        ranks = [card[0] for card in five]
        counts_and_ranks = [(ranks.count(rank), RANKS.index(rank)) for rank in ranks]
        assert counts_and_ranks[: 4 if wheel else 5] == sorted(counts_and_ranks, reverse=True)[1 if wheel else 0 :]


def one_hand_of_each_class(count: int) -> Iterator[list[Card]]:
    """Yields one hand of each class. All hands of a class have the same ranks. Hands with a flush are in the same
    class only if the cards of their flushes also have the same ranks.
    """
    for ranks in combinations_with_replacement(RANKS, count):
        if max(map(ranks.count, ranks)) <= 4:
            # The suits take turns. So no card occurs twice, and no suit has five cards for a flush.
            yield [rank + suit for rank, suit in zip(ranks, cycle("cdhs"), strict=False)]
    for flush_size in range(5, count + 1):
        for ranks in combinations(RANKS, flush_size):
            for other_ranks in combinations_with_replacement(RANKS, count - flush_size):
                yield [*(f"{rank}c" for rank in ranks), *map("".join, zip(other_ranks, "dh", strict=False))]


@pytest.mark.parametrize(("count", "classes"), [(5, 7_462), (6, 36_842), (7, 190_346)])
def test_our_evaluator_agrees_with_eval7_on_every_class_of_hands(count: int, classes: int) -> None:
    eval7 = pytest.importorskip("eval7", reason="eval7 is not built for this system")
    theirs, hands = {card: eval7.Card(card) for card in CARD_NUMBERS}, [*one_hand_of_each_class(count)]
    assert len(hands) == classes
    for hand in hands:
        assert evaluate([CARD_NUMBERS[card] for card in hand]) == eval7.evaluate([theirs[card] for card in hand]), hand


def test_all_suits_are_equally_strong() -> None:
    flushes = ([CARD_NUMBERS[rank + suit] for rank in "2468T"] for suit in "cdhs")
    assert len(set(map(evaluate, flushes))) == 1
