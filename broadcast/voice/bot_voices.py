"""The voices in which bots' thoughts are spoken. Each bot has its own voice of the program espeak-ng: a variant and a
pitch. No I/O.
"""

import unicodedata
from collections.abc import Sequence

VARIANTS = ("m1", "f1", "m3", "f2", "m7", "f3", "m4", "f4", "m5", "f5", "m2", "m8")
"""Variants of espeak-ng that are easy to tell apart and to understand."""
PITCHES = (50, 35, 65, 42, 58)
"""The pitches, 0 to 99. Bots 1 to 12 have the first pitch, each with a different variant. Bots 13 to 24 have the second
pitch, and so on.
"""


def command_with_bot_voice(program: Sequence[str], bot: int) -> tuple[str, ...]:
    """Returns the espeak-ng command `program` with the voice of bot number `bot`. Keeps the language in `program`.

    The voices of the first 60 bots all differ.
    """
    words = list(program)
    language = words[words.index("-v") + 1] if "-v" in words[:-1] else "en-us"
    number = bot - 1
    variant = VARIANTS[number % len(VARIANTS)]
    pitch = PITCHES[number // len(VARIANTS) % len(PITCHES)]
    return (*words, "-v", f"{language.partition('+')[0]}+{variant}", "-p", str(pitch))


def can_be_spoken(text: str) -> bool:
    """Whether most letters of `text` are Latin. espeak-ng spells out the letters of other scripts one by one."""
    letters = [each for each in text if each.isalpha()]
    latin = sum(unicodedata.name(each, "").startswith("LATIN") for each in letters)
    return 2 * latin > len(letters)
