"""Names hole cards on a board ("top pair", "a flush draw"), and hands at the showdown with their kickers.

A draw is named only if an unseen card could complete it. No I/O.
"""

from collections.abc import Collection, Iterable, Sequence

from server.game.cards import DECK, RANKS, Card
from server.game.ranking import card_name, category, ranking_name, strength

_SINGULAR = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_PLURAL = tuple(word + ("es" if word == "six" else "s") for word in _SINGULAR)
UNMENTIONED_HANDS = ("", "nothing", "only the pair on the board", "just what is on the board")
"""Names of hands that captions do not mention: "" for an unknown hand, and the names of worthless hands."""
_OF_A_KIND = ("two pair", "three of a kind", "four of a kind")
_FULL_BOARD_CARDS = 5
"""The number of cards on a full board."""
_HIGH, _STRAIGHT, _FLUSH, _STRAIGHT_FLUSH = 0, 4, 5, 8
"""The numbers that `strength` gives to these kinds of hands."""
_COUNT_WORDS = {3: "three", 7: "four"}
"""The first word of names such as "three kings", keyed by the number of the kind of hand."""
_NAMING_RANKS = (1, 1, 2, 1, 1, 1, 2, 1, 1)
"""How many ranks are in a hand's name, for each kind from high card to straight flush. Other ranks are kickers."""


def hole_name(cards: Sequence[Card]) -> str:
    """Names two cards before the flop: "pocket nines", "ace-king suited"."""
    high, low = sorted(cards, key=lambda card: -RANKS.index(card[0]))
    if high[0] == low[0]:
        return f"pocket {_PLURAL[RANKS.index(high[0])]}"
    return f"{_SINGULAR[RANKS.index(high[0])]}-{_SINGULAR[RANKS.index(low[0])]}{' suited' if high[1] == low[1] else ''}"


def flop_name(cards: Sequence[Card]) -> str:
    """Names a flop, the highest card first: "queen-ten-seven", "king-king-ten", "ace-six-deuce, all hearts"."""
    suits = {card_name(card).split(" of ")[1] for card in cards}
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    return "-".join(_SINGULAR[rank] for rank in ranks) + (f", all {suits.pop()}" if len(suits) == 1 else "")


def street_name(card: Card) -> str:
    """Names a turn or river card: "queen of hearts", "deuce of clubs"."""
    return f"{_SINGULAR[RANKS.index(card[0])]} of {card_name(card).split(' of ')[1]}"


def hand_name(cards: Sequence[Card], board: Sequence[Card], seen: Collection[Card]) -> str:
    """Names what two cards make on a board, and their draw: "top pair and a flush draw".

    `seen` are the cards that are face up, and so cannot be dealt any more.
    """
    if not board:
        return hole_name(cards)
    made, drawn = made_name(cards, board), draw_name(cards, board, seen)
    if not drawn or made in UNMENTIONED_HANDS:
        return drawn or made
    return f"{made} and {drawn}"


def made_name(cards: Sequence[Card], board: Sequence[Card]) -> str:
    """Names what two cards make with a board of three to five cards: "top pair", "a set of nines", "a straight"."""
    value, board_value = strength([*cards, *board]), strength(board)
    kind = category(value)
    if value == board_value or (kind in _OF_A_KIND and _have_same_name(value, board_value)):
        return "just what is on the board"
    if kind == "high card":
        return _high_words(cards, board)
    if kind == "pair" or (kind == "two pair" and _is_one_pair(cards, board)):
        return _pair_words(cards, board)
    if kind == "three of a kind":
        return _trips_words(cards, board)
    if ranking_name(value) == "royal flush":
        return "a royal flush"
    return kind if kind.startswith(("two", "four")) else f"a {kind}"


def draw_name(cards: Sequence[Card], board: Sequence[Card], seen: Collection[Card]) -> str:
    """Names the best draw to a flush or straight that the next card could complete. Returns "" if there is no draw, or
    if the cards already make a straight or better.
    """
    if not 3 <= len(board) < _FULL_BOARD_CARDS or strength([*cards, *board]) >> 24 >= _STRAIGHT:
        return ""
    ranks = set()
    for card in DECK:
        if card in seen or card in cards or card in board:
            continue
        value = strength([*cards, *board, card])
        if len(board) == _FULL_BOARD_CARDS - 1 and value == strength([*board, card]):  # the board alone makes this hand
            continue
        if value >> 24 in (_FLUSH, _STRAIGHT_FLUSH):
            return "a flush draw"
        if value >> 24 == _STRAIGHT:
            ranks.add(card[0])
    if not ranks:
        return ""
    return "a gutshot" if len(ranks) == 1 and not _open_ended(cards, board) else "a straight draw"


def is_improved(cards: Sequence[Card], board: Sequence[Card]) -> bool:
    """Whether the board has improved the hole cards: it has paired one of them, or has made a straight or better."""
    return bool({card[0] for card in cards} & {card[0] for card in board}) or (
        strength([*cards, *board]) >> 24 >= _STRAIGHT
    )


def _open_ended(cards: Sequence[Card], board: Sequence[Card]) -> bool:
    """Whether the cards have four ranks in a row, so that a card at either end would complete a straight.

    Does not check whether such a card is unseen.
    """
    ranks = {RANKS.index(card[0]) for card in (*cards, *board)}
    return any({low, low + 1, low + 2, low + 3} <= ranks for low in range(9))


