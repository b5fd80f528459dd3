"""What a worker has to work with: boxes, the files that it was sent, and room for what it does just now."""

import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from server.bots.sandbox.built_once import BuiltOnce
from server.bots.sandbox.runner import Runner
from server.workers.file_archive import unpack


class Workplace:
    """The workplace of one worker. There is one in a process."""

    def __init__(self, runner: Runner, folder: Path) -> None:
        """Files that were sent are kept in `folder`, also over restarts; of what is done there nothing is left."""
        self.runner = runner
        self.builds = BuiltOnce()
        """The bots that are built, by the digest of their files."""
        self._kept = folder / "bots"
        self._room = folder / "games"
        shutil.rmtree(self._room, ignore_errors=True)  # of a process that was killed
        for left in self._kept.glob("*.half"):
            shutil.rmtree(left, ignore_errors=True)
        self._room.mkdir(parents=True)

    def missing(self, digests: Iterable[str]) -> tuple[str, ...]:
        """Those of `digests` whose files are not here."""
        return tuple(sorted({digest for digest in digests if not self.folder_of(digest).is_dir()}))

    def folder_of(self, digest: str) -> Path:
        """The folder that was sent, in which there is one other folder, `bot`."""
        return self._kept / digest

    def keep(self, digest: str, archive: bytes) -> None:
        """Keeps files. Raises BadFiles where they are not those of that digest, OSError."""
        there = self.folder_of(digest)
        half = there.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        unpack(archive, half, digest)
        if not there.exists():
            half.rename(there)

    def room(self) -> "tempfile.TemporaryDirectory[str]":
        """A folder for something that is done now, as a context; it is removed at its end. Raises OSError."""
        return tempfile.TemporaryDirectory(dir=self._room, ignore_cleanup_errors=True)


Job = Callable[[Workplace, bytes], Awaitable[bytes]]
"""Carries out an order at a workplace and returns the result. Raises CannotRun where that cannot be done there, OSError
where the disk fails.
"""
