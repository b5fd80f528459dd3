"""What the author of a bot may ask of a practice game in whole numbers: the same in every contest."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from server.bots.house.ladder import LADDER, in_words
from server.text.names_and_chat import chat_text

MOST_WARNINGS = 5
"""Unknown keys that are named."""
MOST_LETTERS = 40
"""Of an unknown key that a warning repeats."""
_DIGITS = 9
KEY_CHARACTERS, KEY_DIFFERENT = 12, 6
"""A key has at least so many characters, of which so many differ: whoever guesses it has the page of its bot."""
HOUSE_THINKS_MS = 300
"""The longest that a house bot thinks in practice, unless the author says otherwise: short, for authors wait."""
_WEAK_KEY = (
    f"key is too easy to guess, so this game begins a page of its own: take at least {KEY_CHARACTERS} characters, "
    f"{KEY_DIFFERENT} of them different"
)


class Wish(Struct, frozen=True):
    """A whole number that may be asked for: what is allowed, and what holds without it."""

    allowed: range
    default: int
    means: str = ""
    """What `default` means, in words that stand behind it."""


class House(Struct, frozen=True):
    """How the house bots of a practice game play."""

    think_ms: int = HOUSE_THINKS_MS
    """How many milliseconds one of them thinks at most."""
    strength: int = 0
    """The rung of the ladder on which all of them stand, from 1; 0: they play as they like."""


class Asked(Struct, frozen=True):
    """What the author of a bot asks of its practice game."""

    key: str = ""
    """Words of the author's choice, by which the page of its author goes on with this game; "" for a new page."""
    house: House = House()
    challenge: str = ""
    """The code of an invitation to a game against another author's bot; "" for none."""


WISHES_IN_WORDS = ("key", "challenge")
"""The keys of a registration that ask for something in words."""
HOUSE_WISHES = {
    "house_think_ms": Wish(range(3001), HOUSE_THINKS_MS),
    "house_strength": Wish(range(len(LADDER) + 1), 0, f" (house bots {in_words(0)})"),
}


def granted(wish: Wish, asked: object) -> int:
    """The number that holds where `asked` was asked for."""
    return asked if type(asked) is int and asked in wish.allowed else wish.default


def asked_in(fields: Mapping[str, object]) -> Asked:
    """What is asked for in the fields of a registration."""
    key, challenge = (text if isinstance(text := fields.get(name), str) else "" for name in ("key", "challenge"))
    house = House(*(granted(wish, fields.get(name)) for name, wish in HOUSE_WISHES.items()))
    return Asked(key if is_strong(key) else "", house, challenge.strip())


def is_strong(key: str) -> bool:
    """Whether a key is not to be guessed."""
    return len(key) >= KEY_CHARACTERS and len(set(key)) >= KEY_DIFFERENT


def refused_wishes(wishes: Mapping[str, Wish], fields: Mapping[str, object]) -> list[str]:
    """A sentence for each of `wishes`, and for a `key`, that was asked for in `fields` and is not done."""
    key = fields.get("key")
    weak = [_WEAK_KEY] if isinstance(key, str) and key and not is_strong(key) else []
    return weak + [
        f"{key} must be a whole number from {wish.allowed[0]} to {wish.allowed[-1]}: it is taken as {wish.default}"
        f"{wish.means}"
        for key, wish in wishes.items()
        if fields.get(key) is not None and (type(fields[key]) is not int or fields[key] not in wish.allowed)
    ]


def ignored(fields: Mapping[str, object], known: Sequence[str]) -> list[str]:
    """A sentence for each key in `fields`, the first few, that is none of those `known`."""
    return [
        f'the key "{chat_text(key[:MOST_LETTERS])}" is ignored: known are {", ".join(known)}'
        for key in fields
        if key not in known
    ][:MOST_WARNINGS]


def fields_of_form(form: Mapping[str, str]) -> dict[str, object]:
    """The fields of a form as those of a JSON object: wishes are numbers there, one that is left empty is none."""
    fields: dict[str, object] = {key: text for key, text in form.items() if key not in HOUSE_WISHES or text.strip()}
    return fields | {key: _number(form[key].strip()) for key in HOUSE_WISHES if key in fields}


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else text
