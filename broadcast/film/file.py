"""The file of a film: a line of JSON that says which recording it is of, then the index and the segments, gzipped."""

import errno
import gzip
import os
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.film.film import Film, index_of
from broadcast.film.outline import Outline
from server.text.regular_file import open_regular

FORMAT = "high-noon-film/7"
ENDING = ".film"
_LONGEST_HEAD = 1 << 20


class _Head(Struct, frozen=True):
    film: str
    of: str
    version: str
    lengths: tuple[int, ...]
    """Bytes of the index and of each segment."""


class FilmFile(Struct, frozen=True):
    """A film in a file: its version, where the index and each segment begin, and their lengths in bytes.

    Once another file is in its place, it cannot be read any more.
    """

    path: Path
    version: str
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    made: tuple[int, int]
    """The file's inode and time: another one has others."""

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return len(self.lengths) - 1

    def index(self) -> bytes:
        """The `FilmIndex`, gzipped JSON. Raises OSError where the file cannot be read."""
        return self._part(0)

    def segment(self, number: int) -> bytes:
        """The segment of that number from 0, gzipped JSON; b"" where there is none.

        Raises OSError where the file cannot be read.
        """
        return self._part(number + 1) if number < self.segments else b""

    def film(self) -> Film:
        """The whole film. Raises OSError where the file cannot be read."""
        outline = msgspec.json.decode(gzip.decompress(self.index()), type=Outline)
        return Film(outline, tuple(map(self.segment, range(self.segments))))

    def _part(self, at: int) -> bytes:
        with open_regular(self.path) as file:
            if _made(os.fstat(file.fileno())) != self.made:
                raise OSError(errno.ESTALE, "it was made anew")
            file.seek(self.starts[at])
            return file.read(self.lengths[at])


def keep_film(film: Film, of: str, path: Path) -> None:
    """Writes a film to `path`, in place of an older one; `of` is the stamp of its recording.

    The file is there whole or not at all, readable by its owner alone. Raises OSError where it cannot be written.
    """
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
    """The film at `path`; None where it is missing, not whole, or not of the recording with the stamp `of`."""
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
