"""Chances the slow way: every board that can come, every hand on it, by libraries of the field."""

from collections.abc import Callable, Sequence
from itertools import combinations

import eval7
import phevaluator

from broadcast.equity import WHOLE, Equity
from server.game.cards import DECK, Card

Hole = tuple[Card, Card]
Strength = Callable[[Sequence[Card]], int]
_SEVENS = {card: eval7.Card(card) for card in DECK}


def by_eval7(cards: Sequence[Card]) -> int:
    return int(eval7.evaluate([_SEVENS[card] for card in cards]))


def by_phevaluator(cards: Sequence[Card]) -> int:
    return -int(phevaluator.evaluate_cards(*cards))


def counted(
    strength: Strength, hands: Sequence[Hole], board: Sequence[Card] = (), dead: Sequence[Card] = ()
) -> tuple[Equity, ...]:
    """How each hand does, counted board by board."""
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    come = list(combinations([card for card in DECK if card not in known], 5 - len(board)))
    wins, ties, shares = ([0] * len(hands) for _ in range(3))
    for more in come:
        values = [strength((*hand, *board, *more)) for hand in hands]
        best = [at for at, value in enumerate(values) if value == max(values)]
        for at in best:
            shares[at] += WHOLE // len(best)
            (wins if len(best) == 1 else ties)[at] += 1
    return tuple(Equity(len(come), *line) for line in zip(wins, ties, shares, strict=True))
