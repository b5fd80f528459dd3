"""A recording that the archive may show, and the errors for those that it may not."""

from pathlib import Path

from msgspec import Struct

from broadcast.archive.queries import RecordingRow
from broadcast.film.film import FilmFile


class Unlisted(Struct, frozen=True):
    """A recording that may be shown but not listed; it started at `begun`, UTC in ISO 8601, and `page` is its path."""

    path: Path
    title: str
    begun: str
    page: str


class Opened(Struct, frozen=True):
    """A recording that may be shown: its file, its row in the index and its film, all read at the same time.

    `stamp` changes with the file's content. `film` is None until it has been made, at `film_path`. Either `row` or
    `unlisted` is None.
    """

    name: str
    path: Path
    stamp: str
    film_path: Path
    film: FilmFile | None
    row: RecordingRow | None = None
    unlisted: Unlisted | None = None


class Unshowable(Exception):
    """A recording cannot be shown; the message says why, in a whole sentence."""


class BeingMade(Unshowable):
    """A recording's film is being made; the message has the progress."""


class NotYet(Unshowable):
    """A recording cannot be shown yet, but soon: it is being read, or too many films are being made."""
