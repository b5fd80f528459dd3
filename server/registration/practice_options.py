"""Reads from a bot's registration which options the bot's author chose for a practice game. All contests share this
code.
"""

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
"""An author's key opens the page of the author's bot. So that others cannot guess the key, it must have at least
MIN_KEY_CHARACTERS characters, and at least MIN_DIFFERENT_CHARACTERS of them must be different.
"""
HOUSE_THINKS_MS = 300
"""How many milliseconds a house bot, one of this program's own bots, may think in practice by default. The time is
short, because the author waits.
"""
_WEAK_KEY = (
    f"key is too easy to guess, so this game gets a new page: use at least {MIN_KEY_CHARACTERS} characters, "
    f"{MIN_DIFFERENT_CHARACTERS} of them different"
)


class NumberOption(Struct, frozen=True):
    """A whole number that an author can choose."""

    allowed: range
    default: int
    explanation: str = ""
    """Words that a warning adds after `default` to explain it. The text is "" if the default needs no explanation."""


class HouseSettings(Struct, frozen=True):
    """How the house bots of a practice game play."""

    think_ms: int = HOUSE_THINKS_MS
    """How many milliseconds each house bot may think."""
    strength: int = 0
    """The strength at which all house bots play, from 1 for the weakest. The value is 0 if each house bot plays at its
    own strength.
    """


class PracticeOptions(Struct, frozen=True):
    """What the author of a bot chose for a practice game."""

    key: str = ""
    """The author's key. Games with the same key share one page. The key "" asks for a new page."""
    house_settings: HouseSettings = HouseSettings()
    challenge: str = ""
    """The code of a challenge, or "". A challenge is an invitation to play another author's bot."""


TEXT_OPTIONS = ("key", "challenge")
"""The options whose values are texts."""
HOUSE_OPTIONS = {
    "house_think_ms": NumberOption(range(3001), HOUSE_THINKS_MS),
    "house_strength": NumberOption(range(len(LADDER) + 1), 0, f" (house bots {describe_strength(0)})"),
}


def allowed_or_default(option: NumberOption, value: object) -> int:
    """Returns `value` if it is allowed, otherwise the default."""
    return value if type(value) is int and value in option.allowed else option.default


def read_practice_options(fields: Mapping[str, object]) -> PracticeOptions:
    """Reads the options among a registration's fields. A value that is not allowed becomes the default."""
    key, challenge = (text if isinstance(text := fields.get(name), str) else "" for name in ("key", "challenge"))
    house_settings = HouseSettings(
        *(allowed_or_default(option, fields.get(name)) for name, option in HOUSE_OPTIONS.items())
    )
    return PracticeOptions(key if is_strong_key(key) else "", house_settings, challenge.strip())


def is_strong_key(key: str) -> bool:
    """Whether a key is hard to guess."""
    return len(key) >= MIN_KEY_CHARACTERS and len(set(key)) >= MIN_DIFFERENT_CHARACTERS


def option_warnings(options: Mapping[str, NumberOption], fields: Mapping[str, object]) -> list[str]:
    """Returns a warning for each value in `fields` that `options` does not allow, and for a weak `key`."""
    key = fields.get("key")
    key_warnings = [_WEAK_KEY] if isinstance(key, str) and key and not is_strong_key(key) else []
    return key_warnings + [
        f"{key} must be a whole number from {option.allowed[0]} to {option.allowed[-1]}: using "
        f"{option.default}{option.explanation}"
        for key, option in options.items()
        if fields.get(key) is not None and (type(fields[key]) is not int or fields[key] not in option.allowed)
    ]


def ignored_key_warnings(fields: Mapping[str, object], known_keys: Sequence[str]) -> list[str]:
    """Returns a warning for each of the first MAX_WARNINGS keys in `fields` that are not in `known_keys`."""
    return [
        f'the key "{clean_chat(key[:MAX_CHARACTERS])}" is ignored: known keys are {", ".join(known_keys)}'
        for key in fields
        if key not in known_keys
    ][:MAX_WARNINGS]


def fields_of_form(form: Mapping[str, str]) -> dict[str, object]:
    """Converts a form's fields to the fields of a JSON object. The value of a key in HOUSE_OPTIONS becomes an int if it
    is a number of at most nine digits, and is left out if it is empty. All other values stay texts.
    """
    fields: dict[str, object] = {key: text for key, text in form.items() if key not in HOUSE_OPTIONS or text.strip()}
    return fields | {key: _number(form[key].strip()) for key in HOUSE_OPTIONS if key in fields}


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else text
