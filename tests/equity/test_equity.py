"""Odds are exact. To check them, eval7 or phevaluator ranks the hands on every possible board."""

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from phevaluator.card import Card as PhevaluatorCard
from phevaluator.evaluator import evaluate_cards

from server.equity.equity import FULL_SHARE, MAX_HANDS, Equity, equities
from server.game.cards import DECK, Card, parse_cards

eval7 = pytest.importorskip("eval7", reason="eval7 is not built for this system")
Hole = tuple[Card, Card]


class Evaluator(Struct, frozen=True):
    """A library that ranks hands: `card` encodes a card, and `strength` rates seven of them (higher is better)."""

    card: Callable[[Card], Any]
    strength: Callable[[list[Any]], int]


by_eval7 = Evaluator({card: eval7.Card(card) for card in DECK}.__getitem__, eval7.evaluate)
by_phevaluator = Evaluator(
    {card: PhevaluatorCard.to_id(card) for card in DECK}.__getitem__, lambda cards: -int(evaluate_cards(*cards))
)


def count_equities(
    evaluator: Evaluator, hands: Sequence[Hole], board: Sequence[Card] = (), dead: Sequence[Card] = ()
) -> tuple[Equity, ...]:
    """Returns each hand's equity: its wins, ties and shares on all possible boards. `dead` cards cannot be dealt."""
    dealt = {*board, *dead, *(card for hand in hands for card in hand)}
    deck = [evaluator.card(card) for card in DECK if card not in dealt]
    dealt_hands = [[evaluator.card(card) for card in (*hand, *board)] for hand in hands]
    runouts = [[*runout] for runout in combinations(deck, 5 - len(board))]
    scores = np.array([np.fromiter((evaluator.strength(hand + run) for run in runouts), int) for hand in dealt_hands])
    is_best = scores == scores.max(axis=0)
    winner_counts = is_best.sum(axis=0)  # FULL_SHARE is a whole pot, which the winners divide.
    wins, ties = (is_best & (winner_counts == 1)).sum(axis=1), (is_best & (winner_counts > 1)).sum(axis=1)
    rows = zip(wins.tolist(), ties.tolist(), (is_best @ (FULL_SHARE // winner_counts)).tolist(), strict=True)
    return tuple(Equity(len(runouts), *counts) for counts in rows)


DICE = random.Random(12)


def deal_situation(hand_count: int, board_size: int, dead_count: int) -> tuple[list[Hole], list[Card], list[Card]]:
    """Returns a random situation: `hand_count` hands, `board_size` cards on the board, `dead_count` folded cards."""
    cards = DICE.sample(DECK, 2 * hand_count + board_size + dead_count)
    hands = [(cards[index], cards[index + 1]) for index in range(0, 2 * hand_count, 2)]
    return hands, cards[2 * hand_count : 2 * hand_count + board_size], cards[2 * hand_count + board_size :]


@pytest.mark.parametrize("evaluator", [by_eval7, by_phevaluator])
@pytest.mark.parametrize("board_size", [3, 4, 5])
def test_equities_on_every_street_equal_a_count_of_all_boards(board_size: int, evaluator: Evaluator) -> None:
    for _ in range(20):
        situation = deal_situation(DICE.randint(1, MAX_HANDS), board_size, DICE.randint(0, 8))
        assert equities(*situation) == count_equities(evaluator, *situation)


@pytest.mark.parametrize(("hand_count", "dead_count"), [(1, 30), (2, 24), (3, 18), (6, 14), (10, 8), (12, 4)])
def test_equities_before_the_flop_equal_a_count_of_all_boards(hand_count: int, dead_count: int) -> None:
    situation = deal_situation(hand_count, 0, dead_count)
    assert equities(*situation) == count_equities(by_eval7, *situation)


@pytest.mark.parametrize(("hands", "board", "dead", "reason"), [
    ((), "", "", "0 hands"),
    (("As Kd",) * 13, "", "", "13 hands"),
    (("As Kd",), "2c 3c", "", "a board of 2 cards"),
    (("As Kd", "As 2c"), "", "", "the card As occurs twice"),
    (("As Kd",), "2c 3c 4c", "4c", "the card 4c occurs twice"),
])  # fmt: skip
def test_impossible_hands_and_boards_are_refused(hands: tuple[str, ...], board: str, dead: str, reason: str) -> None:
    holes = [(one, other) for one, other in map(parse_cards, hands)]
    with pytest.raises(ValueError, match=reason):
        equities(holes, parse_cards(board), parse_cards(dead))
