"""The hands that beat the bot's: "only quads beat me", "nothing beats me", "I lose only to a flush". Pure.

Tries every two unseen cards. Does not blame a claim for forgetting a straight flush.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from broadcast.commentary.claims.kinds.ranks import (
    FLUSH,
    FOUR,
    FULL,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    rank_at,
)
from broadcast.commentary.claims.speech.known import Known
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.words import LONG_RANK, RANKS_MANY, rank_of
from server.game.cards import DECK, Card
from server.game.ranking import category, strength

KIND = "beaten"
EXAMPLES = """
Ah Ad, Ac 7s 7h         | [Only quads beat me].                             |
7h 6h, Kh 9h 2h         | [Only a higher flush beats me].                   |
7h 7d, Kc 7s 2h         | [Only a straight beats me].                       | also: three of a kind
9h 8h, 7c 6s 5h         | [Nothing beats me] now.                           |
7h 7d, Kc 7s 2h         | [Nothing beats me].                               | beaten by: three of a kind
7h 7d, Kc 7s 2h         | A set of kings beats me.                          | no claim
7h 7d, Kc 7s 2h         | If he has it, nothing beats me more.              | no claim
5h 5d, Ah Ad 3c         | [Nothing but an ace beats me].                    | also: two pair, full house
5h 5d, Ah Ad 3c         | [Any ace beats me].                               |
5h 5d, Ah Ad 3c         | [A three beats me].                               | a three alone does not
5h 5d, Ah Ad 3c         | [An ace doesn't beat me].                         | aces do
Ah 5d, Ad Ac 3c         | [A flush beats me].                               | beaten by: three of a kind, full house
5h 5d, Ah Ad 3c         | [I only fear a flush].                            | no flush does
7h 7d, 7c Ks 2h         | [Even an overpair beats me].                      | beaten by: three of a kind
9h 5d, 6c 4s 3h 2d      | [A bigger straight is not possible].              | beaten by: straight
"""
_KINDS = {
    "straight flush": STRAIGHT_FLUSH, "royal flush": STRAIGHT_FLUSH, "four of a kind": FOUR, "quad": FOUR,
    "full house": FULL, "boat": FULL, "flush": FLUSH, "straight": STRAIGHT, "three of a kind": THREE, "set": THREE,
    "trips": THREE, "two pair": TWO_PAIR, "overpair": PAIR, "pair": PAIR, "kicker": PAIR,
}  # fmt: skip
_NAMED = "|".join(_KINDS)
_HOLE = (
    rf"(?:pocket (?P<pair>{RANKS_MANY})|(?P<one>{LONG_RANK}|[2-9tjqka])-?(?P<two>{LONG_RANK}|[2-9tjqka])(?:s|o)?(?!\w))"
)
_ONE = (
    r"(?:(?:a|an|the|any|some|bigger|higher|better|stronger|larger|unlikely|made|another|possible) )*"
    rf"(?:(?:{_NAMED})(?:es|s)?(?: of {RANKS_MANY})?|quad {RANKS_MANY}|{re.sub('[?]P<[a-z]+>', '?:', _HOLE)})"
)
_SINGLE = rf"(?:(?:any|an?|another|one|a single) (?P<rank>{LONG_RANK})(?![- ](?:high|kicker|flush|{LONG_RANK})))"
"""Any two cards with one of this rank."""
_ONE = rf"(?:{_ONE}|{_SINGLE.replace('?P<rank>', '?:')})"
_LIST = rf"(?P<list>{_ONE}(?:(?:,| and| or|, and|, or) {_ONE})*)"
_Hand = tuple[tuple[int, ...], int]
"""The ranks of two cards, the higher first, and what the cards make."""


@lru_cache(32)
def _beating(cards: tuple[Card, ...], board: tuple[Card, ...]) -> frozenset[_Hand]:
    """Returns the hands that two unseen cards can make and that beat the bot's hand."""
    mine = strength((*cards, *board))
    unseen = [card for card in DECK if card not in (*cards, *board)]
    found = ((two, strength((*two, *board))) for two in combinations(unseen, 2))
    return frozenset((tuple(sorted(map(rank_at, two), reverse=True)), value) for two, value in found if value > mine)


def _is_named(hand: _Hand, words: str) -> bool:
    """Whether one of the hands in `words` is this hand."""
    ranks, value = hand
    holes = [
        (rank_of(each["pair"]),) * 2
        if each["pair"]
        else tuple(sorted(map(rank_of, each.group("one", "two")), reverse=True))
        for each in re.finditer(rf"(?<!\w){_HOLE}", words)
    ]
    kinds = {_KINDS[word] for word in re.findall(rf"(?<!\w)(?:{_NAMED})", words)}
    singles = {rank_of(each["rank"]) for each in re.finditer(rf"(?<!\w){_SINGLE}", words)}
    return value >> 24 in kinds or value >> 24 == STRAIGHT_FLUSH or ranks in holes or bool(singles & {*ranks})


def _names(hands: Iterable[_Hand]) -> str:
    return ", ".join(category(kind << 24) for kind in sorted({value >> 24 for _, value in hands}))


def _only(known: Known, found: re.Match[str]) -> str | None:
    beating = _beating(known.cards, known.board)
    more = [hand for hand in beating if not _is_named(hand, found["list"])]
    return f"also: {_names(more)}" if more else "" if any(_is_named(hand, found["list"]) for hand in beating) else None


def _nothing(known: Known, _: re.Match[str]) -> str | None:
    beating = _beating(known.cards, known.board)
    return f"beaten by: {_names(beating)}" if beating else ""


def _feared(known: Known, found: re.Match[str]) -> str | None:
    if any(_is_named(hand, found["list"]) for hand in _beating(known.cards, known.board)):
        return None
    return f"no {found['list'].split(maxsplit=1)[-1]} does"


def _single(known: Known, found: re.Match[str]) -> str | None:
    """Whether a card of one rank beats the bot's hand whatever the other card is, or at least nearly so."""
    rank, word = rank_of(found["rank"]), found["rank"]
    unseen = {rank_at(card) for card in DECK if card not in (*known.cards, *known.board)}
    better = {(*ranks,) for ranks, _ in _beating(known.cards, known.board) if rank in ranks}
    if found["not"]:
        return "" if not better else f"{word}s do" if len(better) > 0.9 * len(unseen) else None
    share = len(better) / len(unseen)
    return "" if share > 0.9 else f"a {word} alone does not" if share < 0.2 else None


def _kind(known: Known, found: re.Match[str]) -> str | None:
    better = _beating(known.cards, known.board)
    if found["kind"] == "overpair":
        top = max(map(rank_at, known.board))
        right = any(ranks[0] == ranks[1] > top for ranks, _ in better)
    else:
        right = any(value >> 24 == _KINDS[found["kind"]] for _, value in better)
    return verdict(right != bool(found["not"]), f"beaten by: {_names(better) or 'nothing'}")


def _bigger_straight(known: Known, _: re.Match[str]) -> str | None:
    straights = [hand for hand in _beating(known.cards, known.board) if hand[1] >> 24 == STRAIGHT]
    if known.value >> 24 != STRAIGHT:
        return None
    return f"beaten by: {_names(straights)}" if straights else ""


_BEATS = r"(?:beats?|can beat|(?:is|are) ahead of|(?:is|are) beating|could beat|crush(?:es)?)"
_AHEAD = rf"(?:(?:also )?(?:{_BEATS} (?:me|us|it)|(?:has|have) me beat(?:en)?|(?:is|are) (?:better|ahead)))"
_ME = r"(?:me|us|it|this|(?:my|this|our) [a-z]+(?: (?:pair|house|flush|hand|eights|kings))?)(?! (?:by|if|unless|more))"
FACTS = (
    fact(rf"(?:only|just|nothing but) {_LIST} (?:{_BEATS} {_ME}|{_AHEAD})", _only),
    fact(rf"i (?:only|just) fear {_LIST}", _feared),
    fact(
        rf"(?<!only )(?<!just )(?<!but )(?<!or )(?<!and )(?<!, ){_SINGLE}(?P<not> (?:doesn't|does not|can't|cannot))?"
        rf" {_AHEAD}",
        _single,
    ),
    fact(
        r"(?<!only )(?<!just )(?<!but )(?<!or )(?<!and )(?<!, )(?:even )?(?:any|an?) (?:big |better )?"
        r"(?P<kind>overpair|flush|straight|full house)(?P<not> (?:doesn't|does not|can't|cannot))?"
        rf" {_AHEAD}",
        _kind,
    ),
    fact(
        r"(?:an? |no )?(?:bigger|higher|better) straights? (?:(?:isn't|is not|are not|aren't|is|are) )?possible",
        _bigger_straight,
    ),
    fact(
        r"(?:(?:i|we) (?:only lose|lose only|am only behind|am behind only)|beaten only by|only beaten by|only losing)"
        rf"(?: to)? {_LIST}",
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
