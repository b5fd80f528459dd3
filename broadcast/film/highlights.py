"""Finds the hands of a film (a recorded show) that are worth seeing again, chooses hands for a reel, and cuts them out
as replays. A reel is a film of the best hands. No I/O.

A hand is worth seeing if it has a mark such as "Bluff" (see `broadcast.commentary.drama`), or if it decided a finished
contest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.drama import SAME_BOT_PENALTY, SAME_MARK_PENALTY
from broadcast.film.film import Film
from broadcast.film.outline import FilmHand, Outline
from broadcast.film.segments import read_segment
from broadcast.on_air.events import FilmEvent
from broadcast.on_air.picture import reduce
from broadcast.show.replays import Replay
from broadcast.show.shots import Shot
from server.game.events import Event
from server.text.grammar import join_within_width, name_in_sentence

DECIDING_HAND = 60
"""The hand that decided the contest gets at least this score."""
COMPARED_HANDS = 200
"""How many of the best hands are compared with one another for variety. All other hands are ranked by score alone."""
REEL_SHARE_DIVISOR = 3
"""If possible, a hand takes at most the length of a reel divided by this number. A longer hand begins at a later
moment, but viewers still see its whole decisive part.
"""
MIN_HAND_MS = 8000
"""If a hand took fewer milliseconds than this, the show told only its result. Reels leave such hands out."""
EVENING_REELS_MS = (60_000, 180_000, 600_000)
"""The lengths of the reels of an evening, in milliseconds."""
FADE_IN_MS = 400
"""Each part of a reel starts this many milliseconds before its first entry, so that the part can fade in. The part also
ends 400 ms earlier, so its length stays the same.
"""
CHAMPION_MS = 4500
"""How long the champion is shown at the end of the reels of an evening."""
CHAMPION_BONUS = 4
"""The bonus for a hand in which the eventual champion won or lost chips. If these chips are a fraction f of the table's
chips, the hand is worth 1 + CHAMPION_BONUS * f times as much in a reel.
"""
SHORTER_PART_FACTOR = 0.8
"""The value of a part of a hand, as a fraction of the value of the next longer part."""
STEP_MS, LONG_MS = 100, 600_000
"""The length of a reel is counted in steps of `STEP_MS` milliseconds. Reels longer than `LONG_MS` use larger steps."""
_LOSER_PREPOSITIONS = {"Bad beat": "for", "Elimination": "of"}
"""The marks that losers earn, each with the word before the losers' names in a caption: "Bad beat for Doc"."""


class HandScore(Struct, frozen=True):
    """The facts by which a hand is ranked: its drama score (0 to 100), its marks, and its biggest winner, or None."""

    score: int
    marks: tuple[str, ...]
    winner: int | str | None


class FilmPart(Struct, frozen=True):
    """A whole hand of the film, or the last part of a hand: the entries from `seq` to `last_seq`, which are on screen
    from `at_ms` to `until_ms`. `hand` is the index of the hand in `Outline.hands`.

    `marks` has the most important mark first. The deciding hand may have no mark. The part starts at `street`: "" is
    the start of the hand, and "preflop" is the betting before the flop.
    """

    hand: int
    seq: int
    last_seq: int
    at_ms: int
    until_ms: int
    marks: tuple[str, ...]
    score: int
    caption: str
    """A caption, such as "Bad beat for Doc Holobyte: Billy the Kid takes 4,350 with a full house"."""
    street: str = ""

    @property
    def length_ms(self) -> int:
        """The length in milliseconds at speed 1."""
        return self.until_ms - self.at_ms

    @property
    def headline(self) -> str:
        """The beginning of the caption, up to the end of the words about the largest pot."""
        return self.caption.partition("; ")[0]


