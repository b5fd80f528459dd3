"""The hands of a long evening in an index: each is squeezed once, and the whole is what it would be at once."""

import gzip

import msgspec
import pytest

from broadcast.film.outline import FilmHand
from broadcast.live.squeezed_hands import BLOCK, SqueezedHands


@pytest.mark.parametrize("count", [1, 2, BLOCK, BLOCK + 1, BLOCK + 2, 5 * BLOCK + 3])
def test_the_whole_is_the_json_of_all_hands_plain_and_as_gzip(count: int) -> None:
    hands = [FilmHand(seq, 7 * seq, told=f"hand {seq}") for seq in range(count)]
    answer = SqueezedHands().around(hands, 0, b'{"hands":[', b"]}")
    assert answer.plain == msgspec.json.encode({"hands": hands})
    assert gzip.decompress(answer.gzip) == answer.plain


def test_a_hand_is_squeezed_once_however_often_and_late_the_index_is_asked_for() -> None:
    hands, kept = [FilmHand(0, 0)], SqueezedHands()
    for seq in range(1, 20 * BLOCK):
        hands.append(FilmHand(seq, seq))
        kept.around(hands, 0, b"[", b"]")
    assert kept.made == 19


def test_a_hand_that_changes_while_it_is_the_last_and_those_forgotten_are_told_as_they_are_now() -> None:
    hands, kept = [FilmHand(seq, seq, told="all of it") for seq in range(3 * BLOCK)], SqueezedHands()
    kept.around(hands, 0, b"[", b"]")
    hands[-1].told = "more"
    for seq in range(BLOCK + 5):
        hands[seq] = FilmHand(seq, seq)
    assert kept.around(hands, BLOCK + 5, b"[", b"]").plain == msgspec.json.encode(hands)
