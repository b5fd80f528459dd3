"""What two cards are worth on a board, in a few words: "pocket nines", "top pair", "a flush draw". Pure.

A draw is named only where one more card would make it, and that card does not lie face up somewhere.
"""

from collections.abc import Collection, Sequence

from broadcast.commentary.showdown_names import alike
from server.game.cards import DECK, RANKS, Card
from server.game.ranking import category, ranking_name, strength

_ONE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_MANY = tuple(word + ("es" if word == "six" else "s") for word in _ONE)
_NICKNAMES = {
    "AA": "the bullets, two aces", "KK": "the cowboys, two kings", "QQ": "the ladies, two queens",
    "JJ": "the fishhooks, two jacks", "22": "the ducks, two twos", "AK": "big slick, ace and king",
}  # fmt: skip
POOR = ("", "nothing", "only the pair on the board", "just what is on the board")
"""Hands nobody boasts of."""
_OF_A_KIND = ("two pair", "three of a kind", "four of a kind")
_RIVER = 5
_STRAIGHT, _FLUSH, _STRAIGHT_FLUSH = 4, 5, 8
"""Kinds of hands, as `strength` has them."""


def hole_name(cards: Sequence[Card], *, famous: bool = False) -> str:
    """Two cards before the flop: "pocket nines", "ace-king suited"; `famous` ones by what people call them."""
    high, low = sorted(cards, key=lambda card: -RANKS.index(card[0]))
    suited = "s" if high[1] == low[1] else ""
    if famous and high[0] + low[0] in _NICKNAMES:
        return _NICKNAMES[high[0] + low[0]]
    if high[0] == low[0]:
        return f"pocket {_MANY[RANKS.index(high[0])]}"
    return f"{_ONE[RANKS.index(high[0])]}-{_ONE[RANKS.index(low[0])]}{' suited' if suited else ''}"


def hand_name(cards: Sequence[Card], board: Sequence[Card], seen: Collection[Card]) -> str:
    """What two cards are on a board, with the draws that are open while the cards `seen` lie face up."""
    if not board:
        return hole_name(cards)
    made, drawn = made_name(cards, board), draw_name(cards, board, seen)
    if not drawn or made in POOR:
        return drawn or made
    return f"{made} and {drawn}"


def made_name(cards: Sequence[Card], board: Sequence[Card]) -> str:
    """What two cards make with a board of three to five: "top pair", "a set of nines", "a straight"."""
    value, lying = strength([*cards, *board]), strength(board)
    kind = category(value)
    if value == lying or (kind in _OF_A_KIND and alike(value, lying)):
        return "just what is on the board"
    if kind == "high card":
        return _high_words(cards, board)
    if kind == "pair":
        return _pair_words(cards, board)
    if kind == "three of a kind":
        return _trips_words(cards, board)
    if ranking_name(value) == "royal flush":
        return "a royal flush"
    return kind if kind.startswith(("two", "four")) else f"a {kind}"


def draw_name(cards: Sequence[Card], board: Sequence[Card], seen: Collection[Card]) -> str:
    """The best draw: to a flush or to a straight with one card to come; "" if there is none or it is made already."""
    outs = _outs(cards, board, seen)
    if any(kind == "flush" for kind, _ in outs):
        return "a flush draw"
    ranks = {card[0] for _, card in outs}
    if not ranks:
        return ""
    return "a gutshot" if len(ranks) == 1 and not _open_ended(cards, board) else "a straight draw"


def _outs(cards: Sequence[Card], board: Sequence[Card], seen: Collection[Card]) -> list[tuple[str, Card]]:
    """The cards that would make a straight or a flush out of something less, with a card of one's own in it."""
    if not 3 <= len(board) < _RIVER or strength([*cards, *board]) >> 24 >= _STRAIGHT:
        return []
    found = []
    for card in DECK:
        if card in seen or card in cards or card in board:
            continue
        value = strength([*cards, *board, card])
        kind = value >> 24
        if kind in (_STRAIGHT, _FLUSH, _STRAIGHT_FLUSH) and not _on_board(value, [*board, card]):
            found.append(("straight" if kind == _STRAIGHT else "flush", card))
    return found


def _on_board(value: int, board: Sequence[Card]) -> bool:
    """Whether the board alone is worth that much."""
    return len(board) == _RIVER and strength(board) == value


def _open_ended(cards: Sequence[Card], board: Sequence[Card]) -> bool:
    """Whether four ranks stand in a row with room at both ends: some of these cards may be gone."""
    ranks = {RANKS.index(card[0]) for card in (*cards, *board)}
    return any({low, low + 1, low + 2, low + 3} <= ranks for low in range(9))


def _high_words(cards: Sequence[Card], board: Sequence[Card]) -> str:
    top = max(RANKS.index(card[0]) for card in cards)
    over = top > max(RANKS.index(card[0]) for card in board)
    return f"{_ONE[top]} high" if over else "nothing"


def _pair_words(cards: Sequence[Card], board: Sequence[Card]) -> str:
    mine, lying = [RANKS.index(card[0]) for card in cards], sorted({RANKS.index(card[0]) for card in board})
    if mine[0] == mine[1]:
        return "an overpair" if mine[0] > lying[-1] else f"pocket {_MANY[mine[0]]}"
    paired = {*mine} & {*lying}
    if not paired:
        return "only the pair on the board"
    (rank,) = paired
    return {lying[-1]: "top pair", lying[0]: "bottom pair"}.get(rank, f"a pair of {_MANY[rank]}")


def _trips_words(cards: Sequence[Card], board: Sequence[Card]) -> str:
    ranks = [card[0] for card in (*cards, *board)]
    rank = next(rank for rank in ranks if ranks.count(rank) == 3)
    if cards[0][0] == cards[1][0]:
        return f"a set of {_MANY[RANKS.index(rank)]}"
    return f"three {_MANY[RANKS.index(rank)]}"
