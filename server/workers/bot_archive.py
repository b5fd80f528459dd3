"""A bot's folder as bytes, and back: so it goes to a worker."""

import io
import tarfile
from pathlib import Path

from server.submissions.digest import digest_of
from server.submissions.folder_scan import BOT_BYTES


class BadBot(Exception):
    """What was sent is not the bot that was meant."""


def packed(folder: Path) -> bytes:
    """The files below `folder`, with who may run them. Raises OSError."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname="bot")
    return whole.getvalue()


def unpack(archive: bytes, folder: Path, digest: str) -> None:
    """Unpacks a bot as `folder`/bot. Raises BadBot where it is not the one of that digest, or too large; OSError."""
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
            if sum(member.size for member in tar) > 4 * BOT_BYTES:
                raise BadBot("the bot is larger than any that is taken")
            tar.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise BadBot(f"the bot cannot be unpacked: {error}") from None
    if digest_of(folder / "bot") != digest:
        raise BadBot("the bot's files are not those that were announced")
