"""Claims about pairs, two pair and kickers: "top pair", "an overpair", "kings and sevens", "top kicker". No I/O.

Some claims are not judged: the check returns None. If the bot has two pair, a claim of "a pair" is not judged. On
paired boards, people count pairs in several ways, so many claims about pairs are not judged.
"""

import re
from collections.abc import Callable

from broadcast.commentary.claims.kinds.ranks import (
    FOUR,
    FULL,
    PAIR,
    THREE,
    TWO_PAIR,
    board_ranks,
    count_of,
    hole_ranks,
    is_board_paired,
    made_kind,
    made_ranks,
    paired_ranks,
    pocket_rank,
)
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import Check, fact, phrase, verdict
from broadcast.commentary.claims.speech.words import LONG_RANK, PLURAL_RANK, RANK, rank_of
from server.game.cards import RANKS
from server.game.ranking import ranking_name

EXAMPLES = """
Ah Kd, Kc 7s 2h         | I have [top pair] with a good kicker.             |
Ah Kd, Kc 7s 2h         | I have [two pair] here, so I raise.               | has: a pair of kings
Ah Kd, Kc 7s 2h         | [Top pair, top kicker].                           |
Ah Kd, Kc 7s 2h         | [My ace-king missed this flop].                   | has a pair
Ah Kd, Kc 7s 2h         | My draw missed the flop.                          | no claim
Ah 7d, Kc 7s 2h         | I think my [top pair] is good.                    | has: a pair of sevens
Ah 7d, Kc 7s 2h         | [Middle pair], [ace kicker], no draw.             |
Kh 7d, Kc 7s 2h         | We have [top two].                                |
Kh 7d, Kc 7s 2h         | I hold [kings and sevens].                        |
Qh Qd, Jc 7s 2h         | An [overpair] on a dry board.                     |
Qh Qd, Kc 7s 2h         | My [overpair] needs protection.                   | has: a pair of queens
Kh 7d, Kc 7s 2h 3d 4d   | I only have [one pair].                           | has: two pair, kings and sevens
7h 7d, Kc 7s 2h         | I have [top pair].                                | has: three of a kind, sevens
Ah 7d, Kc 7s 2h         | I have a seven, so this makes [two pair].         | has: a pair of sevens
Kh 7d, Kc Ks 2h         | I have a pair of kings.                         | no claim
8h 6d, 6c 2s 2h Kd      | I have [two pair] with a king kicker.             |
As 3c, 7h 7d 5c         | I have sevens up.                               | no claim
3h 3d, Kc 7s 5h         | I have pocket threes, [second pair].              | has: a pair of threes
Qh Qd, Kc 7s 2h         | I have queens, second pair.                       | no claim
Ah Qd, 7c 7s 2h         | I have [top pair], so I bet.                      | has: a pair of sevens
8h 8d, Kc 7s 2h         | So what do I have? An [overpair].                 | has: a pair of eights
8h 8d, Kc 7s 2h         | What does he have? An overpair.                   | no claim
Ah Kd, Kc 7s 2h         | If he calls with two pair, I am behind.           | no claim
Ah Kd, Kc 7s 2h         | Two pair beats me.                                | no claim
Ah Kd, Kc 7s 2h         | Do I have two pair?                               | no claim
Ah Kd, Kc 7s 2h         | He has top pair, or better.                       | no claim
"""
"""Each row has hole cards and a board, a thought with its claims in brackets, and the truth if a claim is false."""


def _check_of_place(places: Callable[[list[int]], list[int]], *, allows_pocket_pair: bool = True) -> Check:
    """Returns the check for a pair with one of the board's ranks, such as "second pair".

    `places` gets the board's ranks, the highest first, and returns the ranks that the words mean. With
    `allows_pocket_pair`, pocket nines on the board K-5-2 may also be called "second pair".
    """

    def check(known: BotKnowledge, _: re.Match[str]) -> bool | None:
        board, mine = board_ranks(known), paired_ranks(known)
        if pocket_rank(known) is not None:
            if mine & {*board}:
                return None if mine & {*places(board)} else False
            return None if allows_pocket_pair and mine & {*places(sorted({*board} | mine, reverse=True))} else False
        if any(count_of(known, rank) > 2 for rank in mine):
            return None if mine & {*places(board)} else False
        if is_board_paired(known) and len(mine) > 1:
            return None
        if mine & {*places(board)}:
            return True if len(mine) == 1 and made_kind(known) <= TWO_PAIR else None
        return None if is_board_paired(known) and mine else False

    return check


_has_top_pair = _check_of_place(lambda board: board[:1], allows_pocket_pair=False)


