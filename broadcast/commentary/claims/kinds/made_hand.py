"""Claims about what the bot's cards make with the board: "a set of sevens", "the nut flush", "ace high". No I/O.

A claim is right if the bot has the named hand, and wrong if not. If the bot has a better hand that contains the named
hand, as quads contain trips, the claim is not judged. If the bot has trips, "a set" is not wrong, because some people
call trips a set. The module `pairs` checks pairs.
"""

import re
from itertools import combinations

from broadcast.commentary.claims.kinds import pairs
from broadcast.commentary.claims.kinds.ranks import (
    FLUSH,
    FOUR,
    FULL,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    board_ranks,
    count_of,
    hole_ranks,
    in_suit,
    is_board_paired,
    longest_suit,
    made_kind,
    made_ranks,
    paired_ranks,
    pocket_rank,
    possible_opponent_hands,
    rank_of_card,
)
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import Check, fact, phrase, verdict
from broadcast.commentary.claims.speech.words import PLURAL_RANK, RANK, SUIT, rank_of, suit_of
from server.game.cards import DECK
from server.game.ranking import category, ranking_name, strength

KIND = "made hand"
EXAMPLES = f"""
7h 7d, Kc 7s 2h         | My [set of sevens] is hidden well.                |
7h 7d, Kc 7s 2h         | I have [trip sevens].                             |
7h 6d, Kc 7s 7c         | I flopped a set.                                | no claim
Ah 5h, Kh 7h 2h         | With the [nut flush] I want value.                |
Qh 5h, Kh 7h 2h         | I have the [nut flush].                           | has: a flush, king high, not the nuts
Kc 2s, Kh 9h 3s 9c      | I have a [full house, kings over nines].         | has: two pair, kings and nines
Qh 5h, Kh 7h 2c         | I don't have a [flush].                           |
Qh 5h, Kh 7h 2c         | I have a [flush] already.                         | has: king high
9h 8h, 7c 6s 5h         | I flopped the [nuts].                             |
9h 8h, 7c 6s 5h 5d      | The turn gave me a [full house].                  | has: a straight, nine high
Ah 5d, 4c 3s 2h         | I made the [wheel].                               |
Ah 9d, Kc 7s 2h         | Just [ace high].                                  |
Ah 9d, 3c 3s 2h         | Just ace high.                                    | no claim
Ah Kd, Kc 7s 2h         | He has a set of sevens.                           | no claim
Ah Kd, Kc 7s 2h         | I want to represent a set.                        | no claim
Ah Kd, Kc 7s 2h         | A straight would be nice.                         | no claim
9h 8h, 7c 6s 2h         | Ten or five, that's a straight.                   | no claim
9h 8h, 7c 6s 2h         | I have eight outs to my straight.                 | no claim
Ah Kd, Kc 7s 2h         | I have a straight choice: bet or check.           | no claim
Ah Kd, Kc 7s 2h         | With two pair I would raise.                      | no claim
Ah Kd, Kc 7s 2h         | I have sets in my range.                          | no claim
Qh 4h, 7d 8d 5s 7s      | I have a gutshot, four sixes.                     | no claim
Qs Kh, Ah 6d 3d         | I have top pair no wait, king high.               | no claim
{pairs.EXAMPLES.strip()}
"""
"""Each row has the bot's cards, the board, a thought with its claims in brackets, and the truth if a claim is false."""
_NOT_A_DRAW = (
    r"(?![- ](?:draws?|drawing|flush|possib|outs?|boards?|cards?|blockers?|chances?|equity|combo"
    r"|heavy|is|was|gets?|comes?))"
)


def hand_text(known: BotKnowledge) -> str:
    """Names what the bot has, for a screen: "a pair of kings", "two pair, kings and sevens"."""
    name, kind = ranking_name(known.hand_strength), category(known.hand_strength)
    name = name.rpartition(", ")[0] if name.endswith(" kicker") else name
    if kind == "high card":
        return f"{name.removeprefix('high card, ')} high"
    return name if kind in ("two pair", "three of a kind", "four of a kind") else f"a {name}"


def truth(known: BotKnowledge, words: str) -> str:
    """Says what the bot has instead of the hand in `words`."""
    kicker = f", {ranking_name(known.hand_strength).rpartition(', ')[2]}" if "kicker" in words else ""
    return f"has: {hand_text(known)}{kicker}{', not the nuts' if 'nut' in words else ''}"


