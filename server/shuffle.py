"""Verifiable shuffles: every deck and draw follows from one 32-byte seed, with a commitment before and a proof after.

No other randomness decides cards or seats. Anybody can check it with HMAC-SHA256 and SHA-256 alone:
key = HMAC(seed, name), commitment = SHA-256(key), and the order is a Fisher-Yates shuffle with numbers from
HMAC(key, counter).
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
_EIGHT = Struct(">8I")


def fresh_seed() -> bytes:
    """A new random seed of 32 bytes from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def parse_seed(text: str) -> bytes:
    """The seed in 64 hexadecimal digits; a shorter one, for rehearsals, gets zeros in front. Raises ValueError."""
    if not 1 <= len(text) <= 2 * SEED_BYTES:
        raise ValueError(f"a seed is 1 to {2 * SEED_BYTES} hexadecimal digits, got {len(text)} characters")
    if not set(text) <= set(hexdigits):
        raise ValueError(f"a seed is hexadecimal digits (0-9, a-f), got {text!r}")
    return bytes.fromhex(text.rjust(2 * SEED_BYTES, "0"))


def commitment(secret: bytes) -> str:
    """The SHA-256 of `secret`, in hexadecimal: published first, so that the secret cannot be changed afterwards."""
    return hashlib.sha256(secret).hexdigest()


def key_of(seed: bytes, name: str) -> bytes:
    """The 32-byte key of one deck or draw, by its name ("game 3 hand 2"). The seed cannot be worked out from it."""
    return hmac.digest(seed, name.encode(), "sha256")


def deck_of(key: bytes) -> Deck:
    """The 52 cards in the order that follows from `key`, with the key's commitment."""
    return Deck(tuple(shuffled(key, DECK)), commitment(key), key.hex())


def shuffled(key: bytes, items: Sequence[Item]) -> list[Item]:
    """`items` in the order that follows from `key`; every order is equally likely."""
    result = list(items)
    numbers = _numbers(key)
    for last in range(len(result) - 1, 0, -1):
        other = _below(last + 1, numbers)
        result[last], result[other] = result[other], result[last]
    return result


def _numbers(key: bytes) -> Iterator[int]:
    """Endless 32-bit numbers: HMAC(key, counter), eight to a block, most significant byte first."""
    for counter in count():
        yield from _EIGHT.unpack(hmac.digest(key, counter.to_bytes(8, "big"), "sha256"))


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A number in 0..bound-1; skips values that would make some numbers likelier."""
    fair = 2**32 - 2**32 % bound
    number = next(numbers)
    while number >= fair:
        number = next(numbers)
    return number % bound


def hand_name(game: int, hand: int) -> str:
    """The name of a hand's deck, for `key_of`."""
    return f"game {game} hand {hand}"


def dice(key: bytes) -> Callable[[Sequence[int], str], list[int]]:
    """A shuffle for draws: for bots and the name of a draw it returns the bots in the order that `key` gives them."""
    return lambda bots, drawn: shuffled(key_of(key, drawn), bots)
