"""The file of an Enova tournament's registrations: each bot's name, and its host as it was looked up.

It lies beside the journal, so that a tournament that goes on after a crash knows where its bots are.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from server.bots.transports.http import Address
from server.errors import Refusal
from server.journal.atomic_file import keep_whole
from server.text.regular_file import read_regular


class Registered(Struct, frozen=True):
    """A registered bot: its name as shown, the address it is called at, and its player ("": named like the bot)."""

    name: str
    address: Address
    player: str = ""


class RegistrationsDamaged(Refusal):
    """The file holds something that is no list of registrations."""


def registrations_of(journal: Path) -> Path:
    """The path of the registrations that belong to the journal at `journal`."""
    return journal.with_suffix(".bots.json")


def read_registrations(path: Path) -> tuple[Registered, ...]:
    """The registrations kept at `path`, in their order; none if there is no such file.

    Raises OSError where the file cannot be read, RegistrationsDamaged where it holds no registrations.
    """
    try:
        return msgspec.json.decode(read_regular(path), type=tuple[Registered, ...])
    except FileNotFoundError:
        return ()
    except msgspec.DecodeError as error:
        raise RegistrationsDamaged(
            f"{path} holds no registrations ({error}): put it back, or take it away to begin anew"
        ) from None


def keep_registrations(path: Path, registered: Sequence[Registered]) -> None:
    """Writes the registrations and returns once they are on disk, whole or not at all. Raises OSError."""
    keep_whole(path, msgspec.json.format(msgspec.json.encode(registered)))
