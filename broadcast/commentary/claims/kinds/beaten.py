"""Claims about the hands that beat the bot's hand: "only quads beat me", "nothing beats me", "I lose only to a flush".
No I/O.

The check tries all hands of two unseen cards. A claim that lists the hands may leave out straight flushes.
"""

import re
from collections.abc import Iterable, Sequence

from broadcast.commentary.claims.kinds.ranks import (
    FLUSH,
    FOUR,
    FULL,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    OpponentHand,
    board_ranks,
    in_suit,
    possible_opponent_hands,
    rank_of_card,
)
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import fact
from broadcast.commentary.claims.speech.names import seats_by_name
from broadcast.commentary.claims.speech.words import LONG_RANK, PLURAL_RANK, SUIT, rank_of, suit_of
from server.game.ranking import category, strength

KIND = "beaten"
EXAMPLES = """
Ah Ad, Ac 7s 7h         | [Only quads beat me].                             |
7h 6h, Kh 9h 2h         | [Only a higher flush beats me].                   |
7h 7d, Kc 7s 2h         | [Only a straight beats me].                       | also: three of a kind
7h 7d, Kc 7s 2h         | [I lose to nothing but a straight].               | also: three of a kind
7h 7d, Kc 7s 2h         | [Only kings beat me].                             |
9h 8h, 7c 6s 5h         | [Nothing beats me] now.                           |
7h 7d, Kc 7s 2h         | [Nothing beats me].                               | beaten by: three of a kind
7h 7d, Kc 4s 2h         | [Only two pair or better beats me].               | also: pair
7h 7d, Kc 7s 2h         | [A straight is all that beats me].                | also: three of a kind
7h 7d, Kc 7s 2h         | Two hands [beat me].                              | no claim
7h 7d, Kc 7s 2h         | A set of kings beats me.                          | no claim
7h 7d, Kc 7s 2h         | If he has it, nothing beats me more.              | no claim
5h 5d, Ah Ad 3c         | [Nothing but an ace beats me].                    | also: two pair, full house
5h 5d, Ah Ad 3c         | [Any ace beats me].                               |
5h 5d, Ah Ad 3c         | [A three beats me].                               | behind: three
5h 5d, Ah Ad 3c         | [An ace doesn't beat me].                         | ahead: ace
5h 5d, Ah Ad 3c         | [My fives beat any ace].                          | ahead: ace
5h 5d, Ah Ad 3c         | [I lose to any ace].                              |
5h 5d, Ah Ad 3c         | [Belle's pocket kings are behind me].             | ahead: pocket kings
5h 5d, Ah Ad 3c         | An ace beats me, and [so does a seven].           | behind: seven
5h 5d, Ah Ad 3c         | Kings beat me, [aces don't].                      | ahead: aces
7h 7d, Kc 4s 2h         | [The only hands beating me have a king].          | also: pair, two pair, three of a kind
5h 5d, Ah Ad 3c         | I like threes; same with any seven.               | no claim
Ah 5d, Ad Ac 3c         | [A flush beats me].                               | behind: flush
5h 5d, Ah Ad 3c         | [I only fear a flush].                            | no flush does
7h 7d, 7c Ks 2h         | [Even an overpair beats me].                      | behind: overpair
9h 5d, 6c 4s 3h 2d      | [A bigger straight is not possible].              | beaten by: straight
"""
"""Each row has the bot's cards and the board, a thought with its claims in brackets, and the truth if a claim is false.
"no claim" means that the thought makes no claim of this kind.
"""
_KINDS = {
    "straight flush": STRAIGHT_FLUSH, "royal flush": STRAIGHT_FLUSH, "four of a kind": FOUR, "quad": FOUR,
    "full house": FULL, "boat": FULL, "flush": FLUSH, "straight": STRAIGHT, "three of a kind": THREE, "set": THREE,
    "trips": THREE, "two pair": TWO_PAIR, "overpair": PAIR, "pair": PAIR, "kicker": PAIR,
}  # fmt: skip
_NAMED = "|".join(_KINDS)
_HOLE = (
    rf"(?:pocket (?P<pair>{PLURAL_RANK})"
    rf"|(?P<one>{LONG_RANK}|[2-9tjqka])-?(?P<two>{LONG_RANK}|[2-9tjqka])(?:s|o)?(?!\w))"
)
_NAMED_HAND = (
    r"(?:(?:a|an|the|any|some|bigger|higher|better|stronger|larger|unlikely|made|another|possible) )*"
    rf"(?:(?:pocket )?(?:{_NAMED})(?:es|s)?(?: of {PLURAL_RANK})?|quad {PLURAL_RANK}"
    rf"|{re.sub('[?]P<[a-z]+>', '?:', _HOLE)})"
)
_SINGLE = (
    rf"(?:(?:any|an?|another|one|a single|the (?:last|fourth|case|remaining))(?: better| bigger"
    rf"| higher)? (?P<rank>{LONG_RANK})(?![- ](?:high|kicker|flush|{LONG_RANK})))"
)
"""Matches words for any two cards of which at least one has a certain rank: "any ace"."""
_ONE_HAND = rf"(?:{_NAMED_HAND}|{_SINGLE.replace('?P<rank>', '?:')}|(?:a |an )?{PLURAL_RANK}(?! full| up))"
_LIST = rf"(?P<list>{_ONE_HAND}(?:(?:,| and| or|, and|, or) {_ONE_HAND})*)"


