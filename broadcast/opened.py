"""A recording that may be shown, as the archive opens it; and why one may not be."""

from pathlib import Path

from msgspec import Struct

from broadcast.film_file import FilmFile
from broadcast.searching import Listed


class Aside(Struct, frozen=True):
    """A recording that may be shown and is on no list, and the page that tells of it. `begun` is UTC, ISO 8601."""

    path: Path
    title: str
    begun: str
    page: str


class Opened(Struct, frozen=True):
    """A recording that may be shown: its file, its row in the index and its film, as one look found them.

    `stamp` changes with the file. `film` is None where it has to be made first; it will lie at `film_path`. A recording
    has either a row in the index or is `aside`.
    """

    name: str
    path: Path
    stamp: str
    film_path: Path
    film: FilmFile | None
    row: Listed | None = None
    aside: Aside | None = None


class Unshowable(Exception):
    """Why a recording cannot be shown, in a sentence."""


class NotYet(Unshowable):
    """It cannot be shown now, but soon: it is being read, or too many films are being made."""
