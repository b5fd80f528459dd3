"""Replays cut out of a film: the hands of `replay --highlights`. Pure."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from broadcast.film.film import Film
from broadcast.film.highlights import Pick
from broadcast.film.segments import read_segment
from broadcast.on_air.events import OnFilm
from broadcast.on_air.picture import fold
from broadcast.show.replays import Replay
from broadcast.show.shots import Shot
from server.game.events import Event


def replays_of(film: Film, picks: Iterable[Pick]) -> Iterator[Replay]:
    """Cuts `picks` out of the film, each as a replay with the picture that was on air before it."""
    for pick in picks:
        hand = film.outline.hands[pick.hand]
        segment = read_segment(film.segments[pick.hand])
        picture = segment.opening
        for entry in (entry for entry in segment.entries if entry["seq"] < pick.seq):
            picture = fold(picture, entry["seq"], entry["at_ms"], entry["hold_ms"], _event(entry))
        shots = list(_shots(entry for entry in segment.entries if pick.seq <= entry["seq"] <= pick.last_seq))
        yield Replay(hand.game, hand.hand, replace(picture, chat=()), shots, pick.marks[0] if pick.marks else "")


def _shots(entries: Iterable[dict[str, Any]]) -> Iterator[Shot]:
    """Joins the entries of the same moment into one shot."""
    for _, together in groupby(entries, key=lambda entry: entry["at_ms"]):
        shown = list(together)
        yield Shot(tuple(_event(entry) for entry in shown), max(entry["hold_ms"] for entry in shown))


def _event(entry: dict[str, Any]) -> Event:
    event: Event = msgspec.convert(entry, type=OnFilm)
    return event