def _beating_hands(known: BotKnowledge) -> list[OpponentHand]:
    """Returns the hands that beat the bot's hand."""
    return [hand for hand in possible_opponent_hands(known) if hand[1] > known.hand_strength]


def _hands_not_named(hands: Sequence[OpponentHand], words: str) -> list[OpponentHand]:
    """Returns the hands that `words` do not name. Straight flushes are treated as named."""
    kinds = {_KINDS[word] for word in re.findall(rf"(?<!\w)(?:{_NAMED})", words)} | {STRAIGHT_FLUSH}
    singles = {rank_of(each["rank"]) for each in re.finditer(rf"(?<!\w){_SINGLE}", words)}
    singles |= {rank_of(each) for each in re.findall(rf"(?<![\w-])(?<!pocket )(?<!of ){PLURAL_RANK}", words)}
    holes = [
        sorted(map(rank_of, (each["pair"] or each["one"], each["pair"] or each["two"])))
        for each in re.finditer(rf"(?<!\w){_HOLE}", words)
    ]
    return [
        (two, value)
        for two, value in hands
        if value >> 24 not in kinds
        and not ((ranks := sorted(map(rank_of_card, two))) in holes or singles.intersection(ranks))
    ]


def _kinds_in(hands: Iterable[OpponentHand]) -> str:
    return ", ".join(category(kind << 24) for kind in sorted({value >> 24 for _, value in hands}))


