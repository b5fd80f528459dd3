"""The file of a film: a line of JSON that says which recording it is of, then the outline and the pieces, gzipped."""

import gzip
import os
from bisect import bisect_right
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.film.film import Film

FORMAT = "high-noon-film/3"
ENDING = ".film"
_LONGEST_HEAD = 1 << 20


class _Head(Struct, frozen=True):
    film: str
    of: str
    lengths: tuple[int, ...]
    """Bytes of the outline and of each piece."""
    hands: tuple[int, ...]
    """The first hand of each piece; 0 is what comes before the first one."""


class FilmFile(Struct, frozen=True):
    """A film in a file: where the outline and each piece begin, their lengths in bytes, and each piece's first hand."""

    path: Path
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    hands: tuple[int, ...]

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self.lengths) - 1

    def outline(self) -> bytes:
        """The outline, gzipped JSON. Raises OSError where the file cannot be read."""
        return self._part(0)

    def piece(self, number: int) -> bytes:
        """The piece of that number from 0, gzipped JSON. Raises OSError where the file cannot be read."""
        return self._part(number + 1)

    def holding(self, hand: int) -> int:
        """The number of the piece that holds a hand; the last piece for a hand beyond the end."""
        return max(0, bisect_right(self.hands, hand) - 1)

    def _part(self, at: int) -> bytes:
        with self.path.open("rb") as file:
            file.seek(self.starts[at])
            return file.read(self.lengths[at])


def keep_film(film: Film, of: str, path: Path) -> None:
    """Writes a film to `path`, in place of an older one; `of` is the stamp of its recording.

    The file is there whole or not at all, readable by its owner alone. Raises OSError where it cannot be written.
    """
    parts = [gzip.compress(part, 6, mtime=0) for part in (msgspec.json.encode(film.outline), *film.pieces)]
    pieces = [hand.piece for hand in film.outline.hands]
    firsts = tuple(pieces.index(piece) for piece in range(len(film.pieces)))
    head = msgspec.json.encode(_Head(FORMAT, of, tuple(map(len, parts)), firsts))
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
        with path.open("rb") as file:
            line = file.readline(_LONGEST_HEAD)
        head = msgspec.json.decode(line, type=_Head)
        size = path.stat().st_size
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    if (head.film, head.of) != (FORMAT, of) or min(head.lengths, default=0) <= 0:
        return None
    if len(line) + sum(head.lengths) != size or len(head.hands) != len(head.lengths) - 1:
        return None
    starts = tuple(len(line) + sum(head.lengths[:at]) for at in range(len(head.lengths)))
    return FilmFile(path, starts, head.lengths, head.hands)
