"""Claims about the board: "paired", "monotone", "three hearts out there", "the turn was a king". No I/O.

A bot makes these claims in its thoughts. Words about the flop are checked against the flop. Words about the texture of
a longer board are claims only if nobody would argue about them. Each check returns "" if the words are right, the truth
if they are wrong, and None if they are no claim or the check cannot tell.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from broadcast.commentary.claims.kinds.ranks import (
    TWO_PAIR,
    board_ranks,
    in_suit,
    longest_suit,
    made_kind,
    rank_of_card,
)
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import Fact, fact, verdict
from broadcast.commentary.claims.speech.words import (
    CARD,
    LONG_RANK,
    PLURAL_RANK,
    SUIT,
    card_of,
    number_of,
    only_suit,
    rank_of,
    suit_of,
)
from server.game.cards import Card
from server.text.grammar import count_text

KIND = "board"
EXAMPLES = """
Ah Kd, Kc 7s 7h         | The [board is paired].                            |
Ah Kd, Kc 7s 2h         | The [board is paired].                            | board: Kc 7s 2h
Ah Kd, Kc 7c 2c         | I have top pair on a [monotone flop].             |
Ah Kd, Kc 7s 2h         | A [rainbow flop], so I bet.                       |
Ah Kd, Kc 7s 2h         | There are [three hearts on the board].            | board: 1 heart
Ah Kd, Kc 7h 2h         | There's just [one heart on the board].            | board: 2 hearts
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
Ah Kd, Kc 7s 7h         | The [board isn't paired].                         | board: Kc 7s 7h
Ah Kd, Kc 7s 2h         | The [flop is all one suit].                       | board: Kc 7s 2h
Ah Kd, Kc 7s 2h 3h      | [The seven is a club].                            | board: Kc 7s 2h 3h
Ah Kd, Kc 7s 2h         | [An ace came].                                    | board: Kc 7s 2h
Ah Ad, Kc 7s 2h Ac      | [The ace is a spade].                             | board: Kc 7s 2h Ac
Ah Ad, Kc 7s 2h Ac      | The ace is a club.                                | no claim
9h 8h, Kc 7h 2h 3h      | [It's the fourth heart].                          | turn: 3h
9h 8h, Kc 7h 2h         | [Four to a flush on the board].                   | board: Kc 7h 2h
9h 8h, Kc 7h 2h         | I have four to a flush on the flop.               | no claim
9h 8h, Kc 7h 2c 3h      | That's the fourth heart.                          | no claim
9h 8h, Kc 7h 2h         | [Three hearts] came.                              | board: Kc 7h 2h
9h 8h, Kc 7h 2h         | I want hearts, and the [flop has three of them].  | board: Kc 7h 2h
Ah Kd, Kc 7s 7h         | As long as the board doesn't pair, I am good.     | no claim
Ah Kd, Kc 7s 2h         | On a paired board I would check.                  | no claim
Ah Kd, Kc 7s 2h         | On paired boards I slow down.                     | no claim
Ah Kd, Kc 7s 2h         | If the board pairs, I am in trouble.              | no claim
Ah Kd, Kc 7s 2h         | The board is dry.                                 | no claim
"""
"""Each row has the bot's cards, the board, a thought with its claims in brackets, and the truth if a claim is false."""


def _truth(known: BotKnowledge) -> str:
    return f"board: {' '.join(known.board)}"


def _named_cards(known: BotKnowledge, found: re.Match[str]) -> tuple[Card, ...]:
    """Returns the cards that the words mean: the flop, the board as it was on the turn or river, or the whole board.

    Returns () if these cards have not been dealt.
    """
    street = found.groupdict().get("part") or ("flop" if "flop" in found[0] else "board")
    size = {"flop": 3, "turn": 4, "river": 5}.get(street, len(known.board))
    return known.board[:size] if size <= len(known.board) else ()


def _most_of_a_suit(board: tuple[Card, ...]) -> int:
    return len(in_suit(board, longest_suit(board)))


def _has_texture(board: tuple[Card, ...], texture: str) -> bool | None:
    ranks = {card[0] for card in board}
    most, suits = _most_of_a_suit(board), len({card[1] for card in board})
    match texture:
        case "paired" | "double paired" | "double-paired":
            return len(ranks) < len(board)
        case "unpaired":
            return len(ranks) == len(board)
        case "monotone" | "all one suit" | "all the same suit" | "single-suited":
            return True if suits == 1 else None if most > 2 else False
        case "rainbow":
            return True if suits == min(4, len(board)) else None if most == 2 and len(board) > 3 else False
        case "two-tone" | "two tone" | "two-toned":
            return suits == 2 if len(board) == 3 else None
    return max(rank_of_card(card) for card in board) == rank_of(texture.removesuffix("-high").removesuffix(" high"))


def _check_texture(known: BotKnowledge, found: re.Match[str]) -> str | None:
    board = _named_cards(known, found)
    if not board or (_ON_A.search(found.string[: found.start()]) and _SUPPOSES.search(found.string)):
        return None
    has = _has_texture(board, found["texture"])
    return verdict(has if has is None or not found.groupdict().get("isnt") else not has, _truth(known))


_ON_A = re.compile(r"\bon an? $")
_SUPPOSES = re.compile(r"\b(?:would|could|might|i'd|usually|always|never)\b")


def _check_board_pair(known: BotKnowledge, found: re.Match[str]) -> str | None:
    ranks = [card[0] for card in known.board]
    pairs = {rank_of_card(card) for card in known.board if ranks.count(card[0]) > 1}
    return verdict(rank_of(found["rank"]) in pairs, _truth(known))


def _check_card_suit(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks the suit or colour of each card of a rank: "the ace is a diamond"."""
    seen = [card for card in (*known.board, *known.cards) if rank_of_card(card) == rank_of(found["rank"])]
    suits = suit_of(found["suit"]) if found["suit"] else "dh" if found["colour"] == "red" else "cs"
    right = {card[1] in suits for card in seen}
    return verdict(right.pop() if len(right) == 1 and seen[0] in known.board else None, _truth(known))


def _check_rank_dealt(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks that a card of a rank has been dealt to the board: "an ace came"."""
    return verdict(any(rank_of_card(card) == rank_of(found["rank"]) for card in known.board), _truth(known))


def _unpaired(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(_has_texture(known.board, "unpaired"), _truth(known))


def _in_colour(known: BotKnowledge, found: re.Match[str]) -> str | None:
    board = _named_cards(known, found)
    board = board[-1:] if found.groupdict().get("part") in ("turn", "river") else board
    return verdict(all((card[1] in "dh") == (found["colour"] == "red") for card in board), _truth(known))


def _check_of_them(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how many cards of a suit the board has: "I need hearts, and the flop has two of them".

    "Them" means a suit only if the words before the claim name exactly one suit and no rank.
    """
    suit = only_suit(found.string[: found.start()])
    there = len(in_suit(_named_cards(known, found), suit))
    return verdict(there == number_of(found["number"]) if suit else None, _truth(known))


def _check_one_suit(known: BotKnowledge, found: re.Match[str]) -> str | None:
    board, suit = _named_cards(known, found), suit_of(found["suit"])
    return verdict(len(in_suit(board, suit)) == len(board), _truth(known))


def _suits_seen(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a number of cards of a suit: "three hearts". The words may mean the flop, the board, the bot's cards, or
    the board and the bot's cards together.
    """
    suit, number = suit_of(found["suit"]), number_of(found["number"])
    if re.search(r"\bany\b", found.string):
        return None  # a sentence with "any" is about hands that the bot fears
    shown = [known.board[:3], known.board, known.cards, (*known.cards, *known.board)]
    shown = shown[:2] if re.match(r" (?:there|out|came|showing)\b", found.string[found.end() :]) else shown
    return verdict(number in {len(in_suit(cards, suit)) for cards in shown}, _truth(known))


def _check_cards_there(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks whether the board has a card of a rank or suit, or how many cards of that rank or suit it has.

    "A card" on the turn or river is the card that was dealt on that street.
    """
    board, number, suit = _named_cards(known, found), found["number"], found["suit"] or found["only"]
    is_single = number in ("a", "an", "the", "that", "this")
    if (is_single or number == "no") and found.groupdict().get("part") in ("turn", "river"):
        board = board[-1:]
    there = [card for card in board if not suit or card[1] == suit_of(suit)]
    there = [card for card in there if not found["rank"] or rank_of_card(card) == rank_of(found["rank"])]
    if not board:
        return None
    truth = f"{found['part']}: {board[0]}" if len(board) == 1 else _truth(known)
    if found["only"] and len(board) > 1 and not found["tint"]:
        truth = f"{found.groupdict().get('part') or 'board'}: {count_text(len(there), found['only'].rstrip('s'))}"
    if number.startswith(("no", "without")) or found["isnt"]:
        return verdict(not there, truth)
    if found["tint"]:
        there = [card for card in there if (card[1] in "dh") == (found["tint"] == "red ")]
    if number == "the" and found["rank"] and re.match(r"[a-z]+s\b", found["named"]):
        return verdict(len(there) > 1, truth)
    if is_single or (number == "one" and not re.search(r"\b(?:just|only) $", found.string[: found.start()])):
        return verdict(bool(there) if len(there) < 2 or number in ("the", "that", "this") else None, truth)
    return verdict(len(there) == number_of(number), truth)


def _check_cards_to_hand(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks "three to a flush" and "two of the same suit".

    The number may include the bot's cards. In claims with "board", only a number after "I" or "my" may include them.
    """
    board, number = _named_cards(known, found), number_of(found["number"])
    if not board:
        return None
    there, held = (_in_hand(cards, found["hand"]) for cards in (board, (*board, *known.cards)))
    sure = "board" in found[0] and not re.search(r"\b(?:i|i've|i'm|my)\b", found.string[: found.start()])
    return verdict(True if there == number else None if held >= number and not sure else False, _truth(known))


def _in_hand(cards: tuple[Card, ...], hand: str) -> int:
    """Returns how many of the cards can be part of the same flush, or of the same straight."""
    if hand != "straight":
        return _most_of_a_suit(cards)
    ranks = {rank_of_card(card) for card in cards}
    ranks |= {-1} if 12 in ranks else set()
    return max(len({*range(top - 4, top + 1)} & ranks) for top in range(3, 13))


def _check_extreme_card(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks the highest, the lowest or the middle card of the board."""
    board = sorted(map(rank_of_card, _named_cards(known, found)))
    if not board or (found["which"] == "middle" and len(board) != 3):
        return None
    index = {"middle": 1, "low": 0, "lowest": 0, "smallest": 0, "bottom": 0}.get(found["which"], -1)
    return verdict(board[index] == rank_of(found["rank"]), _truth(known))


def _check_rank_list(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a list of ranks that a thought calls the flop or the board: "the flop is K72"."""
    named, board = _ranks_in(found["cards"]), _named_cards(known, found)
    there = sorted(map(rank_of_card, board))
    if len(named) != len(there):
        return verdict(True if Counter(named) <= Counter(there) else None, "")
    return verdict(named == there, _truth(known))


def _ranks_in(words: str) -> list[int]:
    return sorted(rank_of(word) for word in re.findall(rf"{LONG_RANK}|10|[2-9tjqka]", words))


def _is_possible(known: BotKnowledge, hand: str) -> bool:
    """Whether somebody can have the hand: "straight", "flush" or "full house"."""
    if hand == "flush":
        return _most_of_a_suit(known.board) >= 3
    if hand == "full house":
        return len(board_ranks(known)) < len(known.board)
    ranks = {rank_of_card(card) for card in known.board} | ({-1} if 12 in board_ranks(known) else set())
    return any(len({*range(top - 4, top + 1)} & ranks) >= 3 for top in range(3, 13))


def _check_possible_hand(known: BotKnowledge, found: re.Match[str]) -> str | None:
    possible = any(_is_possible(known, hand) for hand in ("straight", "flush", "full house") if hand in found[0])
    if found[0].startswith("no") or re.search(r"n't|\bnot\b", found[0]):
        return verdict(not possible, _truth(known))
    now = len(known.board) == 5 or "already" in found[0]
    return "" if possible else _truth(known) if now else None


def _suit_possible(known: BotKnowledge, found: re.Match[str]) -> str | None:
    there = len(in_suit(known.board, suit_of(found["suit"])))
    return _truth(known) if there > 2 else "" if len(known.board) == 5 else None


def _flush_arrived(known: BotKnowledge, found: re.Match[str]) -> str | None:
    most = len(in_suit(known.board, suit_of(found["suit"]))) if found["suit"] else _most_of_a_suit(known.board)
    negative = bool(re.search(r"^no |n't|\bnot\b|never|missed|brick", found[0]))
    return verdict((most >= 3) != negative, _truth(known))


def _street_brought(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks that the turn or the river made a flush or a straight possible, or more likely."""
    card = _street_card(known, found)
    if card is None:
        return None
    if found["hand"] == "flush":
        return verdict((len(in_suit(known.board, card[1])) >= 3) != (found["no"] == "no"), _truth(known))
    if found["no"] == "no":
        return None
    return verdict(_is_possible(known, "straight"), _truth(known)) if len(known.board) == 5 else None


def _flush_draw_there(known: BotKnowledge, found: re.Match[str]) -> str | None:
    board, suit = _named_cards(known, found), found["suit"] or found["of"]
    most = len(in_suit(board, suit_of(suit))) if suit else _most_of_a_suit(board)
    if not board:
        return None
    if re.match(r"no\b|(?:board|flop)\S* \w+ no\b", found[0]):
        return verdict(True if most < 2 else False if most == 2 and len(board) < 5 else None, _truth(known))
    if len(board) == 5:
        return None if most > 2 else _truth(known)
    return verdict(True if most == 2 else None if most > 2 else False, _truth(known))


def _no_flush_draw(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(_most_of_a_suit(known.board) < 2, _truth(known)) if len(known.board) < 5 else None


def _pairs_there(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how many pairs the board has: "no pair on this board", "two pair on the board"."""
    board = _named_cards(known, found)
    if not board:
        return None
    pairs, number = len(board) - len({card[0] for card in board}), found["number"]
    wanted = {"no": 0, "a": 1, "one": 1, "two": 2}[number]
    if found["rank"]:
        return verdict(sum(rank_of_card(card) == rank_of(found["rank"]) for card in board) > 1, _truth(known))
    if wanted == 2 and made_kind(known) == TWO_PAIR and not found[0].startswith(("board", "flop")):
        return None  # the words may mean the bot's own two pair
    return verdict(pairs == wanted if wanted != 1 else True if pairs == 1 else None if pairs else False, _truth(known))


def _rank_paired(known: BotKnowledge, found: re.Match[str]) -> str | None:
    rank = rank_of(found["rank"])
    return verdict(sum(rank_of_card(card) == rank for card in known.board) > 1, _truth(known))


def _check_rank_counts(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how many cards of each rank the board has: "two nines and an eight"."""
    named = [(found["number"], found["rank"]), (found["other"], found["second"])]
    wanted = sorted(rank for count, word in named for rank in [rank_of(word)] * int(number_of(count)))
    there = [sorted(map(rank_of_card, known.board[:size])) for size in (3, 4, 5)]
    seen = sorted(map(rank_of_card, known.cards))
    if wanted in there or wanted == seen or len(wanted) < 3:
        return "" if wanted in there else None
    return _truth(known) if {*wanted} <= {*there[-1]} and len(known.board) == len(wanted) else None


def _check_different_suits(known: BotKnowledge, _: re.Match[str]) -> str | None:
    suits = {card[1] for card in known.board[:3]}
    return verdict(len(suits) == 3, _truth(known))


def _check_unlabelled_ranks(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a list of ranks, such as "A-J-7-6-5", that is not called the board or the flop.

    The list is wrong only if exactly one of its ranks is not on the board, and none of its ranks is among the bot's
    cards. Other lists that differ from the board may mean something else, such as a straight.
    """
    named = _ranks_in(found["cards"])
    there = [sorted(map(rank_of_card, known.board[:size])) for size in (3, 4, 5)]
    if named in there:
        return ""
    straight = len({*named}) == 5 and (named[-1] - named[0] == 4 or named == [0, 1, 2, 3, 12])
    same = [board for board in there if len(board) == len(named)]
    if straight or not same or Counter(named) <= Counter(there[-1]) or {*named} <= {*there[-1]}:
        return None
    off = sum((Counter(named) - Counter(same[0])).values())
    mine = sum((Counter(named) & Counter(map(rank_of_card, known.cards))).values())
    return _truth(known) if off == 1 and not mine else None


def _check_unlabelled_suit(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if len(in_suit(known.cards, suit_of(found["suit"]))) == 2:
        return None
    return verdict(len(in_suit(known.board, suit_of(found["suit"]))) == len(known.board), _truth(known))


def _four_suits(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(len({card[1] for card in known.board}) == 4, _truth(known))


def _street_card(known: BotKnowledge, found: re.Match[str]) -> Card | None:
    index = {"turn": 3, "river": 4}.get(found["street"], len(known.board) - 1)
    return known.board[index] if len(known.board) > index > 2 else None


def _check_card_came(known: BotKnowledge, found: re.Match[str]) -> str | None:
    card = _street_card(known, found)
    if card is None:
        return None
    right = (
        (not found["rank"] or rank_of(found["rank"]) == rank_of_card(card))
        and (not found["card"] or card_of(found["card"]) == card)
        and (not found["suit"] or suit_of(found["suit"]) == card[1])
        and (not found["colour"] or (card[1] in "dh") == (found["colour"] == "red"))
    )
    return verdict(right, f"{found['street']}: {card}")


def _nth_suit(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks "the river brought the third spade" and "the turn is another heart"."""
    card, number = (
        _street_card(known, found),
        ("another", "second", "third", "fourth", "fifth").index(found["number"]) + 1,
    )
    if card is None:
        return None
    there = len(in_suit(known.board[: known.board.index(card) + 1], card[1]))
    right = suit_of(found["suit"]) == card[1] and (there == number if number > 1 else there > 1)
    if not found["street"] and there + len(in_suit(known.cards, card[1])) == number:
        return None  # the number may include the bot's cards
    return verdict(right, f"{found['street'] or known.street}: {card}")


def _check_board_pairing(known: BotKnowledge, found: re.Match[str]) -> str | None:
    card = _street_card(known, found)
    if card is None:
        return None
    before = known.board[: known.board.index(card)]
    return verdict((card[0] in {each[0] for each in before}) != bool(found["no"]), f"{found['street']}: {card}")


def _check_card_list(known: BotKnowledge, found: re.Match[str]) -> str | None:
    named = sorted(map(card_of, re.findall(CARD, found["cards"])))
    return verdict(named in [sorted(known.board[:size]) for size in (3, 4, 5)], _truth(known))


_TEXTURE = (
    rf"(?P<texture>(?:double[- ])?paired|unpaired|monotone|all (?:one|the same) suit|single-suited|rainbow"
    rf"|two[- ]toned?|{LONG_RANK}[- ]high)"
)
_DEGREE = (
    r"(?:(?:an?|the|very|quite|completely|totally|fairly|pretty|still|now|also|already|dry|wet|low|safe|scary"
    r"|harmless|blank|boring"
    r"|ugly|nice|only|just|up|out|down|with|has|and|has just|brick,|complete|total|innocent|small|big|big fat|all"
    r"|been),? )*"
)
_PART = r"(?P<part>board|flop|turn|river)(?: card| itself)?"
_IS = (
    r"(?:(?:'s| is| was| are| came| comes| has| had| shows| contains| looks| reads| offers| holds)(?: now| out"
    r"| also| in| up)?"
    r"|(?<=turn) (?:brought|brings|put)|(?<=river) (?:brought|brings|put)|(?<=flop) (?:brought|brings|gave))"
)
_ON = (
    r"(?: (?:are|is|was|came|come|already|now|up|showing|cards|card|sitting|here|right))*"
    r" (?:(?:on|in|onto|across)(?: the| this| that)? (?P<part>board|flop|table|middle|turn|river)|out there"
    r"|up there|in sight|showing|(?:on (?:this|the) (?:runout|felt|layout))|by the (?:river|turn)"
    r"|on it|there already|staring back)"
)
_THREE_RANKS = r"(?:(?:10|[2-9tjqka])[- ]?){2,4}(?:10|[2-9tjqka])"
_CARDS = rf"(?P<cards>{CARD}(?:[ ,-]*{CARD}){{2,4}})"
_POSSIBLE = r"(?:is |are |was )?(?:possible|out there|available)(?: yet| here| on (?:this|the) board)?"
_HANDS = r"(?:straight|flush|full house)(?:e?s)?(?: (?:or|nor|and) (?:straight|flush|full house)(?:e?s)?)?"
_SHORT_LIST = r"(?:10|[2-9tjqka])(?:-(?:10|[2-9tjqka])){2,4}"
_LONG_LIST = rf"{LONG_RANK}(?:(?:-|, |,? and ){LONG_RANK}){{2,4}}"
_COUNT = r"(?P<number>two|three|four|five|[2-5])"
_SOME = r"(?P<number>no|not a single|not one|without an?|an?|the|that|this|one|two|three|four|five|[2-5])"
_COLOUR = r"(?P<tint>black |red )?(?:(?:lone|single|other|blank|harmless|offsuit|small|big|dry|scary|ugly) )*"
_RANKED = rf"(?P<rank>{LONG_RANK})(?:e?s)?(?: of (?P<suit>{SUIT}))?(?![- ](?:high|kicker|{LONG_RANK}))"
_STREET = r"(?P<street>turn|river|last)(?: card)?"
_CARD_NAMED = (
    rf"(?:(?P<card>{CARD})|(?P<colour>red |black )?(?:(?P<rank>{LONG_RANK}|10|[2-9tjqk])(?: of (?P<suit>{SUIT}))?))"
    rf"(?![- ](?:high|{SUIT}|more|outs?|bbs?|big|x|chips?|on the|{LONG_RANK}))"
)
_CAME = r"(?:(?:'s| is| was| came| brought| brings| comes| changed nothing|,)(?: in| with| out)?)"


def _facts_about_board(words: str, check: Callable[[BotKnowledge, re.Match[str]], str | None]) -> Iterator[Fact]:
    """Yields patterns for `words` in three places: "the flop is paired", "paired on the flop", "a paired flop"."""
    yield fact(rf"{_PART}{_IS} {_DEGREE}{words}", check)
    yield fact(rf"{words}(?<!high)(?<!paired){_ON}", check)
    yield fact(rf"{words}(?: (?:dry|wet|low|safe|connected))* (?P<part>board|flop)(?! (?:texture|cards?|bet))", check)


_CARDS_THERE = (
    rf"{_SOME}(?: |(?<!two)(?<!three)(?<!four)(?<!five)-|-(?={SUIT}))(?:other )?{_COLOUR}"
    rf"(?P<named>{_RANKED}|(?P<only>{SUIT}))(?P<isnt> (?:isn't|is not|aren't))?"
)
FACTS = (
    *_facts_about_board(_TEXTURE, _check_texture),
    *_facts_about_board(rf"all (?P<suit>{SUIT})", _check_one_suit),
    *_facts_about_board(r"(?:all |both )?(?P<colour>red|black)(?! [a-z])", _in_colour),
    *_facts_about_board(
        r"(?:all |three )(?:three )?(?:different )?suits|no two (?:cards )?of (?:the same|a) suit",
        _check_different_suits,
    ),
    *_facts_about_board(
        rf"{_COUNT}[- ](?:cards )?(?:to an?|of the same|of one) (?P<hand>flush|straight|suit)", _check_cards_to_hand
    ),
    fact(r"(?P<number>no) pairs? anywhere(?P<rank>)", _pairs_there),
    *_facts_about_board(rf"(?P<number>no|a|one|two) pairs?(?: of (?P<rank>{PLURAL_RANK}))?(?! of)", _pairs_there),
    *_facts_about_board(
        r"(?:(?<!had )(?<!have )(?<!hold )(?<!with )(?:an?|the)|no)"  # "I had a flush draw" is about the bot's cards
        rf" (?:possible )?(?:(?P<suit>{SUIT}) )?flush draw(?: in (?P<of>{SUIT}))?",
        _flush_draw_there,
    ),
    *_facts_about_board(_CARDS_THERE, _check_cards_there),
    fact(
        r"(?P<which>top|highest|high|biggest|lowest|low|smallest|bottom|middle)(?: board| flop)?(?: card)?"
        rf"(?:{_ON})? (?:is|was) (?:only |just )?(?:an? |the )?(?P<rank>{LONG_RANK})(?! kicker)",
        _check_extreme_card,
    ),
    fact(
        rf"(?P<rank>{LONG_RANK}) (?:is|was) the (?P<which>top|highest|lowest|middle)(?: board)? card{_ON}",
        _check_extreme_card,
    ),
    fact(
        rf"(?P<part>flop|board)(?: (?:is|was|came|comes|came down|reads|shows)|'s"
        rf"|:)(?: out)? (?P<cards>{_THREE_RANKS}|{_LONG_LIST})"
        r"(?![\w-])",
        _check_rank_list,
    ),
    fact(rf"(?P<cards>{_SHORT_LIST}|{_LONG_LIST}) (?:on the |this )?(?P<part>flop)", _check_rank_list),
    fact(
        rf"(?:{_SHORT_LIST}|{_LONG_LIST}|board"
        rf"|flop)(?: rainbow)? with {_COUNT} (?P<only>{SUIT})(?P<suit>)(?P<rank>)(?P<isnt>)(?P<tint>)(?P<named>)",
        _check_cards_there,
    ),
    fact(
        rf"(?<![-\w/])(?P<cards>{_SHORT_LIST}|{_LONG_LIST})(?![-\w/])(?! (?:straight|outs?))", _check_unlabelled_ranks
    ),
    fact(rf"on(?: a| this| the)? (?=\S*[tjqka-])(?P<cards>{_THREE_RANKS})(?! high)", _check_unlabelled_ranks),
    fact(
        rf"(?:(?:board|flop)(?: is| of| came| comes|:| reads| was)?|on(?: a| this| the)?) {_CARDS}(?!\d)",
        _check_card_list,
    ),
    fact(rf"(?:(?<=^)|(?<=^ )){_CARDS} (?:on the (?:flop|board)|flop|board)", _check_card_list),
    fact(
        r"(?:(?<=^)|(?<=^ ))(?P<texture>monotone|rainbow|two[- ]tone)(?: turn)?(?=[,.;:]|$| so| with)", _check_texture
    ),
    fact(r"it's (?P<texture>monotone|rainbow)", _check_texture),
    fact(rf"{_PART} (?P<isnt>isn't|is not|wasn't|ain't) {_DEGREE}{_TEXTURE}", _check_texture),
    fact(
        rf"(?:the )?(?:board )?pair (?:(?:on|of) (?:the )?board |out there )?is (?P<rank>{PLURAL_RANK})",
        _check_board_pair,
    ),
    fact(
        rf"(?:the|that) (?P<rank>{LONG_RANK})(?: on (?:the )?\w+)? (?:is|was)"
        rf" (?:also )?(?:an? |the )?(?:(?P<suit>{SUIT})"
        r"|(?P<colour>red|black))(?= too|[.,;!]|$)",
        _check_card_suit,
    ),
    fact(rf"an? (?P<rank>{LONG_RANK}) (?:came|fell|arrived|peeled off)(?=[.,;!]|$)", _check_rank_dealt),
    fact(
        rf"(?:(?<=^)|(?<=^ )|(?<=, ))(?P<rank>{LONG_RANK})(?: of (?P<suit>{SUIT}))? on the (?P<street>turn|river)"
        r"(?P<card>)(?P<colour>)(?=[.,;!]|$)",
        _check_card_came,
    ),
    fact(rf"there (?:are|is) {_COUNT} to an? (?P<hand>flush|straight)(?P<part>)", _check_cards_to_hand),
    fact(rf"(?:there's|there is) (?:an? )?(?P<suit>)flush draw in (?P<of>{SUIT})", _flush_draw_there),
    fact(r"no flush draws?(?: is| are)? (?:possible|available|around|to speak of)", _no_flush_draw),
    fact(r"(?:board|flop) (?:has not|hasn't|didn't|did not|doesn't|never) pair(?:ed)?(?P<texture>)", _unpaired),
    fact(r"all four suits(?: are)?(?: (?:up |out )?(?:there|here)| on (?:the )?board)?", _four_suits),
    fact(rf"(?:(?<=^)|(?<=^ )|(?<=, ))all (?P<suit>{SUIT})(?=[,.;!]|$)", _check_unlabelled_suit),
    fact(rf"{_PART}{_IS} {_COUNT} of them", _check_of_them),
    fact(rf"all one suit, (?P<suit>{SUIT})", _check_one_suit),
    fact(
        rf"(?:(?<=with )|(?<=^)|(?<=^ )|(?<=, ))(?P<number>two|three|four) (?P<suit>{SUIT})"
        r"(?= now| there| out| loom| lie| came| showing|[.,;:!]|$)",
        _suits_seen,
    ),
    fact(
        rf"(?:no (?:possible )?{_HANDS}(?: {_POSSIBLE}| can be made| is there|(?<=no possible flush))"
        rf"|(?<!no )(?<!bigger )(?<!higher )(?<!better ){_HANDS} (?:is|are)(?:n't| not)?(?: already| now)? possible"
        r"|there's (?:already )?an? (?:straight|flush) possible(?: already)?|already an? possible (?:straight|flush)"
        r"|(?:nobody|no one|none of us) can (?:have|hold|make)(?: flopped| made)? (?:a|the) (?:straight"
        r"|flush|full house))",
        _check_possible_hand,
    ),
    fact(rf"(?P<suit>{SUIT}) (?:can't|cannot) make a flush", _suit_possible, allows_hedging=True),
    fact(
        rf"(?<!my )(?<!my nut )(?:no |every )?(?:(?P<suit>{SUIT})(?: flush)?(?: draws?)?|flush(?:es)?|flush draws?)"
        r"(?: (?:just|all|has|have|never|didn't|did not|hasn't))* (?:got there|get there|came in|come in|completed"
        r"|complete"
        r"|is there|is on|is complete|arrived?|missed|bricked)(?! (?:off|the|my))",
        _flush_arrived,
    ),
    fact(
        r"(?P<street>turn|river)(?: card)? (?:also |just |now )?(?:completed|completes|brought|brings|makes"
        r"|made|put|puts) (?:in |up )?(?P<no>no|a|the|another)"
        r" (?:possible )?(?P<hand>flush|straight)(?! draw)",
        _street_brought,
    ),
    fact(
        rf"(?:flop|turn|river)(?: card)? (?:paired|pairs|has paired) the(?: \w+)? (?P<rank>{LONG_RANK})s?",
        _rank_paired,
    ),
    fact(
        rf"(?:(?<=the )|(?<=^)|(?<=^ ))(?P<rank>{LONG_RANK})s? (?:has |have )?paired(?! (?:my|me|his|up with))",
        _rank_paired,
    ),
    fact(
        rf"(?:(?<=^)|(?<=^ ))(?P<number>two|three) (?P<rank>{PLURAL_RANK}) and (?P<other>an?|one"
        rf"|two) (?P<second>{LONG_RANK})s?"
        r"(?=[,.;:!]| on| out| up| there|$)",
        _check_rank_counts,
    ),
    fact(rf"{_STREET}{_CAME} {_DEGREE}{_CARD_NAMED}(?!-)", _check_card_came),
    fact(
        rf"(?<!on the )(?<!on )(?<!to the )(?P<street>turn|river) (?=jack|queen|king|ace){_CARD_NAMED}(?!-)",
        _check_card_came,
    ),
    fact(
        rf"(?:the|an?) {_CARD_NAMED} (?:hit|fell|came|landed|arrived) (?:on )?(?:the )?(?P<street>turn|river)",
        _check_card_came,
    ),
    fact(
        rf"{_STREET}{_CAME} {_DEGREE}(?P<suit>{SUIT})(?P<rank>)(?P<card>)(?P<colour>)(?! (?:draw|flush))",
        _check_card_came,
    ),
    fact(
        r"(?P<street>turn|river)(?: card)? (?:paired|pairs|has paired|(?P<no>didn't pair|did not pair)) the board",
        _check_board_pairing,
    ),
    fact(
        r"(?:(?P<street>turn|river)(?: card)? (?:brought|brings|is|was|put|completed|makes)(?: out)?|it's|that's|it is"
        r"|that makes) (?:(?:the|an?|yet) )?"
        rf"(?P<number>another|second|third|fourth|fifth) (?P<suit>{SUIT})",
        _nth_suit,
    ),
    fact(r"(?:all (?:three|four|five)(?: board)?(?: flop)?(?: cards)? are) (?:all )?(?P<colour>red|black)", _in_colour),
    fact(rf"all (?:three|four|five)(?: board)?(?: flop)?(?: cards)? are (?:all )?(?P<suit>{SUIT})", _check_one_suit),
)