def _check_only(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if found.groupdict().get("who", "he") not in ("he", "she", "villain", *seats_by_name(known)):
        return None  # these words are not about a bot: "a flush draw needs a heart to beat me"
    beating = _beating_hands(known)
    more = not_named = _hands_not_named(beating, found["list"])
    if "kicker" in found["list"]:
        more = [hand for hand in more if hand[1] >> 24 != known.hand_strength >> 24]
    if found.groupdict().get("better"):
        least = min(_KINDS[word] for word in re.findall(_NAMED, found["list"]))
        more = [hand for hand in more if hand[1] >> 24 < least]
    if more:
        return f"also: {_kinds_in(more)}"
    return "" if len(not_named) < len(beating) else None if beating else "nothing does"


def _check_nothing(known: BotKnowledge, _: re.Match[str]) -> str | None:
    beating = _beating_hands(known)
    return f"beaten by: {_kinds_in(beating)}" if beating else ""


def _check_feared(known: BotKnowledge, found: re.Match[str]) -> str | None:
    beating = _beating_hands(known)
    if len(_hands_not_named(beating, found["list"])) < len(beating):
        return None
    return f"no {found['list'].split(maxsplit=1)[-1]} does"


def _share_at_least(known: BotKnowledge, words: str, min_strength: int) -> float | None:
    """Returns what part of the hands in `words`, from 0 to 1, has at least the strength `min_strength`.

    The words name a kind of hand (see `_share_of_kind`), or cards such as "ace" or "queen-jack". "Nines" may mean a
    pair of nines, or only one nine. Returns None if nobody can have such cards.
    """
    words = re.sub("[- ]x$", "", words)
    plain = re.sub("^(?:better|bigger|higher) ", "", words)
    plain = "pair" if plain == "pocket pair" else plain
    kind = next((word for word in _KINDS if re.fullmatch(rf"{word}e?s?", plain)), "")
    if kind:
        return _share_of_kind(known, kind, min_strength)
    hole = _CARDS.fullmatch(plain)
    values = [value for two, value in _hands_named(known, hole, min_strength)] if hole else []
    if plain != words and hole:  # "a better ace": one of the hands with an ace must be strong enough
        return 1.0 if any(value >= min_strength for value in values) else 0.0
    return sum(value >= min_strength for value in values) / len(values) if values else None


def _hands_named(known: BotKnowledge, hole: re.Match[str], min_strength: int) -> list[OpponentHand]:
    """Returns the hands that words such as "pocket kings" may mean. `hole` is the match of `_CARDS` in the words."""
    possible_hands = possible_opponent_hands(known)
    if hole["suit"]:
        return [
            (two, value)
            for two, value in possible_hands
            if len(in_suit(two, suit_of(hole["suit"]))) > bool(hole["two"])
        ]
    if hole["top"]:
        top = rank_of(hole["top"])
        first_improved = (PAIR + len(known.board) - len(board_ranks(known))) << 24  # one pair more than the board
        return [
            (two, value)
            for two, value in possible_hands
            if value < first_improved
            and max(map(rank_of_card, two)) == top
            and not {*map(rank_of_card, two)} & {*board_ranks(known)}
        ]
    if hole["high"]:
        ranks = sorted((rank_of(hole["high"]), rank_of(hole["low"])))
        return [(two, value) for two, value in possible_hands if sorted(map(rank_of_card, two)) == ranks]
    rank = rank_of(hole["many"] or hole["one"])
    chosen = [(two, value) for two, value in possible_hands if rank in map(rank_of_card, two)]
    both = [(two, value) for two, value in chosen if two[0][0] == two[1][0]]
    if hole["of"] == "pair of " and rank in map(rank_of_card, known.board):
        return [(two, value) for two, value in chosen if value < THREE << 24]
    pocket = hole["of"] or (hole["many"] and any(value >= min_strength for _, value in both))
    return both if pocket else chosen


def _share_of_kind(known: BotKnowledge, kind: str, min_strength: int) -> float | None:
    """Returns 1 if at least one hand of this kind is at least as strong as `min_strength`. Otherwise, returns 0.

    For "pair", returns the share of pairs that are at least as strong, or None if nobody can have a pair. For "kicker",
    returns None.
    """
    board_strength, hands, shown = (
        strength(known.board) if len(known.board) == 5 else 0,
        possible_opponent_hands(known),
        board_ranks(known),
    )
    if kind == "kicker":
        return None
    if kind == "pair":
        values = [value for two, value in hands if (ranks := {*map(rank_of_card, two)}) & {*shown} or len(ranks) == 1]
        return sum(value >= min_strength for value in values) / len(values) if values else None
    if kind == "overpair":
        values = [value for two, value in hands if rank_of_card(two[0]) == rank_of_card(two[1]) > shown[0]]
    else:
        values = [value for _, value in hands if value >> 24 == _KINDS[kind] and value > board_strength]
    return 1.0 if any(value >= min_strength for value in values) else 0.0


def _check_each(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks whether each named hand beats the bot's hand, loses to it, or is of a certain kind, as the words say."""
    named = found.groupdict()
    beat_bot = bool(named.get("not") or named.get("none")) == bool(named.get("loses"))
    if named.get("kind"):
        min_strength = next(_KINDS[word] << 24 for word in _KINDS if word in named["kind"])
    else:
        min_strength = known.hand_strength + 1
    shares = [(word, _share_at_least(known, word, min_strength)) for word in _hand_words(found["list"])]
    if any(share is None for _, share in shares):
        return None
    one_is_enough = re.fullmatch(rf"(?:any|(?:even )?a (?:lone|single)) {LONG_RANK}", found["list"])
    low = 0.01 if named.get("kind") else 0.4 if one_is_enough else 0.2
    wrong = [word for word, share in shares if share is not None and (share < low if beat_bot else share > 0.9)]
    if wrong:
        return f"{'behind' if beat_bot else 'ahead'}: {', '.join(wrong)}"
    sure = all(share is not None and (share > 0.9 if beat_bot else not share) for _, share in shares)
    return "" if sure else None


def _hand_words(words: str) -> list[str]:
    """Returns the hands that a list names, without words such as "any" and "a"."""
    plain = re.sub(
        r"\b(?:any|an?|every|each|even|single|another|other|all|made|big|lone|the|his|her|their|[a-z]+'s|holding) ",
        "",
        words,
    )
    return [word.strip() for word in re.split(r",? (?:and|or|nor) |, ", plain)]


def _check_also(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks more hands after words such as "a ten beats me": "and so does any nine", "same with any eight"."""
    return _check_each(known, found) if _BEAT_ME.search(found.string[: found.start()]) else None


_BEAT_ME = re.compile(r"\b(?:beats? (?:me|us)|over me|ahead(?: of me)?),? (?:and )?$")


def _bigger_straight(known: BotKnowledge, _: re.Match[str]) -> str | None:
    straights = [hand for hand in _beating_hands(known) if hand[1] >> 24 == STRAIGHT]
    if known.hand_strength >> 24 != STRAIGHT:
        return None
    return f"beaten by: {_kinds_in(straights)}" if straights else ""


_NOW = r"(?:(?: ?(?:, ?)?(?:already|currently|now|right now|clearly|just|also|still|easily|even|all|both|would|will))*)"
_BEATS = (
    rf"(?:{_NOW} ?(?:beats?|can beat|(?:is|are|would be|can be) (?:ahead of|beating)|could beat|crush(?:es)?|has|have))"
)
_AHEAD = (
    rf"(?:{_NOW} ?(?:(?:beats?|can beat|(?:is|are|can be) (?:ahead of|beating)|crush(?:es)?|tops?) {{me}}"
    r"|(?<=n't )(?:ahead|in front)(?: of {me})?|(?:has|have) (?:me|us) (?:beat(?:en)?|crushed|dominated)|(?:has"
    r"|have) (?:me|us|it)(?= (?:here|now)|[,.;]|$)"
    r"|(?:is|are|can be) (?:better|ahead|in front(?: of me)?|too good for me)(?! of (?:a|the|his))))"
)
_ME = (
    r"(?:me|mine|us|it|this|that|(?:my|this|our) [a-z]+(?: (?:pair|house|flush|hand|eights|kings))?|top (?:two"
    r"|pair|set))(?! (?:by|if|unless|more|with|on the (?:turn|river)))"
)
_AHEAD = _AHEAD.replace("{me}", _ME).replace("{{", "{").replace("}}", "}")
_MINE = (
    r"(?:(?:(?<=^)|(?<=^ )|(?<=, )|(?<=and )|(?<=but )|(?<=so )|(?<=: ))(?:i|it)"
    r"|my (?:[a-z]+[- ])?(?!only\b)[a-z]+)(?: (?:still|now|already))?"
)
_NOT = r"(?P<not>,? (?:doesn't|does not|can't|cannot|don't|do not|isn't|aren't|never))?"
_TWO = rf"(?P<high>{LONG_RANK}|[2-9tjqka])[-/ ]?(?!to\b)(?P<low>{LONG_RANK}|[2-9tjqka])(?:s|o| suited| offsuit)?"
_CARDS = re.compile(
    rf"(?P<two>two )?(?P<suit>{SUIT})|(?P<top>{LONG_RANK})(?:-{LONG_RANK})?[- ]high|(?P<of>pair of "
    rf"|pocket )?(?P<many>{PLURAL_RANK})|{_TWO}|(?P<one>{LONG_RANK})"
)
_HOLDING = (
    r"(?:(?:any|an?|every|each|even|single|another|other|all|made|big|lone|the|better|bigger|higher|his|her|their"
    r"|[a-z]+'s|holding) )*"
    rf"(?:(?:pocket |pair of )?{PLURAL_RANK}|{LONG_RANK}(?:-{LONG_RANK})?[- ]high|{re.sub('[?]P<[a-z]+>', '?:', _TWO)}"
    rf"|{LONG_RANK}(?:[- ]x)?|(?:two )?{SUIT}|(?:pocket )?(?:{_NAMED})(?:es|s)?)(?![- ](?:high|kicker|flush))"
)
_HOLDINGS = rf"(?P<list>{_HOLDING}(?:(?:, | and | or |, and |, or ){_HOLDING})*)"
_HAS_KIND = (
    r"(?: (?:already|would|also|all|both))*(?: (?:has|have|made|holds?|got))(?: already)?(?: an?| the| a better)?"
    r" (?P<kind>straight flush|full house|boat|straight|flush|trips|quads?)(?:e?s)?(?! draw)"
)
_START = r"(?<!in )(?<!only )(?<!just )(?<!but )(?<!or )(?:(?<!and )|(?=even ))(?<!, )(?<!of )(?<!nothing except )"
"""Matches where a hand may begin a claim: not after words such as "only", "or" and "of"."""
WORDS = re.compile(
    r"beat|ahead|behind|los|trail|better|front|crush|has|have|got|hold|made|possible|fear|tops|unbeat|invinc|over me"
)
FACTS = (
    fact(
        rf"(?:only|just|nothing but|nothing except|nothing short of)(?: a"
        rf"| an)? {_LIST}(?P<better> or better)? (?:that )?(?:{_BEATS} {_ME}|{_AHEAD})",
        _check_only,
    ),
    fact(
        r"the (?:only|one|one and only) (?:hands?|things?|holdings?|cards?) (?:that |which )?"
        rf"(?:can )?(?:{_BEATS} {_ME}|{_AHEAD}|ahead of me|better|beating me)"
        rf"(?: is| are|:| contain| hold| have) {_LIST}",
        _check_only,
    ),
    fact(rf"(?:hands?|holdings?) (?:that )?(?:beats?|ahead of) me(?: is| are|:) {_HOLDINGS}", _check_each),
    fact(rf"(?:so do(?:es)?|as do(?:es)?|same (?:with|for|goes for)) {_HOLDINGS}(?=[,.;!]|$)", _check_also),
    fact(
        rf"(?:(?<=beats me, )|(?<=beats me, but )|(?<=beat me, )|(?<=beat me, but )){_HOLDINGS} (?P<not>doesn't|don't)"
        r"(?=[,.;!]|$)",
        _check_each,
    ),
    fact(
        rf"(?:(?<=^)|(?<=^ )|(?<=, )){_LIST} (?:is|are) (?:all|the (?:only|one) (?:hands?|things?)) (?:that "
        rf"|which )?(?:(?:can )?beats? {_ME}|ahead of me)",
        _check_only,
    ),
    fact(rf"i (?:only|just) fear {_LIST}", _check_feared),
    fact(rf"(?P<who>[a-z]+) needs? {_LIST} to (?:beat me|be ahead)", _check_only),
    fact(
        rf"(?<!with )(?<!with a )(?:(?P<none>no )|{_START}){_HOLDINGS}(?: in (?:his|her|their) hands?)?{_NOT} {_AHEAD}",
        _check_each,
    ),
    fact(rf"{_MINE}(?: loses? to|(?:'m| is| am) (?:behind|losing to)){_NOW} {_HOLDINGS}(?! (?:on|by)\b)", _check_each),
    fact(
        rf"{_MINE}(?P<loses> beats?|(?:'m| is| am) (?:ahead of|better than|beating)){_NOW} {_HOLDINGS}"
        r"(?: out there| (?:[a-z]+) (?:could|can|might) (?:have|hold))?(?! (?:on|by)\b)",
        _check_each,
    ),
    fact(rf"(?:(?<=^)|(?<=^ )|(?<=, )|(?<=and )){_HOLDINGS}{_HAS_KIND}", _check_each),
    fact(
        rf"{_START}{_HOLDINGS}(?P<not> (?:doesn't|don't|isn't|aren't))?{_NOW} "
        r"(?P<loses>(?:loses? to|(?:is|are|would be) behind|trails?)) (?:me|us|mine|my \w+)",
        _check_each,
    ),
    fact(
        r"(?:an? |no )?(?:bigger|higher|better) straights? (?:(?:isn't|is not|are not|aren't|is|are) )?possible",
        _bigger_straight,
    ),
    fact(
        r"(?:(?:i|we|my \w+(?: \w+)?|it|this) (?:only loses?|loses? only|loses? to nothing (?:but|except)"
        r"|am only behind|'m only behind|can only be beaten|am behind only|(?:is|am|are) only (?:beaten|beat))"
        r"|beaten only by|only beaten by|only losing)"
        rf"(?: to| by)? {_LIST}",
        _check_only,
    ),
    fact(
        rf"(?:i|we|my \w+|(?:(?<=^)|(?<=^ )){LONG_RANK}[- ]high) (?:beats?|am beating|(?:is"
        rf"|am) ahead of) everything (?:but|except|except for"
        rf"|besides) {_LIST}",
        _check_only,
    ),
    fact(
        r"(?:nothing|no (?:other )?(?:hand|holding)|nobody|no one)(?: (?:out there|in the deck|at all"
        r"|anyone (?:can|could) have|here))*"
        rf"(?: (?:can|could))?{_NOW} ?(?:beats?|beating|is ahead of|is beating|be ahead of|is better than|has|have)"
        rf" (?:{_ME}(?! beat)|me beat)",
        _check_nothing,
    ),
    fact(
        r"(?:i|we) (?:can't|cannot|can not) be (?:beaten?|behind)(?= (?:here|now|on this board|right)|[,.;!]|$)"
        r"|i am beating everything(?! (?:but|except))|(?:my hand|i) (?:is|am|'m) (?:unbeatable|invincible)",
        _check_nothing,
    ),
)
