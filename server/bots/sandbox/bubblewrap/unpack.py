"""Unpacks what a build has made in a box: an untrusted tar stream, into a new folder, within limits."""

import io
import os
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Self

from server.bots.sandbox.runner import Limits

_PIECE_BYTES = 64 << 10
_OF_A_FILE = 4 << 10
"""The bytes of the stream allowed for one file's header and padding; most need a quarter of that."""
_LONGEST_NAME = 64 << 10
"""The most bytes of an extra header for a long name, which is read into memory whole."""
_BEFORE_ANOTHER = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip


class TooMuch(Exception):
    """The stream holds more bytes or files than are allowed."""


class Strange(Exception):
    """An entry leads out of its folder, or has a name that is far too long."""


class _Entry(tarfile.TarInfo):
    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Raises Strange for a long name that is far too long."""
        entry = super().frombuf(buf, encoding, errors)
        if entry.type in _BEFORE_ANOTHER and entry.size > _LONGEST_NAME:
            raise Strange("a name without an end")
        return entry


class _Measured(io.RawIOBase):
    """A stream that raises TooMuch after `most` bytes."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise TooMuch
        return content


def unpack(stream: int, into: Path, limits: Limits) -> None:
    """Unpacks the tar stream of file descriptor `stream` into the new folder `into`, and closes it. Blocks.

    Everybody may read what is there. Nothing is written elsewhere; other things than folders, files and links are left
    out. Raises TooMuch past `limits`, Strange, OSError, tarfile.TarError.
    """
    into.mkdir()
    with open(stream, "rb") as content:
        measured = _Measured(content, limits.disk_bytes + limits.disk_files * _OF_A_FILE)
        if content.peek(1):  # Of a build that failed there is nothing.
            with tarfile.open(fileobj=measured, mode="r|", tarinfo=_Entry) as tar:
                _unpack(tar, into.resolve(), limits)
        while measured.read(_PIECE_BYTES):
            pass


def _unpack(tar: tarfile.TarFile, into: Path, limits: Limits) -> None:
    room = limits.disk_bytes
    for number, member in enumerate(tar):
        room -= member.size
        if room < 0 or number > limits.disk_files:
            raise TooMuch
        put(tar, member, into, 0o755)


def put(tar: tarfile.TarFile, member: tarfile.TarInfo, into: Path, mode: int) -> None:
    """Unpacks one entry into the folder `into`, which is resolved; a file gets that mode.

    Nothing is written elsewhere; a link may lead anywhere. TarFile.extract has a filter for that since Python 3.11.4,
    and Debian 12 has 3.11.2. Raises Strange where it lies elsewhere, OSError, tarfile.TarError.
    """
    place = _place(member.name, into)
    if member.isdir():
        place.mkdir(mode=0o755, exist_ok=True)
    elif member.issym():
        place.symlink_to(member.linkname)
    elif member.islnk():
        os.link(_place(member.linkname, into), place, follow_symlinks=False)
    elif member.isreg() and (content := tar.extractfile(member)):
        with content, place.open("xb") as file:
            shutil.copyfileobj(content, file)
        place.chmod(mode)


def _place(name: str, into: Path) -> Path:
    """Where something of that name lies: no folder on the way there may be a link. Raises Strange."""
    parts = PurePosixPath(name).parts
    place = into.joinpath(*parts)
    if name.startswith("/") or ".." in parts or (parts and place.parent != place.parent.resolve()):
        raise Strange(f"{name[:100]!r} lies elsewhere")
    return place
