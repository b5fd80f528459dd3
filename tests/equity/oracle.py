"""Computes odds in a slow and independent way: eval7 or phevaluator ranks the hands on every possible board."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from phevaluator.card import Card as PhevaluatorCard
from phevaluator.evaluator import evaluate_cards

from server.equity.equity import FULL_SHARE, Equity
from server.game.cards import DECK, Card

eval7 = pytest.importorskip("eval7", reason="eval7 is not built for this system")
Hole = tuple[Card, Card]


class Library(Struct, frozen=True):
    """An evaluator: `card` encodes a card for it, and `strength` rates seven cards; a larger number is better."""

    card: Callable[[Card], Any]
    strength: Callable[[list[Any]], int]


by_eval7 = Library({card: eval7.Card(card) for card in DECK}.__getitem__, eval7.evaluate)
by_phevaluator = Library(
    {card: PhevaluatorCard.to_id(card) for card in DECK}.__getitem__, lambda cards: -int(evaluate_cards(*cards))
)


def counted(
    library: Library, hands: Sequence[Hole], board: Sequence[Card] = (), dead: Sequence[Card] = ()
) -> tuple[Equity, ...]:
    """Counts on how many boards each hand wins and ties."""
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    left = [library.card(card) for card in DECK if card not in known]
    held = [[library.card(card) for card in (*hand, *board)] for hand in hands]
    boards = [[*more] for more in combinations(left, 5 - len(board))]
    values = np.array([np.fromiter((library.strength(hand + more) for more in boards), int) for hand in held])
    best = values == values.max(axis=0)
    winners = best.sum(axis=0)
    wins, ties = (best & (winners == 1)).sum(axis=1), (best & (winners > 1)).sum(axis=1)
    lines = zip(wins.tolist(), ties.tolist(), (best @ (FULL_SHARE // winners)).tolist(), strict=True)
    return tuple(Equity(len(boards), *line) for line in lines)
