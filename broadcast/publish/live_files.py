"""The files of a show that is on, as they lie at a place: hands that have ended, the one that is on in parts, an index.

A page reads index, then parts and segments, so they are to be written the other way round. A part is a segment as in
`broadcast.film.segments`, but only part 0 has the picture that it opens with. What has just been on air is in the index
itself, too, so that a page which reads every index needs nothing else. Nothing here has not been on air. Pure.
"""

import gzip
from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from broadcast.film.segments import LEVEL, OpenSegment
from broadcast.live.channel import BLOCK, LiveChannel, LiveIndex
from broadcast.publish.files import File
from broadcast.publish.place import FOR_EVER
from broadcast.publish.show_there import FOR_A_SECOND, INDEX, LIVE

DELAY_SECONDS = 10
"""So long after its time on air here an entry is shown there: it has to be written, to be found, and to be fetched."""
EVERY_SECONDS = 5.0
"""An index is written so often, whether or not there is anything new: pages tell by it that all is well."""
FOR_NEWCOMERS = "max-age=5"
RECENT = 1
"""So many hands before the open one are in the index; a page that lacks more asks for the whole outline."""
EARLY_PARTS = 3
"""While the open hand has no more parts than these. By then a page knows the hands before, and the schedule."""


class PublishedIndex(LiveIndex, frozen=True, kw_only=True):
    """A `LiveIndex` at a place: `now_utc_ms` is when this was on air here, and viewers are `delay_s` seconds behind.

    `event` is the event that is published. The next index comes `every_ms` later. `fresh` are the pieces, without
    pictures, that are new since the one before. `parts` are those of the segment `open`, `ended_parts` those of the
    one before it, 0 where it can only be had whole. `sums` are the SHA-256 of the JSON of the segments from `since` on,
    "" for one that is not there. Where there is no `schedule` that of the index before still holds.
    """

    event: str
    delay_s: int
    every_ms: int
    fresh: Sequence[msgspec.Raw]
    parts: int
    ended_parts: int
    sums: Sequence[str]


class _Parts(Struct, frozen=True):
    """The parts of a hand that are there, and how many entries they have; and the parts of the hand before it."""

    hand: int = 0
    parts: int = 0
    entries: int = 0
    ended_parts: int = 0


class LiveFiles:
    """Which files of a channel are not at a place yet."""

    def __init__(self, live: LiveChannel, event: str) -> None:
        self.over = False
        """Whether all is there, to the end of the show."""
        self._live = live
        self._event = event
        self._sums: list[str] = []
        self._blocks = 0
        self._there = _Parts()
        self._whole = -1
        """The hand that was on when the index with all hands was written."""

    def missing(self, at_once: int) -> Iterator[Sequence[File]]:
        """The files that are not there yet, at most `at_once` at a time, which may be written in any order.

        Who takes the next ones has written these. The last is the index.
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
        """The new parts, then what names them. All segments that have ended are there, and all blocks."""
        log, there = self._live.segments, self._there
        ended = log.ended  # the hand whose parts are there, if it has just ended
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
        """The index with the hands and all else that a page does not know yet which has seen those before."""
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
            event=self._event,
            delay_s=DELAY_SECONDS,
            every_ms=round(EVERY_SECONDS * 1000),
            fresh=fresh,
            parts=parts.parts,
            ended_parts=parts.ended_parts,
            sums=self._sums[since:],
        )


def _part(segment: OpenSegment, number: int, start: int) -> Iterator[tuple[str, bytes, msgspec.Raw]]:
    """Part `number` with the entries from place `start` on, if there are any; part 0 has the opening in any case.

    Gives its name, its text, and that without the opening, as the index has it.
    """
    if not number or len(segment) > start:
        yield f"{segment.n}-{number}.part", segment.text(start), msgspec.Raw(segment.text(start, whole=False))


def _squeezed(text: bytes) -> bytes:
    return gzip.compress(text, LEVEL, mtime=0)
