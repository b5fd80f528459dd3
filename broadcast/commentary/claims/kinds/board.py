"""The board: "paired", "monotone", "three hearts out there", "no flush possible", "the turn was a king". Pure.

Words about the flop are checked against the flop. For a longer board, only textures about which nobody would argue are
claims.
"""

import re
from collections import Counter

from broadcast.commentary.claims.kinds.ranks import (
    TWO_PAIR,
    in_suit,
    longest_suit,
    made_kind,
    on_board,
    rank_at,
)
from broadcast.commentary.claims.speech.known import Known
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.words import (
    CARD,
    LONG_RANK,
    RANKS_MANY,
    SUIT,
    card_of,
    number_of,
    rank_of,
    suit_of,
)
from server.game.cards import Card

KIND = "board"
EXAMPLES = """
Ah Kd, Kc 7s 7h         | The [board is paired].                            |
Ah Kd, Kc 7s 2h         | The [board is paired].                            | board: Kc 7s 2h
Ah Kd, Kc 7c 2c         | I have top pair on a [monotone flop].             |
Ah Kd, Kc 7s 2h         | A [rainbow flop], so I bet.                       |
Ah Kd, Kc 7s 2h         | There are [three hearts on the board].            | board: Kc 7s 2h
Ah Kd, Kc 7s 2h         | [No flush is possible].                           |
Ah Kd, Kc 7s 2h 3h 9h   | [No flush is possible].                           | board: Kc 7s 2h 3h 9h
Ah Kd, Kc 7s 2h 3h      | The [turn was a three].                           |
Ah Kd, Kc 7s 2h 3h      | The [turn brought a king].                        | turn: 3h
Ah Kd, Kc 7s 2h         | The [flop is K72].                                |
Ah Kd, Kc 7s 2h 3h      | [Three hearts], so I slow down.                   |
Ah Kd, Kc 7s 2h 3h      | [Three clubs], so I slow down.                    | board: Kc 7s 2h 3h
Ah Kd, Kc 7s 2h 3h      | The [board is all hearts].                        | board: Kc 7s 2h 3h
Ah Kd, Kc 7s 2h         | The [flush got there].                            | board: Kc 7s 2h
Ah Kd, Kc 7s 2h         | [Nobody can have a straight].                     |
Ah Kd, Kc 7s 2h 3h      | The [turn brought the second heart].              |
Ah Kd, Kc 7s 2h 3h      | The [turn brought a third spade].                 | turn: 3h
Ah Kd, Kc 7s 2h         | [There's a flush possible already].               | board: Kc 7s 2h
Ah Kd, Kc 7s 2h 3h      | [All four suits are out there].                   | board: Kc 7s 2h 3h
Ah Kd, Kc 7h 2h 3h      | [Hearts can't make a flush] here.                 | board: Kc 7h 2h 3h
Ah Kd, Kc 7s 2h         | On paired boards I slow down.                     | no claim
Ah Kd, Kc 7s 2h         | If the board pairs, I am in trouble.              | no claim
Ah Kd, Kc 7s 2h         | The board is dry.                                 | no claim
"""


def _truth(known: Known) -> str:
    return f"board: {' '.join(known.board)}"


def _part(known: Known, words: str) -> tuple[Card, ...]:
    """The cards that the words mean: the flop, or the whole board."""
    return known.board[:3] if "flop" in words else known.board


def _most(board: tuple[Card, ...]) -> int:
    return len(in_suit(board, longest_suit(board)))


def _has_texture(board: tuple[Card, ...], texture: str) -> bool | None:
    ranks = {card[0] for card in board}
    most, suits = _most(board), len({card[1] for card in board})
    match texture:
        case "paired" | "double paired" | "double-paired":
            return len(ranks) < len(board)
        case "unpaired":
            return len(ranks) == len(board)
        case "monotone":
            return True if suits == 1 else None if most > 2 else False
        case "rainbow":
            return True if suits == min(4, len(board)) else None if most == 2 and len(board) > 3 else False
        case "two-tone" | "two tone" | "two-toned":
            return suits == 2 if len(board) == 3 else None
    return max(rank_at(card) for card in board) == rank_of(texture.removesuffix("-high").removesuffix(" high"))


def _texture(known: Known, found: re.Match[str]) -> str | None:
    board = _part(known, found[0])
    return verdict(_has_texture(board, found["texture"]), _truth(known)) if board else None


