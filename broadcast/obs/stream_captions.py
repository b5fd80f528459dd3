"""Captions as a stream can carry them: CEA-608 has two rows in a packet, and western letters alone. Pure.

OBS breaks a caption into rows of 32 characters, and a packet holds 31 pairs of bytes. Four of them are commands, and
each row needs one more. What does not fit goes into a second packet, which many players never show.
"""

import textwrap
from collections.abc import Sequence

from anyascii import anyascii

_ROW = 32
_PAIRS = 25
"""What two rows leave for characters, two in a pair, each row beginning a new one."""
_BASIC = frozenset("áéíóúçÑñ÷\u2019")
"""What each player knows besides ASCII."""
_NOT_BASIC = str.maketrans(
    {"*": "", "\\": "/", "^": "", "_": "-", "`": "\u2019", "'": "\u2019", "{": "(", "|": "/", "}": ")", "~": "-"}
)
"""Characters of ASCII that the basic ones leave out."""


def western(text: str) -> str:
    """The text in the characters that each player knows; others are written as they sound."""
    return "".join(each if each in _BASIC else anyascii(each).translate(_NOT_BASIC) for each in text)


def is_western(text: str) -> bool:
    """Whether players know the letters of a text as they stand."""
    return all(each.isascii() or each in _BASIC for each in text)


def pieces(text: str) -> Sequence[str]:
    """The text, in western letters, in pieces of one or two rows that arrive whole; [] if nothing is left of it."""
    made: list[list[str]] = []
    for row in textwrap.wrap(western(text), _ROW, break_on_hyphens=False):
        if made and len(made[-1]) == 1 and sum(-(-len(each) // 2) for each in (made[-1][0], row)) <= _PAIRS:
            made[-1].append(row)
        else:
            made.append([row])
    return [" ".join(rows) for rows in made]
