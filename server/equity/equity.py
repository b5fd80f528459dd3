"""Computes how likely each of several known hands is to win or tie, by counting every board that can still come.

No I/O. Before the flop, boards with the same ranks are evaluated only once. Boards on which a flush wins are counted
separately.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from server.equity.tables import RANK_COUNT, Ints, Strengths, SuitedBoards, Tables, multiset_numbers, tables
from server.game.cards import DECK, Card, check_cards

MAX_HANDS = 12
FULL_SHARE = 27_720
"""Each board that a hand wins adds this number to the hand's `Equity.share`. Up to twelve tied hands can share this
number without a remainder.
"""

CACHED_RESULTS = 512
"""How many results, of about 2 kB each, are cached. The cache helps because chances, luck and replays need the same
results.
"""

Winners = NDArray[np.int16]
"""Sets of winning hands, one bit for each hand."""


class Equity(Struct, frozen=True):
    """How often a hand wins: alone on `wins` of the `boards` possible boards, and in a tie on `ties` boards. Each board
    won alone adds `FULL_SHARE` to `share`. On a tie, `FULL_SHARE` is divided equally among the hands that tie.
    """

    boards: int
    wins: int
    ties: int
    share: int


def equities(
    hands: Sequence[tuple[Card, Card]], board: Sequence[Card] = (), dead_cards: Sequence[Card] = ()
) -> tuple[Equity, ...]:
    """Returns the equities of 1 to 12 `hands` on a `board` of zero, three, four or five cards. `dead_cards` are other
    cards that cannot come, such as folded ones. Raises ValueError for a wrong number of hands or cards, an invalid
    card, or a card that appears twice.
    """
    if not 1 <= len(hands) <= MAX_HANDS:
        raise ValueError(f"{len(hands)} hands (expected 1 to {MAX_HANDS})")
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a board of {len(board)} cards (expected 0, 3, 4 or 5)")
    known_cards = [*chain.from_iterable(hands), *board, *dead_cards]
    check_cards(known_cards)
    return _count_equities(tuple(hands), frozenset(board), frozenset(known_cards))


@lru_cache(CACHED_RESULTS)
def _count_equities(
    hands: tuple[tuple[Card, Card], ...], board: frozenset[Card], known_cards: frozenset[Card]
) -> tuple[Equity, ...]:
    """Returns the equity of each hand. `known_cards` are all cards that cannot come: the hands, the board and dead
    cards.
    """
    hole_indices = np.array([[DECK.index(card) for card in hand] for hand in hands])
    is_unseen = np.ones(len(DECK), bool)
    is_unseen[[DECK.index(card) for card in known_cards]] = False
    if board:
        return _equities(
            _count_by_board(hole_indices, np.array([DECK.index(card) for card in board]), is_unseen), len(hands)
        )
    return _equities(_count_by_ranks(hole_indices, is_unseen), len(hands))


def _count_by_board(hole_indices: Ints, board: Ints, is_unseen: NDArray[np.bool_]) -> Ints:
    """Counts, for each set of hands, the boards on which exactly these hands win. Evaluates every board."""
    lookup = tables()
    runouts = list(combinations(np.flatnonzero(is_unseen), 5 - len(board)))
    boards = np.empty((5, len(runouts)), np.int64)
    boards[: len(board)] = board[:, None]
    boards[len(board) :] = np.array(runouts, np.int64).reshape(len(runouts), -1).T
    strengths = lookup.made_strengths[
        _hole_numbers(hole_indices)[:, None], multiset_numbers(np.sort(boards >> 2, axis=0))
    ]
    for suit, ranks in enumerate(_ranks_of_suits(hole_indices)):
        board_ranks = np.where(boards & 3 == suit, 1 << (boards >> 2), 0).sum(axis=0)
        np.maximum(strengths, lookup.flush_strengths[ranks[:, None] | board_ranks], out=strengths)
    _, winners = _best_hands(strengths, range(len(hole_indices)))
    return np.bincount(winners, minlength=1 << len(hole_indices))


def _count_by_ranks(hole_indices: Ints, is_unseen: NDArray[np.bool_]) -> Ints:
    """Counts boards as `_count_by_board` does, but only before the flop. Evaluates boards with the same ranks only
    once. `ways` is how many boards have these ranks, minus the boards on which a flush wins.
    """
    lookup = tables()
    unseen_grid = is_unseen.reshape(RANK_COUNT, 4).astype(np.int64)
    best, winners = _best_hands(lookup.made_strengths[_hole_numbers(hole_indices)], range(len(hole_indices)))
    ways = lookup.boards.ways(unseen_grid.sum(axis=1))
    boards_won = np.zeros(1 << len(hole_indices), np.int64)
    for suit, ranks in enumerate(_ranks_of_suits(hole_indices)):
        off_suit = unseen_grid.sum(axis=1) - unseen_grid[:, suit]
        for suited, rows, strengths, winner_sets in _flush_boards(lookup, unseen_grid[:, suit], ranks):
            boards = suited.board_numbers[rows]
            decided = (strengths[:, None] > best[boards]) * suited.other_ranks.ways(off_suit)
            ways -= _sum_at(boards.ravel(), decided.ravel(), len(ways))
            boards_won += _sum_at(winner_sets, decided.sum(axis=1), len(boards_won))
    return boards_won + _sum_at(winners, ways, len(boards_won))


def _flush_boards(
    lookup: Tables, cards_left: Ints, ranks: Ints
) -> Iterator[tuple[SuitedBoards, Ints, Strengths, Winners]]:
    """Yields the boards on which some hand has a flush.

    Each item covers the boards with a given number of cards of one suit. It contains the table of these boards, and the
    rows of the table that can still come. For each row, the item also contains the best strength and the set of hands
    with that strength.
    """
    available = (cards_left << np.arange(RANK_COUNT)).sum()
    for count, suited in lookup.suited_boards.items():
        flush_hands = np.flatnonzero(np.bitwise_count(ranks) >= 5 - count)
        rows = np.flatnonzero(suited.rank_sets & ~available == 0)
        if flush_hands.size and rows.size:
            yield (
                suited,
                rows,
                *_best_hands(
                    lookup.flush_strengths[ranks[flush_hands][:, None] | suited.rank_sets[rows]], flush_hands.tolist()
                ),
            )


def _best_hands(strengths: Strengths, hand_indices: Sequence[int]) -> tuple[Strengths, Winners]:
    """Returns the best of `strengths` in each column, and the set of hands with this strength. `hand_indices` has the
    number of the hand in each row.
    """
    best = strengths.max(axis=0)
    winners = np.zeros(best.shape, np.int16)
    for hand_index, row in zip(hand_indices, strengths, strict=True):
        winners |= (row == best).astype(np.int16) << hand_index
    return best, winners


def _sum_at(positions: NDArray[np.integer], amounts: Ints, length: int) -> Ints:
    """Returns the sum of `amounts` at each position. The sums are exact: floats represent such counts exactly."""
    return np.bincount(positions, amounts, length).astype(np.int64)


def _hole_numbers(hole_indices: Ints) -> Ints:
    return multiset_numbers(np.sort(hole_indices >> 2, axis=1).T)


def _ranks_of_suits(hole_indices: Ints) -> list[Ints]:
    """Returns for each suit the ranks of that suit in each hand, as bits."""
    return [np.where(hole_indices & 3 == suit, 1 << (hole_indices >> 2), 0).sum(axis=1) for suit in range(4)]


def _equities(boards_won: Ints, hands: int) -> tuple[Equity, ...]:
    """Returns the equity of each hand. `boards_won` has the number of boards for each set of winners."""
    winner_sets = np.flatnonzero(boards_won)
    is_winner = winner_sets[:, None] >> np.arange(hands) & 1
    winner_count, boards = is_winner.sum(axis=1), boards_won[winner_sets]
    wins = (boards * (winner_count == 1)) @ is_winner
    ties = (boards * (winner_count > 1)) @ is_winner
    shares = (boards * (FULL_SHARE // winner_count)) @ is_winner
    rows = zip(wins.tolist(), ties.tolist(), shares.tolist(), strict=True)
    return tuple(Equity(int(boards.sum()), *line) for line in rows)
