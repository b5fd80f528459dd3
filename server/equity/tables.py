"""The tables in which `equity` looks up the strength of the hand that two hole cards make with a board.

Without suits, a board is a multiset of five ranks. There are 6,188 such multisets. The thirteen multisets with five
equal ranks never occur. NumPy builds the tables on first use, in about 60 ms.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Strengths = NDArray[np.int32]
"""Strengths of hands. A higher number is stronger. The highest bits give the kind of the hand. Lower bits give the
ranks that make the hand, and then the kickers.
"""
RankSets = NDArray[np.uint16]
"""Sets of ranks. Bit 0 stands for deuces, and bit 12 for aces."""

RANK_COUNT = 13
_STRAIGHTS = [0b1000000001111, *(0b11111 << low for low in range(9))]
"""The straights as sets of ranks, from five high to ace high."""
_NUMBER_PARTS = [np.array([comb(rank + position, position + 1) for rank in range(RANK_COUNT)]) for position in range(5)]
"""A multiset's number is a sum. The entry at [position][rank] is what a rank at this position adds to the sum."""
_PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL, _QUADS, _STRAIGHT_FLUSH = range(1, 9)


class Multisets(Struct, frozen=True):
    """All multisets of some ranks, in the order of `multiset_numbers`."""

    factor_indices: Ints
    """`ways` multiplies one factor for each card. These are the factors' indices: five times the card's rank, plus
    the number of earlier cards of the same rank. Shape: (cards, multisets).
    """
    order_counts: Ints
    """For each multiset, the number of orders in which its cards of equal rank can be arranged."""

    def ways(self, cards_left: Ints) -> Ints:
        """Returns how many sets of cards have the ranks of each multiset. `cards_left` says how many cards of each rank
        are left.
        """
        factors = (cards_left[:, None] - np.arange(5)).ravel()
        ways = np.ones_like(self.order_counts)
        for step in self.factor_indices:
            ways *= factors[step]
        return ways // self.order_counts


class SuitedBoards(Struct, frozen=True):
    """The boards with a given number of cards of one suit."""

    rank_sets: Ints
    """Each possible set of ranks of that suit, as bits."""
    other_ranks: Multisets
    """The ranks of the other cards."""
    board_numbers: Ints
    """The board's number for each pair of `rank_sets` and `other_ranks`. Shape: (rank_sets, other_ranks)."""


class Tables(Struct, frozen=True):
    """All tables. The index of a multiset is its number, from `multiset_numbers`."""

    boards: Multisets
    made_strengths: Strengths
    """The strength of the hand that two ranks make with a board, without flushes. Shape: (pairs of ranks, boards)."""
    flush_strengths: Strengths
    """The strength of the hand that a set of ranks of one suit makes, or 0 for fewer than five ranks."""
    suited_boards: dict[int, SuitedBoards]
    """The boards on which a flush is possible, keyed by the number of cards of the flush's suit."""


@cache
def tables() -> Tables:
    """Returns the tables. The first call builds them."""
    return Tables(
        _multisets(5), _made_strengths(), _flush_strengths(), {count: _suited_boards(count) for count in (3, 4, 5)}
    )


def multiset_numbers(ranks: Ints) -> Ints:
    """Returns the number of each multiset. `ranks`, of shape (cards, multisets), has the ranks of each multiset in
    ascending order.
    """
    number = np.zeros(ranks.shape[1:], np.int64)
    for position, row in enumerate(ranks):
        number += _NUMBER_PARTS[position][row]
    return number


def _rank_multisets(count: int) -> Ints:
    """Returns all multisets of `count` ranks in the order of their numbers. Shape: (count, multisets)."""
    multisets = np.array(list(combinations_with_replacement(range(RANK_COUNT), count)), np.int64).T
    return multisets[:, np.argsort(multiset_numbers(multisets))]


