"""Captions as a stream can carry them: CEA-608 has two rows in a packet, and western letters alone. Pure.

OBS breaks a caption into rows of 32 characters and puts two bytes of it into each of 31 pairs; players show what stands
in the first 31. Five of these are commands, with two rows, so that a caption of more than 52 characters loses its end.
"""

import textwrap
from collections.abc import Sequence

from anyascii import anyascii

_ROW = 32
_PAIRS = 26
"""What is left for characters, two in a pair, each row beginning a new one."""
_BASIC = frozenset("áéíóúçÑñ÷")
"""What each player knows besides ASCII."""
_NOT_BASIC = str.maketrans({"*": "", "\\": "/", "^": "", "_": "-", "`": "'", "{": "(", "|": "/", "}": ")", "~": "-"})
"""Characters of ASCII that the basic ones leave out."""


def western(text: str) -> str:
    """The text in the characters that each player knows; others are written as they sound."""
    return "".join(each if each in _BASIC else anyascii(each).translate(_NOT_BASIC) for each in text)


def pieces(text: str) -> Sequence[str]:
    """The text, in western letters, in pieces of one or two rows that arrive whole; [] if nothing is left of it."""
    made: list[list[str]] = []
    for row in textwrap.wrap(western(text), _ROW, break_on_hyphens=False):
        if made and len(made[-1]) == 1 and sum(-(-len(each) // 2) for each in (made[-1][0], row)) <= _PAIRS:
            made[-1].append(row)
        else:
            made.append([row])
    return [" ".join(rows) for rows in made]
