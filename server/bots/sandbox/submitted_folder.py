"""Inspects a submitted folder before anything in it runs. Reads the Dockerfile, and finds scripts that cannot start."""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from server.bots.sandbox.dockerfile import MAX_BYTES, Dockerfile, parse_dockerfile
from server.bots.sandbox.dockerfile_rules import check_rules
from server.bots.sandbox.runner import CannotRun
from server.system.files import open_no_link

MAX_PATHS = 2_000
_FIRST_LINE_BYTES = 256


def read_plain_file(path: Path, max_bytes: int) -> bytes | None:
    """Returns the first `max_bytes` bytes of a regular file. Returns None if the file is of another kind or cannot be
    read. Follows no link and does not block on a pipe.
    """
    try:
        with open(open_no_link(path, os.O_RDONLY), "rb") as file:
            return file.read(max_bytes) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None


def read_dockerfile(folder: Path) -> Dockerfile:
    """Returns the Dockerfile in `folder`. Raises CannotRun, with the line and the fix, if the Dockerfile asks for
    anything forbidden.
    """
    content = read_plain_file(folder / "Dockerfile", MAX_BYTES + 1)
    if content is None:
        raise CannotRun("The Dockerfile is missing or not a regular file. Put a real file there, not a link.")
    dockerfile = parse_dockerfile(content)
    check_rules(dockerfile)
    return dockerfile


def walk(folder: Path) -> Iterator[str]:
    """Yields the relative paths of everything below `folder`. Follows no links. Raises OSError."""
    unread_folders = [folder]
    while unread_folders:
        with os.scandir(unread_folders.pop()) as entries:
            for entry in entries:
                yield Path(entry.path).relative_to(folder).as_posix()
                if entry.is_dir(follow_symlinks=False):
                    unread_folders.append(Path(entry.path))


def windows_scripts(folder: Path) -> list[str]:
    """Returns the paths of scripts that cannot start because their first line has a Windows line ending. Raises
    OSError.
    """
    paths = islice(walk(folder), MAX_PATHS)
    return sorted(path for path in paths if _is_windows_script(path, folder))


def windows_message(paths: list[str]) -> str:
    """Returns a message about the scripts that `windows_scripts` found, with the remedy. Returns "" for no scripts."""
    if not paths:
        return ""
    subject = f"{paths[0]} has" if len(paths) == 1 else f"{', '.join(paths[:3])} have"
    return f"{subject} Windows line endings (CRLF) and cannot start. Save with Unix line endings (LF)."


def _is_windows_script(path: str, folder: Path) -> bool:
    head = read_plain_file(folder / path, _FIRST_LINE_BYTES) or b""
    is_script = head.startswith(b"#!") or path.endswith((".sh", ".bash"))
    return is_script and head.partition(b"\n")[0].endswith(b"\r")
