"""Files that strangers sent, read whole but never more than so many bytes of them."""

import errno
from pathlib import Path


def read_at_most(path: Path, most: int) -> bytes:
    """All bytes of the file at `path`.

    Raises OSError where it cannot be read or holds more than `most` bytes; its `strerror` says so in words.
    """
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}", str(path))
    return content


def _size(most: int) -> str:
    """A number of bytes in the largest unit of which it is a multiple."""
    units = ((1 << 20, "MiB"), (1_000_000, "MB"), (1 << 10, "KiB"))
    return next((f"{most // unit} {name}" for unit, name in units if most % unit == 0), f"{most} bytes")
