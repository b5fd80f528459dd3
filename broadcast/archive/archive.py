"""The archive: finds the recordings of a folder, and opens them with their films. A film is the file that a replay
loads. Each segment of a film has one hand.

The archive hides contests that are still being played. It keeps an index of its recordings. The index and the films may
be deleted at any time, because `broadcast.archive.jobs` rebuilds them from the recordings.
"""

import asyncio
import hashlib
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from broadcast.archive.database import (
    IndexedRecording,
    known_stamps,
    open_connection,
    open_index,
    stamp_of,
    store_recording,
)
from broadcast.archive.indexing import RECORDING_SUFFIX, find_changed
from broadcast.archive.jobs import Jobs
from broadcast.archive.queries import RecordingRow, find_recording
from broadcast.archive.showable_recording import (
    FilmInProgress,
    NotYetShowable,
    OpenedRecording,
    UnlistedRecording,
    Unshowable,
)
from broadcast.film.film import FILM_SUFFIX, FilmFile, mark_used, open_film
from broadcast.web.answers import run_in_thread
from server.system.files import UNTRUSTED_FLAGS, FileLock

RESCAN_SECONDS = 2.0
INDEX_WAIT_SECONDS = 3.0
"""How many seconds a page waits while new recordings are read. Then the page shows what is in the index."""
MAX_KNOWN_FILMS = 64
FILMS_BYTES = 1 << 30
"""How many bytes on disk all films of a folder may take together."""
INDEX_FILE = "archive.sqlite"
STILL_PLAYED = "This contest is still being played: its recording can be seen once it is over."

Result = TypeVar("Result")
IsOver = Callable[[Path], bool | None]
"""A function that returns whether the show of a recording is over, or None if it does not know. If it returns None, the
show counts as over when no program is writing the recording.
"""
FindUnlisted = Callable[[str], UnlistedRecording | None]
"""A function that finds a recording by its name among those that are shown but not listed, or returns None."""