def _high_words(cards: Sequence[Card], board: Sequence[Card]) -> str:
    top = max(RANKS.index(card[0]) for card in cards)
    over = top > max(RANKS.index(card[0]) for card in board)
    return f"{_SINGULAR[top]} high" if over else "nothing"


def _is_one_pair(cards: Sequence[Card], board: Sequence[Card]) -> bool:
    """Whether a hand of two pairs is named after only one pair, because the other pair is on the board.

    The hole cards of such a hand are a pocket pair, or one of them makes a pair that is higher than the board's pair.
    """
    ranks = [card[0] for card in board]
    on_board = max((RANKS.index(rank) for rank in ranks if ranks.count(rank) > 1), default=len(RANKS))
    paired = {card[0] for card in cards} & {*ranks}
    if cards[0][0] == cards[1][0]:
        return on_board < len(RANKS)
    return len(paired) == 1 and all(RANKS.index(rank) > on_board for rank in paired)


def _pair_words(cards: Sequence[Card], board: Sequence[Card]) -> str:
    mine, on_board = [RANKS.index(card[0]) for card in cards], sorted({RANKS.index(card[0]) for card in board})
    if mine[0] == mine[1]:
        return "an overpair" if mine[0] > on_board[-1] else f"pocket {_PLURAL[mine[0]]}"
    paired = {*mine} & {*on_board}
    if not paired:
        return "only the pair on the board"
    (rank,) = paired
    if rank == on_board[-1]:
        return "top pair"
    is_bottom = rank == on_board[0] and len(on_board) == len(board)  # "bottom pair" is not said on a paired board
    return "bottom pair" if is_bottom else f"a pair of {_PLURAL[rank]}"


def _trips_words(cards: Sequence[Card], board: Sequence[Card]) -> str:
    ranks = [card[0] for card in (*cards, *board)]
    many = next(_PLURAL[RANKS.index(rank)] for rank in ranks if ranks.count(rank) == 3)
    return f"a set of {many}" if cards[0][0] == cards[1][0] else f"trip {many}"


def showdown_name(cards: Sequence[Card], board: Sequence[Card], others: Iterable[Sequence[Card]]) -> str:
    """Names a hand on a full board: "pair of sevens, queen kicker", "flush, ace-nine high".

    `others` are the hole cards of the opponents. If opponents' hands have the same name, the name gets the kicker that
    decides against the best of these hands. If the second card of a high-card hand decides, the name has two cards:
    "king-seven high". The name of a hand that plays the board ends in "on the board".
    """
    value = strength([*cards, *board])
    name = _name_without_kickers(value)
    if len(board) == _FULL_BOARD_CARDS and value == strength(board):
        return f"{name}, on the board"
    strengths = (strength([*other, *board]) for other in others)
    alike = [other for other in strengths if _have_same_name(value, other) and other != value]
    if not alike:
        return name
    ranks = _ranks(value)
    pairs = zip(ranks, _ranks(max(alike)), strict=True)
    index = next(at for at, (mine, theirs) in enumerate(pairs) if mine != theirs)
    named = "-".join(_SINGULAR[rank] for rank in ranks[: index + 1])
    if value >> 24 == _HIGH and index == 1:
        return f"{named} high"
    if value >> 24 == _FLUSH:
        return f"flush, {named} high" if named.count("-") < 2 else f"flush, {named}"
    return f"{name}, {_SINGULAR[ranks[index]]} kicker"


def spoken_name(name: str) -> str:
    """Returns a hand's name as people say it: "ace-high straight" for "straight, ace high".

    A straight to the five is a "wheel", and a full house is "threes full of aces". If the second card of a flush
    decides, the flush is a "queen-jack-high flush". Other names stay as they are.
    """
    kind, _, ranks = name.removesuffix(" high").partition(", ")
    if kind == "full house":
        return ranks.replace(" over ", " full of ")
    if (kind, ranks) == ("straight", "five"):
        return "wheel"
    if kind not in ("straight", "flush", "straight flush"):
        return name
    high, *lower = ranks.split("-")
    return f"{ranks if len(lower) == 1 else high}-high {kind}"


def _have_same_name(value: int, other: int) -> bool:
    """Whether two strengths differ at most in their kickers."""
    named = _NAMING_RANKS[value >> 24]
    return value >> 24 == other >> 24 and _ranks(value)[:named] == _ranks(other)[:named]


def _name_without_kickers(value: int) -> str:
    """Names a hand of strength `value` without its kickers."""
    kind, first = value >> 24, _ranks(value)[0]
    if kind == _HIGH:
        return f"{_SINGULAR[first]} high"
    if kind in _COUNT_WORDS:
        return f"{_COUNT_WORDS[kind]} {_PLURAL[first]}"
    name = ranking_name(value).replace("twos", _PLURAL[0])
    return name.rpartition(", ")[0] if name.endswith(" kicker") else name


def _ranks(value: int) -> list[int]:
    """The ranks in a strength, the most important first."""
    return [value >> shift & 15 for shift in (16, 12, 8, 4, 0)]
