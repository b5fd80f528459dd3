"""Writes a file completely or not at all, even if the program is killed meanwhile."""

import os
from pathlib import Path

from server.system.files import PLAIN, sync_folder


def keep_whole(path: Path, content: bytes) -> None:
    """Writes or replaces the file at `path`, completely or not at all. Only the file's owner can read it.

    If the write fails, removes the half-written file, so that it takes no room on a full disk, and raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    half.unlink(missing_ok=True)
    file = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | PLAIN, 0o600)
    try:
        with os.fdopen(file, "wb") as written:
            written.write(content)
            written.flush()
            os.fsync(file)
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
