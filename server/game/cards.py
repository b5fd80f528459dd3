"""Cards and the full deck. A card is a string of two characters, rank then suit: "As", "Td", "2c"."""

from collections.abc import Iterable

from msgspec import Struct

Card = str

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_VALID_CARDS = frozenset(DECK)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Returns the cards in `text`: "As Kd" or "AsKd". Raises ValueError if one is not a card or occurs twice."""
    packed = text.replace(" ", "")
    cards = tuple(packed[index : index + 2] for index in range(0, len(packed), 2))
    check_cards(cards)
    return cards


def check_cards(cards: Iterable[Card]) -> None:
    """Raises ValueError if one of `cards` is not a card or occurs twice. The message names the first such card."""
    seen: set[Card] = set()
    for card in cards:
        if card not in _VALID_CARDS:
            raise ValueError(f"not a card: {card!r} (expected a rank of {RANKS} and a suit of {SUITS})")
        if card in seen:
            raise ValueError(f"the card {card} occurs twice")
        seen.add(card)


class Deck(Struct, frozen=True):
    """52 cards in dealing order. They follow from `key`, which stays secret until the hand is over. `commitment`, the
    SHA-256 of the key, is published before the hand.
    """

    cards: tuple[Card, ...] = ()
    commitment: str = ""
    key: str = ""
