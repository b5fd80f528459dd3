"""Makes the film from which reels (films of the best hands) are cut. In this film, a moment of a hand takes only the
time that viewers need to follow it. No I/O.

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
from broadcast.film.segments import GZIP_LEVEL

MAX_MOMENT_MS, MAX_SHOWDOWN_MS = 2600, 4500
"""The longest time that a moment of a hand may take, and the longest time for a showdown, in milliseconds."""
GLANCE_MS, MS_PER_CHARACTER = 800, 40
"""A moment may take longer if viewers need more time: GLANCE_MS to glance at the table, and MS_PER_CHARACTER for each
character of its words.
"""
_NEVER_SHORTENED = {"pot_awarded", "bot_eliminated", "deal_compared"}
"""A moment with one of these events takes as long as in the show. An exception is a pot that is won after the hand's
largest pot.
"""


def make_reel_film(film: Film) -> Film:
    """Returns a film with shorter moments in its hands. The new film has the same entries, and cuts off no speech."""
    times, segments, saved_ms = list[tuple[int, int]](), list[bytes](), 0
    for hand, packed in zip(film.outline.hands, film.segments, strict=True):
        segment = msgspec.json.decode(gzip.decompress(packed))
        segment_start_ms, saved_before_ms, is_largest_pot_won = segment["at_ms"], saved_ms, False
        largest = max(_pot_sizes(entry for entry in segment["entries"] if entry["seq"] <= hand.last_seq), default=0)
        for offset_ms, together in groupby(segment["entries"], key=lambda entry: entry["offset_ms"]):
            moment = list(together)
            times.append((segment_start_ms + offset_ms, segment_start_ms + offset_ms - saved_ms))
            length_ms = max(entry["hold_ms"] for entry in moment)
            in_hand = hand.seq <= moment[0]["seq"] <= hand.last_seq
            is_result_known = is_largest_pot_won and can_skip_moment(moment, hand)
            most_ms = min(length_ms, _max_ms(moment, is_result_known=is_result_known)) if in_hand else length_ms
            is_largest_pot_won = is_largest_pot_won or (in_hand and max(_pot_sizes(moment), default=0) == largest > 0)
            for entry in moment:
                entry["offset_ms"] += saved_before_ms - saved_ms
                entry["hold_ms"] = min(entry["hold_ms"], most_ms)
            saved_ms += length_ms - most_ms
        segment["at_ms"] -= saved_before_ms
        segment["length_ms"] += saved_before_ms - saved_ms
        segment["opening"]["at_ms"] -= saved_before_ms
        segment["opening"]["chat"] = []  # the chat has times of the show, not of this film
        segments.append(gzip.compress(msgspec.json.encode(segment), GZIP_LEVEL, mtime=0))
    return Film(_retimed(film.outline, times), tuple(segments))


def _pot_sizes(entries: Iterable[dict[str, Any]]) -> Iterator[int]:
    """Yields the size of each pot that is won."""
    return (entry["amount"] for entry in entries if entry["type"] == "pot_awarded")


def can_skip_moment(moment: Sequence[dict[str, Any]], hand: FilmHand) -> bool:
    """Whether a reel can skip `moment`, which follows the hand's largest win. A reel can skip a moment in which a
    smaller pot is won, and the end of a hand in which bots went out.
    """
    kinds = {entry["type"] for entry in moment}
    return "pot_awarded" in kinds or ("hand_ended" in kinds and bool(hand.out))


def _max_ms(moment: Sequence[dict[str, Any]], *, is_result_known: bool) -> int:
    """Returns how many milliseconds a moment of a hand may take. If viewers know the result already
    (`is_result_known`), only the moment's speech takes time.
    """
    kinds = {entry["type"] for entry in moment}
    spoken: list[int] = [
        entry["ms"] for entry in moment if entry["type"] == "line_spoken" and not entry.get("describe")
    ]
    if is_result_known:
        return sum(spoken)
    if kinds & _NEVER_SHORTENED:
        holds: list[int] = [entry["hold_ms"] for entry in moment]
        return max(holds)
    captions = [len(entry["text"]) for entry in moment if entry["type"] == "caption_spoken"]
    thoughts = [len(entry["text"]) for entry in moment if entry["type"] == "thought_shown"]
    read_ms = GLANCE_MS + MS_PER_CHARACTER * (max(captions, default=0) + sum(thoughts))
    return max(read_ms, sum(spoken), MAX_SHOWDOWN_MS if "hand_shown" in kinds else MAX_MOMENT_MS)


def _retimed(outline: Outline, times: Sequence[tuple[int, int]]) -> Outline:
    """Returns the outline with the new times. `times` has the old and the new time of each moment."""

    def new_time(ms: int) -> int:
        index = bisect_right(times, ms, key=lambda each: each[0]) - 1
        was, now = times[max(0, index)]
        return now + ms - was

    def moved_street(street: FilmStreet) -> FilmStreet:
        return replace(street, at_ms=new_time(street.at_ms))

    def moved_hand(hand: FilmHand) -> FilmHand:
        streets = [moved_street(street) for street in hand.streets]
        decisive = hand.decisive and moved_street(hand.decisive)
        spans = {"at_ms": new_time(hand.at_ms), "until_ms": new_time(hand.until_ms)}
        return replace(hand, streets=streets, decisive=decisive, **spans)

    hands = [moved_hand(hand) for hand in outline.hands]
    return replace(outline, hands=hands, length_ms=new_time(outline.length_ms))
