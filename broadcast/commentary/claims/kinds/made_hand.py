"""What the bot's cards make with the board: "top pair", "a set of sevens", "the nut flush", "ace high". Pure.

A claim is right if the hand has what is named, and wrong if it has not. A hand that is better than the claim and
contains it is left alone, such as a pair in two pair, unless the claim says "only" or "one pair".
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from broadcast.commentary.claims.speech.known import Known
from broadcast.commentary.claims.speech.mention import Check, phrase
from broadcast.commentary.claims.speech.words import RANK, RANKS_MANY, SUIT, rank_of, suit_of
from server.game.cards import DECK, RANKS, Card
from server.game.ranking import category, ranking_name, strength

KIND = "made hand"
EXAMPLES = """
Ah Kd, Kc 7s 2h         | I have [top pair] with a good kicker.             |
Ah Kd, Kc 7s 2h         | I have [two pair] here, so I raise.               | has: a pair of kings
Ah Kd, Kc 7s 2h         | [Top pair, top kicker].                           |
7h 7d, Kc 7s 2h         | My [set of sevens] is hidden well.                |
Kh 7d, Kc 7s 2h         | We have [top two].                                |
Qh Qd, Jc 7s 2h         | An [overpair] on a dry board.                     |
Ah 5h, Kh 7h 2h         | With the [nut flush] I want value.                |
Qh 5h, Kh 7h 2h         | I have the [nut flush].                           | has: a flush, king high, not the nuts
Qh 5h, Kh 7h 2c         | I don't have a [flush].                           |
Kh 7d, Kc 7s 2h 3d 4d   | I only have [one pair].                           | has: two pair, kings and sevens
9h 8h, 7c 6s 5h         | I flopped the [nuts].                             |
Ah Kd, Kc 7s 2h         | He has a set of sevens.                           | no claim
Ah Kd, Kc 7s 2h         | If he calls with two pair, I am behind.           | no claim
Ah Kd, Kc 7s 2h         | Two pair beats me.                                | no claim
Ah Kd, Kc 7s 2h         | Do I have two pair?                               | no claim
Ah Kd, Kc 7s 2h         | I want to represent a set.                        | no claim
"""
_PAIR, _TWO_PAIR, _THREE, _STRAIGHT, _FLUSH, _FULL, _FOUR, _STRAIGHT_FLUSH = range(1, 9)
_NOT_A_DRAW = r"(?![- ](?:draws?|flush|possib|outs?|boards?|cards?|blockers?|chances?|equity|combo))"


def holding(known: Known) -> str:
    """Names what the bot has, for a screen: "a pair of kings", "two pair, kings and sevens"."""
    name = ranking_name(known.value)
    name = name.rpartition(", ")[0] if name.endswith(" kicker") else name
    kind = category(known.value)
    bare = kind in ("two pair", "three of a kind", "four of a kind")
    return f"{name.removeprefix('high card, ')} high" if kind == "high card" else name if bare else f"a {name}"


def truth(known: Known, words: str) -> str:
    """Says what the bot has instead of what is claimed in `words`."""
    return f"has: {holding(known)}{', not the nuts' if 'nut' in words else ''}"


def _kind(known: Known) -> int:
    return known.value >> 24


def _ranks(known: Known) -> list[int]:
    """The ranks in the hand's strength, the most important first."""
    return [known.value >> shift & 15 for shift in (16, 12, 8, 4, 0)]


def _rank(card: Card) -> int:
    return RANKS.index(card[0])


def _hole(known: Known) -> list[int]:
    return sorted(map(_rank, known.cards), reverse=True)


def _board(known: Known) -> list[int]:
    """The different ranks on the board, the highest first."""
    return sorted({_rank(card) for card in known.board}, reverse=True)


def _count(known: Known, rank: int) -> int:
    return sum(_rank(card) == rank for card in (*known.cards, *known.board))


