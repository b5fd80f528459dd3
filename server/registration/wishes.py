"""Reads an author's wishes for a practice game from the fields of a registration. All contests have the same wishes."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from server.bots.house.ladder import LADDER, describe_strength
from server.text.names_and_chat import clean_chat

MAX_WARNINGS = 5
"""The maximum number of unknown keys that get a warning."""
MAX_CHARACTERS = 40
"""How many characters of an unknown key a warning quotes."""
_MAX_DIGITS = 9
MIN_KEY_CHARACTERS, MIN_DIFFERENT_CHARACTERS = 12, 6
"""How many characters a key must have, and how many different characters. Anyone who guesses a key sees the bot's
page.
"""
HOUSE_THINKS_MS = 300
"""How long a house bot may think in practice by default: only briefly, because the author waits for the house bots."""
_WEAK_KEY = (
    f"key is too easy to guess, so this game gets a new page: use at least {MIN_KEY_CHARACTERS} characters, "
    f"{MIN_DIFFERENT_CHARACTERS} of them different"
)


class Wish(Struct, frozen=True):
    """A whole number that an author can choose."""

    allowed: range
    default: int
    explanation: str = ""
    """Words after `default` in a warning, to explain the number. "" if the number needs no explanation."""


class HouseSettings(Struct, frozen=True):
    """How the house bots of a practice game play."""

    think_ms: int = HOUSE_THINKS_MS
    """How long each house bot may think."""
    strength: int = 0
    """The rung of the ladder, from 1, at which all house bots play; 0 if each plays at its own strength."""


class AuthorWishes(Struct, frozen=True):
    """The wishes of a bot's author for a practice game."""

    key: str = ""
    """The author's key. Games with the same key share one page. "" asks for a new page."""
    house: HouseSettings = HouseSettings()
    challenge: str = ""
    """The code of a challenge (an invitation to play another author's bot), or ""."""


TEXT_WISHES = ("key", "challenge")
"""The wishes whose values are texts."""
HOUSE_WISHES = {
    "house_think_ms": Wish(range(3001), HOUSE_THINKS_MS),
    "house_strength": Wish(range(len(LADDER) + 1), 0, f" (house bots {describe_strength(0)})"),
}


def allowed_or_default(wish: Wish, value: object) -> int:
    """Returns `value` if it is allowed, otherwise the default."""
    return value if type(value) is int and value in wish.allowed else wish.default


def read_wishes(fields: Mapping[str, object]) -> AuthorWishes:
    """Reads the wishes among a registration's fields. A value that is not allowed becomes the default."""
    key, challenge = (text if isinstance(text := fields.get(name), str) else "" for name in ("key", "challenge"))
    house = HouseSettings(*(allowed_or_default(wish, fields.get(name)) for name, wish in HOUSE_WISHES.items()))
    return AuthorWishes(key if is_strong_key(key) else "", house, challenge.strip())


def is_strong_key(key: str) -> bool:
    """Whether a key is hard to guess."""
    return len(key) >= MIN_KEY_CHARACTERS and len(set(key)) >= MIN_DIFFERENT_CHARACTERS


def wish_warnings(wishes: Mapping[str, Wish], fields: Mapping[str, object]) -> list[str]:
    """Returns a warning for each value in `fields` that `wishes` does not allow, and for a weak `key`."""
    key = fields.get("key")
    key_warnings = [_WEAK_KEY] if isinstance(key, str) and key and not is_strong_key(key) else []
    return key_warnings + [
        f"{key} must be a whole number from {wish.allowed[0]} to {wish.allowed[-1]}: using "
        f"{wish.default}{wish.explanation}"
        for key, wish in wishes.items()
        if fields.get(key) is not None and (type(fields[key]) is not int or fields[key] not in wish.allowed)
    ]


def ignored_key_warnings(fields: Mapping[str, object], known_keys: Sequence[str]) -> list[str]:
    """Returns a warning for each of the first MAX_WARNINGS keys in `fields` that are not `known_keys`."""
    return [
        f'the key "{clean_chat(key[:MAX_CHARACTERS])}" is ignored: known keys are {", ".join(known_keys)}'
        for key in fields
        if key not in known_keys
    ][:MAX_WARNINGS]


def fields_of_form(form: Mapping[str, str]) -> dict[str, object]:
    """Converts a form's fields to those of a JSON object: numbers become int, and empty fields are left out."""
    fields: dict[str, object] = {key: text for key, text in form.items() if key not in HOUSE_WISHES or text.strip()}
    return fields | {key: _number(form[key].strip()) for key in HOUSE_WISHES if key in fields}


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else text
