"""The film of a recording: all entries that its show puts on air, such as bets and captions, with their times.

The film is computed faster than real time, and cut into one segment per hand. Its file starts with a line of JSON about
the recording, followed by the gzipped index and the gzipped segments.
"""

import asyncio
import errno
import gzip
import hashlib
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from broadcast.film.outline import Outline
from broadcast.film.segments import GZIP_LEVEL, SegmentLog
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import NOTHING_SPOKEN, AiredLine, SpokenLines, ThoughtLine, is_from_desk
from broadcast.show.shots import Voice
from broadcast.show.showrunner import Showrunner
from server.game.events import HandEnded
from server.journal.journal import Entry
from server.text.regular_file import open_regular

FORMAT = "high-noon-film/13"
FILM_SUFFIX = ".film"
_MAX_HEAD_BYTES = 1 << 20
_FILM_SUFFIX_PATTERN = re.compile(rf"\{FILM_SUFFIX}(-\d+)?")
"""The suffix of a film's file name. If the film shows a table that was not on air, the table's number follows, as in
"-2".
"""


class Film(Struct, frozen=True):
    """A whole film: the outline, which lists the bots and the hands, and the gzipped segments. The segment of
    `outline.hands[i]` is `segments[i]`.
    """

    outline: Outline
    segments: tuple[bytes, ...]


class FilmIndex(Outline):
    """An outline, with everything else that a page needs to load and check the segments of the film.

    The segments' addresses contain the `version`. `sums` has the SHA-256 of each uncompressed segment, in hexadecimal.
    """

    version: str = ""
    sums: tuple[str, ...] = ()


def index_of(film: Film) -> tuple[str, bytes]:
    """Returns the version of a film, and its `FilmIndex` as gzipped JSON."""
    sums = tuple(hashlib.sha256(gzip.decompress(segment)).hexdigest() for segment in film.segments)
    version = hashlib.sha256("".join(sums).encode()).hexdigest()[:16]
    index = FilmIndex(**asdict(film.outline), version=version, sums=sums)
    return version, gzip.compress(msgspec.json.encode(index), GZIP_LEVEL, mtime=0)


def film_recording(
    entries: Sequence[Entry],
    start_time: str = "",
    spoken: SpokenLines = NOTHING_SPOKEN,
    on_hand: Callable[[], object] = lambda: None,
    past_lines: Sequence[AiredLine | ThoughtLine] = (),
) -> Film:
    """Makes the film of a recording's `entries`. The recording began at `start_time` (ISO 8601). `spoken` has the lines
    that a voice has spoken, keyed by entry number.

    `past_lines` are lines of the show's diary, which records what went on air, and at what time. With these lines, the
    film has the times and breaks of the show as it ran. Without them, the film leaves out everything that the operator
    did. Calls `on_hand` after each hand. Runs its own event loop. Forged entries may cause any exception.
    """
    if past_lines:
        entries = entries[: max(line.seq for line in past_lines if isinstance(line, AiredLine))]
    else:
        entries = [entry for entry in entries if not is_from_desk(entry.event)]
    air = AirLog("film", 1.0)
    log = SegmentLog(air)
    asyncio.run(run_show(air, entries, past_lines, spoken, on_hand))
    log.outline.begun = start_time
    return Film(log.outline, log.all_segments())


async def run_show(
    air: AirLog,
    entries: Sequence[Entry],
    past_lines: Sequence[AiredLine | ThoughtLine] = (),
    spoken: SpokenLines = NOTHING_SPOKEN,
    on_hand: Callable[[], object] = lambda: None,
) -> None:
    """Puts all `entries` on `air` without waiting. Uses the times of the diary's lines `past_lines`, if there are
    any.
    """
    odds = OddsCalculator()
    now = 0.0

    async def advance_clock(seconds: float, _woken: asyncio.Event) -> None:
        nonlocal now
        await odds.wait_until_done()  # unlike a live show, the film waits for odds
        now += seconds

    show = Showrunner(air, clock=lambda: now, wait=advance_clock, past_lines=past_lines, odds=odds, voice=Voice(spoken))
    await show.run(_iterate(entries, on_hand))