def _paired(known: Known) -> set[int]:
    """The ranks of which the bot holds a card and there are two or more."""
    return {rank for rank in _hole(known) if _count(known, rank) > 1}


def _pocket(known: Known) -> int | None:
    high, low = _hole(known)
    return high if high == low else None


def _pair_at(known: Known, wanted: Sequence[int]) -> bool | None:
    """Whether one of the bot's cards pairs the board at one of the ranks `wanted`."""
    mine = _paired(known) & {*_board(known)}
    if _pocket(known) is None and any(_count(known, rank) > 2 for rank in mine):
        return None  # trips contain a pair
    if _pocket(known) is not None and mine:
        return None
    if mine & {*wanted}:
        return True if len(mine) == 1 and _kind(known) <= _TWO_PAIR else None
    if len(_board(known)) < len(known.board) and _kind(known) > _PAIR:
        return None  # on a paired board, people count differently
    return False


def _top_pair(known: Known, _: re.Match[str]) -> bool | None:
    return _pair_at(known, _board(known)[:1])


def _second_pair(known: Known, _: re.Match[str]) -> bool | None:
    return None if _pocket(known) is not None and not _is_over(known) else _pair_at(known, _board(known)[1:2])


def _middle_pair(known: Known, _: re.Match[str]) -> bool | None:
    board = _board(known)
    if len(board) < 3 or (_pocket(known) is not None and not _is_over(known)):
        return None
    return _pair_at(known, board[1:-1])


def _third_pair(known: Known, _: re.Match[str]) -> bool | None:
    return None if _pocket(known) is not None and not _is_over(known) else _pair_at(known, _board(known)[2:3])


def _bottom_pair(known: Known, _: re.Match[str]) -> bool | None:
    if _pocket(known) is not None and not _is_over(known):
        return None
    return _pair_at(known, _board(known)[-1:])


def _is_over(known: Known) -> bool:
    pocket = _pocket(known)
    return pocket is not None and pocket > _board(known)[0]


def _overpair(known: Known, _: re.Match[str]) -> bool | None:
    return (True if _kind(known) <= _TWO_PAIR else None) if _is_over(known) else False


def _underpair(known: Known, _: re.Match[str]) -> bool | None:
    pocket = _pocket(known)
    if pocket is None or _is_over(known):
        return False
    return True if pocket not in _board(known) else None


def _pair_of(known: Known, found: re.Match[str]) -> bool | None:
    rank = rank_of(found["rank"])
    count, mine = _count(known, rank), rank in _hole(known)
    if count == 2 and mine:
        return True if _kind(known) <= _TWO_PAIR else None
    return None if count >= 2 else False


def _a_pair(known: Known, _: re.Match[str]) -> bool | None:
    if _kind(known) == _PAIR:
        return True if _paired(known) else None
    return None if _kind(known) > _PAIR else False


def _one_pair(known: Known, found: re.Match[str]) -> bool | None:
    if _kind(known) == _TWO_PAIR and len(_paired(known)) < 2:
        return None  # one of the pairs is everybody's
    if _kind(known) > _PAIR:
        return False
    return _a_pair(known, found)


def _kind_is(kind: int) -> Check:
    """The check for a kind of hand that a better hand does not contain, or contains in an uncertain way."""

    def check(known: Known, _: re.Match[str]) -> bool | None:
        return True if _kind(known) == kind else None if _contains(known, kind) else False

    return check


def _contains(known: Known, kind: int) -> bool:
    """Whether a better hand has a hand of this `kind` within its seven cards."""
    if _kind(known) <= kind:
        return False
    cards = (*known.cards, *known.board)
    return any(strength(five) >> 24 == kind for five in combinations(cards, 5))


def _two_pair(known: Known, _: re.Match[str]) -> bool | None:
    if _kind(known) == _TWO_PAIR:
        return True if _paired(known) else None
    if _kind(known) in (_FULL, _FOUR):
        return False
    return None if _contains(known, _TWO_PAIR) else False


