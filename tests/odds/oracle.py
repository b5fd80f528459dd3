"""Odds computed the slow way, as an oracle: every possible board, evaluated by eval7 and by phevaluator."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any

import eval7
from msgspec import Struct
from phevaluator.card import Card as PhevaluatorCard
from phevaluator.evaluator import evaluate_cards

from broadcast.odds.equity import WHOLE, Equity
from server.game.cards import DECK, Card

Hole = tuple[Card, Card]


class Library(Struct, frozen=True):
    """What it makes of a card, and how strong it finds seven of those; more is better."""

    card: Callable[[Card], Any]
    strength: Callable[[list[Any]], int]


by_eval7 = Library({card: eval7.Card(card) for card in DECK}.__getitem__, eval7.evaluate)
by_phevaluator = Library(
    {card: PhevaluatorCard.to_id(card) for card in DECK}.__getitem__, lambda cards: -int(evaluate_cards(*cards))
)


def counted(
    library: Library, hands: Sequence[Hole], board: Sequence[Card] = (), dead: Sequence[Card] = ()
) -> tuple[Equity, ...]:
    """How each hand does, counted board by board."""
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    left = [library.card(card) for card in DECK if card not in known]
    held = [[library.card(card) for card in (*hand, *board)] for hand in hands]
    wins, ties, shares = ([0] * len(hands) for _ in range(3))
    for more in map(list, combinations(left, 5 - len(board))):
        values = [library.strength(hand + more) for hand in held]
        most = max(values)
        best = [at for at, value in enumerate(values) if value == most]
        for at in best:
            shares[at] += WHOLE // len(best)
            (wins if len(best) == 1 else ties)[at] += 1
    boards = comb(len(left), 5 - len(board))
    return tuple(Equity(boards, *line) for line in zip(wins, ties, shares, strict=True))
