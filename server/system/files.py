"""Opens, locks and syncs files on every operating system."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from server.system.processes import UNIX

PLAIN = getattr(os, "O_BINARY", 0)
"""A flag of `os.open`. Without it, Windows would change line ends."""
UNWAITING = PLAIN | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""Flags of `os.open` for untrusted files. Opening a named pipe does not wait for its other end, and opening a terminal
does not make it this process's controlling terminal.
"""
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def open_no_link(path: Path, flags: int, mode: int = 0o600) -> int:
    """Opens `path` as `os.open` does, but raises OSError if `path` is a symbolic link."""
    if not _NO_LINK and stat.S_ISLNK(_mode(path)):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    return os.open(path, flags | UNWAITING | _NO_LINK, mode)


def _mode(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.lstat().st_mode
    return 0


class FileLock:
    """A lock on an open file. The lock lasts until `close` or the end of the process.

    On Unix, the file itself is locked. On Windows, a locked file cannot be read, so `take` locks a second file instead,
    whose name ends with ".lock".
    """

    def __init__(self, path: Path, file: int, *, itself: bool = UNIX) -> None:
        """Locks nothing yet. `file` is the descriptor of the open file at `path`, which `close` will close. With
        `itself`, `take` locks this file even on Windows. Raises OSError.
        """
        self._path, self._beside = path, path.with_name(f"{path.name}.lock")
        self._open = {file}
        try:
            self._file = file if itself else os.open(self._beside, os.O_RDWR | os.O_CREAT | PLAIN, 0o600)
        except OSError:
            os.close(file)
            raise
        self._open.add(self._file)

    def take(self, *, shared: bool = False, wait: bool = False) -> None:
        """Takes or changes the lock. If another process holds the lock, waits or, without `wait`, raises
        BlockingIOError.
        """
        import portalocker  # noqa: PLC0415 - importing it early would delay commands that lock no files

        how = portalocker.LockFlags.SHARED if shared else portalocker.LockFlags.EXCLUSIVE
        try:
            if not UNIX:
                with suppress(portalocker.LockException):  # no lock is held yet
                    portalocker.unlock(self._file)  # Windows cannot change a lock that is held
            portalocker.lock(self._file, how if wait else how | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.AlreadyLocked as error:
            raise BlockingIOError(errno.EAGAIN, "another process is using this file") from error
        except portalocker.LockException as error:
            raise OSError(errno.ENOLCK, f"the file cannot be locked: {error}") from error

    def remove(self) -> None:
        """Deletes the file; the caller must hold the exclusive lock. Raises OSError."""
        if UNIX:
            self._path.unlink()
            return
        os.close((self._open - {self._file}).pop())  # Windows does not delete open files
        self._open = {self._file}
        self._path.unlink()
        self.close()
        with suppress(OSError):  # another process has opened it to wait for the lock
            self._beside.unlink()

    def close(self) -> None:
        """Ends the lock and closes the file."""
        while self._open:
            os.close(self._open.pop())


@contextmanager
def folder_lock(folder: Path, *, shared: bool = False) -> Iterator[None]:
    """Waits for a lock on `folder`, and holds it while the block runs. Other processes can still use the files in the
    folder.

    Raises OSError.
    """
    locked, flags = (folder, os.O_RDONLY) if UNIX else (folder / ".lock", os.O_RDWR | os.O_CREAT)
    lock = FileLock(locked, os.open(locked, flags, 0o600), itself=True)
    try:
        lock.take(shared=shared, wait=True)
        yield
    finally:
        lock.close()


def sync_data(file: int) -> None:
    """Returns once the contents of an open file are on disk. Raises OSError."""
    getattr(os, "fdatasync", os.fsync)(file)


def sync_folder(folder: Path) -> None:
    """Syncs `folder`, so that its new file names survive a crash. Windows does this on its own. Raises OSError."""
    if not UNIX:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