def _two_pair_of(known: Known, found: re.Match[str]) -> bool | None:
    ranks = {rank_of(found["high"]), rank_of(found["low"])}
    if any(_count(known, rank) < 2 for rank in ranks):
        return False
    return True if _kind(known) == _TWO_PAIR and {*_ranks(known)[:2]} == ranks else None


def _up(known: Known, found: re.Match[str]) -> bool | None:
    if _count(known, rank_of(found["rank"])) < 2:
        return False
    return True if _kind(known) == _TWO_PAIR and _ranks(known)[0] == rank_of(found["rank"]) else None


def _two_of_board(*places: int) -> Check:
    """The check for two pair with the board's ranks at these places: 0 for the highest, -1 for the lowest."""

    def check(known: Known, _: re.Match[str]) -> bool | None:
        board = _board(known)
        if len(board) < len(known.board) or len(board) < 3:
            return None if len(_paired(known)) == 2 else False
        wanted = {board[place] for place in places}
        has = wanted == {*_hole(known)}
        return has if _kind(known) <= _TWO_PAIR else None if has else False

    return check


def _three(known: Known, found: re.Match[str]) -> bool | None:
    rank = found.groupdict().get("rank")
    if rank and _count(known, rank_of(rank)) != 3:
        return None if _count(known, rank_of(rank)) == 4 else False
    if _kind(known) == _THREE:
        return True
    return None if _kind(known) > _THREE and _contains(known, _THREE) else False


def _set(known: Known, found: re.Match[str]) -> bool | None:
    three = _three(known, found)
    return None if three and _pocket(known) is None else three  # some say "set" for trips


def _set_at(place: int) -> Check:
    def check(known: Known, found: re.Match[str]) -> bool | None:
        board, pocket = _board(known), _pocket(known)
        if len(board) < 3 or len(board) < len(known.board):
            return None
        place_is_right = pocket == board[place] if place else pocket in board[1:-1]
        return _set(known, found) if place_is_right else False

    return check


def _top_set(known: Known, found: re.Match[str]) -> bool | None:
    board = _board(known)
    return _set(known, found) if _pocket(known) == board[0] else None if _three(known, found) is None else False


def _straight(known: Known, found: re.Match[str]) -> bool | None:
    top = found.groupdict().get("rank")
    if _kind(known) == _STRAIGHT:
        return _ranks(known)[0] == rank_of(top) if top else True
    return None if _contains(known, _STRAIGHT) else False


def _straight_to(top: int) -> Check:
    def check(known: Known, _: re.Match[str]) -> bool | None:
        if _kind(known) == _STRAIGHT:
            return _ranks(known)[0] == top
        return None if _contains(known, _STRAIGHT) else False

    return check


def _flush(known: Known, found: re.Match[str]) -> bool | None:
    named = found.groupdict()
    if _kind(known) != _FLUSH:
        return None if _contains(known, _FLUSH) else False
    cards = [card for card in known.cards if card[1] == _flush_suit(known)]
    if named.get("suit") and suit_of(named["suit"]) != _flush_suit(known):
        return False
    if named.get("rank"):
        tops = {_ranks(known)[0], *(max(map(_rank, cards)) for _ in cards)}
        return rank_of(named["rank"]) in tops
    return True


def _flush_suit(known: Known) -> str:
    suits = [card[1] for card in (*known.cards, *known.board)]
    return max(suits, key=suits.count)


def _full(known: Known, found: re.Match[str]) -> bool | None:
    if _kind(known) != _FULL:
        return None if _contains(known, _FULL) else False
    named = found.groupdict()
    full, over = named.get("rank"), named.get("low")
    wanted = [rank_of(full)] * bool(full) + [rank_of(over)] * bool(over) if full else []
    return _ranks(known)[: len(wanted)] == wanted


