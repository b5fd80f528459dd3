"""Makes the files with which a live show is published: segments, parts of the open segment, and an index. No I/O.

A segment is a hand as it was on air. The open segment is the hand on air now. Its parts have the form of a segment, but
only part 0 has the picture before the hand. A page reads the index first, then parts and segments. So the index is
written last. It also contains the newest parts, so a page that reads every index needs no other file. Only what has
been on air is published.
"""

import gzip
from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from broadcast.film.segments import GZIP_LEVEL, OpenSegment
from broadcast.live.channel import HANDS_PER_BLOCK, LiveChannel, LiveIndex
from broadcast.publish.destination import CACHE_FOREVER
from broadcast.publish.destination_lease import CACHE_ONE_SECOND, INDEX_PATH, LIVE_FOLDER
from broadcast.publish.files import File

DELAY_SECONDS = 10
"""How many seconds the published show is behind the show on air. In these seconds, the program writes files, and
viewers' pages find and fetch them.
"""
INDEX_SECONDS = 5.0
"""The seconds between two indexes. An index is written even if nothing is new, because it tells pages that the show is
still being published.
"""
CACHE_FIVE_SECONDS = "max-age=5"
EARLIER_HANDS = 1
"""How many hands before the open segment are in the index. A page that lacks more hands asks for the index of all
hands.
"""
MAX_EARLY_PARTS = 3
"""Once the open segment has more parts than this, the index leaves out earlier hands and the schedule. By then every
page has these hands and the schedule.
"""


class PublishedIndex(LiveIndex, frozen=True, kw_only=True):
    """The published form of a `LiveIndex`, the index of a live show. Its content was on air at `now_utc_ms`, and
    viewers see it `delay_s` seconds later.

    `event` is the show's name. The next index follows `every_ms` milliseconds later. `fresh` has the parts that are new
    since the last index, without pictures. The open segment has `parts` parts. The previous segment has `ended_parts`
    parts, or 0 if it is not published in parts. `sums` are the SHA-256 hashes of the JSON of all segments from number
    `since` on. The hash of a missing segment is "". Without a `schedule`, the previous schedule is still valid.
    """

    event: str
    delay_s: int
    every_ms: int
    fresh: Sequence[msgspec.Raw]
    parts: int
    ended_parts: int
    sums: Sequence[str]


class _Parts(Struct, frozen=True):
    """How much of hand `hand` is published: `parts` parts, with `entries` entries in all.

    `ended_parts` is the number of parts of the previous hand.
    """

    hand: int = 0
    parts: int = 0
    entries: int = 0
    ended_parts: int = 0


