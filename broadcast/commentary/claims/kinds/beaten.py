"""The hands that beat the bot's: "only quads beat me", "nothing beats me", "I lose only to a flush". Pure.

Every two unseen cards are tried. A straight flush that the claim forgets is left alone.
"""

import re

from broadcast.commentary.claims.kinds.made_hand import better_hands
from broadcast.commentary.claims.kinds.ranks import (
    FLUSH,
    FOUR,
    FULL,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    made_kind,
)
from broadcast.commentary.claims.speech.known import Known
from broadcast.commentary.claims.speech.mention import fact
from server.game.ranking import category

KIND = "beaten"
EXAMPLES = """
Ah Ad, Ac 7s 7h         | [Only quads beat me].                             |
7h 6h, Kh 9h 2h         | [Only a higher flush beats me].                   |
7h 7d, Kc 7s 2h         | [Only a straight beats me].                       | also: three of a kind
9h 8h, 7c 6s 5h         | [Nothing beats me] now.                           |
7h 7d, Kc 7s 2h         | [Nothing beats me].                               | beaten by: three of a kind
7h 7d, Kc 7s 2h         | A set of kings beats me.                          | no claim
7h 7d, Kc 7s 2h         | If he has it, nothing beats me more.              | no claim
"""
_KINDS = {
    "quads": FOUR, "four of a kind": FOUR, "full house": FULL, "boat": FULL, "flush": FLUSH, "straight": STRAIGHT,
    "set": THREE, "trips": THREE, "three of a kind": THREE, "two pair": TWO_PAIR, "overpair": PAIR, "pair": PAIR,
    "kicker": PAIR, "straight flush": STRAIGHT_FLUSH, "royal flush": STRAIGHT_FLUSH,
}  # fmt: skip
_NAMED = "|".join(sorted(_KINDS, key=len, reverse=True))
_ONE = (
    r"(?:(?:a|an|the|any|some|bigger|higher|better|stronger|larger|unlikely|made|another|possible) )*"
    rf"(?:{_NAMED})(?:es|s)?"
)
_LIST = rf"(?P<list>{_ONE}(?:(?:,| and| or|, and|, or) {_ONE})*)"


def _beating(known: Known) -> set[int]:
    return {value >> 24 for value in better_hands(known.cards, known.board)}


def _names(kinds: set[int]) -> str:
    return ", ".join(category(kind << 24) for kind in sorted(kinds))


def _only(known: Known, found: re.Match[str]) -> str | None:
    if not known.board:
        return None
    named = {_KINDS[word] for word in re.findall(_NAMED, found["list"])}
    beating = _beating(known)
    if not beating or named & {*range(made_kind(known))}:
        return None
    more = beating - named
    return "" if not more else None if more == {STRAIGHT_FLUSH} else f"also: {_names(more)}"


def _nothing(known: Known, _: re.Match[str]) -> str | None:
    if not known.board:
        return None
    beating = _beating(known)
    return f"beaten by: {_names(beating)}" if beating else ""


_BEATS = r"(?:beats?|can beat|(?:is|are) ahead of|(?:is|are) beating|could beat)"
_ME = r"(?:me|us|my hand|this hand|this|it)(?! (?:on|by|if|unless|more))"
FACTS = (
    fact(rf"only {_LIST} {_BEATS} {_ME}", _only),
    fact(
        r"(?:(?:i|we) (?:only lose|lose only|am only behind|am behind only)|beaten only by|only beaten by"
        rf"|only losing)(?: to)? {_LIST}",
        _only,
    ),
    fact(rf"(?:i|we) (?:beat|am beating) everything (?:but|except|except for|besides) {_LIST}", _only),
    fact(rf"(?:nothing|no (?:other )?hand|no holding|nothing out there) {_BEATS} {_ME}", _nothing),
    fact(
        r"(?:i|we) (?:can't|cannot|can not) be beaten?(?= (?:here|now|on this board)|[,.;!]|$)"
        r"|i am beating everything(?! (?:but|except))",
        _nothing,
    ),
)