def hands_worth_seeing(outline: Outline) -> tuple[FilmPart, ...]:
    """Returns all hands worth seeing, best first, with marks and bots as varied as possible."""
    scores = [HandScore(hand.score, tuple(hand.marks), hand.won[0][0] if hand.won else None) for hand in outline.hands]
    parts = []
    for hand_index in rank_hands(scores, deciding_hand(outline)):
        hand = outline.hands[hand_index]
        span = hand.seq, hand.last_seq, hand.at_ms, hand.until_ms
        parts.append(FilmPart(hand_index, *span, tuple(hand.marks), hand.score, _caption_for(outline, hand)))
    return tuple(parts)


def choose_reel(outline: Outline, length_ms: int) -> tuple[FilmPart, ...]:
    """Returns the best parts of hands that fit into `length_ms`, in the order of the show.

    The deciding hand is in the reel if any part of it fits. Long hands start at a later street, or at their decisive
    part. If no hand fits in this way, every hand may start even later. If some hands fit, only the deciding hand may
    start even later.
    """
    deciding, whole_hands = deciding_hand(outline), hands_worth_seeing(outline)[:COMPARED_HANDS]
    parts_by_hand = {whole.hand: _reel_parts(outline, whole, length_ms) for whole in whole_hands}
    if not any(parts_by_hand.values()):
        parts_by_hand = {whole.hand: _final_parts(outline, whole, length_ms) for whole in whole_hands}
    chosen = list[FilmPart]()
    for whole in whole_hands:
        if whole.hand == deciding:
            chosen = (parts_by_hand.pop(deciding) or _final_parts(outline, whole, length_ms))[:1]
    worths = {
        whole.hand: _worth(whole, rank, len(whole_hands)) * (1 + CHAMPION_BONUS * _champion_swing(outline, whole.hand))
        for rank, whole in enumerate(whole_hands)
    }
    left = length_ms - sum(part.length_ms for part in chosen)
    chosen += _best_that_fit([*parts_by_hand.values()], worths, left, STEP_MS * max(1, length_ms // LONG_MS))
    return tuple(_faded_in(part) for part in sorted(chosen, key=lambda part: part.hand))


def _faded_in(part: FilmPart) -> FilmPart:
    """Returns `part`, with a later start if its fade-in would show the end of the previous hand."""
    return part if part.street else replace(part, at_ms=part.at_ms + FADE_IN_MS)


def tournament_end(film: Film) -> dict[str, Any] | None:
    """Returns the entry with the final ranking, or None if the contest has no final ranking."""
    closing = read_segment(film.segments[-1]).entries
    return next((each for each in closing if each["type"] == "tournament_ended" and each["placings"]), None)


def champion_part(film: Film) -> FilmPart | None:
    """Returns the part that shows the champion at the end of an evening's reels. Returns None if there is no
    champion.
    """
    end = tournament_end(film)
    if end is None:
        return None
    champion = next((bot.name for bot in film.outline.bots if bot.bot == end["placings"][0]["bot"]), "")
    at_ms = end["at_ms"] + FADE_IN_MS  # the fade-in must not show what was on screen before
    span = end["seq"], film.outline.entries, at_ms, at_ms + CHAMPION_MS
    return FilmPart(len(film.outline.hands) - 1, *span, (), 0, f"The champion: {champion}")


def _worth(whole: FilmPart, rank: int, count: int) -> float:
    """Returns what a hand is worth in a reel. Scores are squared, so that one great hand is worth more than two fair
    hands.

    A hand that ranks low loses up to half of its worth. Hands that resemble better hands rank lower.
    """
    return max(1, whole.score) ** 2 * (1 - rank / count / 2)


def _champion_swing(outline: Outline, hand_index: int) -> float:
    """Returns the fraction of the table's chips that the eventual champion won or lost in a hand.

    Returns 0 for the first hand of a game, and in a stage of deals.
    """
    before, hand = outline.hands[hand_index - 1], outline.hands[hand_index]
    if outline.champion not in hand.seats or hand.deal or (before.stage, before.game) != (hand.stage, hand.game):
        return 0
    champion = str(outline.champion)
    chips = sum(before.stacks[str(bot)] for bot in hand.seats)
    return abs(hand.stacks[champion] - before.stacks[champion]) / chips


def _best_that_fit(
    parts_by_hand: Sequence[Sequence[FilmPart]], worths: Mapping[int, float], length_ms: int, step_ms: int
) -> list[FilmPart]:
    """Returns the parts with the greatest total worth in `length_ms`, at most one part per hand.

    `parts_by_hand` has the parts of each hand, the longest first. A longer part is worth a little more than a shorter
    one. Time is counted in steps of `step_ms`.
    """
    steps_left = length_ms // step_ms
    best, choices = [0.0] * (steps_left + 1), list[list[FilmPart | None]]()
    for parts in parts_by_hand:
        before, best = best, [*best]
        taken: list[FilmPart | None] = [None] * (steps_left + 1)
        for part_index, part in enumerate(parts):
            needs, worth = _steps(part, step_ms), worths[part.hand] * SHORTER_PART_FACTOR**part_index
            for step_count in range(needs, steps_left + 1):
                if before[step_count - needs] + worth > best[step_count]:
                    best[step_count], taken[step_count] = before[step_count - needs] + worth, part
        choices.append(taken)
    chosen = list[FilmPart]()
    for choice in reversed(choices):
        if kept := choice[steps_left]:
            chosen.append(kept)
            steps_left -= _steps(kept, step_ms)
    return chosen


def _steps(part: FilmPart, step_ms: int) -> int:
    return -(-part.length_ms // step_ms)


def _reel_parts(outline: Outline, whole: FilmPart, length_ms: int) -> list[FilmPart]:
    """Returns the parts of a hand that a reel may show, the longest first. All parts end when the hand ends.

    There are at most two parts: the decisive part, and a longer part if one fits into the hand's share of the reel.
    Returns [] if the decisive part does not fit into the reel, or if the hand took less than MIN_HAND_MS in the show.
    """
    cuts, decisive = _all_parts(outline, whole)
    if whole.length_ms < MIN_HAND_MS or cuts[decisive].length_ms > length_ms:
        return []
    within = next((cut for cut in cuts[:decisive] if cut.length_ms * REEL_SHARE_DIVISOR <= length_ms), cuts[decisive])
    return [*dict.fromkeys([within, cuts[decisive]])]


def _final_parts(outline: Outline, whole: FilmPart, length_ms: int) -> list[FilmPart]:
    """Returns the parts of a hand that fit into a reel and are not longer than its decisive part, the longest first."""
    cuts, decisive = _all_parts(outline, whole)
    return [cut for cut in cuts[decisive:] if cut.length_ms <= length_ms]


def _all_parts(outline: Outline, whole: FilmPart) -> tuple[list[FilmPart], int]:
    """Returns all parts of a hand, the longest first, and the index of the decisive part.

    The whole hand is always a part. Other parts begin at the decisive moment, or at the start of a street. A street is
    left out if a bot then had a chance of at least 90 %.
    """
    hand = outline.hands[whole.hand]
    streets = [street for street in hand.streets if not street.sure]
    decisive = hand.decisive or (streets[-1] if streets else None)
    starts = sorted({*streets, *([hand.decisive] if hand.decisive else [])}, key=lambda each: each.at_ms)
    cuts = [whole, *(replace(whole, seq=each.seq, at_ms=each.at_ms, street=each.name) for each in starts)]
    return cuts, next((at for at, cut in enumerate(cuts) if decisive and cut.seq == decisive.seq), 0)


def decisive_part(outline: Outline, whole: FilmPart) -> FilmPart:
    """Returns the decisive part of a hand. Returns the whole hand if it has no decisive part."""
    decisive = outline.hands[whole.hand].decisive
    return replace(whole, seq=decisive.seq, at_ms=decisive.at_ms, street=decisive.name) if decisive else whole


def deciding_hand(outline: Outline) -> int | None:
    """Returns the index of the hand that decided the contest. Returns None if the contest is not finished, or has no
    hand.

    The deciding hand is the last hand if a bot went out in it, or if the bots play deals (the same cards at several
    tables). Otherwise it is the hand of the champion's largest win in the last game.
    """
    if not outline.finished or not outline.hands[1:]:
        return None
    last = outline.hands[-1]
    if last.out or last.deal:
        return len(outline.hands) - 1
    wins = {
        number: won
        for number, hand in enumerate(outline.hands)
        if (hand.stage, hand.game) == (last.stage, last.game)
        for bot, won, _ in hand.won
        if bot == outline.champion
    }
    return max(wins, key=lambda number: (wins[number], number), default=len(outline.hands) - 1)


def rank_hands(hands: Sequence[HandScore], deciding: int | None) -> list[int]:
    """Returns the indexes of hands worth seeing, best first. A hand that is similar to a better hand loses points.

    `deciding` is the index of the deciding hand.
    """
    worths = {index: hand.score for index, hand in enumerate(hands) if hand.marks}
    if deciding is not None:
        worths[deciding] = max(worths.get(deciding, 0), DECIDING_HAND)
    by_worth = sorted(worths, key=lambda at: (-worths[at], at))
    compared, uncompared = by_worth[:COMPARED_HANDS], by_worth[COMPARED_HANDS:]
    ranked: list[int] = []
    while compared:
        best = max(compared, key=lambda at: worths[at])
        compared.remove(best)
        ranked.append(best)
        better = hands[best]
        for index in compared:
            same_bot = hands[index].winner is not None and hands[index].winner == better.winner
            worths[index] -= (
                SAME_MARK_PENALTY * (hands[index].marks[:1] == better.marks[:1]) + SAME_BOT_PENALTY * same_bot
            )
    return ranked + uncompared


def highlight_mark(outline: Outline, hand: FilmHand) -> str:
    """Returns why a hand is worth seeing: its most important mark, "The last hand" or "The deciding hand"."""
    if hand.marks:
        return hand.marks[0]
    return "The last hand" if hand is outline.hands[-1] else "The deciding hand"


def _caption_for(outline: Outline, hand: FilmHand) -> str:
    """Returns a caption with the most important mark, the losers who earned it, and how the hand ended."""
    mark = highlight_mark(outline, hand)
    if mark in _LOSER_PREPOSITIONS and hand.stars:
        names = {bot.bot: name_in_sentence(bot.name) for bot in outline.bots}
        mark += f" {_LOSER_PREPOSITIONS[mark]} {join_within_width([names[bot] for bot in hand.stars[0]])}"
    return f"{mark}: {hand.told}" if hand.told else mark


def replays_of(film: Film, parts: Iterable[FilmPart]) -> Iterator[Replay]:
    """Cuts `parts` out of the film. Yields each as a replay, with the picture before it."""
    for part in parts:
        hand = film.outline.hands[part.hand]
        segment = read_segment(film.segments[part.hand])
        picture = segment.opening
        for entry in (entry for entry in segment.entries if entry["seq"] < part.seq):
            picture = reduce(picture, entry["seq"], entry["at_ms"], entry["hold_ms"], _event(entry))
        shots = list(_shots(entry for entry in segment.entries if part.seq <= entry["seq"] <= part.last_seq))
        yield Replay(hand.game, hand.hand, replace(picture, chat=()), shots, part.marks[0] if part.marks else "")


def _shots(entries: Iterable[dict[str, Any]]) -> Iterator[Shot]:
    """Joins the entries of the same moment into one shot."""
    for _, together in groupby(entries, key=lambda entry: entry["at_ms"]):
        shown = list(together)
        yield Shot(tuple(_event(entry) for entry in shown), max(entry["hold_ms"] for entry in shown))


def _event(entry: dict[str, Any]) -> Event:
    event: Event = msgspec.convert(entry, type=FilmEvent)
    return event
