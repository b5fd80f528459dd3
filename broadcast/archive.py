"""The archive of a studio: finished recordings, found by themselves, and their films. What still runs is not in it.

The index and the films are worked out in another process and may be thrown away at any time.
"""

import asyncio
import fcntl
import hashlib
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from broadcast.cataloguing import ENDING, news_of
from broadcast.darkroom import REFUSED, ToDevelop, ToIndex
from broadcast.film_file import ENDING as FILM
from broadcast.film_file import FilmFile, found_film
from broadcast.index import connected, is_index, open_index, stamp_in, stamp_of
from broadcast.searching import fault_of, recording
from server.paths import ROOT

LOOK_AGAIN_SECONDS = 2.0
PATIENCE_SECONDS = 3.0
"""How long a page waits for what is new before it shows what is known."""
INDEX = "archive.sqlite"

Result = TypeVar("Result")
Seen = Callable[[Path], bool | None]
"""Whether a recording has been on air to its end; None: who knows; it counts whether anybody writes it."""


class Aside(Struct, frozen=True):
    """A recording that may be shown and is on no list, and the page that tells of it. `begun` is UTC, ISO 8601."""

    path: Path
    title: str
    begun: str
    page: str


Besides = Callable[[str], Aside | None]
"""Finds a recording that is on no list by its name."""
MOST_WAITING = 16
"""So many films may be asked for that have to be developed first."""


class Unshowable(Exception):
    """Why a recording cannot be shown, in a sentence."""


class NotYet(Unshowable):
    """It is being read just now."""


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
        self._most_waiting = most_waiting
        self._looked = clock() - again_seconds
        self._looking: asyncio.Task[None] | None = None
        self._listed = asyncio.Event()
        """Whether it is known what is new."""
        self._listed.set()
        self.reading: tuple[str, ...] = ()
        """The recordings that are being read for the index just now."""
        self._developing: dict[str, asyncio.Task[FilmFile]] = {}
        self._at_work = asyncio.Semaphore(1)
        self._spare: tempfile.TemporaryDirectory[str] | None = None

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

    async def film(self, name: str) -> FilmFile:
        """The film of a recording, developed if there is none yet. Raises Unshowable."""
        path = await self.path_of(name)
        if found := await asyncio.to_thread(_found, path, self._place(path)):
            return found
        task = self._developing.get(name)
        if task is None:
            if len(self._developing) >= self._most_waiting:
                raise NotYet("Too many films are being developed just now: come again in a minute.")
            task = self._developing[name] = asyncio.create_task(self._develop(path))
            task.add_done_callback(lambda _: self._developing.pop(name, None))
        return await asyncio.shield(task)

    async def path_of(self, name: str) -> Path:
        """Where a recording lies that may be shown. Raises Unshowable."""
        if aside := self.besides(name):
            return await self._unwritten(aside.path)
        path = self._folder / f"{name}{ENDING}"
        listed = await self.ask(lambda index: _is_listed(index, name, path))
        reading: tuple[str, ...] = ()
        if not listed:
            await self.look()
            reading = self.reading
            listed = await self.ask(lambda index: _is_listed(index, name, path))
        if not listed:
            was_listed = await self.ask(lambda index: recording(index, name))
            if was_listed:
                await self._unwritten(path)
            if was_listed or name in reading:
                raise NotYet("This recording is new, and being read: the page comes again by itself.")
            fault = await self.ask(lambda index: fault_of(index, name))
            raise Unshowable(fault or "There is no finished recording of that name here.")
        return await self._unwritten(path)

    # -- at work

    async def _unwritten(self, path: Path) -> Path:
        if not await asyncio.to_thread(self._may_be_seen, path):
            raise Unshowable("This contest is still played: its recording can be seen when it is over.")
        return path

    def _answer(self, question: Callable[[sqlite3.Connection], Result]) -> Result:
        with suppress(sqlite3.DatabaseError, FileNotFoundError), connected(self._index) as index:
            if is_index(index):
                return question(index)
        open_index(self._index)
        with connected(self._index) as index:
            return question(index)

    async def _take_in(self) -> None:
        news = await asyncio.to_thread(self._news)
        self.reading = tuple(news)
        self._listed.set()
        if news:
            order = ToIndex(str(self._index), str(self._folder), tuple(news), whole=not self._only)
            await self._order(order)

    def _news(self) -> list[str]:
        open_index(self._index)
        news = news_of(self._index, self._folder, all_=not self._only)
        wanted = [name for name in news if not self._only or name == self._only]
        return [name for name in wanted if self._may_be_seen(self._folder / f"{name}{ENDING}")]

    def _has_looked(self, task: asyncio.Task[None]) -> None:
        self._looking, self._looked, self.reading = None, self._clock(), ()
        self._listed.set()
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, OSError | sqlite3.Error):
            raise error

    def _may_be_seen(self, path: Path) -> bool:
        seen = self._seen(path)
        return not is_written(path) if seen is None else seen

    async def _develop(self, path: Path) -> FilmFile:
        place = self._place(path)
        fault = await self._order(ToDevelop(str(path), str(place)))
        found = await asyncio.to_thread(_found, path, place)
        if found is None:
            raise Unshowable(f"This recording cannot be shown: {fault or 'its film was not finished'}.")
        return found

    def _place(self, path: Path) -> Path:
        """Where the film of a recording lies: beside it, or where nobody may write there, as long as this runs."""
        if os.access(path.parent, os.W_OK):
            return path.with_suffix(FILM)
        self._spare = self._spare or tempfile.TemporaryDirectory(prefix="high-noon-")
        return Path(self._spare.name) / f"{hashlib.sha256(bytes(path)).hexdigest()[:16]}{FILM}"

    async def _order(self, order: ToIndex | ToDevelop) -> str:
        """Has the darkroom do something; why it did not, "" if it did."""
        async with self._at_work:
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "broadcast.darkroom", cwd=ROOT, env={"PATH": "", "OPENBLAS_NUM_THREADS": "1"},
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            try:
                _, said = await child.communicate(msgspec.json.encode(order))
            except BaseException:
                child.kill()
                raise
            return said.decode(errors="replace").strip() if child.returncode == REFUSED else ""


def _found(path: Path, place: Path) -> FilmFile | None:
    try:
        return found_film(place, stamp_of(path))
    except OSError as error:
        raise Unshowable(f"The recording cannot be read: {error.strerror}.") from None


def _is_listed(index: sqlite3.Connection, name: str, path: Path) -> bool:
    """Whether a recording is finished as it lies there now: what has changed since it was read may be another."""
    try:
        return recording(index, name) is not None and stamp_in(index, name) == stamp_of(path)
    except OSError:
        return False


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
