"""Our own evaluator, for systems without eval7, ranks all hands of five to seven cards as eval7 does.

A suit matters only if five or more cards have it. Hands form a class if they have the same ranks, and the same ranks in
such a suit. One hand of each class is tested.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, cycle

import pytest

from server.game.cards import RANKS, Card
from server.game.evaluator import CARDS, evaluate

eval7 = pytest.importorskip("eval7", reason="eval7 is not built for this system")


@pytest.mark.parametrize(("count", "classes"), [(5, 7_462), (6, 36_842), (7, 190_346)])
def test_every_class_of_hands_is_as_strong_as_eval7_says(count: int, classes: int) -> None:
    theirs = {card: eval7.Card(card) for card in CARDS}
    hands = [*_without_flush(count), *_with_flush(count)]
    assert len(hands) == classes
    assert not [
        hand
        for hand in hands
        if evaluate([CARDS[card] for card in hand]) != eval7.evaluate([theirs[card] for card in hand])
    ]


def test_all_suits_are_treated_alike() -> None:
    flushes = ([CARDS[rank + suit] for rank in "2468T"] for suit in "cdhs")
    assert {evaluate(flush) for flush in flushes} == {evaluate([CARDS[f"{rank}c"] for rank in "2468T"])}


def _without_flush(count: int) -> Iterator[list[Card]]:
    """A hand for each choice of ranks, with at most four cards of a rank. The suits alternate, so there is no flush."""
    for ranks in combinations_with_replacement(RANKS, count):
        if max(map(ranks.count, ranks)) <= 4:
            yield [rank + suit for rank, suit in zip(ranks, cycle("cdhs"), strict=False)]


def _with_flush(count: int) -> Iterator[list[Card]]:
    """A hand for each choice of five or more ranks in one suit and, for the other cards, of ranks in other suits."""
    for suited in range(5, count + 1):
        for ranks in combinations(RANKS, suited):
            for others in combinations_with_replacement(RANKS, count - suited):
                yield [f"{rank}c" for rank in ranks] + _other_suits(others)


def _other_suits(ranks: Sequence[str]) -> list[Card]:
    return [rank + suit for rank, suit in zip(ranks, "dh", strict=False)]
