"""The hands of a film that are worth seeing again: ranked, and chosen for a reel of a length. Pure.

Only hands that earned a mark, and the last of a contest that is over. `broadcast.commentary.drama` says what marks are.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.drama import SAME_BOT, SAME_MARK
from broadcast.film.outline import FilmHand, Outline
from server.text.grammar import listed_within, named

LAST_HAND = 60
"""What the hand that decides the contest is worth at least."""
WEIGHED = 200
"""So many of the best are weighed against one another; who wants more hands gets the others by their score alone."""
SHARE = 3
"""In a reel, a hand that takes more than one part in so many begins at a later street, if it has one."""
_OF_LOSERS = {"Bad beat": "for", "Elimination": "of"}
"""The marks that losers earn."""


class HandScore(Struct, frozen=True):
    """What a hand is ranked by: its score from 0 to 100, its marks, and the bot that won most, None if none did."""

    score: int
    marks: tuple[str, ...]
    winner: int | str | None


class Pick(Struct, frozen=True):
    """A hand worth seeing: its number in `Outline.hands`, and its stretch of the film by entries and milliseconds.

    `marks` are the most important first; a last hand may have none. `street` is where it begins, "" for at its start.
    """

    hand: int
    seq: int
    last_seq: int
    at_ms: int
    until_ms: int
    marks: tuple[str, ...]
    score: int
    why: str
    """In words: "Bad beat for Doc Holobyte: Billy the Kid takes 4,350 with a full house"."""
    street: str = ""

    @property
    def length_ms(self) -> int:
        """How long it lasts, in milliseconds at speed 1."""
        return self.until_ms - self.at_ms


def ranked(outline: Outline) -> tuple[Pick, ...]:
    """All hands worth seeing, best first, and no more of one kind or of one bot in a row than need be."""
    scores = [HandScore(hand.score, tuple(hand.marks), hand.won[0][0] if hand.won else None) for hand in outline.hands]
    return tuple(_pick(outline, at) for at, _ in weighed(scores, _last(outline)))


def reel(outline: Outline, length_ms: int) -> tuple[Pick, ...]:
    """The best hands that `length_ms` have room for, in the order of the show: never longer, nothing if none fits.

    The hand that decides the contest comes first, then the best, then the next best. Long ones are cut to how they end.
    """
    last, chosen = _last(outline), list[Pick]()
    for pick in sorted(ranked(outline), key=lambda pick: pick.hand != last):
        shown = _decisive(outline, pick, length_ms)
        if shown.length_ms <= length_ms - sum(each.length_ms for each in chosen):
            chosen.append(shown)
    return tuple(sorted(chosen, key=lambda pick: pick.hand))


def _decisive(outline: Outline, pick: Pick, length_ms: int) -> Pick:
    """The pick from the first street on from which it takes no more than its share of a reel, or from the last one."""
    streets = outline.hands[pick.hand].streets
    cuts = [pick, *(replace(pick, seq=each.seq, at_ms=each.at_ms, street=each.name) for each in streets)]
    return next((cut for cut in cuts if cut.length_ms * SHARE <= length_ms), cuts[-1])


def _last(outline: Outline) -> int | None:
    """The hand that decided the contest, if one did."""
    return len(outline.hands) - 1 if outline.finished and outline.hands[1:] else None


def weighed(hands: Sequence[HandScore], last: int | None) -> list[tuple[int, int]]:
    """Indexes of `hands` worth seeing, best first, each with its score less what it loses to better ones like it.

    `last` is the index of the hand that decided the contest, None if there is none.
    """
    worths = {at: hand.score for at, hand in enumerate(hands) if hand.marks}
    if last is not None:
        worths[last] = max(worths.get(last, 0), LAST_HAND)
    by_worth = sorted(worths, key=lambda at: (-worths[at], at))
    near, far = by_worth[:WEIGHED], by_worth[WEIGHED:]
    found: list[tuple[int, int]] = []
    while near:
        best = max(near, key=lambda at: worths[at])
        near.remove(best)
        found.append((best, max(1, worths[best])))
        for at in near:
            worths[at] -= _likeness(hands[at], hands[best])
    return found + [(at, 1) for at in far]


def _likeness(hand: HandScore, better: HandScore) -> int:
    """How much of its score a hand loses because a better one is like it."""
    same_bot = hand.winner is not None and hand.winner == better.winner
    return SAME_MARK * (hand.marks[:1] == better.marks[:1]) + SAME_BOT * same_bot


def _pick(outline: Outline, at: int) -> Pick:
    hand = outline.hands[at]
    marks = tuple(hand.marks)
    return Pick(at, hand.seq, hand.last_seq, hand.at_ms, hand.until_ms, marks, hand.score, _why(outline, hand))


def _why(outline: Outline, hand: FilmHand) -> str:
    """The most important mark, whose it was where it is not the winner's, and who took which pot with what."""
    mark = hand.marks[0] if hand.marks else "The last hand"
    if mark in _OF_LOSERS and hand.stars:
        names = {star.bot: named(star.name) for star in outline.bots}
        mark += f" {_OF_LOSERS[mark]} {listed_within([names[bot] for bot in hand.stars[0]])}"
    return f"{mark}: {hand.told}" if hand.told else mark
