"""Each segment can be shown by itself, and together the segments are the whole show."""

import asyncio
import gzip
import json
from pathlib import Path

import msgspec
import pytest

from broadcast.film.film import FORMAT, Film, film_of, keep_film, open_film, run_show
from broadcast.film.outline import Outline
from broadcast.film.segments import SegmentLog, read_segment
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.picture_state import State
from server.game.events import HandStarted
from tests.support.recordings import small_contest


class RecordedShow:
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


@pytest.fixture(scope="module")
def watched() -> RecordedShow:
    show = RecordedShow()
    asyncio.run(run_show(show.air, small_contest()))
    return show


def test_every_segment_begins_with_a_hand_and_the_picture_before_it(watched: RecordedShow) -> None:
    segments = [read_segment(each) for each in watched.log.all()]
    assert [segment.n for segment in segments] == list(range(len(watched.log.outline.hands)))
    for segment, hand in zip(segments, watched.log.outline.hands, strict=True):
        assert (segment.first_seq, segment.at_ms) == (hand.seq, hand.at_ms)
        assert segment.opening == watched.before[hand.seq - 1]
    assert [segment.entries[0]["type"] for segment in segments[1:]] == ["hand_started"] * (len(segments) - 1)
    assert sum(isinstance(entry.event, HandStarted) for entry in watched.entries) == len(segments) - 1


def test_segments_together_contain_every_entry_as_it_was_on_air(watched: RecordedShow) -> None:
    segments = [read_segment(each) for each in watched.log.all()]
    entries = [entry for segment in segments for entry in segment.entries]
    assert entries == [json.loads(entry.text()) for entry in watched.entries]
    for segment in segments:
        assert (segment.entries[0]["seq"], segment.entries[-1]["seq"]) == (segment.first_seq, segment.last_seq)
        end_ms = max(entry["at_ms"] + entry["hold_ms"] for entry in segment.entries)
        assert segment.length_ms == end_ms - segment.at_ms


def test_film_of_an_older_format_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "one.film"
    film = film_of(small_contest())
    keep_film(film, "stamp", path)
    found = open_film(path, "stamp")
    assert found is not None
    outline = msgspec.json.decode(gzip.decompress(found.index()), type=Outline)
    assert Film(outline, tuple(found.segment(number) for number in range(found.segments))) == film
    path.write_bytes(path.read_bytes().replace(FORMAT.encode(), b"high-noon-film/3", 1))
    assert open_film(path, "stamp") is None
