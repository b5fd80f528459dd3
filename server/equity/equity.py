"""Computes how likely each of several known hands is to win or tie, by counting every board that can still come. Pure.

Before the flop, boards with the same ranks are evaluated only once. Boards on which a flush wins are counted
separately.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from server.equity.tables import RANK_COUNT, Ints, Strengths, SuitedBoards, Tables, number_of, tables
from server.game.cards import DECK, Card, check_cards

MAX_HANDS = 12
FULL_SHARE = 27_720
"""What a hand that wins a board adds to its `Equity.share`. Up to twelve tied hands can divide this number without
remainder.
"""

CACHED_RESULTS = 512
"""How many results, of about 2 kB each, are cached. The cache helps because chances, luck and replays need the same
results.
"""

Winners = NDArray[np.int16]
"""Sets of winning hands, one bit for each hand."""


class Equity(Struct, frozen=True):
    """How often a hand wins: alone on `wins` of the `boards` possible boards, and tied on `ties` of them. Each board
    that it wins alone adds `FULL_SHARE` to `share`. Each tie adds an equal part of `FULL_SHARE`.
    """

    boards: int
    wins: int
    ties: int
    share: int


def equities(
    hands: Sequence[tuple[Card, Card]], board: Sequence[Card] = (), dead_cards: Sequence[Card] = ()
) -> tuple[Equity, ...]:
    """The equities of 1 to 12 `hands` on a `board` of zero, three, four or five cards. `dead_cards` are other cards
    that cannot come, such as folded ones. Raises ValueError for another number of hands or cards, an invalid card, or a
    card that appears twice.
    """
    if not 1 <= len(hands) <= MAX_HANDS:
        raise ValueError(f"{len(hands)} hands (expected 1 to {MAX_HANDS})")
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a board of {len(board)} cards (expected 0, 3, 4 or 5)")
    known = [*chain.from_iterable(hands), *board, *dead_cards]
    check_cards(known)
    return _count_equities(tuple(hands), frozenset(board), frozenset(known))


@lru_cache(CACHED_RESULTS)
def _count_equities(
    hands: tuple[tuple[Card, Card], ...], board: frozenset[Card], known: frozenset[Card]
) -> tuple[Equity, ...]:
    """The equity of each hand. `known` cards cannot come: the hands, the board and dead cards."""
    hole_indices = np.array([[DECK.index(card) for card in hand] for hand in hands])
    is_unseen = np.ones(len(DECK), bool)
    is_unseen[[DECK.index(card) for card in known]] = False
    if board:
        return _equities(_by_board(hole_indices, np.array([DECK.index(card) for card in board]), is_unseen), len(hands))
    return _equities(_by_ranks(hole_indices, is_unseen), len(hands))


def _by_board(hole_indices: Ints, board: Ints, is_unseen: NDArray[np.bool_]) -> Ints:
    """Counts the boards on which each set of hands wins. Evaluates every board."""
    lookup = tables()
    runouts = list(combinations(np.flatnonzero(is_unseen), 5 - len(board)))
    boards = np.empty((5, len(runouts)), np.int64)
    boards[: len(board)] = board[:, None]
    boards[len(board) :] = np.array(runouts, np.int64).reshape(len(runouts), -1).T
    values = lookup.made[_hole_numbers(hole_indices)[:, None], number_of(np.sort(boards >> 2, axis=0))]
    for suit, ranks in enumerate(_ranks_of_suits(hole_indices)):
        on_board = np.where(boards & 3 == suit, 1 << (boards >> 2), 0).sum(axis=0)
        np.maximum(values, lookup.flush[ranks[:, None] | on_board], out=values)
    _, winners = _best_hands(values, range(len(hole_indices)))
    return np.bincount(winners, minlength=1 << len(hole_indices))


def _by_ranks(hole_indices: Ints, is_unseen: NDArray[np.bool_]) -> Ints:
    """Counts the boards on which each set of hands wins, before the flop. Evaluates boards with the same ranks once."""
    lookup = tables()
    grid = is_unseen.reshape(RANK_COUNT, 4).astype(np.int64)
    best, winners = _best_hands(lookup.made[_hole_numbers(hole_indices)], range(len(hole_indices)))
    ways = lookup.boards.ways(grid.sum(axis=1))
    boards_won = np.zeros(1 << len(hole_indices), np.int64)
    for suit, ranks in enumerate(_ranks_of_suits(hole_indices)):
        off_suit = grid.sum(axis=1) - grid[:, suit]
        for suited, rows, values, winner_sets in _flushes(lookup, grid[:, suit], ranks):
            boards = suited.boards[rows]
            decided = (values[:, None] > best[boards]) * suited.others.ways(off_suit)
            ways -= _sum_at(boards.ravel(), decided.ravel(), len(ways))
            boards_won += _sum_at(winner_sets, decided.sum(axis=1), len(boards_won))
    return boards_won + _sum_at(winners, ways, len(boards_won))


def _flushes(lookup: Tables, free: Ints, ranks: Ints) -> Iterator[tuple[SuitedBoards, Ints, Strengths, Winners]]:
    """Yields the boards on which some hand has a flush.

    Each item is for the boards with a given number of cards of one suit. It has the table of these boards, and the rows
    of the table that can still come. For each row, it has the best value and the set of hands with that value.
    """
    available = (free << np.arange(RANK_COUNT)).sum()
    for count, suited in lookup.suited.items():
        able = np.flatnonzero(np.bitwise_count(ranks) >= 5 - count)
        rows = np.flatnonzero(suited.sets & ~available == 0)
        if able.size and rows.size:
            yield suited, rows, *_best_hands(lookup.flush[ranks[able][:, None] | suited.sets[rows]], able.tolist())


def _best_hands(values: Strengths, seats: Sequence[int]) -> tuple[Strengths, Winners]:
    """The best of `values` in each column, and the set of hands that have it. `seats` numbers the hand of each row."""
    best = values.max(axis=0)
    winners = np.zeros(best.shape, np.int16)
    for seat, row in zip(seats, values, strict=True):
        winners |= (row == best).astype(np.int16) << seat
    return best, winners


def _sum_at(positions: NDArray[np.integer], amounts: Ints, length: int) -> Ints:
    """The sum of `amounts` at each position. Exact, because floats can represent every count of boards."""
    return np.bincount(positions, amounts, length).astype(np.int64)


def _hole_numbers(held: Ints) -> Ints:
    return number_of(np.sort(held >> 2, axis=1).T)


def _ranks_of_suits(held: Ints) -> list[Ints]:
    """For each suit, the ranks of that suit in each hand, as bits."""
    return [np.where(held & 3 == suit, 1 << (held >> 2), 0).sum(axis=1) for suit in range(4)]


def _equities(boards_won: Ints, hands: int) -> tuple[Equity, ...]:
    """The equity of each hand. `boards_won` counts boards by the set of winners."""
    groups = np.flatnonzero(boards_won)
    member = groups[:, None] >> np.arange(hands) & 1
    size, boards = member.sum(axis=1), boards_won[groups]
    wins = (boards * (size == 1)) @ member
    ties = (boards * (size > 1)) @ member
    shares = (boards * (FULL_SHARE // size)) @ member
    lines = zip(wins.tolist(), ties.tolist(), shares.tolist(), strict=True)
    return tuple(Equity(int(boards.sum()), *line) for line in lines)
