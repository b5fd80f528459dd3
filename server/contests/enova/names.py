"""The names that bots get in Enova, and when two of them look alike. Pure."""

import unicodedata

from server.text.look_alikes import look_alike
from server.text.names_and_chat import MOST_LETTERS, letters_and_brackets, name_fault

_ROUND = str.maketrans("[]", "()")


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
