"""A caption as a program for speech is to read it: names by their given pronunciation, signs as words. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

MOST_LETTERS = 300
_WORDS = {
    "SB": "small blind", "BB": "big blind", "vs": "versus", "%": " percent", "&": " and ",
    "♠": " spades ", "♥": " hearts ", "♦": " diamonds ", "♣": " clubs ", "·": ", ",
}  # fmt: skip
_SIGNS = re.compile(r"\b(?:SB|BB|vs)\b|[%&♠♥♦♣·]")
_END = re.compile(r"pot of [\d,]+(?= with )|(?=; )|(?=\. \w)|(?=, \d+% to )|(?=, [\w ]+ kicker)")
"""Where a caption may end without becoming untrue; lists of names and cards stay whole."""


def speakable(text: str, sayings: Mapping[str, str]) -> str:
    """`text` in words, at most `MOST_LETTERS` letters; each name in `sayings` becomes what it stands for.

    Brackets go: some programs take what stands in them for commands.
    """
    names = sorted((name for name in sayings if name), key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)", text) if names else [text]
    said = "".join(sayings[part] if part in sayings else _in_words(part) for part in parts)
    plain = "".join(" " if unicodedata.category(letter)[0] == "C" else letter for letter in said)
    plain = plain.translate(dict.fromkeys(map(ord, "[]<>{}|\\")))
    return " ".join(plain.split())[:MOST_LETTERS]


def shorter_forms(text: str) -> Iterator[str]:
    """`text` itself, then without what it adds last, and so on: what is left is a true sentence still."""
    yield text
    for end in reversed(list(_END.finditer(text))):
        yield f"{text[: end.end()]}."


def _in_words(text: str) -> str:
    return _SIGNS.sub(lambda found: _WORDS[found[0]], text)
