"""Stream captions are sent in western characters, split into packets of CEA-608."""

import textwrap

import pytest

from broadcast.obs.requests import packets, western

_PAIRS = 31
"""The maximum number of byte pairs in a packet."""
_COMMANDS = 4
"""How many pairs of a packet are commands, not counting one for each row."""


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("Doc folds", ["Doc folds"]),
        ("x" * 32 + " " + "y" * 18, ["x" * 32 + " " + "y" * 18]),
        ("x" * 32 + " " + "y" * 19, ["x" * 32, "y" * 19]),
        ("Señor Fold-a-Lot wins", ["Señor Fold-a-Lot wins"]),
        ("Привет Мир raises", ["Privet Mir raises"]),
        ("李小龙 goes all in", ["LiXiaoLong goes all in"]),
        ("Ace_of_{spades}", ["Ace-of-(spades)"]),
        ("Bluffin' Bandit", ["Bluffin\u2019 Bandit"]),
        ("\u202e", []),
        ("", []),
    ],
)
def test_caption_is_sent_in_packets_of_western_characters(text: str, sent: list[str]) -> None:
    assert packets(text) == sent


@pytest.mark.parametrize("size", range(1, 200, 7))
def test_every_packet_is_small_enough_and_no_word_is_lost(size: int) -> None:
    text = " ".join("word"[: 1 + number % 4] * (1 + number % 3) for number in range(60))[:size].strip()
    split = packets(text)
    assert " ".join(split) == text == western(text)
    for packet in split:
        rows = textwrap.wrap(packet, 32)
        assert _COMMANDS + sum(1 + -(-len(row) // 2) for row in rows) <= _PAIRS
