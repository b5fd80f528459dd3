"""Cards and the full deck. A card is a two-letter string, rank then suit: "As", "Td", "2c"."""

from collections.abc import Iterable

from msgspec import Struct

Card = str

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_KNOWN = frozenset(DECK)


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards written in `text`, with or without blanks: "As Kd" or "AsKd".

    Raises ValueError, naming the culprit, for anything that is not a card or comes twice.
    """
    letters = text.replace(" ", "")
    cards = tuple(letters[at : at + 2] for at in range(0, len(letters), 2))
    check_cards(cards)
    return cards


def check_cards(cards: Iterable[Card]) -> None:
    """Raises ValueError if one of `cards` is no card or comes twice."""
    seen: set[Card] = set()
    for card in cards:
        if card not in _KNOWN:
            raise ValueError(f"not a card: {card!r} (expected a rank of {RANKS} and a suit of {SUITS})")
        if card in seen:
            raise ValueError(f"the card {card} comes twice")
        seen.add(card)


class Deck(Struct, frozen=True):
    """52 cards in the order they are dealt, the commitment published before the hand, and the key that opens it."""

    cards: tuple[Card, ...] = ()
    commitment: str = ""
    key: str = ""
