"""Writes a file completely or not at all, even if the program is killed meanwhile."""

import os
from pathlib import Path

from server.system.files import BINARY_FLAG, sync_folder


def write_atomically(path: Path, content: bytes) -> None:
    """Writes or replaces the file at `path`, completely or not at all. Only the file's owner can read it.

    If the write fails, removes the half-written file, so that it takes no room on a full disk, and raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial_path = path.with_suffix(".half")
    partial_path.unlink(missing_ok=True)
    file = os.open(partial_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY_FLAG, 0o600)
    try:
        with os.fdopen(file, "wb") as written:
            written.write(content)
            written.flush()
            os.fsync(file)
        partial_path.replace(path)
    except OSError:
        partial_path.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
