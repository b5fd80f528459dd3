"""Reads sentences back into claims: every phrase that the show may use becomes a pattern with named groups."""

import re
from collections.abc import Iterator, Mapping, Sequence

from broadcast.commentary.phrases import PHRASES

ISOLATES = str.maketrans("", "", "\u2068\u2069")
CHANCE = r"(?:less than |more than )?\d+% to win"
_WORDS = {
    "amount": r"[\d,]+",
    "bet": r"[\d,]+",
    "chance": CHANCE,
    "pot": r"the pot|the (?:main|side) pot|the \d+(?:st|nd|rd|th) side pot",
}


def pattern(phrase: str) -> str:
    """A phrase as a pattern: each word in braces becomes a named group."""
    return re.sub(r"\\\{(\w+)\\\}", lambda found: f"(?P<{found[1]}>{_WORDS.get(found[1], '.+?')})", re.escape(phrase))


def readings(text: str, kinds: Sequence[str], after: str = "") -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """Yields the ways to read a sentence as a phrase of one of `kinds`, followed by the pattern `after`.

    Each reading is the kind of the phrase, and the words of each group by name.
    """
    for kind in kinds:
        for phrase in PHRASES[kind]:
            if found := re.fullmatch(f"{pattern(phrase)}{after}", text.translate(ISOLATES), re.DOTALL):
                yield kind, found.groupdict()


def is_list_of(words: str, names: Sequence[str]) -> bool:
    """Whether `words` lists these names in order: all of them, or the first ones and the number of others."""
    plain = [name.translate(ISOLATES) for name in names]
    if words == (" and ".join([", ".join(plain[:-1]), plain[-1]]) if len(plain) > 1 else plain[0]):
        return True
    found = re.fullmatch(r"(.+) and (\d+) others?", words)
    return found is not None and any(
        found[1] == ", ".join(plain[:count]) and int(found[2]) == len(plain) - count for count in range(1, len(plain))
    )


def chips(words: str | None) -> int:
    return int((words or "-1").replace(",", ""))
