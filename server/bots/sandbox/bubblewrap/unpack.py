"""Unpacks the result of a build into a new folder. The result is a tar stream, which the bot's author could have made
harmful.
"""

import errno
import io
import os
import shutil
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal, Self

from server.bots.sandbox.box_limits import Limits

_PIECE_BYTES = 64 << 10
_BYTES_PER_FILE = 4 << 10
"""How many bytes of header and padding each file may add to the archive. Most files add a quarter of that."""
_MAX_NAME_BYTES = 64 << 10
"""The maximum size of an extra header for a long name. An entry with a longer header is refused, because the whole
header is read into memory.
"""
_HEADER_TYPES = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip
_MACHINE_ERRORS = {
    errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM,
}  # fmt: skip
"""Errors of this machine. All other errors are the archive's fault."""


class ArchiveTooLarge(Exception):
    """The stream has more bytes or files than allowed."""


class BadEntry(Exception):
    """An entry that cannot be unpacked, for example because its path leads out of the folder."""


class _Entry(tarfile.TarInfo):
    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Raises BadEntry for a name that is far too long."""
        entry = super().frombuf(buf, encoding, errors)
        if entry.type in _HEADER_TYPES and entry.size > _MAX_NAME_BYTES:
            raise BadEntry("a name that is too long")
        return entry


class _LimitedStream(io.RawIOBase):
    """A stream that raises ArchiveTooLarge after `max_bytes` bytes."""

    def __init__(self, stream: BinaryIO, max_bytes: int) -> None:
        self._stream = stream
        self._bytes_left = max_bytes

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self._bytes_left -= len(content)
        if self._bytes_left < 0:
            raise ArchiveTooLarge
        return content


def unpack(stream: int, into: Path, limits: Limits) -> None:
    """Unpacks the tar stream from file descriptor `stream` into the new folder `into`, and closes `stream`. Blocks.

    Every user can read the result. Writes nothing outside `into`, and unpacks only folders, files and links. Raises
    ArchiveTooLarge if the archive exceeds `limits`. For other faults, raises BadEntry, OSError or tarfile.TarError.
    """
    into.mkdir()
    with open(stream, "rb") as content:
        limited_stream = _LimitedStream(content, limits.disk_bytes + limits.disk_files * _BYTES_PER_FILE)
        if content.peek(1):  # a failed build sends nothing
            maximums = {"max_bytes": limits.disk_bytes, "max_files": limits.disk_files}
            unpack_all(limited_stream, "r|", into.resolve(), **maximums, mode=lambda member: 0o755)
        while limited_stream.read(_PIECE_BYTES):
            pass


def unpack_all(
    archive: io.RawIOBase | io.BytesIO,
    tar_mode: Literal["r|", "r:gz"],
    into: Path,
    *,
    max_bytes: int,
    max_files: int,
    mode: Callable[[tarfile.TarInfo], int],
) -> None:
    """Unpacks all entries into the folder `into`, a resolved path. `mode` returns the permissions of a file.

    Writes nothing outside `into`, but a link may point anywhere. Raises ArchiveTooLarge, BadEntry or tarfile.TarError.
    Raises OSError only for faults of this machine, such as a full disk.
    """
    name = ""
    try:
        with tarfile.open(fileobj=archive, mode=tar_mode, tarinfo=_Entry) as tar:
            for number, member in enumerate(tar):
                name = member.name
                max_bytes -= member.size
                if max_bytes < 0 or number > max_files:
                    raise ArchiveTooLarge
                _unpack(tar, member, into, mode(member))
    except OSError as error:
        if error.errno in _MACHINE_ERRORS:
            raise
        raise BadEntry(f"{name[:100]!r}: {error.strerror or error}") from None
    except (EOFError, ValueError, ArithmeticError, LookupError, RuntimeError, zlib.error) as error:
        raise BadEntry(f"{name[:100]!r}: {error}") from None  # tarfile can raise almost any exception


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, into: Path, mode: int) -> None:
    """Unpacks one entry. Does not use TarFile.extract, because its filters need Python 3.11.4, and Debian 12 has
    3.11.2.
    """
    if member.size < 0:
        raise BadEntry(f"{member.name[:100]!r} has a negative size")
    target = _entry_path(member.name, into)
    if member.isdir():
        target.mkdir(mode=0o755, exist_ok=True)
    elif member.issym():
        target.symlink_to(member.linkname)
    elif member.islnk():
        os.link(_entry_path(member.linkname, into), target, follow_symlinks=False)
    elif member.isreg() and (content := tar.extractfile(member)):
        with content, target.open("xb") as file:
            shutil.copyfileobj(content, file)
        target.chmod(mode)


def _entry_path(name: str, into: Path) -> Path:
    """Returns the path of an entry. Raises BadEntry if `name` is absolute, contains "..", or leads through a link."""
    parts = PurePosixPath(name).parts
    target = into.joinpath(*parts)
    if name.startswith("/") or ".." in parts or (parts and target.parent != target.parent.resolve()):
        raise BadEntry(f"{name[:100]!r} leads out of the folder")
    return target