def _one_suit(known: Known, found: re.Match[str]) -> str | None:
    board, suit = _part(known, found[0]), suit_of(found["suit"] or found["other"])
    return verdict(len(in_suit(board, suit)) == len(board), _truth(known))


def _suits_seen(known: Known, found: re.Match[str]) -> str | None:
    """Checks how many cards of a suit there are. The words may mean the flop, the board, the hand, or hand and board
    together.
    """
    suit, number = suit_of(found["suit"]), number_of(found["number"])
    if re.search(r"\bany\b", found.string):
        return None  # hands that the bot fears
    shown = (known.board[:3], known.board, known.cards, (*known.cards, *known.board))
    return verdict(number in {len(in_suit(cards, suit)) for cards in shown}, _truth(known))


def _there(known: Known, found: re.Match[str]) -> str | None:
    """Checks how many cards of a rank or a suit are on the board."""
    board, number = _part(known, found[0]), found["number"]
    there = (
        in_suit(board, suit_of(found["suit"]))
        if found["suit"]
        else [card for card in board if rank_at(card) == rank_of(found["rank"])]
    )
    if number.startswith(("no", "without")) or found["isnt"]:
        return verdict(not there, _truth(known))
    if number in ("a", "an", "the", "one"):
        return verdict(bool(there) if number == "the" or len(there) < 2 else None, _truth(known))
    return verdict(len(there) == number_of(number), _truth(known))


def _is_possible(known: Known, hand: str) -> bool:
    """Whether somebody can have a straight or a flush."""
    if hand == "flush":
        return _most(known.board) >= 3
    ranks = {rank_at(card) for card in known.board} | ({-1} if 12 in on_board(known) else set())
    return any(len({*range(top - 4, top + 1)} & ranks) >= 3 for top in range(3, 13))


def _possible(known: Known, found: re.Match[str]) -> str | None:
    possible = any(_is_possible(known, hand) for hand in ("straight", "flush") if hand in found[0])
    if found[0].startswith("no") or re.search(r"n't|\bnot\b", found[0]):
        return verdict(not possible, _truth(known))
    now = len(known.board) == 5 or "already" in found[0]
    return "" if possible else _truth(known) if now else None


def _suit_possible(known: Known, found: re.Match[str]) -> str | None:
    there = len(in_suit(known.board, suit_of(found["suit"])))
    return _truth(known) if there > 2 else "" if len(known.board) == 5 else None


def _flush_arrived(known: Known, found: re.Match[str]) -> str | None:
    return verdict((_most(known.board) >= 3) != bool(found["no"]), _truth(known))


def _street_brought(known: Known, found: re.Match[str]) -> str | None:
    """Checks that the turn or the river made a flush or a straight possible, or more likely."""
    card = _street_card(known, found)
    if card is None:
        return None
    if found["hand"] == "flush":
        return verdict(len(in_suit(known.board, card[1])) >= 3, _truth(known))
    return verdict(_is_possible(known, "straight"), _truth(known)) if len(known.board) == 5 else None


def _flush_draw_there(known: Known, found: re.Match[str]) -> str | None:
    board, suit = _part(known, found[0]), found["suit"]
    most = len(in_suit(board, suit_of(suit))) if suit else _most(board)
    if len(board) == 5:
        return None if most > 2 else _truth(known)
    return verdict(True if most == 2 else None if most > 2 else False, _truth(known))


def _pairs_there(known: Known, found: re.Match[str]) -> str | None:
    """Checks how many pairs the board has: "no pair on this board", "two pair on the board"."""
    board = _part(known, found[0])
    pairs, number = len(board) - len({card[0] for card in board}), found["number"]
    wanted = {"no": 0, "a": 1, "one": 1, "two": 2}[number]
    if wanted == 2 and made_kind(known) == TWO_PAIR:
        return None  # the bot's own
    return verdict(pairs == wanted if wanted != 1 else True if pairs == 1 else None if pairs else False, _truth(known))


def _rank_paired(known: Known, found: re.Match[str]) -> str | None:
    rank = rank_of(found["rank"])
    return verdict(sum(rank_at(card) == rank for card in known.board) > 1, _truth(known))