def _multisets(count: int) -> Multisets:
    ranks = _rank_multisets(count)
    equal_before = np.zeros_like(ranks)
    for position in range(1, count):
        equal_before[position] = (ranks[:position] == ranks[position]).sum(axis=0)
    return Multisets(ranks * 5 + equal_before, (equal_before + 1).prod(axis=0))


def _suited_boards(count: int) -> SuitedBoards:
    sets = np.array(list(combinations(range(RANK_COUNT), count)), np.int64).T
    others = _rank_multisets(5 - count)
    shape = (sets.shape[1], others.shape[1])
    cards = [np.broadcast_to(row[:, None], shape) for row in sets] + [np.broadcast_to(row, shape) for row in others]
    return SuitedBoards(
        (1 << sets).sum(axis=0), _multisets(5 - count), multiset_numbers(np.sort(np.array(cards), axis=0))
    )


def _made_strengths() -> Strengths:
    """Builds `Tables.made_strengths`. Finds the ranks that occur once, twice, three and four times. Stronger hands
    overwrite weaker ones.
    """
    no_ranks = np.zeros((1, 1), np.uint16)
    once, twice, thrice, four = no_ranks, no_ranks, no_ranks, no_ranks
    boards = (1 << _rank_multisets(5)).astype(np.uint16)[:, None]
    hands = (1 << _rank_multisets(2)).astype(np.uint16)[..., None]
    for card in (*boards, *hands):
        four, thrice, twice, once = four | thrice & card, thrice | twice & card, twice | once & card, once | card
    pair, pairs, trips = _highest_ranks(1)[twice], _highest_ranks(2)[twice], _highest_ranks(1)[thrice]
    straights, other_pairs = _straights()[once], twice & ~trips
    strengths = _pack_strength(0, np.zeros_like(once), _highest_ranks(5)[once])
    for applies, value in (
        (pair > 0, _pack_strength(_PAIR, pair, _highest_ranks(3)[once & ~pair])),
        (pairs > pair, _pack_strength(_TWO_PAIR, pairs, _highest_ranks(1)[once & ~pairs])),
        (trips > 0, _pack_strength(_TRIPS, trips, _highest_ranks(2)[once & ~trips])),
        (straights > 0, _pack_strength(_STRAIGHT, straights, straights)),
        ((trips > 0) & (other_pairs > 0), _pack_strength(_FULL, trips, _highest_ranks(1)[other_pairs])),
        (four > 0, _pack_strength(_QUADS, four, _highest_ranks(1)[once & ~four])),
    ):
        np.copyto(strengths, value, where=applies)
    return strengths


def _flush_strengths() -> Strengths:
    sets = np.arange(1 << RANK_COUNT, dtype=np.uint16)
    straights = _straights()
    flushes = _pack_strength(_FLUSH, np.zeros_like(sets), _highest_ranks(5))
    strengths = np.where(straights > 0, _pack_strength(_STRAIGHT_FLUSH, straights, straights), flushes)
    return np.where(np.bitwise_count(sets) >= 5, strengths, 0)


def _pack_strength(kind: int, major: RankSets, kickers: RankSets) -> Strengths:
    return kind << 26 | major.astype(np.int32) << 13 | kickers


@cache
def _highest_ranks(count: int) -> RankSets:
    """Returns the highest `count` ranks of every set of ranks."""
    sets = np.arange(1 << RANK_COUNT, dtype=np.uint16)
    highest = np.zeros_like(sets)
    for bit in reversed(range(RANK_COUNT)):
        highest |= np.where(np.bitwise_count(highest) < count, sets & (1 << bit), 0).astype(np.uint16)
    return highest


def _straights() -> RankSets:
    """Returns the height of the straight in every set of ranks, from 1 for five high to 10 for ace high. 0 means no
    straight.
    """
    sets = np.arange(1 << RANK_COUNT, dtype=np.uint16)
    heights = np.zeros_like(sets)
    for height, straight in enumerate(_STRAIGHTS, 1):
        heights[sets & straight == straight] = height
    return heights
