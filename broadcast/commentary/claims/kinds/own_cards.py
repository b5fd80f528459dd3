"""Claims about the bot's own two cards: "pocket eights", "A-K offsuit", "AhKd", "suited connectors". No I/O.

A claim is right if the two cards are as described. A plural such as "kings" may also mean a pair with a board card. If
the words can be understood in different ways, the check returns None.
"""

import re

from broadcast.commentary.claims.kinds.ranks import (
    board_ranks,
    count_of,
    hole_ranks,
    in_suit,
    paired_ranks,
    pocket_rank,
    rank_of_card,
)
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import Check, Mention, fact, phrase, verdict
from broadcast.commentary.claims.speech.words import (
    CARD,
    LONG_RANK,
    PLURAL_RANK,
    RANK,
    SUIT,
    card_of,
    number_of,
    only_suit,
    rank_of,
    suit_of,
)
from server.game.cards import RANKS

KIND = "own cards"
EXAMPLES = """
Ah Kd                   | I have [ace-king offsuit] here.                   |
Ah Kd                   | I hold [AKs] and raise.                           | has: Ah Kd
Ah Kd                   | [AhKd], a clear raise.                            |
Ah Kd                   | My hand is [A♥ K♦], so I open.                    |
8h 8d                   | With [pocket eights] I call.                      |
Ah Kd                   | I have [big slick].                               |
Ah 9d                   | I have [big slick].                               | has: Ah 9d
8h 7d                   | I hold [eight-seven soooted].                     | has: 8h 7d
8h 8d                   | I have pocket eights, [both red].                 |
8h 8c                   | I have pocket eights, [both red].                 | has: 8h 8c
8h 8d                   | I'm in the cutoff and was dealt [pocket nines].   | has: 8h 8d
Ah Kd                   | Hand : [AK suited].                               | has: Ah Kd
Ah Kd                   | My [AK is suited].                                | has: Ah Kd
8h 8d                   | I've got [pocket nines].                          | has: 8h 8d
8h 7h                   | I have [suited connectors].                       |
8h 7d                   | I have [suited connectors].                       | has: 8h 7d
Ah 7d, Kh 5h 2h         | I hold the [ace of hearts].                       |
Ad 7d, Kh 5h 2h         | I hold the [ace of hearts].                       | has: Ad 7d
Kh 7d, Kc 5h 2h         | I have [kings] here.                              |
8h 8d, Kc 5h 2h 3s      | I have the eights, [both black].                  | has: 8h 8d
8h 7d, Kc 5s 2s         | I hold the [7♠].                                  | has: 8h 7d
8h 7d, Kc 5h 2h         | I hold [two hearts] in my hand.                   | has: 8h 7d
8h 7d, Kc 5s 2s         | I have [a spade] for the redraw.                  | has: 8h 7d
8h 7d, Ks 5s 2s         | Three spades, and [I hold one myself].            | has: 8h 7d
8h 7d, Ks 5s 2s         | A king and two more spades; I hold one too.       | no claim
8h 7d, Kc 5h 2h         | A free flop with [8♣7♣].                          | has: 8h 7d
8h 7d, Kc 5h 2h         | [My other card, the eight, is a diamond].         | has: 8h 7d
Ah Kd                   | Ace-king, all dressed up.                         | no claim
9h 6d                   | Nine-six, the upside-down pair.                   | no claim
9h 6d                   | Nine-six off is how legends go broke.             | no claim
9h 6d                   | [Nine-six], the button, folded to me.             |
Ah Kd                   | He could have pocket eights.                      | no claim
Ah Kd                   | Against pocket eights I am a coin flip.           | no claim
Ah Kd                   | Pocket eights would be nice.                      | no claim
4c 4s, 6d 8s 7h         | Eight outs plus my two fours for the set.         | no claim
Qs 2s, 4s 4d Kc         | What does he shove? Kings, aces, nines.           | no claim
Qs 2s, 4s 4d Kc         | KJ, AK and 44 are ahead.                          | no claim
Qs 2s, 4s 4d Kc         | AK has the best hand.                             | no claim
Qs 2s, 4s 4d Qc         | Only pocket queens.                               | no claim
Qs 2s, 4s 4d Kc         | A four with a king fills up.                      | no claim
Qh 2s, 4s 4h Kh         | Two hearts, paired.                               | no claim
8h 8d, 4s 4h Kh         | One overcard, the king.                           | no claim
Qs 2s, 4s 4d Kc         | 105 for a pot of 320.                             | no claim
Qs 2s, 4s 4d Kc         | Every bet asks a question.                        | no claim
"""
"""Each row has the bot's cards, the board, a thought with its claims in brackets, and the truth if a claim is false."""
_NOT_MADE = r"(?! (?:high|kicker|straight|flush|draw|up|full|outs?|blocker))(?!-)"
_NOT_ON_BOARD = r"(?! (?:on|over))"


