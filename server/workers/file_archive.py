"""A folder as bytes, and back: so a bot or a recording goes to a worker."""

import io
import os
import tarfile
from pathlib import Path

from server.bots.sandbox.bubblewrap.unpack import Strange, TooMuch, unpack_all
from server.errors import Refusal
from server.submissions.digest import digest_of
from server.submissions.folder_scan import BOT_BYTES, WEIGHTS_BYTES

MOST_BYTES = WEIGHTS_BYTES + 4 * BOT_BYTES
"""Of all files in a folder: any bot that may be handed in is smaller, whatever it comes with."""

MOST_FILES = 100_000
"""So many files and folders."""


class BadFiles(Exception):
    """What was sent is not what was meant."""


def packed(folder: Path) -> bytes:
    """The files below `folder`, with who may run them. Raises Refusal where they are more than is sent, OSError."""
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    if size > MOST_BYTES:
        raise Refusal(f"{folder} has {size >> 20} MB; at most {MOST_BYTES >> 20} MB are sent to a worker")
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname="bot")
    return whole.getvalue()


def unpack(archive: bytes, folder: Path, digest: str) -> None:
    """Unpacks files as "bot" in a folder. Raises BadFiles for other files, and for too many bytes of them; OSError."""
    try:
        most = {"max_bytes": MOST_BYTES, "max_files": MOST_FILES}
        unpack_all(io.BytesIO(archive), "r:gz", folder.resolve(), **most, mode=_mode)
    except TooMuch:
        raise BadFiles("the files are larger or more than any that are taken") from None
    except (tarfile.TarError, Strange) as error:
        raise BadFiles(f"the files cannot be unpacked: {error}") from None
    if any(_leads_out(path, folder) for path in folder.rglob("*")):
        raise BadFiles("a link among the files leads out of their folder")
    if digest_of(folder / "bot") != digest:
        raise BadFiles("the files are not those that were announced")


def _mode(member: tarfile.TarInfo) -> int:
    return 0o755 if member.mode & 0o100 else 0o644


def _leads_out(path: Path, folder: Path) -> bool:
    """Whether a link leads elsewhere, be it by way of other links."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(folder.resolve())
