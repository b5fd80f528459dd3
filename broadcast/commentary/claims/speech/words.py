"""The words of poker for ranks, suits and numbers, as patterns and as values. No I/O."""

import re
from collections.abc import Mapping, Sequence

from server.game.cards import RANKS, Card

_RANK_WORDS = (
    "twos?|deuces?|ducks", "threes?|treys?", "fours?", "fives?", "six(?:es)?", "sevens?", "eights?", "nines?",
    "tens?|10s?|ts?", "jacks?|js?|hooks", "queens?|qs?|ladies", "kings?|ks?|cowboys", "aces?|as?|rockets|bullets",
)  # fmt: skip
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS: Mapping[str, int] = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 20 + 10 * index for index, word in enumerate(_TENS)},
    "a dozen": 12,
    "dozen": 12,
    "no": 0,
    "a": 1,
    "an": 1,
    "both": 2,
    "single": 1,
}

LONG_RANK = r"(?:deuce|trey|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace)"
"""A rank as a word in the singular."""
RANK = rf"(?:{LONG_RANK}|10|[2-9tjqka])"
"""A rank in the singular, as a word, a letter or a digit."""
PLURAL_RANK = (
    r"(?:deuces|treys|twos|threes|fours|fives|sixes|sevens|eights|nines|tens|jacks|queens|kings|aces"
    r"|(?:10|[2-9tjqk])'?s|a's)"
)
"""A rank in the plural: "kings", "8s"."""
SUIT = r"(?:clubs?|diamonds?|hearts?|spades?)"
CARD = r"(?:(?:10|[2-9tjqka])[cdhs])"
"""A card as in "Kh" or "10h"."""
NUMBER = (
    rf"(?:(?:{'|'.join(_SMALL[1:])}|{'|'.join(_TENS)}) (?:thousand|hundred)|\d+(?:,\d{{3}})*(?:\.\d+)?k?"
    rf"|(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_SMALL[1:10])}))?|{'|'.join(_SMALL[:0:-1])}|a dozen)"
)
"""A number in digits or in words. In words, it is at most ninety-nine, or a number of hundreds or thousands."""
ABOUT = (
    r"(?:(?:about|around|roughly|approximately|approx\.?|nearly|almost|circa|some|close to|just (?:over|under)"
    r"|a (?:bit|little|shade|touch) (?:over|under)|(?:well )?over|(?:a little |slightly |a bit )?(?:more|less"
    r"|fewer) than|at least|no more than|at most|under|~|only|just|exactly|barely|(?:a )?mere(?:ly)?"
    r"|(?:right|somewhere|just) (?:around|about|at))\s?)"
)
"""Words before a number that make it a rounded number or a limit: "about", "over"."""
_VAGUE = re.compile(r"about|around|roughly|approx|nearly|almost|circa|some|close|over|under|than|least|~|bit|little")


def rank_of(word: str) -> int:
    """Returns the rank that a word, letter or digit names: 0 for the two, 12 for the ace.

    Raises ValueError if `word` names no rank.
    """
    for rank, pattern in enumerate(_RANK_WORDS):
        if re.fullmatch(rf"{pattern}|{rank + 2}(?:'?s)?" if rank < 8 else pattern, word.replace("'", "")):
            return rank
    raise ValueError(f"{word!r} names no rank")


def suit_of(word: str) -> str:
    """Returns the letter of the suit that `word` names: "h" for "hearts"."""
    return word[0]


def only_suit(words: str) -> str:
    """Returns the letter of the only suit that `words` name. After such words, "one of them" means a card of that suit.

    Returns "" if `words` do not name exactly one suit, or if they also name a rank.
    """
    suits = {suit_of(word) for word in re.findall(rf"\b{SUIT}\b", words)}
    return suits.pop() if len(suits) == 1 and not re.search(rf"\b{LONG_RANK}s?\b(?! {SUIT})", words) else ""


def card_of(word: str) -> Card:
    """Returns the card that "kh" or "10h" names."""
    return RANKS[rank_of(word[:-1])] + word[-1]


def number_of(words: str) -> float:
    """Returns the number in `words`, a match of NUMBER: 1500 for "1.5k", 25 for "twenty-five"."""
    if words[0].isdigit():
        thousand = words.endswith("k")
        return float(words.removesuffix("k").replace(",", "")) * (1000 if thousand else 1)
    if words.endswith((" thousand", " hundred")):
        return number_of(words.rpartition(" ")[0]) * (1000 if words.endswith("thousand") else 100)
    tens, _, ones = words.replace("-", " ").partition(" ")
    if words in _NUMBERS:
        return _NUMBERS[words]
    return _NUMBERS[tens] + _NUMBERS[ones]


def is_vague(words: str) -> bool:
    """Whether `words`, which come before a number, say that the number is rounded: "about", "nearly"."""
    return bool(_VAGUE.search(words))


def is_near(said: float, true: float, *, share: float, min_tolerance: float = 0) -> bool:
    """Whether `said` differs from `true` by at most `share` of `true` (a fraction), or by at most `min_tolerance`."""
    return abs(said - true) <= max(share * abs(true), min_tolerance)


def stated_number(words: str) -> float:
    """Returns the number in `words`, which may begin with "about"."""
    return number_of(re.sub(rf"^{ABOUT}", "", words))


_EXACT_DECIMALS_BELOW = 50
"""In a number below this, decimals are exact: "7.5" does not mean 8."""


def is_close_enough(said: str, accepted: Sequence[float]) -> bool | None:
    """Whether the number in `said`, which may begin with "about" or "over", is close enough to one of `accepted`.

    Returns None if the number is not close enough to be right, but too close to be wrong.
    """
    number, bound = stated_number(said), _BOUND.match(said)
    if bound:
        above = [true if bound["over"] else -true for true in accepted]
        limit = number if bound["over"] else -number
        return True if max(above) >= limit else None if max(above) > limit - 0.12 * number else False
    right, wrong = (0.12, 0.25) if is_vague(said) else (0.05, 0.08 if "." in said else 0.12)
    min_tolerance = 0.12 if "." in said and number < _EXACT_DECIMALS_BELOW else 0.5
    if any(is_near(number, true, share=right, min_tolerance=min_tolerance) for true in accepted):
        return True
    return (
        None if any(is_near(number, true, share=wrong, min_tolerance=2 * min_tolerance) for true in accepted) else False
    )


_BOUND = re.compile(r"(?P<over>(?:well )?over|more than|at least)|under|(?:less|fewer|no more) than|at most")
"""Matches words that make a number a lower limit (the group `over`) or an upper limit."""
