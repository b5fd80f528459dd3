"""Segments of what has been on air: each can be shown by itself, and together they are the whole show."""

import asyncio
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from broadcast.film.film import FORMAT, Film, film_of, found_film, keep_film, run_show
from broadcast.film.outline import Outline
from broadcast.film.segments import OpenSegment, SegmentLog, read_segment
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry, ReplayEnded, ReplayStarted
from broadcast.on_air.picture_state import State
from server.game.events import Event, HandStarted
from tests.support.recordings import small_contest


class Watched:
    """An on-air log with its segments, all entries as viewers got them, and the picture before each."""

    def __init__(self) -> None:
        self.air = AirLog("main", 1.0)
        self.log = SegmentLog(self.air)
        self.entries: list[OnAirEntry] = []
        self.before: list[State] = []
        self.air.recorders.add(self._keep)

    def _keep(self, entry: OnAirEntry, before: State, _: State) -> None:
        self.entries.append(entry)
        self.before.append(before)

    @property
    def events(self) -> list[Event]:
        return [entry.event for entry in self.entries]


@pytest.fixture(scope="module")
def watched() -> Watched:
    """A whole small contest."""
    show = Watched()
    asyncio.run(run_show(show.air, small_contest()))
    return show


def test_every_segment_begins_with_a_hand_and_the_picture_before_it(watched: Watched) -> None:
    segments = [read_segment(each) for each in watched.log.all()]
    assert [segment.n for segment in segments] == list(range(len(watched.log.outline.hands)))
    for segment, hand in zip(segments, watched.log.outline.hands, strict=True):
        assert (segment.first_seq, segment.at_ms) == (hand.seq, hand.at_ms)
        assert segment.opening == watched.before[hand.seq - 1]
    assert [segment.entries[0]["type"] for segment in segments[1:]] == ["hand_started"] * (len(segments) - 1)
    assert sum(isinstance(event, HandStarted) for event in watched.events) == len(segments) - 1


def test_segments_together_hold_every_entry_as_it_was_on_air(watched: Watched) -> None:
    segments = [read_segment(each) for each in watched.log.all()]
    held = [entry for segment in segments for entry in segment.entries]
    assert held == [json.loads(entry.text()) for entry in watched.entries]
    for segment in segments:
        assert (segment.entries[0]["seq"], segment.entries[-1]["seq"]) == (segment.first_seq, segment.last_seq)
        ends = max(entry["at_ms"] + entry["hold_ms"] for entry in segment.entries)
        assert segment.length_ms == ends - segment.at_ms


def test_replayed_hand_starts_no_segment_and_leaves_the_outline_unchanged(watched: Watched) -> None:
    outline = watched.log.outline
    part = watched.entries[outline.hands[1].seq - 1 : outline.hands[2].seq - 1]
    show = Watched()
    put(show.air, watched.entries[: outline.hands[2].seq - 1])
    before = msgspec.json.encode(show.log.outline.hands)
    picture = read_segment(watched.log.all()[1]).opening
    at_ms = show.air.at_ms
    show.air.put(ReplayStarted(1, picture), at_ms, 0)
    for entry in part:
        show.air.put(entry.event, at_ms, entry.hold_ms)
    show.air.put(ReplayEnded(), at_ms, 0)
    assert msgspec.json.encode(show.log.outline.hands) == before
    held = json.loads(show.log.open.text())
    assert (held["n"], held["entries"][-1]["type"]) == (1, "replay_ended")


def test_film_of_an_older_format_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "one.film"
    film = film_of(small_contest())
    keep_film(film, "stamp", path)
    found = found_film(path, "stamp")
    assert found is not None
    assert Film(read_outline(found.index()), segments(path)) == film
    path.write_bytes(path.read_bytes().replace(FORMAT.encode(), b"high-noon-film/3", 1))
    assert found_film(path, "stamp") is None


def put(air: AirLog, entries: Sequence[OnAirEntry]) -> None:
    for entry in entries:
        air.put(entry.event, entry.at_ms, entry.hold_ms)


def read_outline(squeezed: bytes) -> Outline:
    return msgspec.json.decode(gzip.decompress(squeezed), type=Outline)


def segments(path: Path) -> tuple[bytes, ...]:
    found = found_film(path, "stamp")
    assert found is not None
    return tuple(found.segment(number) for number in range(found.segments))


def test_parts_of_a_growing_segment_add_up_to_the_closed_one() -> None:
    air = AirLog("main", 1.0)
    log = SegmentLog(air)
    parts: dict[int, list[dict[str, Any]]] = {}

    def keep(segment: OpenSegment | None) -> None:
        if segment:
            had = parts.setdefault(segment.n, [])
            had.append(json.loads(segment.text(sum(len(part["entries"]) for part in had))))

    def look(entry: OnAirEntry, _: object, __: object) -> None:
        if entry.seq % 3 == 0:
            keep(log.ended)
            keep(log.open)

    air.recorders.add(look)
    asyncio.run(run_show(air, small_contest()))
    assert len(log.closed) > 5
    for number, closed in enumerate(log.closed[:-1]):
        whole, first = json.loads(gzip.decompress(closed)), parts[number][0]
        assert first["opening"] == whole["opening"]
        assert not any("opening" in part for part in parts[number][1:])
        assert [entry for part in parts[number] for entry in part["entries"]] == whole["entries"]
        assert {part["at_ms"] for part in parts[number]} == {whole["at_ms"]}
        starts = [part["first_seq"] for part in parts[number]]
        assert starts == [first["first_seq"], *(part["last_seq"] + 1 for part in parts[number][:-1])]
