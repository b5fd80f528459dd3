"""Strength and name of poker hands. The order is eval7's, the words are ours; nobody else knows the evaluator."""

from collections.abc import Sequence
from itertools import combinations

import eval7

from server.game.cards import DECK, RANKS, Card

_CARDS = {card: eval7.Card(card) for card in DECK}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_ONE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_MANY = tuple(word + ("es" if word == "six" else "s") for word in _ONE)


def card_name(card: Card) -> str:
    """A card in words: "king of hearts"."""
    return f"{_ONE[RANKS.index(card[0])]} of {_SUITS[card[1]]}"


def strength(cards: Sequence[Card]) -> int:
    """How strong the best five of five to seven `cards` are: the higher the stronger, equal when the pot is split."""
    return int(eval7.evaluate([_CARDS[card] for card in cards]))


def category(value: int) -> str:
    """The kind of hand behind a `strength`, in words: "two pair"."""
    return _NAMES[value >> 24].split(",")[0].removesuffix(" of {many}")


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The five of `cards` that count, highest first, pairs and the like before kickers."""
    goal = strength(cards)
    five = next(five for five in combinations(cards, 5) if strength(five) == goal)
    ranks = [card[0] for card in five]
    wheel = goal >> 24 in (4, 8) and "A" in ranks and "2" in ranks
    return tuple(
        sorted(five, key=lambda card: (ranks.count(card[0]), -1 if wheel and card[0] == "A" else RANKS.index(card[0])))
    )[::-1]


def ranking_name(value: int) -> str:
    """A `strength` in words: "two pair, kings and fours, ace kicker"."""
    top, second, third = value >> 16 & 15, value >> 12 & 15, value >> 8 & 15
    if value >> 24 == 8 and RANKS[top] == "A":
        return "royal flush"
    words = {"one": _ONE[top], "many": _MANY[top], "next": _ONE[second], "nexts": _MANY[second], "last": _ONE[third]}
    return _NAMES[value >> 24].format_map(words)


_NAMES = (
    "high card, {one}",
    "pair of {many}, {next} kicker",
    "two pair, {many} and {nexts}, {last} kicker",
    "three of a kind, {many}, {next} kicker",
    "straight, {one} high",
    "flush, {one} high",
    "full house, {many} over {nexts}",
    "four of a kind, {many}, {next} kicker",
    "straight flush, {one} high",
)