def truth(known: BotKnowledge, _: str) -> str:
    """Says which cards the bot has."""
    return f"has: {' '.join(known.cards)}"


def is_other_hand(known: BotKnowledge, mention: Mention) -> bool:
    """Whether the words name cards that the bot does not hold: another rank, a card of the board, or a pocket pair."""
    named = mention.found.groupdict() if mention.kind == KIND else {}
    words = [named[group] for group in ("high", "low", "one", "two", "rank") if named.get(group)]
    ranks = [rank_of(found[0]) for word in words if (found := re.match(RANK, word))]
    suit = suit_of(named["suit"]) if named.get("suit") else mention.found[0][-1]
    if named.get("one") and named.get("two") and sorted(ranks, reverse=True) == hole_ranks(known):
        return False
    on_board = "one" in named and any(RANKS[rank] + suit in known.board for rank in ranks)
    pair = "pocket" in mention.found[0] and pocket_rank(known) is None
    return on_board or pair or not {*ranks} <= {*hole_ranks(known)}


def is_whole_hand(mention: Mention) -> bool:
    """Whether the words name two cards, as "pocket nines" and "AK" do. "Nines" alone names only a rank."""
    named = mention.found.groupdict()
    return "pocket" in mention.found[0] or bool(named.get("low") or named.get("two"))


def matches_own_ranks(known: BotKnowledge, mention: Mention) -> bool:
    """Whether the words name two cards that have the ranks of the bot's cards, whatever their suits."""
    return mention.kind == KIND and is_whole_hand(mention) and not is_other_hand(known, mention)


def _is_suited(known: BotKnowledge) -> bool:
    return known.cards[0][1] == known.cards[1][1]


