"""Opens, locks and syncs files on every operating system."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from server.system.processes import UNIX

BINARY_FLAG = getattr(os, "O_BINARY", 0)
"""A flag of `os.open`. Without it, Windows would change line ends."""
UNTRUSTED_FLAGS = BINARY_FLAG | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""Flags of `os.open` for untrusted files. With these flags, `os.open` does not wait for the other end of a named pipe,
and does not give this process a controlling terminal.
"""
_NOFOLLOW_FLAG = getattr(os, "O_NOFOLLOW", 0)


def open_no_link(path: Path, flags: int, mode: int = 0o600) -> int:
    """Opens `path` as `os.open` does, but raises OSError if `path` is a symbolic link."""
    if not _NOFOLLOW_FLAG and stat.S_ISLNK(_mode(path)):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    return os.open(path, flags | UNTRUSTED_FLAGS | _NOFOLLOW_FLAG, mode)


def _mode(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.lstat().st_mode
    return 0


class FileLock:
    """A lock on an open file. The lock lasts until `close` or the end of the process.

    On Unix, the file itself is locked. On Windows, a locked file cannot be read. So on Windows, `acquire` locks a
    second file, whose name ends with ".lock".
    """

    def __init__(self, path: Path, descriptor: int, *, lock_itself: bool = UNIX) -> None:
        """Locks nothing yet. `descriptor` is the descriptor of the open file at `path`. `close` will close it. With
        `lock_itself`, `acquire` locks this file even on Windows. Raises OSError.
        """
        self._path, self._lock_path = path, path.with_name(f"{path.name}.lock")
        self._descriptors = {descriptor}
        try:
            self._lock_descriptor = (
                descriptor if lock_itself else os.open(self._lock_path, os.O_RDWR | os.O_CREAT | BINARY_FLAG, 0o600)
            )
        except OSError:
            os.close(descriptor)
            raise
        self._descriptors.add(self._lock_descriptor)

    def acquire(self, *, shared: bool = False, wait: bool = False) -> None:
        """Takes the lock, or changes a lock from shared to exclusive or back. If another process has the lock, waits if
        `wait` is set, and otherwise raises BlockingIOError.
        """
        import portalocker  # noqa: PLC0415 - importing it early would delay commands that lock no files

        lock_flags = portalocker.LockFlags.SHARED if shared else portalocker.LockFlags.EXCLUSIVE
        try:
            if not UNIX:
                with suppress(portalocker.LockException):  # raised if no lock is held yet
                    portalocker.unlock(self._lock_descriptor)  # Windows cannot change a lock that is held
            portalocker.lock(
                self._lock_descriptor, lock_flags if wait else lock_flags | portalocker.LockFlags.NON_BLOCKING
            )
        except portalocker.AlreadyLocked as error:
            raise BlockingIOError(errno.EAGAIN, "another process is using this file") from error
        except portalocker.LockException as error:
            raise OSError(errno.ENOLCK, f"the file cannot be locked: {error}") from error

    def remove(self) -> None:
        """Deletes the file. The caller must hold the exclusive lock. Raises OSError."""
        if UNIX:
            self._path.unlink()
            return
        os.close((self._descriptors - {self._lock_descriptor}).pop())  # Windows does not delete open files
        self._descriptors = {self._lock_descriptor}
        self._path.unlink()
        self.close()
        with suppress(OSError):  # another process may have opened this second file, to wait for the lock
            self._lock_path.unlink()

    def close(self) -> None:
        """Ends the lock and closes the file."""
        while self._descriptors:
            os.close(self._descriptors.pop())


@contextmanager
def folder_lock(folder: Path, *, shared: bool = False) -> Iterator[None]:
    """Waits for a lock on `folder`, and holds it until the `with` block ends. Other processes can still use the files
    in the folder.

    Raises OSError.
    """
    locked, flags = (folder, os.O_RDONLY) if UNIX else (folder / ".lock", os.O_RDWR | os.O_CREAT)
    lock = FileLock(locked, os.open(locked, flags, 0o600), lock_itself=True)
    try:
        lock.acquire(shared=shared, wait=True)
        yield
    finally:
        lock.close()


def sync_data(descriptor: int) -> None:
    """Returns once the contents of an open file are on disk. Raises OSError."""
    getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_folder(folder: Path) -> None:
    """Syncs `folder`, so that its new file names survive a crash. Windows does this on its own. Raises OSError."""
    if not UNIX:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
