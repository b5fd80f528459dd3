"""Shuffles can be recomputed with only HMAC-SHA256 and SHA-256, and every card is equally likely in every position."""

import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Iterator

import pytest

from server import shuffle
from server.game.cards import DECK

SEED = bytes(range(32))
DECK_COUNT = 20_000


def recompute_shuffle(key: bytes, cards: list[str]) -> list[str]:
    """Shuffles `cards` by the published method: Fisher-Yates from the end, with numbers that are drawn without bias."""
    stream = hmac_stream(key)
    for last in range(len(cards) - 1, 0, -1):
        bound = last + 1
        while (number := next(stream)) >= (1 << 32) // bound * bound:
            pass
        cards[last], cards[number % bound] = cards[number % bound], cards[last]
    return cards


def hmac_stream(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha256).hexdigest()
        yield from (int(block[at : at + 8], 16) for at in range(0, 64, 8))
        counter += 1


@pytest.mark.parametrize("hand", range(1, 51))
def test_every_deck_can_be_recomputed_from_the_seed(hand: int) -> None:
    key = hmac.new(SEED, f"game 3 hand {hand}".encode(), hashlib.sha256).digest()
    assert shuffle.key_of(SEED, shuffle.deck_name(3, hand)) == key
    deck = shuffle.deck_of(key)
    assert list(deck.cards) == recompute_shuffle(key, list(DECK))
    assert (deck.key, deck.commitment) == (key.hex(), hashlib.sha256(key).hexdigest())
    assert shuffle.commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_every_card_is_equally_likely_in_every_position() -> None:
    decks = (shuffle.shuffled(shuffle.key_of(SEED, str(number)), DECK) for number in range(DECK_COUNT))
    counts = Counter(pair for deck in decks for pair in enumerate(deck))
    expected = DECK_COUNT / 52
    chi_square = sum((counts[position, card] - expected) ** 2 / expected for position in range(52) for card in DECK)
    assert abs(chi_square - 51 * 51) < 5 * math.sqrt(2 * 51 * 51), "chi-square must be within five standard deviations"


@pytest.mark.parametrize("bound", [2, 3, 7, 32, 51, 52])
def test_numbers_that_would_cause_bias_are_discarded(bound: int) -> None:
    fair_count = 2**32 // bound * bound
    assert shuffle._number_below(bound, iter([0])) == 0
    assert shuffle._number_below(bound, iter([fair_count - 1])) == bound - 1, "the last fair number must be used"
    unfair_numbers = list(range(fair_count, 2**32))
    assert shuffle._number_below(bound, iter([*unfair_numbers, 1])) == 1
    assert len(unfair_numbers) == 2**32 % bound


def test_seed_has_up_to_64_hexadecimal_digits() -> None:
    assert {shuffle.parse_seed(text) for text in ("00" * 31 + "ff", "ff", "FF")} == {bytes(31) + b"\xff"}
    assert shuffle.parse_seed("f") == bytes(31) + b"\x0f"
    assert shuffle.parse_seed("ab" * 32) == b"\xab" * 32
    assert len({shuffle.fresh_seed() for _ in range(100)}) == 100
    assert len(shuffle.fresh_seed()) == 32


@pytest.mark.parametrize("text", ["", "0" * 65, "xyz", "0x12", "1 2", " 12", "12\n", "-1", "\uff11\uff12", "ab  cd"])
def test_malformed_seed_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match="a seed is") as refusal:
        shuffle.parse_seed(text)
    assert "\n" not in str(refusal.value)


def test_each_named_draw_has_its_own_repeatable_order() -> None:
    draw = shuffle.named_shuffler(SEED)
    bots = list(range(1, 13))
    assert draw(bots, "seats") == draw(bots, "seats")
    assert draw(bots, "seats") != draw(bots, "players")
    assert sorted(draw(bots, "seats")) == bots
