"""The recordings of practice games: synced to disk several at a time, in the background; only the latest are kept."""

import asyncio
import logging
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from broadcast.archive.indexing import ENDING
from broadcast.film.film import ENDING as FILM
from server.journal.journal import Journal, discard_journal, sync_folder

GROUP_SECONDS = 0.5
"""What is written within this time is synced together."""
PRUNE_SECONDS = 10.0
"""The folder is looked through no more often: with a thousand recordings in it that takes time, which games lack."""


class PracticeRecordings:
    """The recordings of one folder.

    A tournament's events are on disk before anybody sees them, because prizes depend on them. Nothing depends on a
    practice game: a power cut may cost its last second, and in return no game waits for another while the disk is
    slow. Nothing is lost if only the program ends, even if it is killed.
    """

    def __init__(self, folder: Path, keep: int) -> None:
        """`keep` is how many recordings are kept; the oldest are removed first, with the files that belong to them."""
        self._folder = folder
        self._keep = keep
        self._unsynced: dict[int, int] = {}
        self._work: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()
        self._pruned_at: float | None = None

    def begin(self, path: Path) -> Journal:
        """A new journal at `path`. Call it inside the running loop. Raises OSError where it cannot be made."""
        return Journal(path, settle=self._later)

    async def settled(self) -> None:
        """Returns once everything written is synced and no more recordings are left than are to be kept; waits for no
        more to be written.
        """
        self._hurry.set()
        while self._work:
            await asyncio.wait({self._work})
        if self._pruned_at is not None:
            await self._prune()

    def _later(self, file: int) -> None:
        """Has an open file synced soon; a copy of its descriptor stays open until then, for its game may be over."""
        which = os.fstat(file).st_ino
        if which not in self._unsynced:
            self._unsynced[which] = os.dup(file)
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._settle())

    async def _settle(self) -> None:
        try:
            while self._unsynced:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), GROUP_SECONDS)
                files, self._unsynced = tuple(self._unsynced.values()), {}
                await asyncio.to_thread(_sync, self._folder, files)
                if self._pruned_at is None or asyncio.get_running_loop().time() > self._pruned_at + PRUNE_SECONDS:
                    await self._prune()
        except OSError as error:
            logging.getLogger(__name__).error("practice recordings are not synced: %s", error)
        finally:
            self._work = None

    async def _prune(self) -> None:
        self._pruned_at = asyncio.get_running_loop().time()
        try:
            await asyncio.to_thread(prune, self._folder, self._keep)
        except OSError as error:
            logging.getLogger(__name__).error("old practice recordings are not removed: %s", error)


def prune(folder: Path, keep: int) -> None:
    """Removes all but the latest `keep` recordings of a folder, and films whose recording is gone.

    A recording that is being written stays. Raises OSError where the folder cannot be read.
    """
    for path in sorted(folder.glob(f"*{ENDING}"), key=_changed, reverse=True)[keep:]:
        with suppress(OSError):  # it is being written or read: the next time
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
