"""The strength and the names of poker hands. Strengths come from the library eval7 or, without it, from `evaluator`."""

from collections.abc import Sequence
from functools import cache

from server.game.cards import DECK, RANKS, Card

try:
    import eval7
except ImportError:  # no eval7 for this system
    from server.game.evaluator import CARD_NUMBERS as _CARDS
    from server.game.evaluator import evaluate as _evaluate
else:
    _CARDS, _evaluate = {card: eval7.Card(card) for card in DECK}, eval7.evaluate
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_SINGULAR = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_PLURAL = tuple(word + ("es" if word == "six" else "s") for word in _SINGULAR)


def card_name(card: Card) -> str:
    """Returns the name of a card: "king of hearts"."""
    return f"{_SINGULAR[RANKS.index(card[0])]} of {_SUITS[card[1]]}"


def strength(cards: Sequence[Card]) -> int:
    """Returns the strength of the best five of 5 to 7 `cards`. The highest strength wins. Equal hands split the pot."""
    return int(_evaluate([_CARDS[card] for card in cards]))


def category(value: int) -> str:
    """Returns the kind of hand that has the strength `value`: "two pair"."""
    return _NAME_TEMPLATES[value >> 24].split(",")[0].removesuffix(" of {many}")


def best_five(cards: Sequence[Card], value: int | None = None) -> tuple[Card, ...]:
    """Returns the best five of `cards`, with pairs, trips and quads before kickers, and higher ranks first.

    Cards of the same rank keep their order. `value` is the `strength` of `cards`, if already known.
    """
    value = strength(cards) if value is None else value
    kind, ranks = value >> 24, _ranks(value)
    if kind in (_FLUSH, _STRAIGHT_FLUSH):
        suits = [card[1] for card in cards]
        cards = [card for card in cards if suits.count(card[1]) >= 5]
    if kind in (_STRAIGHT, _STRAIGHT_FLUSH):  # one card of each rank
        card_of_rank = {card[0]: card for card in reversed(cards)}
        return tuple([card_of_rank[rank] for rank in ranks])
    return tuple([card for rank in ranks for card in cards if card[0] == rank][:5])


@cache
def _ranks(value: int) -> str:
    """Returns the ranks of a hand of strength `value`, in the order in which the hand's name lists them."""
    if value >> 24 in (_STRAIGHT, _STRAIGHT_FLUSH):
        top = value >> 16 & 15
        return "".join(RANKS[top - step] for step in range(5))  # RANKS[-1], the ace, comes below the two
    return "".join(RANKS[value >> shift & 15] for shift in (16, 12, 8, 4, 0)[: _RANK_COUNTS[value >> 24]])


@cache
def ranking_name(value: int) -> str:
    """Returns the name of a hand of strength `value`: "two pair, kings and fours, ace kicker"."""
    top, second, third = value >> 16 & 15, value >> 12 & 15, value >> 8 & 15
    if value >> 24 == _STRAIGHT_FLUSH and RANKS[top] == "A":
        return "royal flush"
    rank_names = {
        "one": _SINGULAR[top],
        "many": _PLURAL[top],
        "next": _SINGULAR[second],
        "nexts": _PLURAL[second],
        "last": _SINGULAR[third],
    }
    return _NAME_TEMPLATES[value >> 24].format_map(rank_names)


_NAME_TEMPLATES = (
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

_STRAIGHT, _FLUSH, _STRAIGHT_FLUSH = 4, 5, 8
_RANK_COUNTS = (5, 4, 3, 3, 5, 5, 2, 2, 5)
"""For each kind of hand, how many different ranks the best five cards contain."""