class LiveFiles:
    """Makes the files of a channel that have not been published yet."""

    def __init__(self, live: LiveChannel, show: str) -> None:
        self.is_over = False
        """Whether the whole show is published, up to its end."""
        self._live = live
        self._show = show
        self._sums: list[str] = []
        self._block_count = 0
        self._published = _Parts()
        self._outline_hand = -1
        """The number of the hand that was open when the index of all hands was last written."""

    def missing_files(self, batch_size: int) -> Iterator[Sequence[File]]:
        """Yields the missing files in batches of at most `batch_size`: segments, then blocks (lists of HANDS_PER_BLOCK
        ended hands), then parts. The index comes last.

        The files of a batch may be written in any order. All files must be written before the next batch is requested.
        """
        closed = self._live.segments.closed_segments
        while (first := len(self._sums)) < len(closed):
            ended = closed[first : first + batch_size]
            yield [self._final_file(f"{number}.seg", content) for number, content in enumerate(ended, first) if content]
            self._sums += [sha256(gzip.decompress(content)).hexdigest() if content else "" for content in ended]
        while (end := (self._block_count + 1) * HANDS_PER_BLOCK) <= len(self._sums):
            begin = end - HANDS_PER_BLOCK
            block = {"hands": self._live.segments.outline.hands[begin:end], "sums": self._sums[begin:end]}
            yield [self._final_file(f"{self._block_count}.hands", _gzip(msgspec.json.encode(block)))]
            self._block_count += 1
        yield from self._parts_and_indexes()

    def _parts_and_indexes(self) -> Iterator[Sequence[File]]:
        """Yields the new parts, then the indexes that list these parts.

        All ended segments must be published already.
        """
        segments, published = self._live.segments, self._published
        # If some parts of the previous hand are published, its last part may still be missing.
        ended_segment = segments.previous_segment
        last_parts = (
            list(_part_unless_empty(ended_segment, published.parts, published.entries))
            if published.parts and ended_segment and ended_segment.n == published.hand
            else []
        )
        is_same_hand = published.hand == segments.open_segment.n
        new_parts = list(
            _part_unless_empty(segments.open_segment, *(published.parts, published.entries) if is_same_hand else (0, 0))
        )
        now_published = _Parts(
            segments.open_segment.n,
            len(new_parts) + (published.parts if is_same_hand else 0),
            len(segments.open_segment),
            published.ended_parts
            if is_same_hand
            else (published.parts + len(last_parts) if published.hand == segments.open_segment.n - 1 else 0),
        )
        files = [self._final_file(name, _gzip(text)) for name, text, _ in (*last_parts, *new_parts)]
        if self._outline_hand != now_published.hand:
            whole = replace(
                self._make_index(now_published, self._block_count * HANDS_PER_BLOCK, ()), blocks=self._block_count
            )
            files.append(File(f"{LIVE_FOLDER}/all.json", _gzip(msgspec.json.encode(whole)), CACHE_FIVE_SECONDS))
        is_over = self._live.make_index(now_published.hand).state == "over"
        recent = self._recent_index(now_published, [fresh for *_, fresh in (*last_parts, *new_parts)])
        yield from ([file] for file in (*files, File(INDEX_PATH, recent, CACHE_ONE_SECOND)))
        self._published, self._outline_hand, self.is_over = now_published, now_published.hand, is_over

    def _final_file(self, name: str, content: bytes) -> File:
        """Returns a file that never changes. Its path contains `epoch`, the id of this run of the show."""
        return File(f"{LIVE_FOLDER}/{self._live.epoch}/{name}", content, CACHE_FOREVER)

    def _recent_index(self, parts: _Parts, fresh: Sequence[msgspec.Raw]) -> bytes:
        """Returns the index for pages that have read all earlier indexes. It contains only what is new to them."""
        is_early = parts.parts <= MAX_EARLY_PARTS
        index = asdict(self._make_index(parts, max(0, parts.hand - EARLIER_HANDS) if is_early else parts.hand, fresh))
        index["outline"] = asdict(index["outline"])
        del index["outline"]["bots"], index["blocks"]
        if not index["goes_on"]:  # whether another contest follows
            del index["goes_on"]
        if index["state"] == "live" and not is_early:
            del index["schedule"]
        return _gzip(msgspec.json.encode(index))

    def _make_index(self, parts: _Parts, since: int, fresh: Sequence[msgspec.Raw]) -> PublishedIndex:
        return PublishedIndex(
            **asdict(self._live.make_index(since)),
            event=self._show,
            delay_s=DELAY_SECONDS,
            every_ms=round(INDEX_SECONDS * 1000),
            fresh=fresh,
            parts=parts.parts,
            ended_parts=parts.ended_parts,
            sums=self._sums[since:],
        )


def _part_unless_empty(segment: OpenSegment, number: int, start: int) -> Iterator[tuple[str, bytes, msgspec.Raw]]:
    """Yields part `number` of a segment: its name, its text, and its text without the picture. The part begins with the
    entry at index `start`. Yields nothing if the part is empty. Part 0 always has a picture, so it is never empty.
    """
    if not number or len(segment) > start:
        yield (
            f"{segment.n}-{number}.part",
            segment.to_json(start),
            msgspec.Raw(segment.to_json(start, with_opening=False)),
        )


def _gzip(text: bytes) -> bytes:
    return gzip.compress(text, GZIP_LEVEL, mtime=0)