def _four(known: Known, found: re.Match[str]) -> bool | None:
    rank = found.groupdict().get("rank")
    return _kind(known) == _FOUR and (not rank or _ranks(known)[0] == rank_of(rank))


def _high(known: Known, found: re.Match[str]) -> bool | None:
    rank = rank_of(found["rank"])
    if _paired(known) or _kind(known) > _TWO_PAIR:
        return False if rank in _hole(known) else None
    return True if rank == _hole(known)[0] else None if rank in {*_hole(known), _board(known)[0]} else False


def _nothing(known: Known, _: re.Match[str]) -> bool | None:
    if _kind(known) > _TWO_PAIR or _paired(known):
        return None if _kind(known) == _kind(_board_alone(known)) else False
    return True if _kind(known) == 0 else None


def _board_alone(known: Known) -> Known:
    return replace(known, cards=())


@lru_cache(64)
def better_hands(cards: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[int, ...]:
    """Returns the strengths above that of `cards` which two unseen cards can have on `board`, the best first."""
    unseen = [card for card in DECK if card not in cards and card not in board]
    mine = strength([*cards, *board])
    return tuple(sorted({value for two in combinations(unseen, 2) if (value := strength([*two, *board])) > mine})[::-1])


def _nuts(known: Known, _: re.Match[str]) -> bool | None:
    return not better_hands(known.cards, known.board)


def _second_nuts(known: Known, _: re.Match[str]) -> bool | None:
    better = len(better_hands(known.cards, known.board))
    return None if better != 1 and better < 4 else better == 1


def _best_of_kind(kind: int) -> Check:
    """The check for the best flush or straight that two cards can make with the board."""

    def check(known: Known, _: re.Match[str]) -> bool | None:
        if _kind(known) != kind:
            return None if _contains(known, kind) else False
        return not any(value >> 24 == kind for value in better_hands(known.cards, known.board))

    return check


def _second_flush(known: Known, _: re.Match[str]) -> bool | None:
    if _kind(known) != _FLUSH:
        return None if _contains(known, _FLUSH) else False
    suit = _flush_suit(known)
    held = [card for card in (*known.cards, *known.board) if card[1] == suit]
    mine = max([_rank(card) for card in known.cards if card[1] == suit], default=-1)
    higher = [card for card in DECK if card[1] == suit and card not in held and _rank(card) > mine]
    return len(higher) == 1 if mine >= 0 else None


def _kicker(known: Known, found: re.Match[str]) -> bool | None:
    mine = _paired(known)
    if _pocket(known) is not None or len(mine) != 1 or _kind(known) not in (_PAIR, _TWO_PAIR, _THREE):
        return None
    (other,) = {*_hole(known)} - mine
    if found.groupdict().get("rank"):
        return other == rank_of(found["rank"])
    return other == max(rank for rank in range(len(RANKS)) if rank not in _board(known))


def _top_pair_top_kicker(known: Known, found: re.Match[str]) -> bool | None:
    has = _top_pair(known, found)
    return _kicker(known, found) if has else has


_OF = rf"(?:pocket )?(?P<rank>{RANKS_MANY})"
PHRASES = (
    phrase(r"top pair(?! of)(?!,? top kicker)", _top_pair),
    phrase(r"tptk|top[- ]pair,?[- ](?:with )?(?:a |the )?top[- ]kicker", _top_pair_top_kicker),
    phrase(r"second pair|2nd pair", _second_pair),
    phrase(r"middle pair|mid pair", _middle_pair),
    phrase(r"third pair", _third_pair),
    phrase(r"bottom pair", _bottom_pair),
    phrase(r"over[- ]?pair(?: to the board)?", _overpair),
    phrase(r"under[- ]?pair", _underpair),
    phrase(rf"(?:a )?(?:single )?pair of {_OF}", _pair_of),
    phrase(r"pair", _a_pair),
    phrase(r"(?:just |only )(?:a )?(?:single )?pair|(?:just |only )?one pair|single pair", _one_pair),
    phrase(r"two[- ]pairs?", _two_pair),
    phrase(rf"two pairs?,? (?P<high>{RANKS_MANY}) (?:and|over|&) (?P<low>{RANKS_MANY})", _two_pair_of),
    phrase(rf"(?P<high>{RANKS_MANY}) and (?P<low>{RANKS_MANY})", _two_pair_of),
    phrase(rf"two pair with (?P<high>{RANKS_MANY}) and (?P<low>{RANKS_MANY})", _two_pair_of),
    phrase(rf"(?:two pair,? )?(?P<rank>{RANKS_MANY}) up", _up),
    phrase(r"top two(?: pairs?)?", _two_of_board(0, 1)),
    phrase(r"bottom two(?: pairs?)?", _two_of_board(-1, -2)),
    phrase(r"top and bottom(?: pairs?| two)?", _two_of_board(0, -1)),
    phrase(r"set(?! up)", _set),
    phrase(rf"set of {_OF}", _set),
    phrase(r"top set", _top_set),
    phrase(r"middle set", _set_at(0)),
    phrase(r"bottom set", _set_at(-1)),
    phrase(rf"(?:trips|three of a kind)(?:,? (?P<rank>{RANKS_MANY}))?", _three),
    phrase(rf"(?:trip|three) (?P<rank>{RANKS_MANY})", _three),
    phrase(rf"(?:(?P<rank>{RANK})[- ]high )?straight{_NOT_A_DRAW}", _straight),
    phrase(rf"straight to the (?P<rank>{RANK})", _straight),
    phrase(rf"nut straight{_NOT_A_DRAW}", _best_of_kind(_STRAIGHT)),
    phrase(rf"(?:the )?wheel(?: straight)?{_NOT_A_DRAW}", _straight_to(3)),
    phrase(rf"broadway(?: straight)?{_NOT_A_DRAW}(?! (?:cards?|hands?))", _straight_to(12)),
    phrase(rf"(?:(?P<rank>{RANK})[- ]high )?flush{_NOT_A_DRAW}(?: (?:in|of) (?P<suit>{SUIT}))?", _flush),
    phrase(rf"(?P<suit>{SUIT}) flush{_NOT_A_DRAW}", _flush),
    phrase(rf"nut(?:-| )flush{_NOT_A_DRAW}|ace-high nut flush", _best_of_kind(_FLUSH)),
    phrase(rf"second[- ]nut flush{_NOT_A_DRAW}", _second_flush),
    phrase(r"full house|full boat|boat", _full),
    phrase(rf"full house,? (?P<rank>{RANKS_MANY}) (?:full of|over) (?P<low>{RANKS_MANY})", _full),
    phrase(rf"(?P<rank>{RANKS_MANY}) full(?: of (?P<low>{RANKS_MANY})| house)?", _full),
    phrase(rf"(?P<rank>{RANKS_MANY}) over (?P<low>{RANKS_MANY})", _full),
    phrase(rf"(?:quads|four of a kind)(?:,? (?P<rank>{RANKS_MANY}))?", _four),
    phrase(rf"(?:quad|four) (?P<rank>{RANKS_MANY})", _four),
    phrase(rf"straight flush{_NOT_A_DRAW}", _kind_is(_STRAIGHT_FLUSH)),
    phrase(r"royal flush", lambda known, _: ranking_name(known.value) == "royal flush"),
    phrase(rf"(?P<rank>{RANK})[- ]high(?![- ](?:flush|straight|board|flop|card))", _high),
    phrase(r"nothing(?! (?:to|but|in|left))|air|no made hand", _nothing),
    phrase(r"(?:absolute |stone[- ]cold |current )?nuts|nut hand|best possible hand", _nuts),
    phrase(r"second[- ]nuts", _second_nuts),
    phrase(rf"(?:a )?(?P<rank>{RANK}) kicker|top kicker", _kicker),
)
