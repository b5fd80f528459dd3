"""How words are put together for captions: lists, articles, numbers, names in any script, and what fits. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from server.text.characters import clipped, printable

LONGEST = 100
"""Letters that two lines of the lower third hold; letters of Chinese and the like count twice."""
LONGEST_SHOWN = 30
"""Letters that fit on a poster."""
_RIGHT_TO_LEFT = ("R", "AL", "AN")
_FIRST_STRONG, _POP = "\u2068", "\u2069"
"""Around a name of another direction: so it does not turn the words beside it."""
_OURS = f"\n{_FIRST_STRONG}{_POP}"


def breadth(text: str) -> int:
    """How many letters of room `text` takes."""
    if text.isascii():
        return len(text)
    return sum(_width(letter) for letter in text)


def _width(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def fits(text: str) -> bool:
    """Whether `text` is short enough for a caption."""
    return breadth(text) <= LONGEST


def short_name(name: str) -> str:
    """A bot's name as far as it is shown: those that are called may have longer ones."""
    return clipped(unicodedata.normalize("NFC", name), LONGEST_SHOWN)


def named(name: str) -> str:
    """A bot's name as it stands in a sentence."""
    turned = not name.isascii() and any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in name)
    return f"{_FIRST_STRONG}{name}{_POP}" if turned else name


def harmless(text: str) -> str:
    """Lines of ours with strangers' names in them, without anything that a terminal would obey."""
    return "".join(part if part in _OURS else printable(part) for part in re.split(f"([{_OURS}])", text))


def counted(count: int, thing: str) -> str:
    """ "1 hand", "1,200 hands"."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def listed(words: Iterable[str]) -> str:
    """ "one, two and three"."""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def listed_within(words: Sequence[str], room: int = 60) -> str:
    """As many of `words` as `room` characters hold: "one, two and 4 others"."""
    for count in range(len(words), 1, -1):
        rest = len(words) - count
        text = listed(words) if not rest else f"{', '.join(words[:count])} and {rest} other{'s' if rest > 1 else ''}"
        if breadth(text) <= room:
            return text
    return f"{words[0]} and {len(words) - 1} others" if len(words) > 2 else listed(words)


def with_article(ranking: str) -> str:
    """ "a pair of kings", but "two pair", "four of a kind" and "ace high"."""
    bare = ranking.startswith(("two", "three", "four", "high")) or ranking.partition(",")[0].endswith(" high")
    return ranking if bare or not ranking else f"a {ranking}"


def ordinal(number: int) -> str:
    """ "1st"."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def percent(tenths: int) -> str:
    """A chance as the posters show it: "71%", and never a certainty there is not."""
    if 0 < tenths < 10:
        return "less than 1%"
    if 990 < tenths < 1000:
        return "more than 99%"
    return f"{(tenths + 5) // 10}%"


def out_of(count: int, all_: int) -> str:
    """ "3 of 15", or "3" where nobody knows of how many."""
    return f"{count} of {all_}" if all_ else f"{count}"


def points(rating: int) -> str:
    """A rating of hundredths of a point: "1,012.3"."""
    return f"{rating / 100:,.1f}"
