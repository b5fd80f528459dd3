"""Claims about draws and outs: "an open-ended straight draw", "nut flush draw", "nine outs". No I/O.

The check tries each unseen card as the next card. Every usual way of counting outs is right: the outs to the straight,
to the flush, to a better pair, or all together. On the river, people still speak of the draw that they had. So a claim
on the river is wrong only if the bot did not have this draw earlier.
"""

import re
from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from broadcast.commentary.claims.kinds.made_hand import hand_text
from broadcast.commentary.claims.kinds.ranks import (
    FLUSH,
    FOUR,
    FULL,
    STRAIGHT,
    THREE,
    cards_making,
    hole_ranks,
    in_suit,
    makes_straight,
    paired_ranks,
    rank_of_card,
    top_of_straight,
)
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import Check, fact, phrase, verdict
from broadcast.commentary.claims.speech.names import names_pattern
from broadcast.commentary.claims.speech.words import (
    LONG_RANK,
    NUMBER,
    PLURAL_RANK,
    SUIT,
    is_vague,
    number_of,
    rank_of,
    suit_of,
)
from server.game.cards import DECK, Card
from server.game.ranking import strength

KIND = "draw"
EXAMPLES = """
9h 8h, 7c 6s 2h         | I have an [open-ended straight draw].             |
9h 8h, 7c 6s 2h         | I have a [gutshot], nothing else.                 | has: an open-ended straight draw
9h 8h, Kh 6h 2c         | My [flush draw] has [nine outs].                  |
9c 8d, Kh 6h 2c         | I had a [flush draw] on the flop.                 | has: no draw
9h 8h, Kh 6h 2c         | I hold the [nut flush draw].                      | has: a flush draw
9h 8h, Jc 7s 2h         | [Gutshot], [four outs].                           |
9h 8h, Jc 7s 2h         | A [gutshot] with [eight outs].                    | has: a gutshot, 4 outs
9h 8h, Kc 7s 2h         | I have a [backdoor flush draw].                   |
9h 4d, Kc 7s 2h         | I have no [draw].                                 |
9h 8h, Kh 6h 2c         | I have the [nine-high flush draw].                |
9h 8d, Kh 9c 2c         | I have a [gutshot].                               | has: no draw, but a pair of nines
9h 8d, 9c Js Qd         | A [gutshot] with [four tens] to hit.               |
9h 8h, Kh 6c 2c 3d 4d   | I have a [fluhs draw].                            | has: no draw
9h 8h, Kh 6h 2c 3c 4d   | I have a flush draw.                              | no claim
9h 8h, Kh 6h 2c         | He is on a flush draw.                            | no claim
9h 8h, Kh 6h 2c         | There is a flush draw on the board.               | no claim
9h 8h, Kh 6h 2c 3c 4d   | [My flush draw missed].                           |
9c 8d, Kh 6h 2s 3c 4d   | [My flush draw missed].                           | had no such draw
9h 8h, Kh 6h 2c 3c 4d   | I missed a [flush draw].                          |
9h 8h, Kh 6c 2c 3d 4d   | I missed a [flush draw].                          | has: no draw
9h 8h, Kh 6h 2c 3c 4d   | I [missed the flush].                             |
9h 8h, Kh 6h 2c         | I have the [second nut flush draw].               | has: a flush draw
9h 8h, Kh 6h 2c         | [Nine outs if I'm behind].                        |
9h 8h, Kh 6h 2c         | [Fifteen outs] with the pairs.                    | has: a flush draw, 9 outs
Ah Qh, Kh 6h 2c         | [Nine hearts] and three aces, so [twelve outs].   |
8h 7h, 6h 5c 2h         | [Fifteen outs], [six more] for the straight.      |
9h 8d, Kh 6h 2c         | That's an [eight-out] kind of gutshot.            | has: no draw
9h 8h, Kh 6h 2c         | [Nine hearts] and [three more outs] for trips.      | has: a flush draw, 9 outs
9h 8h, 7h 6h 2c         | [Nine hearts] and six more for the straight.      |
9h 8d, Kh 6h 2c         | I'm [one card from a flush].                      | has: no draw
9h 8d, Kh 6h 2c         | I'm a flush away from home.                       | no claim
"""
"""Each row has the bot's cards and the board, then a thought with its claims in brackets, then the truth if a claim is
false. "no claim" means that the thought contains no claim.
"""


