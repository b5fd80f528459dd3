"""The recordings of practice games: synced in groups, aside, and only the latest are kept."""

import asyncio
import logging
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from broadcast.cataloguing import ENDING
from broadcast.film_file import ENDING as FILM
from server.journal import Journal, discard_journal, sync_folder

GROUP_SECONDS = 0.5
"""What is written in this time is synced together."""


class PracticeFiles:
    """The recordings of one folder.

    A tournament's events are on disk before anybody sees them, for prizes hang on them. On a practice game nothing
    hangs: a power cut may cost its last second, and in return no game holds up all others while the disk is slow. A
    program that ends, however it does, costs nothing.
    """

    def __init__(self, folder: Path, keep: int) -> None:
        """`keep` is how many recordings there may be; the oldest go first, and what lies beside them with them."""
        self._folder = folder
        self._keep = keep
        self._unsynced: dict[int, int] = {}
        self._work: asyncio.Task[None] | None = None

    def begin(self, path: Path) -> Journal:
        """A new journal, from inside the running loop. Raises OSError."""
        return Journal(path, settle=self._later)

    async def settled(self) -> None:
        """Returns once all that was written is synced, and no recording is left that is one too many."""
        while self._work:
            await asyncio.wait({self._work})

    def _later(self, file: int) -> None:
        """Keeps the file open until it is synced, even if its game is over by then."""
        which = os.fstat(file).st_ino
        if which not in self._unsynced:
            self._unsynced[which] = os.dup(file)
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._settle())

    async def _settle(self) -> None:
        try:
            while self._unsynced:
                await asyncio.sleep(GROUP_SECONDS)
                files, self._unsynced = tuple(self._unsynced.values()), {}
                await asyncio.to_thread(_sync, self._folder, files)
                await asyncio.to_thread(prune, self._folder, self._keep)
        except OSError as error:
            logging.getLogger(__name__).error("practice recordings are not synced: %s", error)
        finally:
            self._work = None


def prune(folder: Path, keep: int) -> None:
    """Removes all recordings but the latest, unless somebody writes them, and films whose recording is gone.

    Raises OSError where there is no such folder.
    """
    for path in sorted(folder.glob(f"*{ENDING}"), key=_changed, reverse=True)[keep:]:
        with suppress(OSError):  # It is written, or read in this moment: its turn comes again.
            discard_journal(path)
    kept = {path.stem for path in folder.glob(f"*{ENDING}")}
    for path in folder.iterdir():
        stem, dot, rest = path.name.removeprefix(".").partition(".")
        if stem not in kept and f"{dot}{rest}".startswith(FILM):
            path.unlink(missing_ok=True)


def _changed(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _sync(folder: Path, files: Collection[int]) -> None:
    try:
        for file in files:
            os.fdatasync(file)
        sync_folder(folder)
    finally:
        for file in files:
            os.close(file)
