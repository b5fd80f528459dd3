"""Finds a bot's estimates of its chance to win: "about 60 % to win", "my equity is 45%". No I/O.

A claim is right or wrong. An estimate has a score instead, which depends on how far it is from the real chance.
"""

import re
from collections.abc import Iterator

from broadcast.commentary.claims.speech.sentences import Sentence
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER, number_of

EXAMPLES = """
I am [about 60% to win].                     | 0.6
I have [roughly 45 % equity] here.           | 0.45
My [equity is around 30%], so I fold.        | 0.3
I [win 70 percent of the time].              | 0.7
My [chance of winning is 0.55].              | 0.55
I'm a [3 to 1 favourite].                    | 0.75
I'm a [2-to-1 underdog].                     | 0.33
I need 25% equity to call.                   |
He is 60% to win.                            |
If I hit, I am 90% to win.                   |
"""
"""Each row has a thought with its estimate in brackets, and the value of the estimate. A thought without brackets has
no estimate of the bot's own chance.
"""
_VALUE = rf"(?P<number>{ABOUT}?{NUMBER}) ?(?P<unit>%|percent\b|per cent\b)"
_PART = rf"(?P<number>{ABOUT}?(?:0?\.\d+|{NUMBER} ?(?P<unit>%|percent\b|per cent\b)))"
_CHANCE = (
    r"(?:equity|win(?:ning)? (?:probability|chances?|odds|rate|percentage)|chances? (?:of winning|to win)"
    r"|probability of winning|odds of winning)"
)
_PATTERNS = tuple(
    re.compile(rf"(?<![\w'-])(?:{words})(?!\w)")
    for words in (
        rf"{_VALUE} (?:to win|favou?rite|equity|likely to win|chance (?:of winning|to win)|to be (?:ahead|good)"
        r"|win (?:rate|probability))(?! (?:needed|required|to (?:call|break)))",
        rf"{_CHANCE} (?:here )?(?:is |of |= ?|at |: ?|: |~ ?|are |should be |must be |seems "
        rf"|looks (?:like )?)?(?:(?:about|around) )?{_PART}",
        rf"(?:win|ahead|good|best)(?: this| it| here)? {_VALUE}(?: of the time)?",
        rf"{_VALUE} (?:against|vs\.?|versus) (?:his|her|their|a random|random|two|three|one)(?: ranges?| hands?)?",
        rf"{_CHANCE}? ?(?:of|at|puts me at) {_VALUE}(?= to win)",
        rf"(?P<number>{NUMBER})(?: to |-to-|:)(?P<other>1|one) (?P<side>favou?rite|underdog|dog)",
    )
)
_NOT_OWN = re.compile(
    r"\b(?:need|needs|needed|price|odds|demands?|call|require|requires|required|if|unless|he|she|they|his|her|their"
    r"|villain|opponents?|at least|would|could|might|than|when|fold|break|suppose|minimum)\b"
)


def estimates(sentence: Sentence) -> Iterator[tuple[int, int, float]]:
    """Yields at most one estimate of a sentence, the first found, as (start, end, value). The value is from 0 to 1."""
    for pattern in _PATTERNS:
        for found in pattern.finditer(sentence.text):
            value = _value(found)
            clause = re.split(r"[,:(;]| but | so | and ", sentence.text[: found.start()])[-1]
            follows = re.match(r"\s*(?:if|when|needed|required|to call|to break)\b", sentence.text[found.end() :])
            suppose = re.search(r"\b(?:if|unless|suppose|when)\b", sentence.text[: found.start()])
            if 0 <= value <= 1 and not (_NOT_OWN.search(clause) or follows or suppose):
                yield found.start(), found.end(), value
                return


def _value(found: re.Match[str]) -> float:
    named = found.groupdict()
    words = re.sub(rf"^{ABOUT}", "", named["number"])
    words = re.sub(r" ?(?:%|percent|per cent)$", "", words)
    number = float(words) if words.startswith(".") else number_of(words)
    if named.get("side"):
        share = number / (number + 1)
        return share if named["side"].startswith("fav") else 1 - share
    return number / 100 if named.get("unit") else number