def _counted(known: Known, found: re.Match[str]) -> str | None:
    """Checks ranks that are counted as on the board: "two nines and an eight"."""
    named = [(found["number"], found["rank"]), (found["other"], found["second"])]
    wanted = sorted(rank for count, word in named for rank in [rank_of(word)] * int(number_of(count)))
    there = [sorted(map(rank_at, known.board[:size])) for size in (3, 4, 5)]
    seen = sorted(map(rank_at, known.cards))
    if wanted in there or wanted == seen or len(wanted) < 3:
        return "" if wanted in there else None
    return _truth(known) if {*wanted} <= {*there[-1]} and len(known.board) == len(wanted) else None


def _no_suit(known: Known, _: re.Match[str]) -> str | None:
    suits = {card[1] for card in known.board[:3]}
    return verdict(len(suits) == 3, _truth(known))


def _listed(known: Known, found: re.Match[str]) -> str | None:
    """Checks a bare list of ranks, "A-J-7-6-5". It may be a straight; what differs in more than a card may be, too."""
    named = sorted(rank_of(word) for word in re.findall(rf"{LONG_RANK}|10|[2-9tjqka]", found["cards"]))
    there = [sorted(map(rank_at, known.board[:size])) for size in (3, 4, 5)]
    if named in there:
        return ""
    straight = len({*named}) == 5 and (named[-1] - named[0] == 4 or named == [0, 1, 2, 3, 12])
    same = [board for board in there if len(board) == len(named)]
    if straight or not same or Counter(named) <= Counter(there[-1]) or {*named} <= {*there[-1]}:
        return None
    off = sum((Counter(named) - Counter(same[0])).values())
    mine = sum((Counter(named) & Counter(map(rank_at, known.cards))).values())
    return _truth(known) if off == 1 and not mine else None


def _texture_first(known: Known, found: re.Match[str]) -> str | None:
    """Checks a texture that opens a sentence: "Monotone: ace, nine, four"."""
    size = 3 if "flop" in found[0] else len(known.board)
    return verdict(_has_texture(known.board[:size], found["texture"]), _truth(known))


def _all_suits(known: Known, found: re.Match[str]) -> str | None:
    if "hand" in found.string or len(in_suit(known.cards, suit_of(found["suit"]))) == 2:
        return None
    return verdict(len(in_suit(known.board, suit_of(found["suit"]))) == len(known.board), _truth(known))


def _four_suits(known: Known, _: re.Match[str]) -> str | None:
    return verdict(len({card[1] for card in known.board}) == 4, _truth(known))


def _street_card(known: Known, found: re.Match[str]) -> Card | None:
    at = {"turn": 3, "river": 4}[found["street"]]
    return known.board[at] if len(known.board) > at else None


def _came(known: Known, found: re.Match[str]) -> str | None:
    card = _street_card(known, found)
    if card is None:
        return None
    right = rank_of(found["rank"]) == rank_at(card) if found["rank"] else card_of(found["card"]) == card
    if found["suit"]:
        right = right and suit_of(found["suit"]) == card[1]
    return verdict(right, f"{found['street']}: {card}")


def _nth_suit(known: Known, found: re.Match[str]) -> str | None:
    """Checks "the river brought the third spade"."""
    card, number = _street_card(known, found), ("second", "third", "fourth", "fifth").index(found["number"]) + 2
    if card is None:
        return None
    board = known.board[: known.board.index(card) + 1]
    right = suit_of(found["suit"]) == card[1] and len(in_suit(board, card[1])) == number
    return verdict(right, f"{found['street']}: {card}")


def _suit_arrived(known: Known, found: re.Match[str]) -> str | None:
    return verdict(len(in_suit(known.board, suit_of(found["suit"]))) >= 3, _truth(known))


def _colour(known: Known, found: re.Match[str]) -> str | None:
    return verdict(all((card[1] in "dh") == (found["colour"] == "red") for card in known.board), _truth(known))


def _pairing(known: Known, found: re.Match[str]) -> str | None:
    card = _street_card(known, found)
    if card is None:
        return None
    before = known.board[: known.board.index(card)]
    return verdict(card[0] in {each[0] for each in before}, f"{found['street']}: {card}")


def _cards(known: Known, found: re.Match[str]) -> str | None:
    named = sorted(map(card_of, re.findall(CARD, found["cards"])))
    return verdict(named in [sorted(known.board[:size]) for size in (3, 4, 5)], _truth(known))


