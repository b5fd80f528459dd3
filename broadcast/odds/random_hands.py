"""Computes the chance of a hand against others whose cards are unknown, by dealing them many times. Pure.

The deals are the same each time, so that the show, its replay and the results agree.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from broadcast.odds.tables import Ints, Values, number_of, tables
from server.game.cards import DECK, Card

DEALS = 5_000
"""So many deals leave an error of about 0.007."""


def chance_against_random(cards: Sequence[Card], board: Sequence[Card], others: int) -> float:
    """The share of the pot, 0 to 1, that two `cards` can expect on a `board` against so many unknown hands."""
    return _chance(tuple(cards), tuple(board), others)


@lru_cache(256)
def _chance(cards: tuple[Card, ...], board: tuple[Card, ...], others: int) -> float:
    dealt = _deals([DECK.index(card) for card in (*cards, *board)], 2 * others + 5 - len(board))
    shared = np.hstack([_same(board), dealt[:, 2 * others :]])
    mine = _values(_same(cards), shared)
    theirs = np.array([_values(dealt[:, 2 * at : 2 * at + 2], shared) for at in range(others)])
    best = theirs.max(axis=0)
    ties = (theirs == mine).sum(axis=0)
    return float(np.where(mine > best, 1.0, np.where(mine == best, 1 / (1 + ties), 0.0)).mean())


def _same(cards: Sequence[Card]) -> Ints:
    """The same cards in each deal. Shape: (deals, cards)."""
    return np.tile(np.array([DECK.index(card) for card in cards], np.int64), (DEALS, 1))


def _deals(seen: Sequence[int], count: int) -> Ints:
    """The first `count` unseen cards of each deal. Shape: (deals, count)."""
    unseen = np.setdiff1d(np.arange(len(DECK)), seen)
    return unseen[np.random.default_rng(0).random((DEALS, len(unseen))).argsort(axis=1)[:, :count]]


def _values(held: Ints, shared: Ints) -> Values:
    """The strength of two cards in each deal. Shapes: (deals, 2), (deals, 5)."""
    look = tables()
    value = look.made[number_of(np.sort(held >> 2, axis=1).T), number_of(np.sort(shared >> 2, axis=1).T)]
    cards = np.hstack([held, shared])
    for suit in range(4):
        ranks = np.where(cards & 3 == suit, 1 << (cards >> 2), 0).sum(axis=1)
        value = np.maximum(value, look.flush[ranks])
    return value