def better_hands(known: BotKnowledge) -> set[int]:
    """Returns the strengths of all hands, made of two unseen cards and the board, that beat the bot's hand."""
    return {value for _, value in possible_opponent_hands(known) if value > known.hand_strength}


def also_makes_kind(known: BotKnowledge, kind: int) -> bool:
    """Whether the bot has a better hand than this `kind`, and its cards and the board also make this `kind`."""
    cards = (*known.cards, *known.board)
    return made_kind(known) > kind and any(strength(five) >> 24 == kind for five in combinations(cards, 5))


def _has_kind(kind: int) -> Check:
    """Returns the check for a kind of hand. If the words also name a rank, it must be the first rank of the hand."""

    def check(known: BotKnowledge, found: re.Match[str]) -> bool | None:
        if made_kind(known) != kind:
            return None if also_makes_kind(known, kind) else False
        rank = found.groupdict().get("rank")
        return not rank or made_ranks(known)[0] == rank_of(rank)

    return check


def _has_best_of_kind(kind: int) -> Check:
    """Returns the check for the best flush or straight that any two cards can make with the board."""

    def check(known: BotKnowledge, found: re.Match[str]) -> bool | None:
        if made_kind(known) != kind:
            return _has_kind(kind)(known, found)
        return not any(value >> 24 == kind for value in better_hands(known))

    return check