class Archive:
    """All recordings of one folder, or a single recording in this folder."""

    def __init__(
        self,
        folder: Path,
        index: Path,
        *,
        is_over: IsOver = lambda _: None,
        find_unlisted: FindUnlisted = lambda _: None,
        only_name: str = "",
        rescan_seconds: float = RESCAN_SECONDS,
        wait_seconds: float = INDEX_WAIT_SECONDS,
        films_bytes: int = FILMS_BYTES,
    ) -> None:
        """Creates the archive of `folder`, with its index in the file `index`, which is created if missing.

        `only_name` is the name of the single recording to show. If it is "", all recordings are shown. The archive
        looks for new recordings at most once in `rescan_seconds`. A request waits at most `wait_seconds` for these
        recordings to be read. A film is written beside its recording, or beside the index if the recording's folder is
        read-only. If the films in a folder together take more than `films_bytes` bytes, the least recently used films
        are removed.
        """
        self._folder = folder
        self._index = index
        self._is_over = is_over
        self.find_unlisted = find_unlisted
        self._only_name = only_name
        self._rescan_seconds = rescan_seconds
        self._wait_seconds = wait_seconds
        self._jobs = Jobs(films_bytes)
        self._films: dict[tuple[str, str], FilmFile] = {}
        """Films whose segments were requested recently, keyed by the recording's name and the film's version."""
        self._last_scan = time.monotonic() - rescan_seconds
        self._scan_task: asyncio.Task[None] | None = None
        self._scan_done = asyncio.Event()
        """Set, except while the archive finds out which recordings are new."""
        self._scan_done.set()
        self.names_being_read: tuple[str, ...] = ()
        """The names of the recordings that are being read into the index."""

    @property
    def state(self) -> tuple[int, ...]:
        """A value that changes whenever the index is written."""
        files = (self._index, self._index.with_name(f"{self._index.name}-wal"))
        found = [path.stat() for path in files if path.exists()]
        return tuple(number for each in found for number in (each.st_mtime_ns, each.st_size))

    async def run_query(self, question: Callable[[sqlite3.Connection], Result]) -> Result:
        """Calls `question` in a thread, with a connection to the index, and returns its result.

        Raises sqlite3.Error, OSError, and what `question` raises.
        """
        return await run_in_thread(partial(self._run_with_index, question))

    async def refresh_index(self, *, wait_for_all: bool = False) -> None:
        """Reads new and changed recordings into the index. Looks for such recordings only if the last search is more
        than `rescan_seconds` ago.

        With `wait_for_all`, returns after all of them are read. Otherwise returns after at most `wait_seconds`, and
        `names_being_read` has the names of those that are still being read.
        """
        if self._scan_task is None and time.monotonic() - self._last_scan >= self._rescan_seconds:
            self._scan_done.clear()
            self._scan_task = asyncio.create_task(self._index_new())
            self._scan_task.add_done_callback(self._finish_scan)
        await self._scan_done.wait()
        if self._scan_task:
            await asyncio.wait([self._scan_task], timeout=None if wait_for_all else self._wait_seconds)

    async def open(self, name: str) -> OpenedRecording:
        """Returns the recording called `name`, with its file, its row in the index and its film.

        A new or changed file is read into the index first. Raises NotYetShowable if reading takes too long. Raises
        Unshowable if there is no such recording, or if its contest is still being played. Raises sqlite3.Error or
        OSError if the index cannot be read.
        """
        if unlisted := self.find_unlisted(name):
            return await run_in_thread(partial(self._open_recording, name, unlisted.path, unlisted=unlisted))
        found = await self.run_query(partial(self._find, name))
        if found:
            return found
        await self.refresh_index()
        return await self.run_query(partial(self._find_or_refuse, name, reading=name in self.names_being_read))

    async def film(self, name: str, table: int = 1, *, wait_seconds: float | None = None) -> FilmFile:
        """Returns the film of the recording called `name`. Makes the film if it does not exist yet.

        If each deal is played at several tables, with the same cards, the film shows table number `table` of each deal.
        Table 1 is the main table, which was on air. Raises what `open` raises. Raises Unshowable if there is no such
        table. Raises FilmInProgress, which states the progress, if the film is not finished after `wait_seconds`.
        """
        recording = await self.open(name)
        film, path = recording.film, recording.film_path
        if table != 1:
            if not (recording.row and recording.row.deals and 1 < table <= recording.row.bots):
                raise Unshowable(f"There is no table {table} in this recording.")
            path = path.with_suffix(f"{FILM_SUFFIX}-{table}")
            film = open_film(path, recording.stamp)
        if film:
            await run_in_thread(partial(mark_used, path))
            return film
        try:
            return await asyncio.wait_for(self._jobs.make_film(recording.path, path, table), wait_seconds)
        except TimeoutError:
            raise FilmInProgress(self._jobs.progress(path)) from None

    async def segment(self, name: str, version: str, number: int, table: int = 1) -> bytes:
        """Returns segment `number` of the film of this `version`, as gzipped JSON. Returns b"" if there is no such
        segment.

        Raises what `film` raises. Segments never change, so later calls read the same film, and do not open the
        recording again.
        """
        with suppress(KeyError, OSError):
            return self._films[name, version].gzipped_segment(number)
        film = await self.film(name, table)
        if film.version != version:
            return b""
        while len(self._films) >= MAX_KNOWN_FILMS:
            del self._films[next(iter(self._films))]
        self._films[name, version] = film
        return film.gzipped_segment(number)

    def _run_with_index(self, question: Callable[[sqlite3.Connection], Result]) -> Result:
        open_index(self._index)
        with open_connection(self._index) as index:
            return question(index)

    def _find(self, name: str, index: sqlite3.Connection) -> OpenedRecording | None:
        """Returns a recording that can be shown. Returns None if the recording is not in the index, or if its file has
        changed since it was read into the index.

        Raises Unshowable if the contest is still being played.
        """
        (stamp, _, row), path = find_recording(index, name), self._path(name)
        unchanged = row and path.exists() and stamp == stamp_of(path)
        return self._open_recording(name, path, row=row) if unchanged else None

    def _find_or_refuse(self, name: str, index: sqlite3.Connection, *, reading: bool) -> OpenedRecording:
        if found := self._find(name, index):
            return found
        _, fault, row = find_recording(index, name)
        if row:  # the file has changed since it was indexed, perhaps because its contest has been resumed
            self._refuse_unfinished(self._path(name))
        if reading or row:
            raise NotYetShowable("This recording is new and is being read: the page reloads by itself.")
        raise Unshowable(fault or "There is no recording of that name here.")

    def _open_recording(
        self, name: str, path: Path, *, row: RecordingRow | None = None, unlisted: UnlistedRecording | None = None
    ) -> OpenedRecording:
        self._refuse_unfinished(path)
        film_path = self._film_path(path)
        try:
            stamp = stamp_of(path)
        except OSError as error:
            raise Unshowable(f"The recording cannot be read: {error.strerror}.") from None
        return OpenedRecording(name, path, stamp, film_path, open_film(film_path, stamp), row, unlisted)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{RECORDING_SUFFIX}"

    def _film_path(self, path: Path) -> Path:
        """Returns where the film of a recording is written: beside the recording, or beside the index if the
        recording's folder is read-only.
        """
        if os.access(path.parent, os.W_OK):
            return path.with_suffix(FILM_SUFFIX)
        return self._index.with_name(f"{hashlib.sha256(bytes(path)).hexdigest()[:16]}{FILM_SUFFIX}")

    def _refuse_unfinished(self, path: Path) -> None:
        if not self._may_be_shown(path):
            raise Unshowable(STILL_PLAYED)

    def _may_be_shown(self, path: Path) -> bool:
        is_over = self._is_over(path)
        return not is_being_written(path) if is_over is None else is_over

    async def _index_new(self) -> None:
        new = await asyncio.to_thread(self._find_new)
        self.names_being_read = tuple(new)
        self._scan_done.set()
        if new:
            await self._jobs.index(self._index, self._folder, new)

    def _find_new(self) -> list[str]:
        open_index(self._index)
        new = find_changed(self._index, self._folder, remove_deleted=not self._only_name)
        names = [name for name in new if not self._only_name or name == self._only_name]
        showable = [name for name in names if self._may_be_shown(self._path(name))]
        with open_connection(self._index) as index:
            stamps = known_stamps(index)
            for name in {*names} - {*showable}:
                if stamps.get(name):  # the contest was interrupted and has been resumed
                    store_recording(index, IndexedRecording(name, "", "empty", fault=STILL_PLAYED))
        return showable

    def _finish_scan(self, task: asyncio.Task[None]) -> None:
        self._scan_task, self._last_scan, self.names_being_read = None, time.monotonic(), ()
        self._scan_done.set()
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, OSError | sqlite3.Error):
            raise error


def is_being_written(path: Path) -> bool:
    """Whether a program is writing the recording at `path`. Returns True if the file cannot be opened or locked."""
    try:
        lock = FileLock(path, os.open(path, os.O_RDONLY | UNTRUSTED_FLAGS))
    except OSError:
        return True
    try:
        lock.acquire(shared=True)
    except OSError:
        return True
    finally:
        lock.close()
    return False
