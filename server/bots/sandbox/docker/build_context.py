"""Packs a bot's folder for a build. Leaves out the files that its .dockerignore excludes by Docker's rules.

Docker's Python library has a parser for these rules. It is not used here, because some patterns make it run forever or
raise an exception.
"""

import contextlib
import io
import os
import stat
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import IO

from server.bots.sandbox.runner import CannotRun
from server.bots.sandbox.submitted_folder import read_plain_file, walk
from server.system.files import open_no_link
from server.system.processes import UNIX

MAX_FILES = 50_000
MAX_BYTES = 2 << 30
_TOO_LARGE = f"its folder has more than {MAX_BYTES >> 20} MB."
_ALWAYS_KEPT = ("Dockerfile", ".dockerignore")
_MAX_IGNORE_BYTES = 64 << 10
_MAX_PATTERNS = 500
_MAX_PARTS = 20
"""The maximum number of parts in a pattern. Longer patterns are ignored."""
_ARCHIVE_SIGNATURES = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd")
_USTAR_OFFSET = 257


@contextlib.contextmanager
def build_context(folder: Path, paths: Iterable[str], dockerfile: str) -> Iterator[IO[bytes]]:
    """Yields a tar archive. Its file "Dockerfile" has the text `dockerfile`. Its folder "bot" has the files at `paths`
    in `folder`.

    Raises CannotRun or OSError.
    """
    with tempfile.TemporaryFile() as archive:
        with tarfile.open(fileobj=archive, mode="w") as tar:
            entry, content = tarfile.TarInfo("Dockerfile"), dockerfile.encode()
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
            top = tarfile.TarInfo("bot")
            top.type, top.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(top)
            bytes_left = MAX_BYTES
            for path in paths:
                bytes_left -= _pack(tar, folder / path, f"bot/{path}")
                if bytes_left < 0:
                    raise CannotRun(_TOO_LARGE)
        archive.seek(0)
        yield archive


def _pack(tar: tarfile.TarFile, path: Path, name: str) -> int:
    """Adds a file, folder or link, owned by root. Returns the size of a file in bytes, and 0 for a folder or link."""
    path_stat = path.lstat()
    entry = tarfile.TarInfo(name)
    entry.mode = stat.S_IMODE(path_stat.st_mode) if UNIX else 0o755  # Windows has no execute bits
    entry.mtime = int(path_stat.st_mtime)
    if stat.S_ISREG(path_stat.st_mode):
        with open(open_no_link(path, os.O_RDONLY), "rb") as file:
            entry.size = os.fstat(file.fileno()).st_size
            if entry.size > MAX_BYTES:
                raise CannotRun(_TOO_LARGE)
            tar.addfile(entry, file)
        return entry.size
    if stat.S_ISLNK(path_stat.st_mode):
        entry.type, entry.linkname = tarfile.SYMTYPE, str(path.readlink())
    elif stat.S_ISDIR(path_stat.st_mode):
        entry.type = tarfile.DIRTYPE
    else:
        raise CannotRun(f"{path.name!r} in its folder is neither a file nor a folder nor a link. Remove it.")
    tar.addfile(entry)
    return 0


def has_archives(folder: Path, sources: Sequence[str]) -> bool:
    """Whether one of `sources` is an archive that ADD would unpack. `sources` are path patterns in `folder`."""
    patterns = [normpath(source).lstrip("/") for source in sources]
    named = (path for path in build_paths(folder) if any(fnmatchcase(path, pattern) for pattern in patterns))
    heads = (read_plain_file(folder / path, _USTAR_OFFSET + 5) or b"" for path in named)
    return any(head.startswith(_ARCHIVE_SIGNATURES) or head[_USTAR_OFFSET:] == b"ustar" for head in heads)


def max_copied_bytes(folder: Path, sources: Sequence[str]) -> int:
    """Returns how many bytes a COPY of `sources` can write at most. `sources` are path patterns in `folder`.

    A source is counted each time it is named. A link, or a pattern without matches, is counted as the whole folder.
    """
    bytes_below: Counter[str] = Counter()
    links = set()
    for path in build_paths(folder):
        path_stat = (folder / path).lstat()
        if stat.S_ISLNK(path_stat.st_mode):
            links.add(path)
        for ancestor in (path, *map(str, PurePosixPath(path).parents)):
            bytes_below[ancestor] += path_stat.st_size if stat.S_ISREG(path_stat.st_mode) else 0
    total = 0
    for source in sources:
        pattern = normpath(source).lstrip("/") or "."
        matches = [path for path in bytes_below if fnmatchcase(path, pattern)]
        total += (
            sum(bytes_below["."] if path in links else bytes_below[path] for path in matches)
            if matches
            else bytes_below["."]
        )
    return total


def build_paths(folder: Path) -> list[str]:
    """Returns the relative paths below `folder` that go into a build.

    If several patterns in .dockerignore match a path, the last one decides whether the path is left out. Raises
    OSError, and CannotRun for too many paths.
    """
    ignored = read_plain_file(folder / ".dockerignore", _MAX_IGNORE_BYTES) or b""
    patterns = list(_patterns(ignored.decode(errors="replace")))[:_MAX_PATTERNS]
    all_paths = list(islice(walk(folder), MAX_FILES + 1))
    if len(all_paths) > MAX_FILES:
        raise CannotRun(f"its folder has more than {MAX_FILES} files.")
    return [path for path in sorted(all_paths) if path in _ALWAYS_KEPT or not _is_excluded(path.split("/"), patterns)]


def _patterns(ignored: str) -> Iterator[tuple[bool, Sequence[str]]]:
    """Yields two things for each pattern: whether it excludes matching paths, and its parts."""
    for line in ignored.splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        parts = [part for part in PurePosixPath(pattern.removeprefix("!").strip()).parts if part != "/"]
        if parts and len(parts) <= _MAX_PARTS:
            yield not pattern.startswith("!"), parts


def _is_excluded(path: Sequence[str], patterns: Sequence[tuple[bool, Sequence[str]]]) -> bool:
    is_excluded = False
    for excludes, pattern in patterns:
        if excludes != is_excluded and _matches(path, pattern):
            is_excluded = excludes
    return is_excluded


def _matches(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the pattern matches the path, or a folder that contains the path. `**` matches any number of folders."""
    matched_part_counts = {0}
    for part in pattern:
        if part == "**":
            matched_part_counts = set(range(min(matched_part_counts), len(path)))
        else:
            matched_part_counts = {
                index + 1 for index in matched_part_counts if index < len(path) and fnmatchcase(path[index], part)
            }
        if not matched_part_counts:
            return False
    return True