def _has_three(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    rank = found.groupdict().get("rank")
    if rank and count_of(known, rank_of(rank)) != 3:
        return None if count_of(known, rank_of(rank)) == 4 else False
    if made_kind(known) == THREE:
        return True if paired_ranks(known) else None
    return None if also_makes_kind(known, THREE) else False


def _has_set(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    three = _has_three(known, found)
    return None if three and pocket_rank(known) is None else three


def _has_set_of_board_rank(first: int, last: int | None) -> Check:
    """Returns the check for a set whose rank is in the slice `[first:last]` of the board's ranks, the highest first."""

    def check(known: BotKnowledge, found: re.Match[str]) -> bool | None:
        three = _has_set(known, found)
        if not three or is_board_paired(known):
            return three and None
        return pocket_rank(known) in board_ranks(known)[first:last]

    return check


def _has_straight_to(top: int) -> Check:
    def check(known: BotKnowledge, found: re.Match[str]) -> bool | None:
        has = _has_kind(STRAIGHT)(known, found)
        return made_ranks(known)[0] == top if has else has

    return check


def _has_flush(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    if made_kind(known) != FLUSH:
        return None if also_makes_kind(known, FLUSH) else False
    named, suit = found.groupdict(), longest_suit((*known.cards, *known.board))
    if named.get("suit"):
        return suit_of(named["suit"]) == suit
    if named.get("rank"):
        mine = [rank_of_card(card) for card in in_suit(known.cards, suit)]
        return rank_of(named["rank"]) in {made_ranks(known)[0], max(mine, default=-1)}
    return True


def _second_flush(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    if made_kind(known) != FLUSH:
        return None if also_makes_kind(known, FLUSH) else False
    suit = longest_suit((*known.cards, *known.board))
    mine = max([rank_of_card(card) for card in in_suit(known.cards, suit)], default=99)
    higher = [card for card in in_suit(DECK, suit) if card not in known.board and rank_of_card(card) > mine]
    return len(higher) == 1 if mine < 99 else None


def _has_full_house(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    named = found.groupdict()
    if made_kind(known) != FULL:
        if (
            " over " in found[0]
            and "house" not in found[0]
            and [rank_of(named["rank"]), rank_of(named["low"])] == made_ranks(known)[:2]
        ):
            return None  # the words may mean two pair, which the bot has
        return None if also_makes_kind(known, FULL) else False
    wanted = [rank_of(word) for word in (named.get("rank"), named.get("low")) if word]
    return made_ranks(known)[: len(wanted)] == wanted


def _has_high_card(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    rank, mine = rank_of(found["rank"]), hole_ranks(known)
    if rank == board_ranks(known)[0] and (paired_ranks(known) or rank > mine[0]):
        return None  # the words may be about the board
    if rank == board_ranks(known)[0] and rank < mine[0]:
        return False if re.search(r"\b(?:have|left with)\b", found.string[: found.start()]) else None
    if paired_ranks(known) or made_kind(known) > TWO_PAIR:
        return False if rank not in board_ranks(known) and made_kind(known) < STRAIGHT else None
    if rank in mine:
        # If the board has a pair, some people say "ace high", and others say "a pair of threes".
        return (True if made_kind(known) < PAIR else None) if rank == mine[0] else None if made_kind(known) else False
    return False


def _has_nuts(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    return not better_hands(known)


def _second_nuts(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    better = len(better_hands(known))
    return None if better != 1 and better < 4 else better == 1


def _check_arrived(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks that the bot's draw has come in: "my flush got there", "I filled up"."""
    kind = FLUSH if "flush" in found[0] else STRAIGHT if "straight" in found[0] else FULL
    return verdict(
        True if made_kind(known) == kind else False if not also_makes_kind(known, kind) else None, truth(known, "")
    )


FACTS = (
    *pairs.FACTS,
    fact(
        r"my (?:(?:nut|backdoor) )?(?:flush|straight)(?: draw)? (?:has |just )*(?:got there|came in|come in|arrived"
        r"|hit|completed|filled)|(?:(?<=\bi )|(?<=\bi've )|(?<=\bi have ))(?:just )?(?:filled up|boated up)"
        r"|(?:(?<=\bi )|(?<=\bi've )|(?<=\bi have ))(?:just |already )*completed (?:the|my|a) (?:flush"
        r"|straight)(?! draw)",
        _check_arrived,
    ),
)
PHRASES = (
    *pairs.PHRASES,
    phrase(rf"set(?! up|-min)(?: of (?:pocket )?(?P<rank>{PLURAL_RANK}))?", _has_set),
    phrase(r"top set", _has_set_of_board_rank(0, 1)),
    phrase(r"middle set", _has_set_of_board_rank(1, -1)),
    phrase(r"bottom set", _has_set_of_board_rank(-1, None)),
    phrase(rf"(?P<with>{RANK})[- ]high trips", _has_three),
    phrase(rf"(?:trips|three of a kind)(?:,? (?P<rank>{PLURAL_RANK}))?", _has_three),
    phrase(rf"(?:trip|three) (?P<rank>{PLURAL_RANK})", _has_three),
    phrase(rf"(?:(?P<rank>{RANK})[- ]high )?straight{_NOT_A_DRAW}", _has_kind(STRAIGHT)),
    phrase(rf"straight to the (?P<rank>{RANK})", _has_kind(STRAIGHT)),
    phrase(rf"nut straight{_NOT_A_DRAW}", _has_best_of_kind(STRAIGHT)),
    phrase(rf"wheel(?: straight)?{_NOT_A_DRAW}", _has_straight_to(3)),
    phrase(rf"broadway(?: straight)?{_NOT_A_DRAW}(?! hands?)", _has_straight_to(12)),
    phrase(rf"(?:(?P<rank>{RANK})[- ]high )?flush{_NOT_A_DRAW}", _has_flush),
    phrase(rf"flush in (?P<suit>{SUIT})", _has_flush),
    phrase(rf"(?P<suit>{SUIT}) flush{_NOT_A_DRAW}", _has_flush),
    phrase(rf"(?:ace-high )?nut[- ]flush{_NOT_A_DRAW}", _has_best_of_kind(FLUSH)),
    phrase(rf"second[- ]nut flush{_NOT_A_DRAW}", _second_flush),
    phrase(r"full house|full boat|boat", _has_full_house),
    phrase(rf"(?:full house,? )?(?P<rank>{PLURAL_RANK}) (?:full of|over) (?P<low>{PLURAL_RANK})", _has_full_house),
    phrase(rf"(?P<rank>{PLURAL_RANK}) full(?! of)", _has_full_house),
    phrase(rf"(?:quads|four of a kind)(?:,? (?P<rank>{PLURAL_RANK}))?", _has_kind(FOUR)),
    phrase(
        r"(?:quad|(?:(?<=have )|(?<=got )|(?<=hold )|(?<=with )|(?<=made )|(?<=makes )|(?<=flopped )|(?<=turned )"
        rf"|(?<=rivered ))four) (?P<rank>{PLURAL_RANK})",
        _has_kind(FOUR),
    ),
    phrase(rf"straight flush{_NOT_A_DRAW}", _has_kind(STRAIGHT_FLUSH)),
    phrase(r"royal(?: flush)?", lambda known, _: ranking_name(known.hand_strength) == "royal flush"),
    phrase(
        rf"(?P<rank>{RANK})[- ]high(?![- ](?:flush|straight|board|flop|card|draw|club|diamond|heart|spade))",
        _has_high_card,
    ),
    phrase(r"(?:absolute |stone[- ]cold |current |stone )?nuts|nut hand|best possible hand", _has_nuts),
    phrase(r"second[- ]nuts", _second_nuts),
)
