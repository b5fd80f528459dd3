"""The names by which a thought may call the other bots: the full name, or a part that only one of them has. Pure."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

_COMMON = frozenset(
    [
        "the",
        "old",
        "man",
        "kid",
        "two",
        "pair",
        "river",
        "fold",
        "lot",
        "ace",
        "king",
        "queen",
        "jack",
        "ten",
        "quick",
        "flush",
        "high",
        "raise",
        "call",
        "bet",
        "check",
        "bluff",
        "all",
        "turn",
        "flop",
        "big",
        "small",
        "blind",
        "button",
        "seat",
        "hand",
        "card",
        "cards",
        "house",
        "straight",
        "bot",
        "poker",
        "player",
        "not",
        "and",
        "for",
        "his",
        "her",
        "him",
        "you",
        "can",
        "one",
        "three",
        "four",
        "five",
        "six",
        "deep",
        "short",
        "fast",
        "slow",
        "tight",
        "loose",
        "good",
        "best",
        "bad",
        "hot",
        "cold",
    ]
)
"""Words of poker and of every day, which are no name on their own."""
_SHORTEST = 3


@lru_cache(16)
def seats_by_name(names: tuple[str, ...]) -> Mapping[str, int]:
    """Returns the seat for each name in lower case, whole or in part. `names` are the bots' names by seat."""
    whole = {name.lower(): at for at, name in enumerate(names) if name}
    parts = [{word for word in re.findall(r"\w+", name) if len(word) >= _SHORTEST} - _COMMON for name in whole]
    number = Counter(word for words in parts for word in words)
    unique = {
        word: at for (name, at), words in zip(whole.items(), parts, strict=True) for word in words if number[word] == 1
    }
    return unique | whole


@lru_cache(16)
def names_pattern(names: tuple[str, ...]) -> str:
    """Returns a regular expression for these names, the longest first; one that matches nothing if there are none."""
    known = sorted(seats_by_name(names), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, known))})" if known else r"(?!)"
