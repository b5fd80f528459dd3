"""What must outlive a crash and must not be seen before its time: the seed, and the desk's tokens."""

from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.web.access import Tokens
from server.errors import Refusal
from server.journal.atomic_file import keep_whole
from server.shuffle import parse_seed


class Strongbox(Struct, frozen=True):
    """A tournament's secrets."""

    seed: str
    """64 hexadecimal digits."""
    control: str
    view: str

    @property
    def seed_bytes(self) -> bytes:
        return parse_seed(self.seed)

    @property
    def tokens(self) -> Tokens:
        return Tokens(self.control, self.view)


class StrongboxDamaged(Refusal):
    """The file holds no secrets of a tournament."""


def strongbox_of(journal: Path) -> Path:
    """Where the secrets of a journal lie."""
    return journal.with_suffix(".secret")


def open_strongbox(path: Path) -> Strongbox:
    """The secrets kept at `path`. Raises OSError, or StrongboxDamaged where there are none."""
    try:
        box = msgspec.json.decode(path.read_bytes(), type=Strongbox)
        _ = box.seed_bytes, box.tokens
    except FileNotFoundError:
        raise StrongboxDamaged(f"{path} is missing: without its seed nothing is resumed") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise StrongboxDamaged(f"{path} holds no seed and tokens ({error}): without them nothing is resumed") from None
    return box


def keep_strongbox(path: Path, box: Strongbox) -> None:
    """Keeps secrets in place of others, whole or not at all, readable by their owner alone. Raises OSError."""
    keep_whole(path, msgspec.json.encode(box))
