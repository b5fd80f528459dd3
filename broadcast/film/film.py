"""The film of a recording: all on-air entries with their times, made by the showrunner without waiting.

It is cut into one segment per hand. Its file has a line of JSON about its recording, then the gzipped index and
segments.
"""

import asyncio
import errno
import gzip
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from broadcast.film.outline import Outline
from broadcast.film.segments import LEVEL, SegmentLog
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import NOTHING, Aired, Spoken, of_the_desk
from broadcast.show.shots import Voice
from broadcast.show.showrunner import Showrunner
from server.game.events import HandEnded
from server.journal.journal import Entry
from server.text.regular_file import open_regular

FORMAT = "high-noon-film/7"
ENDING = ".film"
_LONGEST_HEAD = 1 << 20


class Film(Struct, frozen=True):
    """A whole film: the outline, and every segment as `segments` writes it, by the hand's number."""

    outline: Outline
    segments: tuple[bytes, ...]


class FilmIndex(Outline):
    """The outline, the `version` in the addresses of its segments, and their SHA-256 `sums` as JSON, hexadecimal."""

    version: str = ""
    sums: tuple[str, ...] = ()


def index_of(film: Film) -> tuple[str, bytes]:
    """The version of a film, and its `FilmIndex` as gzipped JSON."""
    sums = tuple(hashlib.sha256(gzip.decompress(segment)).hexdigest() for segment in film.segments)
    version = hashlib.sha256("".join(sums).encode()).hexdigest()[:16]
    index = FilmIndex(**asdict(film.outline), version=version, sums=sums)
    return version, gzip.compress(msgspec.json.encode(index), LEVEL, mtime=0)


def film_of(
    entries: Sequence[Entry],
    begun: str = "",
    spoken: Spoken = NOTHING,
    on_hand: Callable[[], object] = lambda: None,
    past: Sequence[Aired] = (),
) -> Film:
    """The film of a recording's `entries`, started at `begun` (ISO 8601), with the lines `spoken` at its entries.

    With the diary `past` it has the show's own times and breaks; without it, nothing that was done at the desk. Calls
    `on_hand` after each hand. Runs its own event loop. Raises whatever forged entries cause.
    """
    if past:
        entries = entries[: max(line.seq for line in past)]
    else:
        entries = [entry for entry in entries if not of_the_desk(entry.event)]
    air = AirLog("film", 1.0)
    log = SegmentLog(air)
    asyncio.run(run_show(air, entries, past, spoken, on_hand))
    log.outline.begun = begun
    return Film(log.outline, log.all())


async def run_show(
    air: AirLog,
    entries: Sequence[Entry],
    past: Sequence[Aired] = (),
    spoken: Spoken = NOTHING,
    on_hand: Callable[[], object] = lambda: None,
) -> None:
    """Puts all `entries` on `air` without waiting, at the times of the diary `past` as far as it goes."""
    odds = OddsCalculator()
    now = 0.0

    async def pass_by(seconds: float) -> None:
        nonlocal now
        await odds.done()  # a live show would go on without them
        now += seconds

    show = Showrunner(air, clock=lambda: now, sleep=pass_by, past=past, odds=odds, voice=Voice(spoken))
    await show.run(_each(entries, on_hand))


async def _each(entries: Sequence[Entry], on_hand: Callable[[], object]) -> AsyncIterator[Entry]:
    for entry in entries:
        yield entry
        if isinstance(entry.event, HandEnded):
            on_hand()


class _Head(Struct, frozen=True):
    film: str
    of: str
    version: str
    lengths: tuple[int, ...]
    """Bytes of the index, then of each segment."""


class FilmFile(Struct, frozen=True):
    """A film in a file, readable until another replaces it; `starts` and `lengths` of index and segments in bytes."""

    path: Path
    version: str
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    made: tuple[int, int]
    """The file's inode and time, to recognise a replacement."""

    @property
    def segments(self) -> int:
        return len(self.lengths) - 1

    def index(self) -> bytes:
        """The `FilmIndex` as gzipped JSON. Raises OSError if the file cannot be read."""
        return self._part(0)

    def segment(self, number: int) -> bytes:
        """Segment `number`, from 0, as gzipped JSON; b"" if there is none. Raises OSError if it cannot be read."""
        return self._part(number + 1) if number < self.segments else b""

    def film(self) -> Film:
        """The whole film. Raises OSError if the file cannot be read."""
        outline = msgspec.json.decode(gzip.decompress(self.index()), type=Outline)
        return Film(outline, tuple(map(self.segment, range(self.segments))))

    def _part(self, at: int) -> bytes:
        with open_regular(self.path) as file:
            if _made(os.fstat(file.fileno())) != self.made:
                raise OSError(errno.ESTALE, "it was replaced")
            file.seek(self.starts[at])
            return file.read(self.lengths[at])


def keep_film(film: Film, of: str, path: Path) -> None:
    """Writes a film of the recording with the stamp `of` atomically, readable by its owner only. Raises OSError."""
    version, index = index_of(film)
    parts = [index, *film.segments]
    head = msgspec.json.encode(_Head(FORMAT, of, version, tuple(map(len, parts))))
    half = path.with_name(f".{path.name}.{os.getpid()}")
    file = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(file, "wb") as written:
            written.write(b"%s\n%s" % (head, b"".join(parts)))
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise


def found_film(path: Path, of: str) -> FilmFile | None:
    """The film at `path`; None if it is missing, incomplete, or not of the recording with the stamp `of`."""
    try:
        with open_regular(path) as file:
            line, about = file.readline(_LONGEST_HEAD), os.fstat(file.fileno())
        head = msgspec.json.decode(line, type=_Head)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    if (head.film, head.of) != (FORMAT, of) or min(head.lengths, default=0) <= 0:
        return None
    if len(line) + sum(head.lengths) != about.st_size:
        return None
    starts = tuple(len(line) + sum(head.lengths[:at]) for at in range(len(head.lengths)))
    return FilmFile(path, head.version, starts, head.lengths, _made(about))


def _made(about: os.stat_result) -> tuple[int, int]:
    return about.st_ino, about.st_mtime_ns
