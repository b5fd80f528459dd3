"""Packs a bot's folder for a build: all files but those that its .dockerignore excludes, by Docker's rules.

The library's own reader is not used: a pattern can make it run for ever or raise.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import IO, cast

from docker.utils.build import create_archive

_ALWAYS = ("Dockerfile", ".dockerignore")
_MOST_PATTERNS = 500
_MOST_PARTS = 20
"""Of one pattern."""


def build_context(folder: Path) -> IO[bytes]:
    """The folder as a tar archive, without what its .dockerignore leaves out. Raises OSError."""
    ignored = folder / ".dockerignore"
    written = ignored.read_text(encoding="utf-8", errors="replace") if ignored.is_file() else ""
    return cast("IO[bytes]", create_archive(root=str(folder), files=kept(folder, written)))


def kept(folder: Path, ignored: str) -> list[str]:
    """The relative paths below `folder` that a .dockerignore with the text `ignored` keeps: the last match decides."""
    patterns = list(_patterns(ignored))[:_MOST_PATTERNS]
    paths = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*"))]
    return [path for path in paths if path in _ALWAYS or not _left_out(path.split("/"), patterns)]


def _patterns(ignored: str) -> Iterator[tuple[bool, Sequence[str]]]:
    """Whether what fits is left out, and the parts of the pattern."""
    for line in ignored.splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        parts = [part for part in PurePosixPath(pattern.removeprefix("!").strip()).parts if part != "/"]
        if parts and len(parts) <= _MOST_PARTS:
            yield not pattern.startswith("!"), parts


def _left_out(path: Sequence[str], patterns: Sequence[tuple[bool, Sequence[str]]]) -> bool:
    decision = False
    for leaves_out, pattern in patterns:
        if leaves_out != decision and _fits(path, pattern):
            decision = leaves_out
    return decision


def _fits(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the pattern fits the path or a folder above it; `**` stands for any number of folders."""
    reached = {0}
    for part in pattern:
        if part == "**":
            reached = set(range(min(reached), len(path)))
        else:
            reached = {at + 1 for at in reached if at < len(path) and fnmatchcase(path[at], part)}
        if not reached:
            return False
    return True
