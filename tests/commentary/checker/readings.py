"""Reads sentences of the show back into claims. Each phrase of the show has a pattern with named groups."""

import re
from collections.abc import Iterator, Mapping, Sequence

from broadcast.commentary.phrases import PHRASES

ISOLATES = str.maketrans("", "", "\u2068\u2069")
CHANCE = r"(?:less than )?\d+% to win"
POT = r"the (?:main|side) pot|the (?:first|second|third|\d+th) side pot"
_WORDS = {
    "amount": rf"(?:(?P<alone>{POT}) uncontested: )?(?P<sum>[\d,]+)(?: chips?)?(?: in (?P<pot>{POT}))?",
    "bet": r"[\d,]+",
}


def pattern(phrase: str) -> str:
    """The regular expression of a phrase, in which each word in braces becomes a named group."""
    return re.sub(r"\\\{(\w+)\\\}", lambda found: f"(?P<{found[1]}>{_WORDS.get(found[1], '.+?')})", re.escape(phrase))


def readings(text: str, kinds: Sequence[str], after: str = "") -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """Finds the phrases of `kinds` that match a sentence if the pattern `after` follows them.

    For each phrase, yields its kind and the words of its groups by name.
    """
    for kind in kinds:
        for phrase in PHRASES[kind]:
            if found := re.fullmatch(f"{pattern(phrase)}{after}", text.translate(ISOLATES), re.DOTALL):
                yield kind, found.groupdict()


def is_list_of(words: str, names: Sequence[str]) -> bool:
    """Whether `words` lists these names in order: all names, or the first few and the number of others."""
    plain = [name.translate(ISOLATES) for name in names]
    if words == (" and ".join([", ".join(plain[:-1]), plain[-1]]) if len(plain) > 1 else plain[0]):
        return True
    found = re.fullmatch(r"(.+) and (\d+) others", words)
    return found is not None and any(
        found[1] == ", ".join(plain[:count]) and int(found[2]) == len(plain) - count for count in range(1, len(plain))
    )


def chips(words: str | None) -> int:
    """The amount at the start of `words`, which may continue with "chips" and a pot's name; -1 if there is none."""
    return int((words or "-1").partition(" ")[0].replace(",", ""))
