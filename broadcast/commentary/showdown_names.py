"""What the hands of a showdown are called: with the kicker that decides, and only where one does. Pure."""

from collections.abc import Iterable, Sequence

from server.game.cards import Card
from server.game.ranking import ranking_name, strength

_ONE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_HIGH, _FLUSH = 0, 5
_NAMED = (1, 1, 2, 1, 1, 1, 2, 1, 1)
"""How many ranks of a strength every name tells, by the kind of hand; those behind them are kickers."""
_BOARD = 5


def showdown_name(cards: Sequence[Card], board: Sequence[Card], others: Iterable[Sequence[Card]]) -> str:
    """A hand on a whole board against `others`: "pair of sevens, queen kicker", "flush, ace-nine high".

    A kicker is told where it parts this hand from one that beats it, or else from the next best. A hand that is no
    better than the board is told as such: "straight, ace high, on the board".
    """
    value = strength([*cards, *board])
    name = _bare(value)
    if len(board) == _BOARD and value == strength(board):
        return f"{name}, on the board"
    at = _deciding(value, [strength([*other, *board]) for other in others])
    if at is None:
        return name
    ranks = _ranks(value)
    if value >> 24 == _FLUSH:
        return f"flush, {'-'.join(_ONE[rank] for rank in ranks[: at + 1])} high"
    return f"{name}, {_ONE[ranks[at]]} kicker"


def alike(value: int, other: int) -> bool:
    """Whether two strengths have the same name but for kickers."""
    named = _NAMED[value >> 24]
    return value >> 24 == other >> 24 and _ranks(value)[:named] == _ranks(other)[:named]


def _bare(value: int) -> str:
    """The name without a kicker."""
    if value >> 24 == _HIGH:
        return f"{_ONE[_ranks(value)[0]]} high"
    name = ranking_name(value)
    return name.rpartition(", ")[0] if name.endswith(" kicker") else name


def _deciding(value: int, others: Sequence[int]) -> int | None:
    """Which of the ranks behind `value` parts it from the best hand of the same name, None if none does."""
    like = [other for other in others if alike(value, other) and other != value]
    if not like:
        return None
    pairs = zip(_ranks(value), _ranks(max(like)), strict=True)
    return next(at for at, (mine, theirs) in enumerate(pairs) if mine != theirs)


def _ranks(value: int) -> list[int]:
    """The ranks that a strength names, the most important first."""
    return [value >> shift & 15 for shift in (16, 12, 8, 4, 0)]
