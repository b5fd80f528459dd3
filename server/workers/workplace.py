"""What a worker has to work with: boxes, the files that it was sent, and room for what it does just now."""

import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from server.bots.sandbox.boxes import Boxes
from server.bots.sandbox.bubblewrap.unpack import Strange, TooMuch, unpack_all
from server.bots.sandbox.runner import Runner
from server.errors import Refusal
from server.submissions.folder_scan import BOT_BYTES, WEIGHTS_BYTES, digest_of

MOST_BYTES = WEIGHTS_BYTES + 4 * BOT_BYTES
"""Of all files in a folder: any bot that may be handed in is smaller, whatever it comes with."""
MOST_FILES = 100_000
"""So many files and folders."""


class BadFiles(Exception):
    """What was sent is not what was meant."""


def packed(folder: Path) -> bytes:
    """The files below `folder`, with who may run them. Raises Refusal where they are more than is sent, OSError."""
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    if size > MOST_BYTES:
        raise Refusal(f"{folder} has {size >> 20} MB; at most {MOST_BYTES >> 20} MB are sent to a worker")
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname="bot")
    return whole.getvalue()


def unpack(archive: bytes, folder: Path, digest: str) -> None:
    """Unpacks files as "bot" in a folder. Raises BadFiles for other files, and for too many bytes of them; OSError."""
    try:
        most = {"max_bytes": MOST_BYTES, "max_files": MOST_FILES}
        unpack_all(io.BytesIO(archive), "r:gz", folder.resolve(), **most, mode=_mode)
    except TooMuch:
        raise BadFiles("the files are larger or more than any that are taken") from None
    except (tarfile.TarError, Strange) as error:
        raise BadFiles(f"the files cannot be unpacked: {error}") from None
    if any(_leads_out(path, folder) for path in folder.rglob("*")):
        raise BadFiles("a link among the files leads out of their folder")
    if digest_of(folder / "bot") != digest:
        raise BadFiles("the files are not those that were announced")


def _mode(member: tarfile.TarInfo) -> int:
    return 0o755 if member.mode & 0o100 else 0o644


def _leads_out(path: Path, folder: Path) -> bool:
    """Whether a link leads elsewhere, be it by way of other links."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(folder.resolve())


class Workplace:
    """The workplace of one worker. There is one in a process."""

    def __init__(self, runner: Runner, folder: Path) -> None:
        """Files that were sent are kept in `folder`, also over restarts; of what is done there nothing is left."""
        self.boxes = Boxes(runner)
        """Builds each bot once, by the digest of its files."""
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
