"""A recording that may be shown, as the archive opens it; and why one may not be."""

from pathlib import Path

from msgspec import Struct

from broadcast.archive.queries import RecordingRow
from broadcast.film.film import FilmFile


class Unlisted(Struct, frozen=True):
    """A recording that may be shown but that no list names, such as a game of a season.

    `begun` is when it began, UTC in ISO 8601; `page` the path of the page that describes it.
    """

    path: Path
    title: str
    begun: str
    page: str


class Opened(Struct, frozen=True):
    """A recording that may be shown: its file, its row in the index and its film, all read at the same time.

    `stamp` changes with the file's content. `film` is None where the film has to be made first; it will be written to
    `film_path`. Either `row` or `unlisted` is there, the other is None.
    """

    name: str
    path: Path
    stamp: str
    film_path: Path
    film: FilmFile | None
    row: RecordingRow | None = None
    unlisted: Unlisted | None = None


class Unshowable(Exception):
    """A recording cannot be shown; the message is a whole sentence that says why."""


class BeingMade(Unshowable):
    """A recording's film is being made; the message says how far it is."""


class NotYet(Unshowable):
    """A recording cannot be shown yet, but soon: it is being read, or too many films are being made."""