async def _iterate(entries: Sequence[Entry], on_hand: Callable[[], object]) -> AsyncIterator[Entry]:
    for entry in entries:
        yield entry
        if isinstance(entry.event, HandEnded):
            on_hand()


class _Head(Struct, frozen=True):
    film: str
    of: str
    """The stamp of the recording. It changes when the recording's file changes."""
    version: str
    lengths: tuple[int, ...]
    """The sizes in bytes of the index and of each segment."""


class FilmFile(Struct, frozen=True):
    """A film in a file. It can be read until another film replaces the file.

    `starts` and `lengths` are the positions and sizes, in bytes, of the index and then of each segment.
    """

    path: Path
    version: str
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    file_identity: tuple[int, int]
    """The inode and the modification time of the file, to detect whether the file was replaced."""

    @property
    def segment_count(self) -> int:
        return len(self.lengths) - 1

    def gzipped_index(self) -> bytes:
        """Returns the `FilmIndex` as gzipped JSON. Raises OSError if the file cannot be read."""
        return self._read_part(0)

    def gzipped_segment(self, number: int) -> bytes:
        """Returns segment `number`, counted from 0, as gzipped JSON. Returns b"" if there is no such segment. Raises
        OSError.
        """
        return self._read_part(number + 1) if number < self.segment_count else b""

    def read_film(self) -> Film:
        """Reads the whole film. Raises OSError if the file cannot be read."""
        outline = msgspec.json.decode(gzip.decompress(self.gzipped_index()), type=Outline)
        return Film(outline, tuple(map(self.gzipped_segment, range(self.segment_count))))

    def _read_part(self, index: int) -> bytes:
        with open_regular(self.path) as file:
            if _identity(os.fstat(file.fileno())) != self.file_identity:
                raise OSError(errno.ESTALE, "it was replaced")
            file.seek(self.starts[index])
            return file.read(self.lengths[index])


def write_film(film: Film, stamp: str, path: Path) -> None:
    """Writes the film of the recording with this `stamp` to `path`, atomically. Only the file's owner can read the
    film. Raises OSError.
    """
    version, index = index_of(film)
    parts = [index, *film.segments]
    head = msgspec.json.encode(_Head(FORMAT, stamp, version, tuple(map(len, parts))))
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(b"%s\n%s" % (head, b"".join(parts)))
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def open_film(path: Path, stamp: str) -> FilmFile | None:
    """Returns the film at `path`. Returns None if the film is missing or incomplete, or if its `stamp` is different."""
    try:
        with open_regular(path) as file:
            line, status = file.readline(_MAX_HEAD_BYTES), os.fstat(file.fileno())
        head = msgspec.json.decode(line, type=_Head)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    if (head.film, head.of) != (FORMAT, stamp) or min(head.lengths, default=0) <= 0:
        return None
    if len(line) + sum(head.lengths) != status.st_size:
        return None
    starts = tuple(len(line) + sum(head.lengths[:at]) for at in range(len(head.lengths)))
    return FilmFile(path, head.version, starts, head.lengths, _identity(status))


def mark_used(path: Path) -> None:
    """Records for `remove_unused` that the film at `path` was just used. The modification time stays as it was."""
    with suppress(OSError):
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def remove_unused(folder: Path, most_bytes: int, wanted: Path) -> None:
    """Removes the least recently used films from `folder` until all films together have at most `most_bytes`.

    The film at `wanted` stays, even if it alone has more than `most_bytes`. A removed film can be made again. Raises
    OSError if the folder cannot be read.
    """
    films = list[tuple[int, int, Path]]()
    for path in folder.iterdir():
        with suppress(OSError):  # another process may remove films, too
            if _FILM_SUFFIX_PATTERN.fullmatch(path.suffix) and path != wanted:
                status = path.stat()
                films.append((status.st_atime_ns, status.st_size, path))
    films.sort(reverse=True)
    bytes_left = most_bytes - (wanted.stat().st_size if wanted.exists() else 0)
    for _, size, path in films:
        bytes_left -= size
        if bytes_left < 0:
            with suppress(OSError):  # Windows does not delete a file that is being read
                path.unlink()


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_ino, status.st_mtime_ns
