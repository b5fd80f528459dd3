"""A worker's workplace: its boxes (sandboxes for bots), the files that were sent to it, and folders for its current
work.
"""

import asyncio
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

from server.bots.sandbox.bubblewrap.unpack import ArchiveTooLarge, BadEntry, unpack_all
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Runner
from server.bots.sandbox.shared_runner import SharedRunner
from server.errors import Refusal
from server.submissions.folder_rules import MAX_BOT_BYTES, WEIGHTS_BYTES, digest_of

MAX_BYTES = WEIGHTS_BYTES + 4 * MAX_BOT_BYTES
"""The maximum size of a bot's folder. Every accepted bot's folder is smaller."""
MAX_FILES = 100_000
"""The maximum number of files and folders in a bot's folder."""


class BadFiles(Exception):
    """Files that were sent to a worker are too large, or are not the announced files."""


def pack_folder(folder: Path) -> bytes:
    """Packs the files in `folder` with their execute bits. Raises OSError, or Refusal if the files are too large."""
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    if size > MAX_BYTES:
        raise Refusal(f"{folder} has {size >> 20} MB; at most {MAX_BYTES >> 20} MB are sent to a worker")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname="bot")
    return packed.getvalue()


def unpack(archive: bytes, folder: Path, digest: str) -> None:
    """Unpacks files into `folder`/bot. Raises OSError, or BadFiles if the files are too large or do not have this
    `digest`.
    """
    try:
        limits = {"max_bytes": MAX_BYTES, "max_files": MAX_FILES}
        unpack_all(io.BytesIO(archive), "r:gz", folder.resolve(), **limits, mode=_file_mode)
    except ArchiveTooLarge:
        raise BadFiles("there are more files, or larger ones, than any bot may have") from None
    except (tarfile.TarError, BadEntry) as error:
        raise BadFiles(f"the files cannot be unpacked: {error}") from None
    if any(_links_out(path, folder) for path in folder.rglob("*")):
        raise BadFiles("a link among the files leads out of their folder")
    if digest_of(folder / "bot") != digest:
        raise BadFiles("the files are not the announced files")


def _file_mode(member: tarfile.TarInfo) -> int:
    return 0o755 if member.mode & 0o100 else 0o644


def _links_out(path: Path, folder: Path) -> bool:
    """Whether `path` is a link out of the folder, perhaps through other links."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(folder.resolve())


OpenRunner = Callable[[BoxEnvironment], Coroutine[Any, Any, Runner]]
"""A function that opens a runner, which builds bots and starts them in boxes. The BoxEnvironment has the settings of
these boxes. May raise CannotRun.
"""


async def cannot_open(environment: BoxEnvironment) -> Runner:
    """Raises CannotRun. This is the `open_runner` of a workplace that needs only one runner."""
    raise CannotRun(f"there are no boxes for {environment.label}")


class Workplace:
    """The workplace of one worker. Each worker is one process."""

    def __init__(self, runner: Runner, folder: Path, open_runner: OpenRunner = cannot_open) -> None:
        """Received files stay in `folder`, even across restarts. The files of current work are temporary.

        `open_runner` opens further runners, for boxes in another environment.
        """
        self.shared_runner = SharedRunner(runner)
        """Runs this worker's boxes. Each bot is built once. The digest of a bot's files identifies the bot."""
        self._open_runner = open_runner
        self._runners_by_environment: dict[BoxEnvironment, asyncio.Task[SharedRunner]] = {}
        self._bots_folder = folder / "bots"
        self._games_folder = folder / "games"
        shutil.rmtree(self._games_folder, ignore_errors=True)  # left by a killed process
        for leftover in self._bots_folder.glob("*.half"):
            shutil.rmtree(leftover, ignore_errors=True)
        self._games_folder.mkdir(parents=True)

    async def shared_runner_in(self, environment: BoxEnvironment) -> SharedRunner:
        """Returns the runner of boxes set up as `environment` says. Equal environments share a runner. Raises
        CannotRun.
        """
        opening = self._runners_by_environment.get(environment)
        if opening is None or (opening.done() and opening.exception()):
            opening = self._runners_by_environment[environment] = asyncio.create_task(
                self._open_shared_runner(environment)
            )
        return await asyncio.shield(opening)

    async def _open_shared_runner(self, environment: BoxEnvironment) -> SharedRunner:
        return SharedRunner(await self._open_runner(environment))

    async def close(self) -> None:
        """Stops the bots in all environments except the worker's own."""
        opened = await asyncio.gather(*self._runners_by_environment.values(), return_exceptions=True)
        await asyncio.gather(*(other.runner.close() for other in opened if isinstance(other, SharedRunner)))

    def missing_digests(self, digests: Iterable[str]) -> tuple[str, ...]:
        """Returns those `digests` whose files this worker does not have, sorted."""
        return tuple(sorted({digest for digest in digests if not self.folder_of(digest).is_dir()}))

    def folder_of(self, digest: str) -> Path:
        """Returns the folder whose subfolder `bot` has the files with this digest."""
        return self._bots_folder / digest

    def store_files(self, digest: str, archive: bytes) -> None:
        """Unpacks `archive` and keeps its files. Raises OSError, or BadFiles if the files do not have this digest."""
        stored_folder = self.folder_of(digest)
        partial_folder = stored_folder.with_suffix(".half")
        shutil.rmtree(partial_folder, ignore_errors=True)
        partial_folder.mkdir(parents=True)
        unpack(archive, partial_folder, digest)
        if not stored_folder.exists():
            partial_folder.rename(stored_folder)

    def temporary_folder(self) -> "tempfile.TemporaryDirectory[str]":
        """Returns a context manager for a temporary folder for current work. Raises OSError."""
        return tempfile.TemporaryDirectory(dir=self._games_folder, ignore_cleanup_errors=True)


Job = Callable[[Workplace, bytes], Awaitable[bytes]]
"""A function that does a job at a workplace. Gets an order's body, and returns the result. Raises CannotRun if the job
cannot be done there, OSError if the disk fails.
"""