def _has_two_cards(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    named = {card_of(found["one"]), card_of(found["two"])}
    return named == {*known.cards} if len(named) == 2 and not named <= {*known.board} else None


def _has_named_cards(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    groups = found.groupdict()
    one = RANKS[rank_of(groups["one"])] + suit_of(groups["suit"])
    if not groups.get("two"):
        return one in known.cards
    return {one, RANKS[rank_of(groups["two"])] + suit_of(groups["other"])} == {*known.cards}


def _has_card(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    card = card_of(found["one"])
    if card in known.cards:
        return True
    may_be_many = card[1] == "s" and count_of(known, rank_of_card(card)) > 1  # "the ks" may be the kings
    return None if may_be_many or card in known.board else False


def _has_ranks(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    if sorted((rank_of(found["high"]), rank_of(found["low"])), reverse=True) != hole_ranks(known):
        return False
    suits = (found["suits"] or "").strip(" -")
    return not suits or suits.startswith("s") == _is_suited(known)


def _ranks_in_suit(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    ranks = sorted((rank_of(found["high"]), rank_of(found["low"])), reverse=True)
    return ranks == hole_ranks(known) and all(card[1] == suit_of(found["suit"]) for card in known.cards)


def _has_pocket_pair(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    rank = found.groupdict().get("rank")
    return pocket_rank(known) is not None and (not rank or pocket_rank(known) == rank_of(rank))


def _has_plural_rank(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    """Checks a plural such as "nines": a pocket pair, or a pair with the board. "9s" may also be the nine of spades."""
    rank = rank_of(found["rank"])
    if rank in hole_ranks(known):
        return True if count_of(known, rank) > 1 else None if len(found["rank"]) < 4 else False
    return None if count_of(known, rank) > 1 else False


def _has_rank(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    on_board = re.search(r"\b(?:above|over|below|under) (?:it|them|mine|me)\b", found.string[found.end() :])
    return None if on_board else rank_of(found["rank"]) in hole_ranks(known)


def _gap(known: BotKnowledge) -> int:
    high, low = hole_ranks(known)
    return min(high - low, low + 1) if high == len(RANKS) - 1 else high - low


def _check_of_shape(
    *, suited: bool | None = None, gap: int | None = None, lowest: int = 0, top: int | None = None
) -> Check:
    """Returns a check of the bot's two cards. If an argument is None, the check ignores it.

    If `suited` is True, the cards must have the same suit. If it is False, they must have two suits. The cards must be
    `gap` ranks apart (an ace may be low), and have at least the rank `lowest`. The higher card must have rank `top`.
    """

    def check(known: BotKnowledge, _: re.Match[str]) -> bool | None:
        high, low = hole_ranks(known)
        return (
            (suited is None or suited == _is_suited(known))
            and (gap is None or gap == _gap(known))
            and low >= lowest
            and (top is None or high == top)
        )

    return check


def _rank_suited(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    return _is_suited(known) and rank_of(found["rank"]) in hole_ranks(known)


def _check_of_suit(number: int) -> Check:
    def check(known: BotKnowledge, found: re.Match[str]) -> bool | None:
        suit = suit_of(found["suit"])
        if len(in_suit(known.cards, suit)) >= number:
            return True
        held = _I_HOLD.search(found.string[: found.start()])
        return None if not held and len(in_suit(known.board, suit)) >= number else False

    return check


_I_HOLD = re.compile(
    r"\b(?:i|i'm|i've)(?: also| just| only| still| do| got)* (?:hold|holding|have|got)(?: only| just)? $"
)


def _check_of_overcards(number: int) -> Check:
    def check(known: BotKnowledge, _: re.Match[str]) -> bool | None:
        if not known.board:
            return None
        if paired_ranks(known):
            return None  # the words may mean cards of the board that are higher than the bot's pair
        return sum(rank > board_ranks(known)[0] for rank in hole_ranks(known)) >= number

    return check


def _preflop_pair(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    return None if known.board else _has_pocket_pair(known, found)


def _has_any_of(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    """Whether the bot has a card of the rank or suit that the words name."""
    if found["suit"]:
        return bool(in_suit(known.cards, suit_of(found["suit"])))
    return rank_of(found["rank"]) in hole_ranks(known)


def _unpaired(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    return pocket_rank(known) is None if not known.board else None


_LETTER = r"(?:10|[tjqka])"
_ANY = rf"(?:10|[2-9]|{_LETTER})"
_LONG_SUITS = r"(?P<suits> suited| off(?:[- ]?suit(?:ed)?)?|-suited|-off[- ]?suit(?:ed)?)"
_SUITS = r"(?P<suits> suited| off(?:[- ]?suit(?:ed)?)?|-suited|-off[- ]?suit(?:ed)?|s|o)"
PHRASES = (
    phrase(rf"(?P<one>{CARD})(?:[ ,/-]| and |, )?(?P<two>{CARD})", _has_two_cards),
    phrase(
        rf"(?P<one>{RANK}) of (?P<suit>{SUIT})(?:,| and|, and) (?:the )?(?P<two>{RANK}) of (?P<other>{SUIT})",
        _has_named_cards,
    ),
    phrase(rf"(?P<one>{RANK}) of (?P<suit>{SUIT})", _has_named_cards),
    phrase(r"(?P<one>(?:10|[2-9tjqk])[cdh]|(?<=the )(?:10|[2-9tjqka])s)", _has_card),
    phrase(rf"(?P<high>{LONG_RANK})[- /](?P<low>{LONG_RANK}){_LONG_SUITS}?{_NOT_MADE}", _has_ranks),
    phrase(rf"(?!\d+(?![-/\w]))(?P<high>{_LETTER})[-/]?(?P<low>{_ANY})(?<!at){_SUITS}?{_NOT_MADE}", _has_ranks),
    phrase(rf"(?P<high>{_ANY})[-/]?(?P<low>{_ANY}){_SUITS}{_NOT_MADE}", _has_ranks),
    phrase(rf"(?:pocket|wired) (?:pair of )?(?P<rank>{PLURAL_RANK}|rockets)", _has_pocket_pair),
    phrase(rf"pair of (?P<rank>{PLURAL_RANK})", _preflop_pair),
    phrase(r"(?:pocket|wired) pair(?! of)", _has_pocket_pair),
    phrase(r"pair(?! of)", _preflop_pair),
    phrase(r"(?:two )?unpaired (?:cards|hand)", _unpaired),
    phrase(
        rf"(?:(?<=have no )|(?<=hold no )|(?<=got no ))(?:(?P<rank>{LONG_RANK})|(?P<suit>{SUIT}))(?= (?:in (?:my"
        rf"|the)|here|of my)|\W*$|,)(?!-)",
        _has_any_of,
    ),
    phrase(rf"(?P<rank>{PLURAL_RANK}){_NOT_MADE}{_NOT_ON_BOARD}(?! and)", _has_plural_rank),
    phrase(
        r"(?:(?<=\ba )|(?<=\ban )|(?<=\bmy )"
        rf"|(?<=\bone ))(?P<rank>{LONG_RANK}){_NOT_MADE}{_NOT_ON_BOARD}(?![- ]{RANK}\b)(?! of)(?= (?:in|here|so|and"
        r"|which|but"
        r"|with)\b|[.,;!]|$)",
        _has_rank,
    ),
    phrase(
        rf"(?P<high>{LONG_RANK}|{_ANY})[-/ ]?(?P<low>{LONG_RANK}|{_ANY}) (?:is|are|was|were)"
        r"(?P<suits> suited| off-?suit)",
        _has_ranks,
    ),
    phrase(r"suited connectors?", _check_of_shape(suited=True, gap=1)),
    phrase(r"(?:off[- ]?suit|unsuited) connectors?", _check_of_shape(suited=False, gap=1)),
    phrase(r"(?<!suited )connectors", _check_of_shape(gap=1)),
    phrase(r"suited (?:one[- ])?gapper", _check_of_shape(suited=True, gap=2)),
    phrase(r"(?<!suited )one[- ]gapper", _check_of_shape(gap=2)),
    phrase(rf"suited (?P<rank>{LONG_RANK})(?!-)", _rank_suited),
    phrase(rf"(?P<suits>suited|off-?suit) (?P<high>{LONG_RANK})[- /](?P<low>{LONG_RANK})", _has_ranks),
    phrase(
        rf"(?P<high>{LONG_RANK}|{_ANY})[- /]?(?P<low>{LONG_RANK}|{_ANY})"
        rf"(?:s| suited|, both|,? (?:is|are|was|were)(?: both| suited)?)? (?:of |in )?(?P<suit>{SUIT})",
        _ranks_in_suit,
    ),
    phrase(rf"(?P<high>{_ANY})(?P<low>{_ANY})(?P<suit>cc|dd|hh|ss)", _ranks_in_suit),
    phrase(r"(?:two )?suited (?:cards|hand|holding)", _check_of_shape(suited=True)),
    phrase(r"(?:two )?(?:off[- ]?suit|unsuited) (?:cards|hand|holding)", _check_of_shape(suited=False)),
    phrase(r"(?:two )?broadway cards|two broadways", _check_of_shape(lowest=8)),
    phrase(rf"two (?P<suit>{SUIT})(?! on)", _check_of_suit(2)),
    phrase(
        rf"(?:(?<=have )|(?<=hold )|(?<=holding )|(?<=got ))(?:an?|one) (?P<suit>{SUIT})"
        r"(?=[.,;!]|$| (?:in|for|too|here|so|and|but|as|which|that|now)\b)",
        _check_of_suit(1),
    ),
    phrase(r"(?:two |both )?(?:overcards|overs)", _check_of_overcards(2)),
    phrase(r"one overcard|overcard", _check_of_overcards(1)),
)


def _check_both_cards(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks two cards that are named with their suits, in a sentence that is not about others or the board."""
    text = found.string
    if _ELSE.search(text) or any(name and name.lower() in text for name in known.names):
        return None
    named = found.groupdict()
    if named.get("one"):
        cards = {card_of(named["one"]), card_of(named["two"])}
        if cards & {*known.board} or len(cards) < 2:
            return None
        right: bool | None = cards == {*known.cards}
    else:
        check = _ranks_in_suit if named.get("suit") else _has_ranks
        right = check(known, found)
        if not right and not {rank_of(named["high"]), rank_of(named["low"])} & {*hole_ranks(known)}:
            return None
    return verdict(right, truth(known, found[0]))


_ELSE = re.compile(
    r"\b(?:he|she|they|him|her|them|his|their|villain|opponents?|players?|folds|raises|calls|shoves|board|flop"
    r"|on(?! [2-9tjqka]-)|like|beats?|ahead|behind|against|vs|ranges?"
    r"|if|any|better|worse|comes?|with a|ace-x|last hand|says?|would|could|might|have|[a-z]+s'|[a-z]+'s)\b|\?"
)


def _check_trait(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a statement about both of the bot's cards: "my cards share a suit", "both are black"."""
    words, suits = found["trait"], {card[1] for card in known.cards}
    if found["many"] and pocket_rank(known) != rank_of(found["many"]):
        return None
    high, low = hole_ranks(known)
    match words.split()[-1]:
        case "red" | "black" as colour:
            right = suits <= {*("dh" if colour == "red" else "cs")}
        case "suit" | "suited":
            right = len(suits) == 1
        case "suits" | "offsuit" | "unsuited":
            right = len(suits) == 2
        case "connected" | "connectors":
            right = _gap(known) == 1
        case "paired" | "unpaired" as state:
            right = (high == low) == (state == "paired")
        case word if re.fullmatch(SUIT, word):
            right = suits == {suit_of(word)}
        case word:
            below, rank = re.match("below|under|lower|smaller", words), rank_of(word)
            right = high < rank if below else low > rank
    return verdict(right, truth(known, words))


def _trait_of_pair(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks words such as "both red". Returns None if the words may be about two cards of the board."""
    before, pocket = found.string[: found.start()], pocket_rank(known)
    mine = pocket is not None and pocket in map(rank_of, re.findall(rf"\b(?:{PLURAL_RANK}|rockets|bullets)\b", before))
    elsewhere = (len(known.board) > 3 and not mine) or re.search(r"\b(?:board|flop|out there)\b", found.string)
    return None if elsewhere or (found[0].startswith("the") and "ones" not in found[0]) else _check_trait(known, found)


def _check_suit_of_one(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks the suit of one card of the bot's pair: "one of my fours is a spade"."""
    card = f"{RANKS[rank_of(found['rank'])]}{suit_of(found['suit'])}"
    return verdict(card in known.cards, truth(known, ""))


def _check_one_card(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks one of the two cards: "my lower card is an eight", "my other card is a heart"."""
    which, (high, low) = found["which"], hole_ranks(known)
    if found["suit"]:
        called = found.groupdict().get("called")
        suited = in_suit(known.cards, suit_of(found["suit"]))
        right = any(not called or rank_of_card(card) == rank_of(called) for card in suited)
    elif which.startswith(("low", "small")):
        right = rank_of(found["rank"]) == low
    elif which.startswith(("high", "big", "top", "best")):
        right = rank_of(found["rank"]) == high
    else:
        right = rank_of(found["rank"]) in (high, low)
    return verdict(right, truth(known, found[0]))


def _check_of_them(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how many cards of a suit the bot has: "four spades, and I hold one of them".

    The words before the claim must name this suit, and no other suit or rank.
    """
    suit = only_suit(found.string[: found.start()])
    held = len(in_suit(known.cards, suit))
    return verdict(held == number_of(found["number"]) if suit else None, truth(known, ""))


def _pair_is(known: BotKnowledge, found: re.Match[str]) -> str | None:
    return verdict(pocket_rank(known) == rank_of(found["rank"]), truth(known, found[0]))


def _check_absent(known: BotKnowledge, found: re.Match[str]) -> str | None:
    return verdict(not _has_any_of(known, found), truth(known, found[0]))


_BOTH = (
    r"(?:both (?:of )?my (?:hole |own )?cards|my (?:two|hole|own|two hole|starting) cards|my cards"
    r"|both cards i (?:hold|have)"
    rf"|both (?:of )?my (?P<many>{PLURAL_RANK})|my (?P<ranks>{PLURAL_RANK})(?= are))"
).replace("(?P<ranks>", "(?:")
_TRAIT = (
    rf"(?P<trait>red|black|suited|off-?suit|unsuited|connected|connectors|paired|unpaired|the same suit|a suit"
    rf"|different suits"
    rf"|two suits|one suit|{SUIT}|(?:below|under|above|over|lower than|higher than|smaller than|bigger than)(?: an?"
    rf"| the)? {LONG_RANK})(?! (?:and|or) )(?! (?:ace|king|queen|jack|ten|cards?)s?)"
)
FACTS = (
    fact(
        rf"i (?:don't|do not) (?:have|hold) (?:an?|any|the) (?:(?P<rank>{LONG_RANK})|(?P<suit>{SUIT}))(?=[.,;!]|$| in)",
        _check_absent,
    ),
    fact(
        rf"(?:(?<=^)|(?<=^ )|(?<=, ))(?:both|the)(?: of them)?(?: are)? (?P<trait>red|black|{SUIT})(?: ones)?(?P<many>)"
        r"(?=[,.;!]|$)",
        _trait_of_pair,
    ),
    fact(
        r"(?:i|i'm|i am|i've)(?: only| just| also| got)* (?:holding|hold|have|got)(?: only| just)? (?P<number>one|two)"
        r"(?: (?:of them|myself|too)(?= in my hand|[,.;!]|$))+",
        _check_of_them,
    ),
    fact(rf"{_BOTH} (?:are|is|were|share|have|come in)(?: both| all| of| in)* {_TRAIT}", _check_trait),
    fact(
        rf"my (?P<which>lower|low|higher|high|other|second|small|smaller|bigger|side|top|bottom|weaker|first) card"
        rf"(?:, the (?P<called>{LONG_RANK}),)?(?: is|,| was)(?: also)? (?:an? |the )?"
        rf"(?:(?P<rank>{LONG_RANK})(?! (?:on|high))|(?P<suit>{SUIT}))",
        _check_one_card,
    ),
    fact(
        rf"my (?P<which>kicker)(?: is| was)(?: only| just)? (?:an? |the )?(?P<rank>{LONG_RANK})(?P<suit>)(?! high)",
        _check_one_card,
    ),
    fact(
        rf"one of my (?P<rank>{PLURAL_RANK}) is (?:the |an? )?(?:{LONG_RANK} of )?(?P<suit>{SUIT})", _check_suit_of_one
    ),
    fact(rf"my (?:pocket )?pair is (?:just |only )?(?P<rank>{PLURAL_RANK})", _pair_is),
    fact(
        rf"(?:no|not an?|not one|without an?) (?:(?P<rank>{LONG_RANK})|(?P<suit>{SUIT})) in (?:my )?(?:hand|hole)",
        _check_absent,
    ),
    fact(rf"(?!asks)(?P<one>{CARD})[ ,/-]?(?P<two>{CARD})(?!{CARD}|[ ,/-]{CARD})", _check_both_cards),
    fact(
        rf"(?P<high>{_ANY}|{LONG_RANK})[- ]?(?P<low>{_ANY}|{LONG_RANK})(?:s| suited)? of (?P<suit>{SUIT})",
        _check_both_cards,
    ),
    fact(rf"(?P<high>{_LETTER})-?(?P<low>{_ANY})(?P<suits>s|o| suited| off(?:[- ]?suit(?:ed)?)?)", _check_both_cards),
    fact(rf"(?P<high>{LONG_RANK})-(?P<low>{LONG_RANK})(?P<suits> suited| off(?:[- ]?suit(?:ed)?)?)", _check_both_cards),
)
