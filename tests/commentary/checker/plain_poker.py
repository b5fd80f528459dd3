"""Poker hands named a second, slow way: by phevaluator and by counting cards, without the program's evaluator."""

from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations, product

from tests.odds.oracle import by_phevaluator

RANKS = "23456789TJQKA"
WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
DECK = [rank + suit for rank, suit in product(RANKS, "cdhs")]
KINDS = (
    (1, "royal flush"), (10, "straight flush"), (166, "four of a kind"), (322, "full house"), (1599, "flush"),
    (1609, "straight"), (2467, "three of a kind"), (3325, "two pair"), (6185, "pair"), (7462, "high card"),
)  # fmt: skip
"""Each kind of hand with its lowest place among all 7,462 hands."""
FAMOUS = {
    "AA": "the bullets, two aces", "KK": "the cowboys, two kings", "QQ": "the ladies, two queens",
    "JJ": "the fishhooks, two jacks", "22": "the ducks, two twos", "AK": "big slick, ace and king",
}  # fmt: skip

Cards = Sequence[str]


def worth(cards: Cards) -> int:
    """The strength of the best five of five to seven cards; more is better."""
    return _worth(frozenset(cards))


@cache
def _worth(cards: frozenset[str]) -> int:
    return by_phevaluator.strength([by_phevaluator.card(card) for card in cards])


def kind(cards: Cards) -> str:
    return next(name for last, name in KINDS if -worth(cards) <= last)


def pips(cards: Cards) -> list[int]:
    return [RANKS.index(card[0]) for card in cards]


def many(rank: int) -> str:
    return WORDS[rank] + ("es" if WORDS[rank] == "six" else "s")


def order(cards: Cards) -> list[int]:
    """The ranks of the best five, the most frequent first, then the highest first."""
    best = next(five for five in combinations(cards, 5) if worth(five) == worth(cards))
    ranks = pips(best)
    if kind(cards) in ("straight", "straight flush") and {12, 0} <= {*ranks}:
        ranks = [-1 if rank == 12 else rank for rank in ranks]
    return sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank))


def bare_name(cards: Cards) -> str:
    """A hand's kind and ranks, without any kicker."""
    what, ranks = kind(cards), order(cards)
    first, second = [*dict.fromkeys(ranks), 0][:2]
    names = {
        "high card": f"{WORDS[first]} high",
        "pair": f"pair of {many(first)}",
        "two pair": f"two pair, {many(first)} and {many(second)}",
        "three of a kind": f"{what}, {many(first)}",
        "four of a kind": f"{what}, {many(first)}",
        "full house": f"full house, {many(first)} over {many(second)}",
        "royal flush": what,
    }
    return names.get(what, f"{what}, {WORDS[first]} high")


def told_name(mine: Cards, board: Cards, others: Sequence[Cards]) -> str:
    """What a hand is called at a showdown against `others`."""
    cards = [*mine, *board]
    name = bare_name(cards)
    if len(board) == 5 and worth(cards) == worth(board):
        return f"{name}, on the board"
    rivals = [[*other, *board] for other in others]
    like = [other for other in rivals if bare_name(other) == name and worth(other) != worth(cards)]
    if not like:
        return name
    rival = max(like, key=worth)
    at = next(at for at, (one, two) in enumerate(zip(order(cards), order(rival), strict=True)) if one != two)
    if name.startswith("flush"):
        return f"flush, {'-'.join(WORDS[rank] for rank in order(cards)[: at + 1])} high"
    return f"{name}, {WORDS[order(cards)[at]]} kicker"


def hole_words(cards: Cards, *, famous: bool) -> str:
    high, low = sorted(cards, key=lambda card: -RANKS.index(card[0]))
    if famous and high[0] + low[0] in FAMOUS:
        return FAMOUS[high[0] + low[0]]
    if high[0] == low[0]:
        return f"pocket {many(RANKS.index(high[0]))}"
    suited = " suited" if high[1] == low[1] else ""
    return f"{WORDS[RANKS.index(high[0])]}-{WORDS[RANKS.index(low[0])]}{suited}"


def is_held(words: str, cards: Cards, board: Cards, seen: Collection[str]) -> bool:
    """Whether somebody with these cards on this board truly holds `words`."""
    if not board:
        return words == hole_words(cards, famous=False)
    made, _, drawn = words.partition(" and ")
    if made in DRAWS:
        return not drawn and made == draw(cards, board, seen)
    return is_made(made, cards, board) and drawn == draw(cards, board, seen)


def is_made(words: str, cards: Cards, board: Cards) -> bool:
    """Whether these cards make `words`, with at least one hole card in it."""
    what, mine, lying = kind([*cards, *board]), pips(cards), pips(board)
    if len(board) == 5 and worth([*cards, *board]) == worth(board):
        return False
    rank = order([*cards, *board])[0]
    match what:
        case "high card":
            made = f"{WORDS[max(mine)]} high" if max(mine) > max(lying) else ""
        case "pair":
            made = pair_words(rank, mine, lying)
        case "two pair":
            own = {each for each in mine if each in lying or mine[0] == mine[1]}
            made = what if own & {*order([*cards, *board])[:4]} else ""
        case "three of a kind":
            made = ("", f"three {many(rank)}", f"a set of {many(rank)}")[mine.count(rank)]
        case "four of a kind":
            made = what if rank in mine else ""
        case _:
            made = f"a {what}"
    return words == made


def pair_words(rank: int, mine: Sequence[int], lying: Sequence[int]) -> str:
    """What a pair is called on the board `lying`, "" if it is on the board alone."""
    if rank not in mine:
        return ""
    if rank not in lying:
        return "an overpair" if rank > max(lying) else f"pocket {many(rank)}"
    return {max(lying): "top pair", min(lying): "bottom pair"}.get(rank, f"a pair of {many(rank)}")


DRAWS = ("a flush draw", "a straight draw", "a gutshot")


def draw(cards: Cards, board: Cards, seen: Collection[str]) -> str:
    """The draw with a card to come, "" if there is none."""
    strong = ("straight", "flush", "straight flush", "royal flush", "full house", "four of a kind")
    if len(board) > 4 or kind([*cards, *board]) in strong:
        return ""
    outs = {}
    for card in DECK:
        if card in seen or card in cards or card in board:
            continue
        lying = [*board, card]
        what = kind([*cards, *lying])
        if what in strong[:4] and not (len(lying) == 5 and worth(lying) == worth([*cards, *lying])):
            outs[card] = what
    if any(what != "straight" for what in outs.values()):
        return "a flush draw"
    if not outs:
        return ""
    ranks = {*pips([*cards, *board])}
    is_open = any({low, low + 1, low + 2, low + 3} <= ranks for low in range(9))
    return "a straight draw" if is_open or len({card[0] for card in outs}) > 1 else "a gutshot"