class Draws(Struct, frozen=True):
    """The unseen cards that improve a hand if they come next, sorted by what they make: a flush, a straight, and so
    on.
    """

    flush: frozenset[Card]
    straight: frozenset[Card]
    pairs: tuple[frozenset[Card], ...]
    """Four sets of cards, in this order: cards of the rank of the bot's first card, cards that make trips, cards that
    make a full house or better, and cards of the rank of the bot's second card.
    """
    full_house: frozenset[Card]
    """The cards for a full house or better."""
    quads: frozenset[Card]
    """The cards for quads or better."""
    suit: str
    """The suit of the flush draw. It is "" if there is no flush draw."""
    is_open_ended: bool
    """Whether there are four ranks in a row, so that a straight draw is open at both ends."""

    @property
    def straight_ranks(self) -> int:
        """The number of ranks that complete a straight."""
        return len({card[0] for card in self.straight})

    @property
    def name(self) -> str:
        """Names the draws: "a flush draw and a gutshot"."""
        straights = {0: "", 1: "a gutshot"}
        both_ends = "an open-ended straight draw" if self.is_open_ended else "a double gutshot"
        names = ["a flush draw"] * bool(self.flush), [straights.get(self.straight_ranks, both_ends)]
        return " and ".join(name for each in names for name in each if name) or "no draw"


def draws_of(known: BotKnowledge) -> Draws:
    """Returns the draws of the bot's hand on the flop or turn."""
    return _draws(known.cards, known.board)


@lru_cache(64)
def _draws(cards: tuple[Card, ...], board: tuple[Card, ...]) -> Draws:
    seen = (*cards, *board)
    made = strength(seen) >> 24
    flush, straight = set[Card](), set[Card]()
    for card in DECK:
        if card in seen:
            continue
        suited = len(in_suit((*seen, card), card[1]))
        if suited >= 5 and made < FLUSH and in_suit(cards, card[1]):
            flush.add(card)
        if made < STRAIGHT and makes_straight(cards, board, card):
            straight.add(card)
    suit = next(iter(flush))[1] if flush else ""
    ranks = {rank_of_card(card) for card in seen}
    is_open_ended = any({low, low + 1, low + 2, low + 3} <= ranks for low in range(9))
    full_house, quads = cards_making(FULL, seen), cards_making(FOUR, seen)
    return Draws(
        frozenset(flush), frozenset(straight), _better_pairs(cards, board), full_house, quads, suit, is_open_ended
    )


