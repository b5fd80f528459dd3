"""Computes odds and luck slowly, as an oracle: eval7 or phevaluator ranks the hands on every possible board.

Luck is computed only from the events, and from none of the pots, shares and tables of the program.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from phevaluator.card import Card as PhevaluatorCard
from phevaluator.evaluator import evaluate_cards

from broadcast.odds.equity import WHOLE, Equity
from server.game.cards import DECK, Card
from server.game.events import ActionTaken, BetReturned, BlindPosted, Event, HoleDealt, SeatVacated, StreetDealt
from server.game.rules import Rules

eval7 = pytest.importorskip("eval7", reason="eval7 is not built for this system")
Hole = tuple[Card, Card]


class Library(Struct, frozen=True):
    """How an evaluator encodes a card, and how it rates seven cards; more is better."""

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
    lines = zip(wins.tolist(), ties.tolist(), (best @ (WHOLE // winners)).tolist(), strict=True)
    return tuple(Equity(len(boards), *line) for line in lines)


Worths = dict[int, Fraction]
Order = tuple[tuple[int, ...], ...]
"""Groups of seats with equal hands, the best hand first."""


def deals_of(rules: Rules, hand: Iterable[Event], streets: Iterable[str] = ("flop", "turn", "river")) -> list[Worths]:
    """Each seat's luck in each deal of `streets`."""
    return list(_deals(rules, hand, set(streets)))


def _deals(rules: Rules, hand: Iterable[Event], streets: set[str]) -> Iterator[Worths]:
    paid: dict[int, int] = {}
    """The chips that each seat has put into the pot."""
    dead = 0
    holes: dict[int, tuple[Card, ...]] = {}
    out: set[int] = set()
    board: tuple[Card, ...] = ()
    for event in hand:
        match event:
            case BlindPosted(blind="ante", amount=amount) if rules.ante_from == "big_blind":
                dead += amount
            case BlindPosted(seat=seat, amount=amount) | BetReturned(seat=seat, amount=amount):
                paid[seat] = paid.get(seat, 0) + (amount if isinstance(event, BlindPosted) else -amount)
            case HoleDealt(seat=seat, cards=cards):
                holes[seat] = cards
                paid.setdefault(seat, 0)
            case ActionTaken(seat=seat, act=act, amount=amount):
                paid[seat] += amount
                out |= {seat} if act == "fold" else set()
            case SeatVacated(seat=seat):
                out.add(seat)
            case StreetDealt(street=street, cards=cards):
                if street in streets:
                    live = {seat: holes[seat] for seat in holes if seat not in out}
                    gone = [card for seat in out for card in holes[seat]]
                    before = expected(live, paid, dead, board, gone)
                    after = expected(live, paid, dead, board + cards, gone)
                    yield {seat: after.get(seat, Fraction()) - before.get(seat, Fraction()) for seat in holes}
                board += cards


def expected(
    live: Mapping[int, tuple[Card, ...]],
    paid: Mapping[int, int],
    dead: int,
    board: tuple[Card, ...],
    gone: Iterable[Card],
) -> Worths:
    """Each live seat's average share of the chips over every possible board, without further bets."""
    known = {*board, *gone, *(card for cards in live.values() for card in cards)}
    left = [eval7.Card(card) for card in DECK if card not in known]
    held = [[eval7.Card(card) for card in (*cards, *board)] for cards in live.values()]
    boards = [[*more] for more in combinations(left, 5 - len(board))]
    values = np.array([np.fromiter((eval7.evaluate(cards + more) for more in boards), int) for cards in held])
    better = np.array([(values > value).sum(axis=0) for value in values])
    """For each hand and board, the number of better hands."""
    worth = dict.fromkeys(live, Fraction())
    for places, times in Counter(zip(*better.tolist(), strict=True)).items():
        by_place = groupby(sorted(zip(places, live, strict=True)), key=itemgetter(0))
        order = tuple(tuple(seat for _, seat in equals) for _, equals in by_place)
        for seat, won in payout(order, paid, dead).items():
            worth[seat] += won * Fraction(times, len(boards))
    return worth


def payout(order: Order, paid: Mapping[int, int], dead: int) -> Worths:
    """The chips that each seat gets: of the seats that paid into a layer, the best share all its chips.

    Dead chips belong to the lowest layer; chips that only folded seats paid belong to the highest other layer.
    """
    won = {seat: Fraction() for seats in order for seat in seats}
    sharing = order[0]
    _share(won, sharing, dead)
    heights = sorted({0, *paid.values()})
    for low, high in pairwise(heights):
        reached = [[seat for seat in seats if paid[seat] >= high] for seats in order]
        sharing = next((tuple(seats) for seats in reached if seats), sharing)
        _share(won, sharing, (high - low) * sum(amount >= high for amount in paid.values()))
    return won


def _share(won: Worths, seats: tuple[int, ...], chips: int) -> None:
    for seat in seats:
        won[seat] += Fraction(chips, len(seats))