def _overpair(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    pocket = pocket_rank(known)
    over = pocket is not None and pocket > board_ranks(known)[0]
    return (True if made_kind(known) <= TWO_PAIR else None) if over else False


def _underpair(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    pocket, board = pocket_rank(known), board_ranks(known)
    if pocket is None or pocket > board[0]:
        return False
    return pocket not in board


def _has_pair_of(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    rank = rank_of(found["rank"])
    count = count_of(known, rank)
    if count == 2 and rank in hole_ranks(known):
        return True if made_kind(known) <= TWO_PAIR else None
    return None if count >= 2 else False


def _has_a_pair(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    if made_kind(known) == PAIR:
        return True if paired_ranks(known) else None
    return None if made_kind(known) > PAIR else False


def _has_own_pair(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    return True if paired_ranks(known) else None if made_kind(known) else False


def _one_pair(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    if made_kind(known) == TWO_PAIR and len(paired_ranks(known)) < 2:
        return None  # one pair is on the board, so that everybody has it
    return False if made_kind(known) > PAIR else _has_a_pair(known, found)


def _has_two_pair(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    if made_kind(known) == TWO_PAIR:
        return True if paired_ranks(known) else None
    if made_kind(known) in (FULL, FOUR):
        return False
    return None if len(paired_ranks(known)) + is_board_paired(known) > 1 else False


def _two_pair_of(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    ranks = {rank_of(found["high"]), rank_of(found["low"])}
    if any(count_of(known, rank) < 2 for rank in ranks):
        return False
    if made_kind(known) >= FULL:
        return False
    if made_kind(known) != TWO_PAIR or {*made_ranks(known)[:2]} != ranks:
        return False if _has_two_of_its_own(known) else None
    return True


def _has_two_of_its_own(known: BotKnowledge) -> bool:
    """Whether the bot has two pair, and holds a card of each of these pairs."""
    return made_kind(known) == TWO_PAIR and {*made_ranks(known)[:2]} == paired_ranks(known)


def _has_ranks_up(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    rank = rank_of(found["rank"])
    if count_of(known, rank) > 1 and rank not in hole_ranks(known):
        return None  # this pair is on the board, so that everybody has it
    if count_of(known, rank) < 2 or made_kind(known) == PAIR:
        return False
    if made_kind(known) == TWO_PAIR and made_ranks(known)[0] == rank:
        return True
    return False if _has_two_of_its_own(known) else None


def _check_two_of_board(*places: int) -> Check:
    """Returns the check for two pair with the board's ranks at these places: 0 is the highest, -1 the lowest."""

    def check(known: BotKnowledge, _: re.Match[str]) -> bool | None:
        board = board_ranks(known)
        if is_board_paired(known):
            return False if made_kind(known) < TWO_PAIR else None
        has = {board[place] for place in places} == {*hole_ranks(known)}
        return has if made_kind(known) <= TWO_PAIR else None if has else False

    return check


def _has_kicker(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    mine = paired_ranks(known)
    if pocket_rank(known) is not None or len(mine) != 1 or made_kind(known) not in (PAIR, TWO_PAIR, THREE):
        return None
    (other,) = {*hole_ranks(known)} - mine
    if found.groupdict().get("rank"):
        counts = made_kind(known) == TWO_PAIR and made_ranks(known)[2] == rank_of(found["rank"])
        return True if other == rank_of(found["rank"]) else None if counts else False
    return other == max(rank for rank in range(len(RANKS)) if rank not in board_ranks(known))


def _top_pair_top_kicker(known: BotKnowledge, found: re.Match[str]) -> bool | None:
    has = _has_top_pair(known, found)
    return _has_kicker(known, found) if has else has


def _has_nothing(known: BotKnowledge, _: re.Match[str]) -> bool | None:
    if paired_ranks(known):
        return False
    return True if made_kind(known) == 0 else None


def _check_paired(known: BotKnowledge, found: re.Match[str]) -> str | None:
    rank = rank_of(found["rank"])
    if rank in hole_ranks(known) and count_of(known, rank) > 1:
        return ""
    return f"has no {found['rank']}" if rank not in hole_ranks(known) else f"has one {found['rank']} only"


def _check_missed(known: BotKnowledge, _: re.Match[str]) -> str | None:
    if not paired_ranks(known):
        return "" if made_kind(known) == 0 else None
    return "has a pair" if pocket_rank(known) is None or count_of(known, hole_ranks(known)[0]) > 2 else None


def _check_pair_name(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks the name of a pair that the bot holds: "my queens are an overpair"."""
    if rank_of(found["rank"]) != pocket_rank(known):
        return None
    check = next(each.check for each in PHRASES if each.words.fullmatch(found["name"]))
    return verdict(check(known, found), f"has: {ranking_name(known.hand_strength)}")


_PAIRED = (
    r"(?:paired(?: up)?(?: with)?|hit|caught|connected with|flopped|turned|rivered|spiked|binked)(?: up)?"
    rf" (?:my|the|an?|one of my|the board's)(?: lone| single)? (?P<rank>{LONG_RANK})(?![- ](?:high|kicker|draw|of"
    rf"|flush|straight|{LONG_RANK}))"
)
FACTS = (
    fact(
        rf"(?:(?<=\bi )|(?<=\bi've )|(?<=\bi have )|(?<=\bi just )|(?<=\bi've just )|(?<=^)|(?<=^ ))(?:(?:only|just"
        rf"|also|at least|now) )?{_PAIRED}",
        _check_paired,
        allows_hedging=True,
    ),
    fact(rf"(?<=\bmy )(?P<rank>{LONG_RANK}) (?:has |is |was )?(?:now |also )?paired(?! with my)", _check_paired),
    fact(
        rf"(?:my |pocket )?(?P<rank>{PLURAL_RANK}) are (?:(?:only|just|still|now|an?|the) )*"
        r"(?P<name>over-?pair|under-?pair|(?:top|second|middle|bottom) pair)",
        _check_pair_name,
    ),
    fact(
        rf"(?:the|that|this) (?:river |turn |flop(?:ped)? )?(?P<rank>{LONG_RANK}) (?:has )?(?:paired|pairs) me",
        _check_paired,
    ),
    fact(
        rf"(?:(?<=\bi )|(?<=\bi've )|(?<=\bi have )|my (?:hand|cards|{LONG_RANK}-{LONG_RANK}) )"
        r"(?:just |completely |totally |clearly )*(?:missed|whiffed)"
        r"(?: (?:everything|completely|entirely|it all|the board|this board|the (?:whole )?flop|this flop))(?! with)",
        _check_missed,
    ),
)
_LIST = rf"(?P<high>{PLURAL_RANK}) (?:and|n|&) (?P<low>{PLURAL_RANK})"
PHRASES = (
    phrase(rf"top pair(?!,? top kicker)(?:,? (?:of )?{PLURAL_RANK})?", _has_top_pair),
    phrase(r"tptk|top[- ]pair,?[- ](?:with |and )?(?:a |the )?top[- ]kicker", _top_pair_top_kicker),
    phrase(r"(?:second|2nd) pair", _check_of_place(lambda board: board[1:2])),
    phrase(r"mid(?:dle)? pair", _check_of_place(lambda board: board[1:-1] or board[1:])),
    phrase(r"third pair", _check_of_place(lambda board: board[2:3])),
    phrase(r"bottom pair", _check_of_place(lambda board: board[-1:])),
    phrase(r"over[- ]?pair(?: (?:to|on) (?:the|this) board)?", _overpair),
    phrase(r"under[- ]?pair", _underpair),
    phrase(rf"(?:single |pocket )?pair of (?:pocket )?(?P<rank>{PLURAL_RANK})", _has_pair_of),
    phrase(r"pair(?! of)", _has_a_pair),
    phrase(r"(?<=\bno )pair(?: at all| of my own)?(?! of)", _has_own_pair),
    phrase(r"(?<=only have )a pair(?! of)", _one_pair),
    phrase(r"(?:(?:just|only) )?(?:one|(?:just|only) a|a single|a lone|single) pair(?! of)", _one_pair),
    phrase(r"two[- ]pairs?", _has_two_pair),
    phrase(rf"(?:two pairs?(?:,| of| with|:| is)? )?{_LIST}", _two_pair_of),
    phrase(rf"(?:two pair,? )?(?P<rank>{PLURAL_RANK}) up(?! in)", _has_ranks_up),
    phrase(r"top two(?: pairs?)?", _check_two_of_board(0, 1)),
    phrase(r"bottom two(?: pairs?)?", _check_two_of_board(-1, -2)),
    phrase(r"top and bottom(?: pairs?| two)?", _check_two_of_board(0, -1)),
    phrase(rf"(?P<rank>{RANK})[- ]kicker|top kicker", _has_kicker),
    phrase(
        r"(?<!no )(?<!turned )(?<!rivered )nothing(?! (?:i|he|she|they|can|could|beats|has|is|happens|changes"
        r"|new|to|but|in|left|on|behind|else|more))|air|no made hand|complete air",
        _has_nothing,
    ),
)