def _ranks(known: Known, found: re.Match[str]) -> str | None:
    named = sorted(rank_of(word) for word in re.findall(rf"{LONG_RANK}|10|[2-9tjqka]", found["cards"]))
    there = [sorted(map(rank_at, known.board[:size])) for size in (3, 4, 5)]
    seen = [*there[-1], *map(rank_at, known.cards)]
    some = all(named.count(rank) <= seen.count(rank) for rank in named)
    return verdict(True if named in there else None if some else False, _truth(known))


_TEXTURE = rf"(?P<texture>(?:double[- ])?paired|unpaired|monotone|rainbow|two[- ]toned?|{LONG_RANK}[- ]high)"
_DEGREES = r"(?: (?:a|an|very|quite|completely|still|now|all|also|dry|wet|safe|scary|and|totally|fairly|pretty|low|,))*"
_THREE_RANKS = r"(?:(?:10|[2-9tjqka])[- ]?){2,4}(?:10|[2-9tjqka])"
_CARDS = rf"(?P<cards>{CARD}(?:[ ,-]*{CARD}){{2,4}})"
_POSSIBLE = r"(?:is |are |was )?(?:possible|out there|available)(?: yet| here| on (?:this|the) board)?"
_HANDS = r"(?:straight|flush)(?:e?s)?(?: (?:or|nor|and) (?:straight|flush)(?:e?s)?)?"
_SHORT_LIST = r"(?:10|[2-9tjqka])(?:-(?:10|[2-9tjqka])){2,4}"
_LONG_LIST = rf"{LONG_RANK}(?:-{LONG_RANK}){{2,4}}"
FACTS = (
    fact(rf"(?<![-\w/])(?P<cards>{_SHORT_LIST}|{_LONG_LIST})(?![-\w/])(?! (?:straight|outs?))", _listed),
    fact(
        rf"(?P<number>no|not a single|not one|without an?|an?|the|one|two|three|four|five|[2-5]) (?:other )?"
        rf"(?:(?P<rank>{LONG_RANK})(?:e?s)?|(?P<suit>{SUIT}))(?P<isnt> (?:isn't|is not|aren't))? "
        r"(?:are |is |came |already |up )*(?:on (?:the |this )?(?:board|flop|table)|out there|up there|on it"
        r"|showing|in sight"
        r"|there already|staring back|in the middle)",
        _there,
    ),
    fact(
        rf"(?:board|flop) (?:has|shows|contains|brings) (?P<number>two|three|four|five|[2-5]) "
        rf"(?:(?P<suit>{SUIT})|(?P<rank>{RANKS_MANY}))(?P<isnt>)",
        _there,
    ),
    fact(
        r"(?:(?<=^)|(?<=^ ))(?P<texture>monotone|rainbow|two[- ]tone)(?: (?:flop|board|turn))?(?=[,.;:]|$| so| with)",
        _texture_first,
    ),
    fact(r"all four suits(?: are)?(?: (?:up |out )?(?:there|here)| on (?:the )?board)?", _four_suits),
    fact(rf"all (?P<suit>{SUIT}) on (?:the |this )?(?:board|flop)", _all_suits),
    fact(r"(?:board|flop) has (?P<texture>paired)", _texture),
    fact(
        rf"(?:board|flop) (?:is|was|came|comes|looks) all (?P<suit>{SUIT})|all one suit, (?P<other>{SUIT})", _one_suit
    ),
    fact(r"it's (?P<texture>monotone|rainbow)", _texture),
    fact(rf"(?:board|flop) (?:is|came|comes|looks|was|came out){_DEGREES} {_TEXTURE}", _texture),
    fact(rf"(?<=a ){_TEXTURE},?(?: (?:dry|wet|low|safe))? (?:board|flop)", _texture),
    fact(rf"(?<=(?:he|is|at) ){_TEXTURE} (?:board|flop)", _texture),
    fact(
        rf"(?:(?<=with )|(?<=^)|(?<=^ )|(?<=, ))(?P<number>two|three|four) (?P<suit>{SUIT})"
        r"(?= now| there| out|[.,;:!]|$)",
        _suits_seen,
    ),
    fact(
        rf"(?:no (?:possible )?{_HANDS}(?: {_POSSIBLE}| can be made| is there|(?<=no possible flush))"
        rf"|(?<!no )(?<!bigger )(?<!higher )(?<!better ){_HANDS} (?:is|are)(?:n't| not)?(?: already| now)? possible"
        r"|there's (?:already )?an? (?:straight|flush) possible(?: already)?"
        r"|(?:nobody|no one) can have (?:a|the) (?:straight|flush))",
        _possible,
    ),
    fact(rf"(?P<suit>{SUIT}) (?:can't|cannot) make a flush", _suit_possible, hedged=True),
    fact(
        r"(?P<no>no )?(?:flush(?:es)?|flush draws?) (?:got there|came in|has come in|completed|is there|is on"
        r"|is complete|has arrived|arrived)",
        _flush_arrived,
    ),
    fact(
        r"(?P<street>turn|river)(?: card)? (?:also |just |now )?(?:completed|completes|brought|brings|makes"
        r"|made|put) (?:in |up )?(?:a|the|another)"
        r" (?:possible )?(?P<hand>flush|straight)(?P<no>)(?! draw)",
        _street_brought,
    ),
    fact(
        rf"(?:board|flop) (?:has|shows|brings|brought|offers) an? (?:(?P<suit>{SUIT}) )?flush draw"
        rf"|(?:there's|there is|there was) an? flush draw (?:in \w+ )?(?:on (?:the |this )?(?:board|flop)|out there)",
        _flush_draw_there,
    ),
    fact(
        r"(?P<number>no|a|one|two) (?:pairs?) (?:up )?(?:on (?:the |this )?(?:board|flop)|out there)(?! of)",
        _pairs_there,
    ),
    fact(
        rf"(?:turn|river)(?: card)? (?:paired|pairs|has paired) (?:the|my)(?: \w+)? (?P<rank>{LONG_RANK})s?",
        _rank_paired,
    ),
    fact(
        rf"(?:(?<=the )|(?<=^)|(?<=^ ))(?P<rank>{LONG_RANK})s? (?:has |have )?paired(?! (?:my|me|his|up with))",
        _rank_paired,
    ),
    fact(
        rf"(?:(?<=^)|(?<=^ ))(?P<number>two|three) (?P<rank>{RANKS_MANY}) and (?P<other>an?|one"
        rf"|two) (?P<second>{LONG_RANK})s?"
        r"(?=[,.;:!]| on| out| up| there|$)",
        _counted,
    ),
    fact(rf"(?:(?<=^)|(?<=^ )|(?<=, ))all (?P<suit>{SUIT})(?=[,.;!]|$)", _all_suits),
    fact(
        r"(?:board|flop) (?:is|was|came|comes|looks)(?: all)? (?:different suits|three suits)"
        r"|all (?:three )?different suits"
        r"|no two (?:cards )?of (?:the same|a) suit",
        _no_suit,
    ),
    fact(
        r"(?P<street>turn|river)(?: card)? (?:is|was|came|brought|brings|comes)(?: a| an| the| another)? "
        rf"(?:(?P<card>{CARD})|(?P<rank>{LONG_RANK}|10|[2-9tjqk])(?: of (?P<suit>{SUIT}))?)(?![- ](?:high|{SUIT}"
        r"|more|outs?|bbs?|big|x|chips?))",
        _came,
    ),
    fact(r"(?P<street>turn|river)(?: card)? (?:paired|pairs|has paired) the board", _pairing),
    fact(
        rf"(?P<street>turn|river)(?: card)? (?:brought|brings|is|was|put|completed)(?: out)? (?:the|an?) "
        rf"(?P<number>second|third|fourth|fifth) (?P<suit>{SUIT})",
        _nth_suit,
    ),
    fact(rf"(?:every|the) (?P<suit>{SUIT}) (?:flush )?draws? (?:got there|came in|completed|hit)", _suit_arrived),
    fact(
        r"(?:board is|board's|board cards are|all (?:three|four"
        r"|five)(?: board)?(?: cards)? are) (?:all )?(?P<colour>red|black)",
        _colour,
    ),
    fact(rf"(?:(?:board|flop)(?: is| of| came| comes|:| reads| was)?|on(?: a| this| the)?) {_CARDS}(?!\d)", _cards),
    fact(rf"(?:board|flop)(?: is| of| came| comes|:| reads| was) (?P<cards>{_THREE_RANKS})", _ranks),
    fact(rf"on(?: a| this)? (?=\S*[tjqka-])(?P<cards>{_THREE_RANKS})(?! high)", _ranks),
)
