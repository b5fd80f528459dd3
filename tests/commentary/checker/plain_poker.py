"""Compares poker hands with phevaluator instead of the program's evaluator."""

from collections.abc import Sequence
from functools import cache

from tests.equity.oracle import by_phevaluator

RANKS = "23456789TJQKA"
WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
KINDS = (
    (1, "royal flush"), (10, "straight flush"), (166, "four of a kind"), (322, "full house"), (1599, "flush"),
    (1609, "straight"), (2467, "three of a kind"), (3325, "two pair"), (6185, "pair"), (7462, "high card"),
)  # fmt: skip
"""Each kind of hand, with the rank of the weakest hand of this kind. The best of all 7,462 hands has rank 1."""

Cards = Sequence[str]


def worth(cards: Cards) -> int:
    """The strength of the best hand that five to seven cards make; a larger number is a better hand."""
    return _worth(frozenset(cards))


@cache
def _worth(cards: frozenset[str]) -> int:
    return by_phevaluator.strength([by_phevaluator.card(card) for card in cards])


def kind(cards: Cards) -> str:
    return next(name for lowest, name in KINDS if -worth(cards) <= lowest)