def _better_pairs(cards: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[frozenset[Card], ...]:
    seen = (*cards, *board)
    unseen = [card for card in DECK if card not in seen]
    one, two = (frozenset(card for card in unseen if card[0] == mine[0]) for mine in cards)
    three = frozenset(
        card for card in unseen if strength((*seen, card)) >> 24 == THREE and card[0] in (cards[0][0], cards[1][0])
    )
    return one, three, cards_making(FULL, seen), two


def truth(known: BotKnowledge, words: str) -> str:
    """Returns what the bot really has, such as "has: a gutshot, 4 outs". Gives outs only if `words` mention outs."""
    if known.hand_strength >> 24 >= STRAIGHT:
        return f"has: {hand_text(known)}"
    draws = draws_of(known)
    outs = len(draws.flush | draws.straight)
    counts = f", {outs} outs" if outs and "out" in words else ""
    made = f", but {hand_text(known)}" if draws.name == "no draw" and paired_ranks(known) else ""
    return f"has: {draws.name}{counts}{made}"


_DRAW = re.compile(r"draw|gut|open|oesd|nfd")


def _while_drawing(check: Check) -> Check:
    """Returns a check for words about a draw. On the flop and turn, `check` decides while the hand is still a draw.

    On the river, people still speak of the draw that they had. So a claim on the river is wrong only if the bot had no
    such draw on the flop and turn. Otherwise, the result on the river is None.
    """

    def checked(known: BotKnowledge, found: re.Match[str]) -> bool | None:
        made = known.hand_strength >> 24
        if len(known.board) == 5:
            had = [check(known.on_street(street), found) for street in ("flop", "turn")]
            return False if had == [False, False] and made < STRAIGHT and _DRAW.search(found[0]) else None
        if len(known.board) not in (3, 4):
            return None
        if made >= STRAIGHT and (made, _aim_of_draw(found[0])) != (STRAIGHT, "flush"):  # the hand is no longer a draw
            return False if made == {"flush": FLUSH, "straight": STRAIGHT}.get(_aim_of_draw(found[0])) else None
        return check(known, found)

    return checked


def _aim_of_draw(words: str) -> str:
    """Returns the hand that a draw named by `words` can become: "flush" or "straight". Returns "" for other words."""
    return "flush" if "flush" in words else "straight" if re.search(r"straight|gut|open|oesd", words) else ""


def _has_flush_draw(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    draws, suit = draws_of(known), found.groupdict().get("suit") or found.groupdict().get("other")
    if not draws.flush or (suit and suit_of(suit) != draws.suit):
        return False
    rank = found.groupdict().get("rank")
    if not rank or max(map(rank_of_card, in_suit(known.cards, draws.suit))) == rank_of(rank):
        return True
    return None if rank_of(rank) in map(rank_of_card, in_suit(known.board, draws.suit)) else False


def _nut_flush_draw(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    suit = draws_of(known).suit
    if not suit:
        return False
    mine = max(rank_of_card(card) for card in in_suit(known.cards, suit))
    return all(card in known.board or rank_of_card(card) <= mine for card in in_suit(DECK, suit))


def _nut_draw(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    draws = draws_of(known)
    if draws.straight:
        return None
    return _nut_flush_draw(known, found)


def _second_nut_flush_draw(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    suit = draws_of(known).suit
    if not suit:
        return False
    mine = max(rank_of_card(card) for card in in_suit(known.cards, suit))
    return sum(card not in known.board and rank_of_card(card) > mine for card in in_suit(DECK, suit)) == 1


def _has_open_ended(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    draws = draws_of(known)
    if draws.straight_ranks > 1:
        return True if draws.is_open_ended else None
    return False


def _has_gutshot(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    draws = draws_of(known)
    if draws.straight_ranks > 1:
        return False if draws.is_open_ended else None
    return draws.straight_ranks == 1


def _double_gutshot(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    draws = draws_of(known)
    return draws.straight_ranks == 2 and (None if draws.is_open_ended else True)


def _has_straight_draw(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    return draws_of(known).straight_ranks > 0


def _four_to_straight(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    """Whether the bot has four cards of a straight, or None if the words may mean a board of four or five cards."""
    return True if draws_of(known).straight_ranks else None if len(known.board) > 3 else False


def _has_combo_draw(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    draws = draws_of(known)
    if draws.flush and draws.straight:
        return True
    return None if (draws.flush or draws.straight) and paired_ranks(known) else False


def _backdoor_flush(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    if len(known.board) != 3 or draws_of(known).flush:
        return None
    return any(len(in_suit((*known.cards, *known.board), card[1])) == 3 for card in known.cards)


def _backdoor_straight(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    if len(known.board) != 3 or draws_of(known).straight:
        return None
    shared = {rank_of_card(card) for card in known.board}
    return any(
        top_of_straight({*hole_ranks(known), *shared, *two}) > top_of_straight({*shared, *two})
        for two in combinations(range(13), 2)
    )


def _has_any_draw(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    draws = draws_of(known)
    if draws.flush or draws.straight:
        return True
    return None if _backdoor_flush(known, found) or _backdoor_straight(known, found) else False


def _check_outs(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a number of outs. The number is right if that many cards improve the hand in one way, such as to a flush,
    or in several ways together. Like all checks of facts, returns "" for a right claim, the truth for a wrong claim,
    and None if the claim is uncertain.
    """
    if len(known.board) not in (3, 4) or _DISCOUNTED.search(found.string):
        return None
    if re.search(rf"\b{names_pattern(known)}\b", found.string[: found.start()]):
        return None  # these may be another bot's outs
    draws, number = draws_of(known), number_of(found["number"] or found.groupdict().get("cards") or "one")
    main = [frozenset[Card](), draws.flush, draws.straight, draws.flush | draws.straight]
    more = [frozenset[Card](), *draws.pairs, draws.pairs[0] | draws.pairs[-1]]
    top = max(map(rank_of_card, known.board))
    good = [each for each in more if paired_ranks(known) or all(rank_of_card(card) > top for card in each)]
    counts = {len(way | other) for way in main for other in (good if way else more)}
    if aimed := _outs_to_aim(draws, found):
        counts = aimed
    if number in counts and number:
        return ""
    about = 2 if is_vague(found[0]) else 0
    near = any(abs(count - number) <= about for count in counts if count)
    return None if near or not number else truth(known, "outs")


def _outs_to_aim(draws: Draws, found: re.Match[str]) -> set[int]:
    """Returns the right numbers of outs for the aim that the words name, such as a flush or a pair. The set is empty if
    the words name no aim or several aims, or if the aim is two pair.
    """
    clause = re.split(r"[.:]", found.string[: found.start()])[-1] + found[0]
    after = re.split(r"[,.;:]| and | plus ", found.string[found.end() :])[0]
    if re.search(r"\b(?:plus|two|overs?|overcards?|pairs?|trips|kicker|and (?:one|three|four|six|[1-6]))\b|\+", clause):
        clause = ""
    named_after = _TO.match(after) or (" more " in found[0] and after.startswith(" with")) or _BRINGS.search(found[0])
    aims = {_AIMS[word] for word in re.findall("|".join(_AIMS), after if named_after else clause)}
    if len(aims) != 1:
        return (
            {len(way) for way in draws.pairs} | {len(draws.pairs[0] | draws.pairs[-1])} if _PAIR.match(after) else set()
        )
    full = {len(draws.full_house), len(draws.full_house) - len(draws.quads)}
    three = {len(draws.pairs[1])}
    if (aim := aims.pop()) == "two":
        return set()
    flush = {len(draws.flush), len(draws.flush - draws.straight)}
    straight = {len(draws.straight), len(draws.straight - draws.flush)}
    return {"flush": flush, "straight": straight, "full": full, "three": three}[aim]


_TO = re.compile(r"^,? (?:to|for|kind of)\b")
_BRINGS = re.compile(r"(?:give|make|fill|complete)s?$")
_PAIR = re.compile(r"^ to (?:pair|a pair|make a pair|hit a pair)\b")
_AIMS = {
    "flush": "flush", "straight": "straight", "broadway": "straight", "wheel": "straight", "gutshot": "straight",
    "open-ended": "straight", "full house": "full", "boat": "full", "fill": "full", "trips": "three", "set": "three",
    "two pair": "two",
}  # fmt: skip


def _check_card_outs(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks outs that are counted in cards of a suit or of a rank: "nine spades", "four tens"."""
    if len(known.board) not in (3, 4) or _DISCOUNTED.search(found.string):
        return None
    number, seen = number_of(found["number"]), (*known.cards, *known.board)
    if found["suit"]:
        unseen = 13 - len(in_suit(seen, suit_of(found["suit"])))
        wrong = number != unseen or draws_of(known).suit != suit_of(found["suit"])
    else:
        unseen = 4 - sum(rank_of_card(card) == rank_of(found["ranks"]) for card in seen)
        wrong = number > unseen
    return verdict(not wrong, truth(known, "outs"))


def _check_completing(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks which cards complete the bot's hand: "a ten gives me the straight", "any heart completes me"."""
    if len(known.board) not in (3, 4) or known.hand_strength >> 24 >= STRAIGHT:
        return None
    aim, seen = _COMPLETED.get(found["aim"] or "", STRAIGHT), (*known.cards, *known.board)
    unseen = [card for card in DECK if card not in seen]
    named = {rank_of(word) for word in re.findall(rf"{LONG_RANK}(?:e?s)?|{PLURAL_RANK}", found["ranks"] or "")}
    if found["suit"]:
        makes = [any(strength((*seen, card)) >> 24 >= aim for card in unseen if card[1] == suit_of(found["suit"]))]
    elif aim == STRAIGHT:
        ranks = set(map(rank_of_card, seen))
        completing_ranks = {rank for rank in range(13) if top_of_straight({*ranks, rank})}
        makes = [rank in completing_ranks for rank in named] + [named == completing_ranks] * bool(
            found["only"] and found["aim"]
        )
    else:
        makes = [
            any(strength((*seen, card)) >> 24 >= aim for card in unseen if rank_of_card(card) == rank) for rank in named
        ]
    return verdict(all(makes), truth(known, found[0]))


def _check_wanted(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a card that the bot needs: "I need a queen". The claim is right if all named ranks complete a straight.

    The claim is uncertain if only some of the named ranks do. It is also uncertain if the bot or the board has a card
    of a named rank.
    """
    if len(known.board) not in (3, 4) or known.hand_strength >> 24 >= STRAIGHT:
        return None
    named = {rank_of(word) for word in re.findall(_RANK_WORD, found["ranks"])}
    completing_ranks = {rank_of_card(card) for card in draws_of(known).straight}
    seen = set(map(rank_of_card, (*known.cards, *known.board)))
    return "" if named <= completing_ranks else None if named & (completing_ranks | seen) else truth(known, found[0])


def _check_drawing(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks what the bot is drawing to: "I'm drawing to the nut flush"."""
    if len(known.board) not in (3, 4) or known.hand_strength >> 24 >= STRAIGHT:
        return None
    draws = draws_of(known)
    if found["aim"] == "flush":
        right = _nut_flush_draw(known, found) if found["nut"] else bool(draws.flush)
    else:
        right = _has_gutshot(known, found) if "gut" in found["aim"] else bool(draws.straight)
    backdoor = _backdoor_flush(known, found) or _backdoor_straight(known, found)
    return verdict(None if not right and backdoor else right, truth(known, found[0]))


def _check_missed(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a claim, made on the river, that a draw has not come in."""
    if len(known.board) < 5:
        return None
    kind, flop = found["aim"], known.on_street("flop")
    if known.hand_strength >> 24 >= STRAIGHT:
        return None
    backdoor = _backdoor_flush(flop, found) if kind == "flush" else _backdoor_straight(flop, found)
    ways = [draws_of(known.on_street(street)) for street in ("flop", "turn")]
    had = any(draws.flush if kind == "flush" else draws.straight for draws in ways)
    return verdict(True if had else None if backdoor else False, "had no such draw")


def _check_needed(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks which ranks fill the straight: "a gutshot to the jack", "open-ended: threes and eights"."""
    if len(known.board) not in (3, 4) or known.hand_strength >> 24 >= STRAIGHT:
        return None
    named = {rank_of(word) for word in re.findall(_RANK_WORD, found["ranks"])}
    if named & {*hole_ranks(known)}:
        return None  # the words name the bot's own cards
    completing_ranks = {rank_of_card(card) for card in draws_of(known).straight}
    return verdict(named <= completing_ranks, truth(known, found[0]))


_COMPLETED = {
    "straight": STRAIGHT, "broadway": STRAIGHT, "wheel": STRAIGHT, "flush": FLUSH, "full house": FULL, "boat": FULL,
}  # fmt: skip
_DISCOUNTED = re.compile(
    r"\b(?:against|clean|live|good|discount\w*|his|their|he|she|they|versus|vs|dirty|effective\w*|equivalent|each|half"
    r"|every|per)\b"
)
"""Words which say that some outs are useless, or help only against a certain hand."""
_ABOUT_OUTS = r"(?:about |around |roughly |only |just |at least |up to |some |maybe )?"
_RANK_WORD = rf"(?:{LONG_RANK}|{PLURAL_RANK})"
_ANY_OF = (
    rf"(?:any |an? |the |another |one more |either )*(?:(?P<suit>{SUIT})|(?P<ranks>{_RANK_WORD}"
    rf"(?:(?:, (?=[a-z]+,? (?:or|and) )| or | and | and any | or any | or an? | or the )(?:any |an? )?{_RANK_WORD})*))"
)
FACTS = (
    fact(
        rf"(?<!:)(?<!to ){_ABOUT_OUTS}(?P<number>{NUMBER})[- ](?:(?!to\b|but\b|{NUMBER}\b"
        rf"|more\b(?! outs (?:for|to|with))|of\b|big\b|my\b|chips\b|cards?\b|out\b)[a-z][a-z-]*[, ]+){{0,4}}"
        r"(?:outs|outer)(?! there| of)(?: if (?:i'm|i am) (?:behind|beaten|beat)\b)?"
        r"|(?P<single>one|1|an?) out(?! there| of)",
        _check_outs,
        allows_hedging=True,
    ),
    fact(
        rf"(?<!and )(?<!plus )(?!(?:one|two|three|four) more)(?P<number>{NUMBER})"
        r"(?:-out(?= (?:[a-z]+ ){0,3}(?:draw|gutshot))"
        r"|(?<=[a-z]) more(?= for (?:the|a|my) (?:flush|straight)(?! draw)))"
        rf"|i (?:make|hit|complete) (?:a|the|my) (?P<aim>flush|straight) with (?P<cards>{NUMBER}) cards",
        _check_outs,
        allows_hedging=True,
    ),
    fact(
        rf"(?!one|1 )(?P<number>{NUMBER}) (?:more |remaining |other |unseen )?(?:(?P<suit>{SUIT})"
        rf"|(?P<ranks>{PLURAL_RANK}))"
        r"(?= (?:(?:would |will |still )*(?:give|make|complete|fill|help)s? (?:me|my|us|the(?! board))"
        r"|for (?:the|a|my) "
        r"(?:flush|straight)|(?:are |still )*(?:left|remain|remaining)(?! me with)|to (?:hit|come|catch)|in the deck"
        r"|basically(?=[.,;!]|$)|as outs))",
        _check_card_outs,
        allows_hedging=True,
    ),
    fact(
        rf"(?:gut-?shot|gutter|belly[- ]buster|open[- ]end(?:ed|er)|double gutter)(?: straight)?(?: draw)?(?:,|:)? "
        rf"(?:(?:to|needing|needs|for|with|any|either|the|an?) )*(?P<ranks>{_RANK_WORD}(?:(?:, | or "
        rf"| and )(?:any |an? |the )?{_RANK_WORD})?)(?=[,.;:!)]| (?:for|fills|makes)|$)",
        _check_needed,
    ),
    fact(
        rf"(?:(?<=^)|(?<=^ )|(?<=, )|(?<=: )|(?<=plus )|(?<=only ))(?P<number>six|seven|eight|nine|ten|eleven"
        rf"|twelve|[6-9]|1[0-3])"
        rf" (?:more |remaining |other )?(?:(?P<suit>{SUIT})|(?P<ranks>{PLURAL_RANK}))(?= left|[,.;!]|$| and"
        rf"| plus| (?:get|improve|help|(?:come|are) (?:on top|extra)))",
        _check_card_outs,
    ),
    fact(
        rf"(?P<number>{NUMBER}) (?:more |other )?cards?(?: in the deck)?(?: (?:that|which))?(?: (?:would|will"
        rf"|can))? (?:give|make|improve|fill|help|complete)s?\b"
        r"(?! (?:him|her|them|a|two)\b)",
        _check_outs,
        allows_hedging=True,
    ),
    fact(
        rf"(?P<only>only )?{_ANY_OF} (?:on the (?:turn|river) )?(?:(?:would|will|still|also|then|now|even|each) )*"
        r"(?:(?:makes?|gives?|completes?|fills?|brings?)(?: (?:me|us|my|the|our|an?))* "
        r"|(?:for|to (?:make|complete|fill|hit)) (?:(?:the|my|an?) )?)(?:nut |[a-z]+-high )?(?P<aim>straight|flush"
        r"|broadway|wheel|full house|boat"
        r"|gutshot|inside straight|(?:(?:10|[2-9tjqka])-){4}(?:10|[2-9tjqka]))(?! draw)(?! against)",
        _check_completing,
        allows_hedging=True,
    ),
    fact(
        rf"(?P<only>only )?{_ANY_OF} (?:(?:would|will|still|also|now) )*(?:completes? me|gets? me there"
        rf"|fills? me(?: up| in)?)"
        r"(?P<aim>)",
        _check_completing,
        allows_hedging=True,
    ),
    fact(
        rf"i (?:just |only |still )?need (?:an?|any|another) (?P<ranks>{LONG_RANK}(?: or (?:an? )?{LONG_RANK})?)"
        r"(?=[.,;!]|$| on the (?:turn|river))",
        _check_wanted,
        allows_hedging=True,
    ),
    fact(
        r"(?:i'm|i am|we're) (?:still |only |just |now )?drawing to (?:(?:an?|the|my) )?(?P<nut>nut )?(?:[a-z]+-high )?"
        r"(?P<aim>flush|straight|gutshot|broadway)(?! flush)",
        _check_drawing,
    ),
    fact(
        r"(?:my |(?:(?<=^)|(?<=^ )|(?<=, )|(?<=have a ))(?:busted|missed|bricked) )(?:nut |[a-z]+ )?"
        r"(?P<aim>flush|straight)(?: draws?)?(?:(?<=^my)|(?: (?:has |never |just |have |didn't )*"
        r"(?:missed|bricked|busted|came in|get there|got there|come in))|(?<=draw)(?= ?(?:[.,;!]|$)))",
        _check_missed,
    ),
    fact(r"missed (?:the|my|an?) (?:nut |[a-z]+-high )?(?P<aim>flush|straight)(?! draw)", _check_missed),
)
_STRAIGHT_DRAW = r"(?:[- ]straight)?(?:[- ]draw)?"
PHRASES = tuple(
    phrase(words, _while_drawing(check))
    for words, check in (
        (rf"(?:(?P<suit>{SUIT}) )?flush draw", _has_flush_draw),
        (rf"(?P<rank>{LONG_RANK})[- ]high flush draw", _has_flush_draw),
        (rf"flush draw (?:is )?(?:in|of|with) (?P<suit>{SUIT})|(?P<other>{SUIT}) draw", _has_flush_draw),
        (rf"four (?P<suit>{SUIT})(?! on| out)", _has_flush_draw),
        (rf"nut flush draw (?:in|of|with) (?P<suit>{SUIT})", _nut_flush_draw),
        (
            r"(?:one (?:card|club|diamond|heart|spade) (?:away |short )?(?:from|of)|four(?: cards)? to) (?:a|the"
            r"|my) flush",
            _has_flush_draw,
        ),
        (r"one card (?:away |short )?(?:from|of) (?:a|the|my) straight", _has_straight_draw),
        (r"four(?: cards)? to (?:a|the|my) straight", _four_to_straight),
        (rf"second[- ]nut (?:{SUIT} )?flush draw", _second_nut_flush_draw),
        (r"nut draw", _nut_draw),
        (r"(?:wheel|broadway) draw", _has_straight_draw),
        (r"wheel gutshot|wheel gutter", _has_gutshot),
        (rf"nut[- ](?:{SUIT} )?flush draw|nut {SUIT} draw|nfd", _nut_flush_draw),
        (
            r"(?:open[- ]end(?:ed|er)|up[- ]and[- ]down(?:er)?|oesd|oesfd|open[- ]ender)" + _STRAIGHT_DRAW,
            _has_open_ended,
        ),
        (r"(?:gut[- ]?shot|inside straight|belly[- ]buster|gutter)" + _STRAIGHT_DRAW, _has_gutshot),
        (r"double (?:gut[- ]?shot|belly[- ]buster|gutter)" + _STRAIGHT_DRAW, _double_gutshot),
        (r"straight draw", _has_straight_draw),
        (r"combo draw|(?:straight and flush|flush and straight) draws?", _has_combo_draw),
        (rf"(?:backdoor|runner[- ]runner) (?:(?:nut )?(?:{SUIT} )?flush|{SUIT}|fd)(?: draw)?|bdfd", _backdoor_flush),
        (r"(?:backdoor|runner[- ]runner) straight(?: draw)?", _backdoor_straight),
        (r"draws?(?! (?:out|dead))", _has_any_draw),
    )
)
