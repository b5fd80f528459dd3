"""Recordings that the archive may show, and the errors for recordings that it may not show."""

from pathlib import Path

from msgspec import Struct

from broadcast.archive.queries import RecordingRow
from broadcast.film.film import FilmFile


class UnlistedRecording(Struct, frozen=True):
    """A recording that may be shown, but is not in any list. `begun` is its start time in UTC (ISO 8601).

    `page` is the address of the page about the recording, such as a season's page about a game.
    """

    path: Path
    title: str
    begun: str
    page: str


class OpenedRecording(Struct, frozen=True):
    """A recording that may be shown, with its file, its row in the index and its film, all read at the same time.

    `stamp` changes with the file's content. The film is written to `film_path`. `film` is None until the film exists. A
    listed recording has a `row`, and any other recording has `unlisted`.
    """

    name: str
    path: Path
    stamp: str
    film_path: Path
    film: FilmFile | None
    row: RecordingRow | None = None
    unlisted: UnlistedRecording | None = None


class Unshowable(Exception):
    """A recording cannot be shown. The message says why in a sentence."""


class FilmInProgress(Unshowable):
    """A recording's film is still being made. The message states the progress."""


class NotYetShowable(Unshowable):
    """A recording cannot be shown yet, because it is still being read, or because too many films are being made."""
