"""Segments of what has been on air, as gzipped JSON. Each segment is one hand and everything up to the next hand.

A segment begins with the picture (the state shown on screen), so a page can show a segment without the earlier ones.
The times of its entries are measured from the segment's own time, `at_ms`. So if `at_ms` changes, all these entries
move with it.
"""

import gzip
from typing import Any

import msgspec
from msgspec import Struct

from broadcast.film.outline import OutlineBuilder
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.picture_state import State
from server.game.events import HandStarted

GZIP_LEVEL = 6
"""The compression level. A higher level takes twice as long and saves one percent."""


class Segment(Struct, frozen=True):
    """A segment as `read_segment` returns it. `n` is the number of its hand in the show.

    Number 0 is everything before the first hand. `opening` is the picture before entry `first_seq`. All times,
    including those of `entries`, are in milliseconds since the start of the show.
    """

    n: int
    at_ms: int
    first_seq: int
    last_seq: int
    length_ms: int
    """The time from the start of the segment to the end of its last entry."""
    opening: State
    entries: list[dict[str, Any]]


class OpenSegment:
    """A segment that is still growing or has just ended. `n` is its number."""

    def __init__(self, n: int, at_ms: int, opening: State) -> None:
        self.n = n
        self._at_ms = at_ms
        self._opening = opening
        self._texts: list[bytes] = []
        self._length_ms = 0

    def add(self, entry: OnAirEntry) -> None:
        self._texts.append(b'{"seq":%d,"offset_ms":%d,%s' % (entry.seq, entry.at_ms - self._at_ms, entry.json_tail()))
        self._length_ms = max(self._length_ms, entry.at_ms + entry.hold_ms - self._at_ms)

    def __len__(self) -> int:
        return len(self._texts)

    def to_json(self, start: int = 0, *, with_opening: bool = True) -> bytes:
        """Returns the segment as JSON, with the entries from index `start` on.

        Includes the opening picture if `with_opening` is true and `start` is 0.
        """
        first = self._opening.seq + 1 + start
        last = self._opening.seq + len(self._texts)
        opening = b'"opening":%s,' % msgspec.json.encode(self._opening) if with_opening and not start else b""
        return b'{"n":%d,"at_ms":%d,"first_seq":%d,"last_seq":%d,"length_ms":%d,%s"entries":[%s]}' % (
            *(self.n, self._at_ms, first, last, self._length_ms),
            *(opening, b",".join(self._texts[start:])),
        )


class SegmentLog:
    """Cuts everything that goes on `air` into segments, and keeps the outline (facts about each hand). Create the log
    before the first entry.
    """

    def __init__(self, air: AirLog, most_bytes: int | None = None) -> None:
        """If the closed segments together have more than `most_bytes`, the log forgets the oldest of them, but never
        the latest.
        """
        self.closed_segments: list[bytes] = []
        """The segments that have ended, gzipped, indexed by number. A forgotten segment is b""."""
        self.first_kept = 0
        self._most_bytes = most_bytes
        self._closed_bytes = 0
        self._builder = OutlineBuilder()
        self.outline = self._builder.outline
        """The outline of all hands so far, which grows while the show runs."""
        self.open_segment = OpenSegment(0, 0, air.picture)
        self.previous_segment: OpenSegment | None = None
        """The segment before `open_segment`."""
        air.recorders.add(self._record)

    def all_segments(self) -> tuple[bytes, ...]:
        """Returns all segments. The open segment is included as it is now."""
        return (*self.closed_segments, _compress(self.open_segment))

    def _record(self, entry: OnAirEntry, before: State, after: State) -> None:
        if isinstance(entry.event, HandStarted) and not before.replay:
            self._close()
            self.previous_segment = self.open_segment
            self.open_segment = OpenSegment(len(self.closed_segments), entry.at_ms, before)
        self.open_segment.add(entry)
        self._builder.record(entry, after)

    def _close(self) -> None:
        self.closed_segments.append(_compress(self.open_segment))
        self._closed_bytes += len(self.closed_segments[-1])
        while (
            self._most_bytes
            and self._closed_bytes > self._most_bytes
            and self.first_kept < len(self.closed_segments) - 1
        ):
            self._closed_bytes -= len(self.closed_segments[self.first_kept])
            self.closed_segments[self.first_kept] = b""
            self._builder.forget(self.first_kept)
            self.first_kept += 1


def read_segment(squeezed: bytes) -> Segment:
    """Reads a segment that this module wrote. Raises OSError, EOFError or msgspec.DecodeError for other data."""
    segment = msgspec.json.decode(gzip.decompress(squeezed), type=Segment)
    for entry in segment.entries:
        entry["at_ms"] = segment.at_ms + entry.pop("offset_ms")
    return segment


def _compress(segment: OpenSegment) -> bytes:
    return gzip.compress(segment.to_json(), GZIP_LEVEL, mtime=0)
