"""Ranks poker hands in pure Python, for systems that lack the library eval7. The strengths are the same as eval7's.

A card's number consists of counters: three bits for each rank, then four bits for each suit. So the sum of the cards'
numbers counts the ranks and suits of a hand. A cache keeps the strength of each combination of ranks.
"""

from collections.abc import Sequence
from functools import cache

from server.game.cards import DECK, RANKS

_SUIT_SHIFT = 3 * len(RANKS)
_ALL_RANKS = (1 << _SUIT_SHIFT) - 1
_FLUSH_CARRY, _FLUSH_BITS = 0x3333, 0x8888
"""If `_FLUSH_CARRY` is added to the suit counters, each suit with at least five cards sets its bit of `_FLUSH_BITS`."""
_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH = range(9)
_KIND_BY_RANK_COUNT = {4: _QUADS, 3: _TRIPS, 2: _PAIR, 1: _HIGH_CARD}
_ACE_RANK = len(RANKS) - 1

CARD_NUMBERS = {card: 1 << 3 * RANKS.index(card[0]) | 1 << _SUIT_SHIFT + 4 * "cdhs".index(card[1]) for card in DECK}
"""The number that stands for each card."""


def evaluate(cards: Sequence[int]) -> int:
    """Returns the strength of the best five of 5 to 7 `cards`, given as their numbers in `CARD_NUMBERS`. The higher
    strength wins.
    """
    total = sum(cards)
    strength = _strength_without_flush(total & _ALL_RANKS)
    if flushes := (total >> _SUIT_SHIFT) + _FLUSH_CARRY & _FLUSH_BITS:
        suit = flushes >> 3 << _SUIT_SHIFT
        return max(strength, _flush_strength(sum(card & _ALL_RANKS for card in cards if card & suit)))
    return strength


@cache
def _strength_without_flush(counts: int) -> int:
    rank_counts = [(counts >> 3 * rank & 7, rank) for rank in range(len(RANKS)) if counts >> 3 * rank & 7]
    (top_count, first_rank), *others = sorted(rank_counts, reverse=True)
    second_count, second_rank = others[0] if others else (0, 0)
    kickers = sorted((rank for _, rank in others), reverse=True)
    straight = _top_of_straight([rank for _, rank in rank_counts])
    if top_count == 3 and second_count >= 2:
        return _pack_strength(_FULL_HOUSE, first_rank, second_rank)
    if straight is not None:
        return _pack_strength(_STRAIGHT, straight)
    if top_count == second_count == 2:
        return _pack_strength(
            _TWO_PAIR, first_rank, second_rank, *[rank for rank in kickers if rank != second_rank][:1]
        )
    return _pack_strength(_KIND_BY_RANK_COUNT[top_count], first_rank, *kickers[: 5 - top_count])


@cache
def _flush_strength(counts: int) -> int:
    """Returns the strength of a flush or straight flush. `counts` are the rank counters of the cards in the suit."""
    ranks = [rank for rank in reversed(range(len(RANKS))) if counts >> 3 * rank & 7]
    straight = _top_of_straight(ranks)
    return _pack_strength(_FLUSH, *ranks[:5]) if straight is None else _pack_strength(_STRAIGHT_FLUSH, straight)


def _top_of_straight(ranks: Sequence[int]) -> int | None:
    """Returns the top rank of the best straight among `ranks`, or None. An ace can also be the low card below a two."""
    ranks_with_low_ace = {*ranks, -1} if _ACE_RANK in ranks else {*ranks}
    tops = (top for top in reversed(range(3, len(RANKS))) if ranks_with_low_ace.issuperset(range(top - 4, top + 1)))
    return next(tops, None)


def _pack_strength(kind: int, *ranks: int) -> int:
    return kind << 24 | sum(rank << 16 - 4 * place for place, rank in enumerate(ranks))
