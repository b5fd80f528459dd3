"""Estimates the strength of two hole cards with the current board, from 0 to 1. House bots decide by this strength."""

from collections import Counter
from collections.abc import Sequence

from server.game import ranking
from server.game.cards import RANKS, Card

_MADE_HAND_STRENGTHS = {
    "straight flush": 0.99,
    "four of a kind": 0.98,
    "full house": 0.95,
    "flush": 0.9,
    "straight": 0.86,
    "three of a kind": 0.8,
}
_TWO_PAIR, _OVERPAIR, _TOP_PAIR, _MIDDLE_PAIR, _LOW_PAIR = 0.7, 0.62, 0.56, 0.44, 0.36
_BOARD_ONLY_PENALTY = 0.4
"""This number is subtracted from a hand's strength if the board alone makes the same kind of hand, such as a flush."""
_FLUSH_DRAW, _STRAIGHT_DRAW = 0.16, 0.1


def estimate_strength(hole: Sequence[Card], board: Sequence[Card]) -> float:
    """Estimates the strength of two hole cards, from 0 to 1. `board` has 0, 3, 4 or 5 cards."""
    return _strength_with_board(hole, board) if board else _hole_strength(hole)


def _hole_strength(hole: Sequence[Card]) -> float:
    """Returns the strength of two hole cards by Chen's formula. The formula gives -1.5 to 20 points, for the high card,
    a pair, suited cards and the gap between the ranks.
    """
    high, low = sorted((_rank(card) for card in hole), reverse=True)
    points = {14: 10.0, 13: 8.0, 12: 7.0, 11: 6.0}.get(high, high / 2)
    if high == low:
        return _scale_points(max(2 * points, 5))
    gap = high - low - 1
    points += 2 * (hole[0][1] == hole[1][1]) - (0, 1, 2, 4)[min(gap, 3)] - (gap > 3)
    points += gap < 2 and high < 12
    return _scale_points(points)


def _scale_points(points: float) -> float:
    """Turns Chen's points into a strength. Average hands are near 0.5, and the best pairs are close to 1."""
    return max((points + 4) / 20, 0.0) if points <= 12 else 0.8 + (points - 12) / 40


def _strength_with_board(hole: Sequence[Card], board: Sequence[Card]) -> float:
    kind = _kind_of_hand([*hole, *board])
    if kind in _MADE_HAND_STRENGTHS:
        return _MADE_HAND_STRENGTHS[kind] - (_BOARD_ONLY_PENALTY if kind == _kind_of_hand(board) else 0)
    draws = _draw_strength(hole, board) if len(board) < 5 else 0.0
    return min(_pair_strength(hole, board) + draws, 0.85)


def _kind_of_hand(cards: Sequence[Card]) -> str:
    return ranking.category(ranking.strength(cards))


def _pair_strength(hole: Sequence[Card], board: Sequence[Card]) -> float:
    """Returns the strength of the pairs that the hole cards make. Without a pair, high cards add a little strength."""
    high, low = sorted((_rank(card) for card in hole), reverse=True)
    ranks = sorted({_rank(card) for card in board}, reverse=True)
    if high == low:
        return _OVERPAIR if high > ranks[0] else _MIDDLE_PAIR if high > ranks[-1] else _LOW_PAIR
    paired = [rank for rank in (high, low) if rank in ranks]
    if len(paired) == 2:
        return _TWO_PAIR
    if paired:
        return _TOP_PAIR if paired[0] == ranks[0] else _MIDDLE_PAIR if paired[0] > ranks[-1] else _LOW_PAIR
    return 0.06 + 0.01 * max(high - 6, 0) + 0.05 * (high > ranks[0])


def _draw_strength(hole: Sequence[Card], board: Sequence[Card]) -> float:
    has_flush_draw = _largest_suit_count([*hole, *board]) == 4 and _largest_suit_count(board) < 4
    has_straight_draw = _longest_run([_rank(card) for card in (*hole, *board)]) == 4
    return _FLUSH_DRAW * has_flush_draw + _STRAIGHT_DRAW * has_straight_draw


def _largest_suit_count(cards: Sequence[Card]) -> int:
    return max(Counter(card[1] for card in cards).values())


def _longest_run(ranks: Sequence[int]) -> int:
    """Returns the length of the longest run of ranks. The ace counts as 1 and as 14."""
    present = set(ranks) | ({1} if 14 in ranks else set())
    longest = current = 0
    for rank in range(1, 15):
        current = current + 1 if rank in present else 0
        longest = max(longest, current)
    return longest


def _rank(card: Card) -> int:
    return RANKS.index(card[0]) + 2
