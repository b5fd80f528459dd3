"""`python -m broadcast.darkroom`: reads recordings and develops films in a process of its own, told on standard input.

A recording may be a stranger's, and takes seconds of a processor that the show needs. Films exit with 0, or with 3 and
a sentence on standard error. Must never be imported by a studio for more than its orders.
"""

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

REFUSED = 3
CPU_SECONDS = 600
MEMORY_BYTES = 4 << 30


class ToIndex(Struct, frozen=True, tag="index"):
    """Put recordings into an index. `whole`: only those that have their champion count."""

    index: str
    folder: str
    names: tuple[str, ...]
    whole: bool = True


class ToDevelop(Struct, frozen=True, tag="develop"):
    """Make the film of a recording."""

    recording: str
    film: str


def main(text: bytes) -> int:
    """Does what it is told; the exit status."""
    order = msgspec.json.decode(text, type=ToIndex | ToDevelop)
    for what, amount in ((resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_AS, MEMORY_BYTES)):
        with suppress(ValueError):  # macOS knows some limits by name only
            resource.setrlimit(what, (amount, amount))
    with suppress(OSError):
        os.nice(10)
    return _index(order) if isinstance(order, ToIndex) else _develop(order)


def _index(order: ToIndex) -> int:
    from broadcast.cataloguing import index_all  # noqa: PLC0415  (not for a studio that only gives the order)

    index_all(Path(order.index), Path(order.folder), order.names, whole=order.whole)
    return 0


def _develop(order: ToDevelop) -> int:
    if fault := develop(Path(order.recording), Path(order.film)):
        sys.stderr.write(fault + "\n")
        return REFUSED
    return 0


def develop(path: Path, film: Path) -> str:
    """Makes the film of the recording at `path`; why there is none, in a sentence without its beginning, else ""."""
    from broadcast.film import film_of  # noqa: PLC0415
    from broadcast.film_file import keep_film  # noqa: PLC0415
    from broadcast.index import stamp_of  # noqa: PLC0415
    from server.journal import JournalDamaged, read_journal  # noqa: PLC0415

    try:
        stamp = stamp_of(path)
        recording = read_journal(path)
        made = film_of(recording.entries, recording.header.begun)
    except (OSError, JournalDamaged) as error:
        return f"it cannot be read: {error}"
    except Exception:
        return "it does not hang together: its entries do not follow from one another"
    try:
        keep_film(made, stamp, film)
    except OSError as error:
        return f"its film cannot be kept: {error.strerror}"
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer.read()))
