"""Reads untrusted files: only regular files, only up to a limit, and without waiting for a pipe or a device."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from server.system.files import UNTRUSTED_FLAGS


def open_regular(path: Path) -> BinaryIO:
    """Opens the file at `path` for reading, and follows links. Raises OSError if it is not a regular file."""
    if not stat.S_ISREG(path.stat().st_mode):  # checked first: opening a device could start it, or rewind a tape
        raise _not_regular_error(path)
    handle = os.open(path, os.O_RDONLY | UNTRUSTED_FLAGS)
    if not stat.S_ISREG(os.fstat(handle).st_mode):  # another file has replaced it
        os.close(handle)
        raise _not_regular_error(path)
    return open(handle, "rb")


def read_regular(path: Path) -> bytes:
    """Reads the regular file at `path` up to the size that it has now, even if it keeps growing. Raises OSError."""
    with open_regular(path) as file:
        return file.read(os.fstat(file.fileno()).st_size)


def read_at_most(path: Path, max_bytes: int) -> bytes:
    """Reads a regular file of at most `max_bytes` bytes. Raises OSError with the reason in `strerror`."""
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(path))
    with open_regular(path) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {_format_size(max_bytes)}", str(path))
    return content


def regular_files(folder: Path, ending: str, inside: Path | None = None) -> Iterator[Path]:
    """Yields the regular files in `folder` with this ending, and links to regular files, in any order.

    Skips links that lead out of the folder `inside`, by default `folder`. So an untrusted folder cannot expose other
    files on this machine.
    """
    top = os.path.realpath(inside or folder)
    if not Path(os.path.realpath(folder)).is_relative_to(top):
        return
    try:
        with os.scandir(folder) as entries:
            matching_entries = [entry for entry in entries if entry.name.endswith(ending)]
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in matching_entries:
        leads_out = entry.is_symlink() and not Path(os.path.realpath(entry.path)).is_relative_to(top)
        if not leads_out and (path := folder / entry.name).is_file():
            yield path


def _not_regular_error(path: Path) -> OSError:
    reason = "it is a folder" if path.is_dir() else "it is not a regular file"
    return OSError(errno.EINVAL, reason, str(path))


def _format_size(size_bytes: int) -> str:
    """Formats a number of bytes in the largest unit that divides the number."""
    sizes = ((1 << 20, "MiB"), (1_000_000, "MB"), (1 << 10, "KiB"))
    return next(
        (f"{size_bytes // size} {name}" for size, name in sizes if size_bytes % size == 0), f"{size_bytes} bytes"
    )
