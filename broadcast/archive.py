"""The archive of a studio: finished recordings, found by themselves, and their films. What still runs is not in it.

The index and the films may be thrown away at any time: `broadcast.jobs` has them made anew.
"""

import asyncio
import fcntl
import hashlib
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from broadcast.cataloguing import ENDING, news_of
from broadcast.film_file import ENDING as FILM
from broadcast.film_file import FilmFile, found_film
from broadcast.index import connected, is_index, open_index, stamp_of
from broadcast.jobs import MOST_WAITING, Jobs
from broadcast.opened import Aside, NotYet, Opened, Unshowable
from broadcast.searching import Listed, row_of

LOOK_AGAIN_SECONDS = 2.0
PATIENCE_SECONDS = 3.0
"""How long a page waits for what is new before it shows what is known."""
INDEX = "archive.sqlite"

Result = TypeVar("Result")
Seen = Callable[[Path], bool | None]
"""Whether a recording has been on air to its end; None: who knows; it counts whether anybody writes it."""
Besides = Callable[[str], Aside | None]
"""Finds a recording that is on no list by its name."""


class Archive:
    """The recordings of one folder, or a single one."""

    def __init__(
        self,
        folder: Path,
        index: Path,
        *,
        seen: Seen = lambda _: None,
        besides: Besides = lambda _: None,
        only: str = "",
        again_seconds: float = LOOK_AGAIN_SECONDS,
        patience_seconds: float = PATIENCE_SECONDS,
        most_waiting: int = MOST_WAITING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`only` is the one recording there is, finished or not. Films lie beside the recordings if they may.

        The folder is looked through when a page is asked for, if that was not done in the last `again_seconds`.
        """
        self._folder = folder
        self._index = index
        self._seen = seen
        self.besides = besides
        self._only = only
        self._clock = clock
        self._again_seconds = again_seconds
        self._patience_seconds = patience_seconds
        self._jobs = Jobs(most_waiting)
        self._looked = clock() - again_seconds
        self._looking: asyncio.Task[None] | None = None
        self._listed = asyncio.Event()
        """Whether it is known what is new."""
        self._listed.set()
        self.reading: tuple[str, ...] = ()
        """The recordings that are being read for the index just now."""
        self._spare: tempfile.TemporaryDirectory[str] | None = None
        self._making_spare = threading.Lock()

    async def ask(self, question: Callable[[sqlite3.Connection], Result]) -> Result:
        """The answer of the index to `question`, which is asked in a thread. Raises sqlite3.Error, OSError."""
        return await asyncio.to_thread(self._answer, question)

    async def look(self) -> None:
        """Takes in what is new in the folder, unless that was done a moment ago.

        Returns after some patience anyway; what is still being read then is known.
        """
        if self._looking is None and self._clock() - self._looked >= self._again_seconds:
            self._listed.clear()
            self._looking = asyncio.create_task(self._take_in())
            self._looking.add_done_callback(self._has_looked)
        await self._listed.wait()
        if self._looking:
            await asyncio.wait([self._looking], timeout=self._patience_seconds)

    async def open(self, name: str) -> Opened:
        """A recording that may be shown, by its name: its file, its row in the index and its film, in one look.

        One that the index does not know as it is now is read first. Raises NotYet while that takes, Unshowable where
        there is none or it is still played, and sqlite3.Error or OSError where the index cannot be read.
        """
        if aside := self.besides(name):
            return await asyncio.to_thread(self._opened, name, aside.path, aside=aside)
        found = await self.ask(partial(self._find, name))
        if found:
            return found
        await self.look()
        return await self.ask(partial(self._find_or_refuse, name, reading=name in self.reading))

    async def film(self, name: str) -> FilmFile:
        """The film of a recording, made first if there is none yet. Raises what `open` raises."""
        opened = await self.open(name)
        return opened.film or await self._jobs.make_film(opened.path, opened.film_path)

    # -- in threads

    def _answer(self, question: Callable[[sqlite3.Connection], Result]) -> Result:
        with suppress(sqlite3.DatabaseError, FileNotFoundError), connected(self._index) as index:
            if is_index(index):
                return question(index)
        open_index(self._index)
        with connected(self._index) as index:
            return question(index)

    def _find(self, name: str, index: sqlite3.Connection) -> Opened | None:
        """A finished recording as the index knows it; None where it does not, or the file has changed since."""
        row, path = row_of(index, name), self._path(name)
        unchanged = row and row.listed and row.stamp == _stamp(path)
        return self._opened(name, path, row=row.listed) if row and unchanged else None

    def _find_or_refuse(self, name: str, index: sqlite3.Connection, *, reading: bool) -> Opened:
        if found := self._find(name, index):
            return found
        row = row_of(index, name)
        if row and row.listed:  # it was finished, and is another now
            self._refuse_unseen(self._path(name))
        if reading or (row and row.listed):
            raise NotYet("This recording is new, and being read: the page comes again by itself.")
        raise Unshowable((row and row.fault) or "There is no finished recording of that name here.")

    def _opened(self, name: str, path: Path, *, row: Listed | None = None, aside: Aside | None = None) -> Opened:
        self._refuse_unseen(path)
        film_path = self._film_path(path)
        try:
            stamp = stamp_of(path)
        except OSError as error:
            raise Unshowable(f"The recording cannot be read: {error.strerror}.") from None
        return Opened(name, path, stamp, film_path, found_film(film_path, stamp), row, aside)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{ENDING}"

    def _film_path(self, path: Path) -> Path:
        """Where the film of a recording lies: beside it, or where nobody may write there, as long as this runs."""
        if os.access(path.parent, os.W_OK):
            return path.with_suffix(FILM)
        with self._making_spare:
            self._spare = self._spare or tempfile.TemporaryDirectory(prefix="high-noon-")
        return Path(self._spare.name) / f"{hashlib.sha256(bytes(path)).hexdigest()[:16]}{FILM}"

    def _refuse_unseen(self, path: Path) -> None:
        if not self._may_be_seen(path):
            raise Unshowable("This contest is still played: its recording can be seen when it is over.")

    def _may_be_seen(self, path: Path) -> bool:
        seen = self._seen(path)
        return not is_written(path) if seen is None else seen

    # -- what is new

    async def _take_in(self) -> None:
        news = await asyncio.to_thread(self._news)
        self.reading = tuple(news)
        self._listed.set()
        if news:
            await self._jobs.index(self._index, self._folder, news, whole=not self._only)

    def _news(self) -> list[str]:
        open_index(self._index)
        news = news_of(self._index, self._folder, all_=not self._only)
        wanted = [name for name in news if not self._only or name == self._only]
        return [name for name in wanted if self._may_be_seen(self._path(name))]

    def _has_looked(self, task: asyncio.Task[None]) -> None:
        self._looking, self._looked, self.reading = None, self._clock(), ()
        self._listed.set()
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, OSError | sqlite3.Error):
            raise error


def _stamp(path: Path) -> str:
    """The stamp of a file, "" where it is gone."""
    try:
        return stamp_of(path)
    except OSError:
        return ""


def is_written(path: Path) -> bool:
    """Whether a program is writing this recording just now, or it cannot be told."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
