"""Builds phrases for captions: lists, articles, numbers, names in any script. Also measures the width of text.

No I/O.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from server.text.characters import clip_text, printable

MAX_CAPTION_WIDTH = 100
"""How many characters fit into a caption's two lines on screen. A wide character, such as Chinese, counts as two."""
MAX_POSTER_NAME = 30
"""How many characters of a bot's name fit on its poster."""
_NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_RIGHT_TO_LEFT = ("R", "AL", "AN")
_FIRST_STRONG, _POP = "\u2068", "\u2069"
"""Control characters around a right-to-left name. They keep the name from reordering the text around it."""
_POKER_WORDS = {
    "ace", "ante", "bet", "bluff", "board", "call", "check", "counter", "dealer", "flop", "fold", "hand", "king",
    "pair", "pot", "queen", "quick", "raise", "river", "straight", "turn", "two-pair",
}  # fmt: skip
_KEPT_CHARACTERS = f"\n{_FIRST_STRONG}{_POP}"


def text_width(text: str) -> int:
    """Returns the width of `text`, in characters."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def fits_caption(text: str) -> bool:
    return text_width(text) <= MAX_CAPTION_WIDTH


def short_name(name: str) -> str:
    """Returns a bot's name for a poster, clipped if it is long. Some contests allow long names."""
    return clip_text(unicodedata.normalize("NFC", name), MAX_POSTER_NAME)


def name_in_sentence(name: str) -> str:
    """Returns a bot's name for a sentence. Puts the name in quotation marks if it is also a poker term."""
    if name.lower() in _POKER_WORDS:
        return f'"{name}"'
    is_right_to_left = not name.isascii() and any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in name)
    return f"{_FIRST_STRONG}{name}{_POP}" if is_right_to_left else name


def printable_text(text: str) -> str:
    """Returns `text` safe for a terminal: question marks replace unsafe characters, which bots' names may contain.
    Keeps line breaks, and the control characters around right-to-left names.
    """
    return "".join(
        part if part in _KEPT_CHARACTERS else printable(part) for part in re.split(f"([{_KEPT_CHARACTERS}])", text)
    )


def hand_label(game: int, hand: int, deal: int = 0, deal_hands: int = 0) -> str:
    """Returns "game 3, hand 7". If the bots play deals (the same cards at several tables), returns "deal 15, hand 2",
    or just "deal 15" if each deal has one hand.
    """
    if deal:
        return f"deal {deal}, hand {hand}" if deal_hands > 1 else f"deal {deal}"
    return f"game {game}, hand {hand}"


def count_text(count: int, thing: str) -> str:
    """Returns "1 hand" or "1,200 hands"."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


_SHORTEST_SECONDS = 0.05
"""Shorter durations are all "less than 0.1 s"."""


def duration_text(seconds: float) -> str:
    """Returns "less than 0.1 s", "8.4 s", "42 s", "9 minutes" or "3 h 12 min"."""
    if seconds < _SHORTEST_SECONDS:
        return "less than 0.1 s"
    if seconds < 99.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return count_text(minutes, "minute") if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def rough_duration_text(seconds: float) -> str:
    """Returns "about 8.4 s", or "less than 0.1 s" without "about"."""
    about = "" if seconds < _SHORTEST_SECONDS else "about "
    return f"{about}{duration_text(seconds)}"


def dollar_text(cents: int) -> str:
    """Formats an amount in cents: "$5", "$24.50"."""
    return f"${cents / 100:,.2f}".removesuffix(".00")


def times_text(count: int) -> str:
    """Returns "once", "twice" or "3 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def join_with_and(words: Iterable[str]) -> str:
    """Returns "one, two and three"."""
    *first_words, last_word = list(words) or [""]
    return f"{', '.join(first_words)} and {last_word}" if first_words else last_word


def join_within_width(words: Sequence[str], max_width: int = 60) -> str:
    """Lists as many `words` as fit into `max_width` characters, then the number of the others: "one, two and 4 others".
    Lists at least one word, and never says "1 other".
    """
    if len(words) <= 2 or text_width(join_with_and(words)) <= max_width:
        return join_with_and(words)
    counts = range(len(words) - 2, 0, -1)
    texts = [f"{', '.join(words[:count])} and {len(words) - count} others" for count in counts]
    return next((text for text in texts if text_width(text) <= max_width), texts[-1])


def with_article(ranking: str) -> str:
    """Returns "a pair of kings", "an ace-high flush", but "two pair", "kings full of aces" and "ace high"."""
    has_no_article = (
        " full of " in ranking
        or ranking.startswith(("two", "three", "four", "high"))
        or ranking.partition(",")[0].endswith(" high")
    )
    if has_no_article or not ranking:
        return ranking
    return f"{'an' if ranking.startswith(('ace', 'eight')) else 'a'} {ranking}"


def hand_kind_text(ranking: str) -> str:
    """Returns what kind of hand a recorded `ranking` is, such as "a flush", "two pair" or "ace high". "" stays ""."""
    kind, _, ranks = ranking.partition(", ")
    return f"{ranks} high" if kind == "high card" else with_article(kind)


def ordinal(number: int) -> str:
    """Returns "1st" for 1."""
    is_teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def number_in_words(number: int) -> str:
    """Returns a number up to twelve as a word, and a larger number in digits."""
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else str(number)


def chance_text(tenths: int) -> str:
    """Formats a chance, given in tenths of a percent: "71%". Only chances of exactly 0 and 1 are "0%" and "100%"."""
    if 0 < tenths < 10:
        return "less than 1%"
    if 990 < tenths < 1000:
        return "99%"
    return f"{(tenths + 5) // 10}%"


def out_of(count: int, total: int) -> str:
    """Returns "3 of 15", or "3" if the total is unknown."""
    return f"{count} of {total}" if total else f"{count}"


def rating_text(rating: int) -> str:
    """Formats a rating, given in hundredths of a point: "1,012.3", "1,006"."""
    return f"{rating / 100:,.1f}".removesuffix(".0")


def points_text(hundredths: int, thing: str = "point") -> str:
    """Returns "1 point" or "4.6 points". With "rating point" as `thing`, returns "1 rating point"."""
    count = rating_text(hundredths)
    return f"{count} {thing}{'' if count == '1' else 's'}"
