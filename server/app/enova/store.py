"""The file of an Enova tournament's registrations: each bot's name, and its host as it was looked up.

It lies beside the journal, so that a tournament that goes on after a crash knows where its bots are.
"""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from server.bots.transports.http import Address
from server.errors import Refusal
from server.journal.atomic_file import keep_whole
from server.text.look_alikes import look_alike
from server.text.names_and_chat import MOST_LETTERS, letters_and_brackets, name_fault
from server.text.regular_file import read_regular

_ROUND = str.maketrans("[]", "()")


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


def taken_name(asked: str) -> str:
    """The name that a bot gets for `asked`: letters and digits with their marks, `_ ( ) [ ]` and single blanks.

    At most 100 characters of that; everything else is left out, as the original server did. A long name stays whole,
    because bots look for their own name in the messages they get; pages shorten it. Raises ValueError, in words for the
    author, where nothing is left.
    """
    name = " ".join(letters_and_brackets(unicodedata.normalize("NFC", asked)).split())[:MOST_LETTERS].rstrip()
    if not any(letter.isalnum() for letter in name) or name_fault(name, MOST_LETTERS):
        raise ValueError("The name needs letters or digits; all but those, _ ( ) [ ] and blanks is left out")
    return name


def same_name(one: str, other: str) -> bool:
    """Whether people could take one name for the other; [] count as (), into which form fields turn them."""
    return look_alike(one.translate(_ROUND), other.translate(_ROUND))
