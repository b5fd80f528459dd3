"""What tells one version of a bot from another: the digest of its folder."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from server.text.regular_file import read_regular

DIGITS = 8
"""Of the digest, where people read it as the version of a bot."""


def digest_of(folder: Path) -> str:
    """The SHA-256 over the names and contents of all files below a folder, hexadecimal. Raises OSError."""
    whole = sha256()
    for path in _files(folder):
        content = sha256(read_regular(path)).hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
