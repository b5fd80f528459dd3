"""Verifiable shuffles: every deck and every draw for seats follows from one 32-byte seed.

Before a shuffle is used, its commitment (a hash) is published. The shuffle's key is published afterwards. Nothing else
that is random decides cards or seats. Anybody can check a shuffle with nothing but HMAC-SHA256 and SHA-256. The key is
HMAC(seed, name), and the commitment is SHA-256(key). The order is a Fisher-Yates shuffle with numbers from HMAC(key,
counter).
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from string import hexdigits
from struct import Struct
from typing import TypeVar

from server.game.cards import DECK, Deck

Item = TypeVar("Item")
SEED_BYTES = 32
_EIGHT_NUMBERS = Struct(">8I")


def fresh_seed() -> bytes:
    """Returns a new random seed of 32 bytes from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def parse_seed(text: str) -> bytes:
    """Parses a seed of 64 hexadecimal digits. Puts zeros in front of a shorter seed, as in rehearsals. Raises
    ValueError.
    """
    if not 1 <= len(text) <= 2 * SEED_BYTES:
        raise ValueError(f"a seed is 1 to {2 * SEED_BYTES} hexadecimal digits, got {len(text)} characters")
    if not set(text) <= set(hexdigits):
        raise ValueError(f"a seed is hexadecimal digits (0-9, a-f), got {text!r}")
    return bytes.fromhex(text.rjust(2 * SEED_BYTES, "0"))


def commitment(secret: bytes) -> str:
    """Returns the SHA-256 of `secret` in hexadecimal. Once this hash is published, any change of the secret can be
    noticed.
    """
    return hashlib.sha256(secret).hexdigest()


def key_of(seed: bytes, name: str) -> bytes:
    """Returns the 32-byte key of the deck or draw `name` ("game 3 hand 2"). The key does not reveal the seed."""
    return hmac.digest(seed, name.encode(), "sha256")


def deck_of(key: bytes) -> Deck:
    """Returns the 52 cards in the order that follows from `key`, with the key's commitment."""
    return Deck(tuple(shuffled(key, DECK)), commitment(key), key.hex())


def shuffled(key: bytes, items: Sequence[Item]) -> list[Item]:
    """Returns `items` in the order that follows from `key`. Every order is equally likely."""
    result = list(items)
    numbers = _numbers(key)
    for last in range(len(result) - 1, 0, -1):
        other = _number_below(last + 1, numbers)
        result[last], result[other] = result[other], result[last]
    return result


def _numbers(key: bytes) -> Iterator[int]:
    """Yields 32-bit numbers without end: eight from each HMAC(key, counter), most significant byte first."""
    for counter in count():
        yield from _EIGHT_NUMBERS.unpack(hmac.digest(key, counter.to_bytes(8, "big"), "sha256"))


def _number_below(bound: int, numbers: Iterator[int]) -> int:
    """Returns a number from 0 to `bound` - 1. Skips values that would make some results likelier than others."""
    fair_limit = 2**32 - 2**32 % bound
    number = next(numbers)
    while number >= fair_limit:
        number = next(numbers)
    return number % bound


def deck_name(game: int, hand: int) -> str:
    """Returns the name of a hand's deck, for `key_of`."""
    return f"game {game} hand {hand}"


def named_shuffler(key: bytes) -> Callable[[Sequence[int], str], list[int]]:
    """Returns a function that shuffles bots for a named draw. Each name gives a different order."""
    return lambda bots, name: shuffled(key_of(key, name), bots)
