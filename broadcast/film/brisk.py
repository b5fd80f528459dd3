"""Makes the film from which reels are cut. Each moment of a hand in it is only as long as viewers need to follow it.
Pure.

In the show, the great moments of a hand take more time than a reel has.
"""

import gzip
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from broadcast.film.film import Film
from broadcast.film.outline import FilmHand, FilmStreet, Outline
from broadcast.film.segments import LEVEL

MOMENT_MS, SHOWDOWN_MS = 2600, 4500
"""The longest time that a moment of a hand may take, and the longest time for a showdown, in milliseconds."""
GLANCE_MS, MS_PER_CHARACTER = 800, 40
"""A moment may take longer if viewers need more time: GLANCE_MS to glance at the table, and MS_PER_CHARACTER for each
character of its words.
"""
_NEVER_SHORTENED = {"pot_awarded", "bot_eliminated", "deal_compared"}
"""Moments with one of these events take as long as in the show. Only pots that are won after the hand's largest pot are
shortened.
"""


def make_brisk(film: Film) -> Film:
    """Returns the film with shorter moments in its hands. It has the same entries, and no speech is cut off."""
    times, segments, saved = list[tuple[int, int]](), list[bytes](), 0
    for hand, packed in zip(film.outline.hands, film.segments, strict=True):
        segment = msgspec.json.decode(gzip.decompress(packed))
        began_ms, began_saved, is_won = segment["at_ms"], saved, False
        largest = max(_pots(entry for entry in segment["entries"] if entry["seq"] <= hand.last_seq), default=0)
        for offset_ms, together in groupby(segment["entries"], key=lambda entry: entry["offset_ms"]):
            moment = list(together)
            times.append((began_ms + offset_ms, began_ms + offset_ms - saved))
            length_ms = max(entry["hold_ms"] for entry in moment)
            in_hand = hand.seq <= moment[0]["seq"] <= hand.last_seq
            is_told = is_won and _is_aftermath(moment, hand)
            most_ms = min(length_ms, _most_ms(moment, is_told=is_told)) if in_hand else length_ms
            is_won = is_won or (in_hand and max(_pots(moment), default=0) == largest > 0)
            for entry in moment:
                entry["offset_ms"] += began_saved - saved
                entry["hold_ms"] = min(entry["hold_ms"], most_ms)
            saved += length_ms - most_ms
        segment["at_ms"] -= began_saved
        segment["length_ms"] += began_saved - saved
        segment["opening"]["at_ms"] -= began_saved
        segment["opening"]["chat"] = []  # the times in it are times of the show, not of this film
        segments.append(gzip.compress(msgspec.json.encode(segment), LEVEL, mtime=0))
    return Film(_moved(film.outline, times), tuple(segments))


def _pots(entries: Iterable[dict[str, Any]]) -> Iterator[int]:
    """Yields the size of each pot that is won."""
    return (entry["amount"] for entry in entries if entry["type"] == "pot_awarded")


def _is_aftermath(moment: Sequence[dict[str, Any]], hand: FilmHand) -> bool:
    """Whether a moment after the hand's largest win can be skipped. It can if it is a smaller pot, or the end of a hand
    in which bots went out.
    """
    kinds = {entry["type"] for entry in moment}
    return "pot_awarded" in kinds or ("hand_ended" in kinds and bool(hand.out))


def _most_ms(moment: Sequence[dict[str, Any]], *, is_told: bool) -> int:
    """Returns how many milliseconds a moment of a hand may take. If viewers know its result already (`is_told`), only
    its speech takes time.
    """
    kinds = {entry["type"] for entry in moment}
    spoken: list[int] = [
        entry["ms"] for entry in moment if entry["type"] == "line_spoken" and not entry.get("describe")
    ]
    if is_told:
        return sum(spoken)
    if kinds & _NEVER_SHORTENED:
        holds: list[int] = [entry["hold_ms"] for entry in moment]
        return max(holds)
    captions = [len(entry["text"]) for entry in moment if entry["type"] == "caption_spoken"]
    thoughts = [len(entry["text"]) for entry in moment if entry["type"] == "thought_shown"]
    read_ms = GLANCE_MS + MS_PER_CHARACTER * (max(captions, default=0) + sum(thoughts))
    return max(read_ms, sum(spoken), SHOWDOWN_MS if "hand_shown" in kinds else MOMENT_MS)


def _moved(outline: Outline, times: Sequence[tuple[int, int]]) -> Outline:
    """Returns the outline with the new times. `times` has the old and the new time of each moment."""

    def moved(ms: int) -> int:
        at = bisect_right(times, ms, key=lambda each: each[0]) - 1
        was, now = times[max(0, at)]
        return now + ms - was

    def moved_street(street: FilmStreet) -> FilmStreet:
        return replace(street, at_ms=moved(street.at_ms))

    def moved_hand(hand: FilmHand) -> FilmHand:
        streets = [moved_street(street) for street in hand.streets]
        decisive = hand.decisive and moved_street(hand.decisive)
        spans = {"at_ms": moved(hand.at_ms), "until_ms": moved(hand.until_ms)}
        return replace(hand, streets=streets, decisive=decisive, **spans)

    hands = [moved_hand(hand) for hand in outline.hands]
    return replace(outline, hands=hands, length_ms=moved(outline.length_ms))
