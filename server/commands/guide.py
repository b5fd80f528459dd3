"""`highnoon guide --out DIR`: writes the guide as files, to read without a server or to put on any web host."""

from pathlib import Path

from broadcast.guide.pages import FIRST_PAGE, Guide
from server.console import say


def write_guide(folder: Path) -> int:
    """Writes all files of the guide to `folder`. Returns 0. Raises OSError."""
    guide = Guide()
    for name in sorted(guide.names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(guide.file(name) or b"")
    say(f"{len(guide.names)} files written; open {folder / FIRST_PAGE}")
    return 0
