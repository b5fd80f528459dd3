"""Who has registered for an Enova tournament: names as they are taken, hosts as they were found, kept on disk.

Lies beside the journal, so that a crash loses nobody and a tournament that is taken up knows where its bots are.
"""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from server.atomic_file import keep_whole
from server.bots.dialects.plain_text import MOST_LETTERS, folded_name, name_fault
from server.bots.transports.http import Address
from server.front.refusals import Refusal

_ALSO = frozenset("_()[] ")
_ROUND = str.maketrans("[]", "()")


class Registered(Struct, frozen=True):
    """One bot: its name as it is shown, whose it is ("" for its own), and where it is called."""

    name: str
    address: Address
    player: str = ""


class RollDamaged(Refusal):
    """The file holds no registrations."""


def roll_of(journal: Path) -> Path:
    """Where the registrations of a journal lie."""
    return journal.with_suffix(".bots.json")


def read_roll(path: Path) -> tuple[Registered, ...]:
    """The registrations kept at `path`, in their order; none if there is no such file. Raises OSError, RollDamaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[Registered, ...])
    except FileNotFoundError:
        return ()
    except msgspec.DecodeError as error:
        raise RollDamaged(
            f"{path} holds no registrations ({error}): put it back, or take it away to begin anew"
        ) from None


def keep_roll(path: Path, roll: Sequence[Registered]) -> None:
    """Returns once the registrations are on disk, whole or not at all. Raises OSError."""
    keep_whole(path, msgspec.json.format(msgspec.json.encode(roll)))


def taken_name(wished: str) -> str:
    """What is left of a name: letters, digits, `_ ( ) [ ]` and single blanks, at most 100 characters.

    The original dropped everything else, and kept the rest whole: bots look for their own names in what they are told.
    On a poster a long one is shortened. Raises ValueError, in words for whoever chose it, where nothing is left.
    """
    composed = unicodedata.normalize("NFC", wished)
    kept = "".join(letter for letter in composed if letter in _ALSO or unicodedata.category(letter)[0] in "LN")
    name = " ".join(kept.split())[:MOST_LETTERS].rstrip()
    if not any(letter.isalnum() for letter in name) or name_fault(name, MOST_LETTERS):
        raise ValueError("The name needs letters or digits; all but those, _ ( ) [ ] and blanks is left out")
    return name


def same_name(one: str, other: str) -> bool:
    """Whether viewers could take one for the other; brackets count as round, which they are as keys of a form."""
    return folded_name(one.translate(_ROUND)) == folded_name(other.translate(_ROUND))
