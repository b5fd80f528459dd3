"""The names by which a thought may call the other bots: the full name, or a part of it that no other bot has.

No I/O.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge

_COMMON = frozenset((
    "the", "old", "man", "kid", "two", "pair", "river", "fold", "lot", "ace", "king", "queen", "jack", "ten", "quick",
    "flush", "high", "raise", "call", "bet", "check", "bluff", "all", "turn", "flop", "big", "small", "blind",
    "button", "seat", "hand", "card", "cards", "house", "straight", "bot", "poker", "player", "not", "and", "for",
    "his", "her", "him", "you", "can", "one", "three", "four", "five", "six", "deep", "short", "fast", "slow",
    "tight", "loose", "good", "best", "bad", "hot", "cold",
))  # fmt: skip
"""Words of poker and everyday words. As a part of a bot's name, they do not stand for the whole name."""
_MIN_LETTERS = 3
"""A part of a name can stand for the whole name only if it has at least this many letters."""


NOT_AT_TABLE = -1
"""The seat of a bot that is not at the table."""


def seats_by_name(known: BotKnowledge) -> Mapping[str, int]:
    """Returns the seat of each bot, keyed by the bot's name and by each part of the name, in lower case.

    The seat is `NOT_AT_TABLE` if the bot is not at the table.
    """
    return _seats(known.names, known.entrants or known.names)


def names_pattern(known: BotKnowledge) -> str:
    """Returns a regular expression for the names of all bots of the contest. Without names, it matches nothing."""
    return _pattern(known.entrants or known.names)


@lru_cache(64)
def _seats(names: tuple[str, ...], entrants: tuple[str, ...]) -> Mapping[str, int]:
    seats = {name.lower(): seat for seat, name in enumerate(names) if name}
    return {word: seats.get(name, NOT_AT_TABLE) for word, name in _names_by_part(entrants).items()}


@lru_cache(4)
def _pattern(entrants: tuple[str, ...]) -> str:
    longest_first = sorted(_names_by_part(entrants), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})" if longest_first else r"(?!)"


@lru_cache(4)
def _names_by_part(entrants: tuple[str, ...]) -> Mapping[str, str]:
    """Returns each bot's whole name, keyed by the name and by each part of it, all in lower case."""
    whole = [name.lower() for name in entrants if name]
    parts = [{word for word in re.findall(r"\w+", name) if len(word) >= _MIN_LETTERS} - _COMMON for name in whole]
    number = Counter(word for words in parts for word in words)
    unique = {word: name for name, words in zip(whole, parts, strict=True) for word in words if number[word] == 1}
    return unique | {name: name for name in whole}
