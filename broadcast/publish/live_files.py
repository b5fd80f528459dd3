"""The files of a live show at a destination: the hands that have ended, the one that is on in parts, and an index.

A page reads the index first, then parts and segments, so they are written in the reverse order. A part is a segment as
in `broadcast.film.segments`, but only part 0 has the opening picture. The index also has what was on air just now, so
a page that reads every index needs nothing else. Nothing is published before it was on air. Pure.
"""

import gzip
from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from broadcast.film.segments import LEVEL, OpenSegment
from broadcast.live.channel import BLOCK, LiveChannel, LiveIndex
from broadcast.publish.destination import FOR_EVER
from broadcast.publish.files import File
from broadcast.publish.show_there import FOR_A_SECOND, INDEX, LIVE

DELAY_SECONDS = 10
"""How far the published show is behind: an entry has to be written, found and fetched."""
EVERY_SECONDS = 5.0
"""The time between two indexes, even if nothing is new: they are the heartbeat that pages wait for."""
FOR_NEWCOMERS = "max-age=5"
RECENT = 1
"""Number of hands before the open one in the index; a page that lacks more asks for the whole outline."""
EARLY_PARTS = 3
"""Once the open hand has more parts than this, every page knows the hands before it and the schedule."""


class PublishedIndex(LiveIndex, frozen=True, kw_only=True):
    """A published `LiveIndex`: its content was on air at `now_utc_ms`, and viewers are `delay_s` seconds behind.

    `event` names the show. The next index follows `every_ms` later. `fresh` are the parts that are new since the last
    index, without pictures. `parts` counts those of the open segment, `ended_parts` those of the segment before, 0 if
    that exists only whole. `sums` are the SHA-256 of the JSON of the segments from `since` on, "" for a missing one.
    Without a `schedule` the previous one is still valid.
    """

    event: str
    delay_s: int
    every_ms: int
    fresh: Sequence[msgspec.Raw]
    parts: int
    ended_parts: int
    sums: Sequence[str]


class _Parts(Struct, frozen=True):
    """The number of published parts of a hand, of their entries, and of parts of the hand before it."""

    hand: int = 0
    parts: int = 0
    entries: int = 0
    ended_parts: int = 0


class LiveFiles:
    """Makes the files of a channel that have not been published yet."""

    def __init__(self, live: LiveChannel, show: str) -> None:
        self.over = False
        """Whether everything is published, to the end of the show."""
        self._live = live
        self._show = show
        self._sums: list[str] = []
        self._blocks = 0
        self._there = _Parts()
        self._whole = -1
        """The hand that was on when the index of all hands was written."""

    def missing(self, at_once: int) -> Iterator[Sequence[File]]:
        """Yields the missing files in batches of at most `at_once`; the index comes last.

        A batch may be written in any order, but completely before the next one is asked for.
        """
        closed = self._live.segments.closed
        while (there := len(self._sums)) < len(closed):
            ended = closed[there : there + at_once]
            yield [self._kept(f"{number}.seg", content) for number, content in enumerate(ended, there) if content]
            self._sums += [sha256(gzip.decompress(content)).hexdigest() if content else "" for content in ended]
        while (end := (self._blocks + 1) * BLOCK) <= len(self._sums):
            begin = end - BLOCK
            block = {"hands": self._live.segments.outline.hands[begin:end], "sums": self._sums[begin:end]}
            yield [self._kept(f"{self._blocks}.hands", _squeezed(msgspec.json.encode(block)))]
            self._blocks += 1
        yield from self._on_air_now()

    def _on_air_now(self) -> Iterator[Sequence[File]]:
        """The new parts, then the indexes that name them; call this once all ended segments and blocks are there."""
        log, there = self._live.segments, self._there
        ended = log.ended  # the hand whose parts are published, if it has just ended
        last = list(_part(ended, there.parts, there.entries)) if there.parts and ended and ended.n == there.hand else []
        same = there.hand == log.open.n
        new = list(_part(log.open, *(there.parts, there.entries) if same else (0, 0)))
        after = _Parts(
            log.open.n,
            len(new) + (there.parts if same else 0),
            len(log.open),
            there.ended_parts if same else (there.parts + len(last) if there.hand == log.open.n - 1 else 0),
        )
        files = [self._kept(name, _squeezed(text)) for name, text, _ in (*last, *new)]
        if self._whole != after.hand:
            whole = replace(self._index(after, self._blocks * BLOCK, ()), blocks=self._blocks)
            files.append(File(f"{LIVE}/all.json", _squeezed(msgspec.json.encode(whole)), FOR_NEWCOMERS))
        over = self._live.about(after.hand).state == "over"
        recent = self._recent(after, [fresh for *_, fresh in (*last, *new)])
        yield from ([file] for file in (*files, File(INDEX, recent, FOR_A_SECOND)))
        self._there, self._whole, self.over = after, after.hand, over

    def _kept(self, name: str, content: bytes) -> File:
        return File(f"{LIVE}/{self._live.epoch}/{name}", content, FOR_EVER)

    def _recent(self, parts: _Parts, fresh: Sequence[msgspec.Raw]) -> bytes:
        """The index with what is new to a page that has read all indexes before this one."""
        early = parts.parts <= EARLY_PARTS
        index = asdict(self._index(parts, max(0, parts.hand - RECENT) if early else parts.hand, fresh))
        index["outline"] = asdict(index["outline"])
        del index["outline"]["bots"], index["blocks"]
        if not index["goes_on"]:
            del index["goes_on"]
        if index["state"] == "live" and not early:
            del index["schedule"]
        return _squeezed(msgspec.json.encode(index))

    def _index(self, parts: _Parts, since: int, fresh: Sequence[msgspec.Raw]) -> PublishedIndex:
        return PublishedIndex(
            **asdict(self._live.about(since)),
            event=self._show,
            delay_s=DELAY_SECONDS,
            every_ms=round(EVERY_SECONDS * 1000),
            fresh=fresh,
            parts=parts.parts,
            ended_parts=parts.ended_parts,
            sums=self._sums[since:],
        )


def _part(segment: OpenSegment, number: int, start: int) -> Iterator[tuple[str, bytes, msgspec.Raw]]:
    """Yields part `number`: its name, its text, and the same without the picture. Nothing if it is empty."""
    if not number or len(segment) > start:
        yield f"{segment.n}-{number}.part", segment.text(start), msgspec.Raw(segment.text(start, whole=False))


def _squeezed(text: bytes) -> bytes:
    return gzip.compress(text, LEVEL, mtime=0)
