"""Reads single settings in an event file. Each function checks and converts a parsed TOML value.

For a wrong value, a function raises ValueError. The error's text, such as "should be true or false, not a list",
continues a message that begins with the value's key.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

from server.game.prizes import HUNDRED_PER_CENT, Share
from server.game.rules import Level
from server.shuffle import parse_seed
from server.system.shell_words import words_of
from server.text.names_and_chat import MAX_LONG_NAME_CHARACTERS, MAX_NAME_CHARACTERS, clean_chat, name_fault

MIN_SECRET_CHARACTERS = 16
MIN_INVITATION_CHARACTERS = 8
NIGHT_ENDS = time(6)
"""A time before 6:00 belongs to the night that follows the evening."""
MAX_DOLLARS = 10_000
_DOLLARS = re.compile(r"\$?(\d+(?:\.\d{1,2})?)")
_LEVEL = re.compile(r"(\d{1,9})/(\d{1,9})(?:/(\d{1,9}))?")
_PER_CENT = re.compile(r"(\d+(?:\.\d{1,2})?) ?%")
_CLOCK = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_DAY_AND_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:")
_SECRET = re.compile(r"[\w.~-]+", re.ASCII)


def describe_value(value: object) -> str:
    """Describes `value` for a message: "true", "the number 5", 'the text "x"'."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float() | Decimal():
            return f"the number {value}"
        case str():
            return f'the text "{value[:60]}"'
        case list():
            return "a list"
        case Mapping():
            return "a table"
        case _:
            return str(value)


def text(value: object) -> str:
    """Reads a text that is not blank. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError(f"should be a text in quotation marks, not {describe_value(value)}")
    if not value.strip():
        raise ValueError("should not be blank")
    return value.strip()


def display_name(value: object, max_characters: int = MAX_NAME_CHARACTERS) -> str:
    """Reads the name of a bot or a player, of at most `max_characters` characters. Raises ValueError."""
    name = text(value)
    if fault := name_fault(name, max_characters):
        raise ValueError(f"cannot be shown as a name: {fault}".replace("Name must", "it must"))
    return name


def command(value: object) -> str:
    """Reads a command of at least one word, as in a terminal. Raises ValueError."""
    line = text(value)
    try:
        words_of(line)
    except ValueError as error:
        raise ValueError(f"is not a command: {error}") from None
    return line


def long_name(value: object) -> str:
    """Reads the name or id of a bot, of up to 100 characters. Bots that are HTTP servers may have such long names.
    Raises ValueError.
    """
    return display_name(value, MAX_LONG_NAME_CHARACTERS)


def remark(value: object) -> str:
    """Reads a text for people as one line. The text may be blank. Long texts are cut off. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError(f"should be a text in quotation marks, not {describe_value(value)}")
    return clean_chat(value.replace("\n", " "))


def single_line(max_characters: int) -> Callable[[object], str]:
    """Returns a reader for one line of at most `max_characters` characters. The reader raises ValueError."""

    def read(value: object) -> str:
        content = text(value)
        if len(content) > max_characters or not content.isprintable():
            raise ValueError(f"should be one line of at most {max_characters} characters")
        return content

    return read


title = single_line(60)


def choice(*choices: str) -> Callable[[object], str]:
    """Returns a reader for one of the texts `choices`. The reader raises ValueError."""
    choice_list = " or ".join(f'"{word}"' for word in choices)

    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"should be {choice_list}, not {describe_value(value)}")
        return str(value)

    return read


def boolean(value: object) -> bool:
    """Reads true or false. Raises ValueError."""
    if not isinstance(value, bool):
        raise ValueError(f"should be true or false, not {describe_value(value)}")
    return value


def pace(value: object) -> float:
    """Reads a factor for the show's speed, from 0 to 1000. 0 means no pauses. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not 0 <= value <= 1000:
        raise ValueError(
            f"should be 0 (as fast as possible) to 1000 (1 is the normal pace), not {describe_value(value)}"
        )
    return float(value)


def day(value: object) -> date:
    """Reads a date. Raises ValueError."""
    if isinstance(value, datetime) or not isinstance(value, date):
        raise ValueError(f"should be a day, without quotation marks, such as 2026-11-21, not {describe_value(value)}")
    return value


def clock_time(value: object) -> time:
    """Reads a time of day, with or without quotation marks. It may have an offset from UTC: "20:15+01:00".

    Raises ValueError.
    """
    moment = value
    if isinstance(value, str) and _CLOCK.fullmatch(value):
        with suppress(ValueError):
            moment = time.fromisoformat(value)
    if not isinstance(moment, time):
        raise ValueError(f"should be a time of day such as 20:15, not {describe_value(value)}")
    return moment


def moment_on(day: date, clock: time) -> datetime:
    """Returns the moment when it is `clock` on `day`. If `clock` has no time zone, uses this machine's time zone."""
    return datetime.combine(day, clock).astimezone()


def evening_moment(day: date, value: object) -> datetime:
    """Reads a date with a time, or only a time on the evening of `day` or in the night that follows. The time may have
    an offset from UTC. Raises ValueError.
    """
    if isinstance(value, str) and _DAY_AND_TIME.match(value):
        with suppress(ValueError):
            value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return value.astimezone()
    clock = clock_time(value)
    return moment_on(day + timedelta(days=clock.replace(tzinfo=None) < NIGHT_ENDS), clock)


def seed(value: object) -> bytes:
    """Returns the seed for a rehearsal, 32 bytes. "fresh" gives b"", which means that a random seed is drawn later.
    Raises ValueError.
    """
    if value == "fresh":
        return b""
    if not isinstance(value, str):
        raise ValueError(f'should be "fresh", or a rehearsal\'s seed in quotation marks, not {describe_value(value)}')
    try:
        return parse_seed(value)
    except ValueError as error:
        raise ValueError(f'should be "fresh", or a rehearsal\'s seed: {error}') from None


def secret(value: object) -> str:
    """Reads a secret of at least MIN_SECRET_CHARACTERS characters that can be part of a URL. Raises ValueError."""
    content = text(value)
    if len(content) < MIN_SECRET_CHARACTERS or not _SECRET.fullmatch(content):
        raise ValueError(
            f"should have at least {MIN_SECRET_CHARACTERS} characters: letters without accents, digits and - _ . ~"
        )
    return content


def invitations(value: object) -> tuple[str, ...]:
    """Reads an invitation code, or a list of codes. Each has at least MIN_INVITATION_CHARACTERS characters, and can be
    part of a URL. Raises ValueError.
    """
    codes = tuple(text(code) for code in (value if isinstance(value, list) else [value]))
    for code in codes:
        if len(code) < MIN_INVITATION_CHARACTERS or not _SECRET.fullmatch(code):
            least = f"at least {MIN_INVITATION_CHARACTERS} characters: letters without accents, digits and - _ . ~"
            raise ValueError(f"should be a code, or a list of them, each of {least}")
    return codes


def whole_number_between(least: int, most: int) -> Callable[[object], int]:
    """Returns a reader for a whole number from `least` to `most`. The reader raises ValueError."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"should be a whole number from {least} to {most}, not {describe_value(value)}")
        return value

    return read


def submission(event_folder: Path, value: object) -> Path:
    """Returns the path of an existing folder or zip archive. `value` may be relative to `event_folder`. Raises
    ValueError.
    """
    path = event_folder / text(value)
    if path.is_dir() or (path.is_file() and path.suffix.lower() == ".zip"):
        return path
    if path.exists():
        raise ValueError(f'should be a folder or a zip archive; "{value}" is neither')
    raise ValueError(f'there is no folder "{value}" in {event_folder}')


def folder(event_folder: Path, value: object) -> Path:
    """Returns the path of a folder, even if it does not exist. `value` may be relative to `event_folder`. Raises
    ValueError.
    """
    path = event_folder / text(value)
    if path.exists() and not path.is_dir():
        raise ValueError(f'should be a folder, but "{value}" is a file')
    return path


def cents(value: object) -> int:
    """Converts an amount in dollars (5, 5.00, "5", "$5.00") to cents. Raises ValueError."""
    dollars = _DOLLARS.fullmatch(str(value)) if isinstance(value, int | Decimal | str) else None
    if dollars is None or isinstance(value, bool):
        raise ValueError(f"should be dollars such as 5 or 5.50, not {describe_value(value)}")
    if Decimal(dollars[1]) > MAX_DOLLARS:
        raise ValueError(f"should be at most {MAX_DOLLARS} dollars, not {dollars[1]}")
    return int(Decimal(dollars[1]) * 100)


def shares(value: object) -> tuple[Share, ...]:
    """Returns each place's share of the prizes, in order. "house" gives (), which means the shares in the rule book.
    Raises ValueError.
    """
    if value == "house":
        return ()
    if not isinstance(value, list) or not value:
        raise ValueError(f'should be "house" or a list such as ["50%", "30%", "20%"], not {describe_value(value)}')
    place_shares = tuple(_read_share(place, item) for place, item in enumerate(value, 1))
    total = sum(share.part for share in place_shares)
    if total not in (0, HUNDRED_PER_CENT):
        raise ValueError(f"has parts that add up to {Decimal(total) / 100:f} %, not to 100 %")
    return place_shares


def _read_share(place: int, item: object) -> Share:
    if isinstance(item, str) and (part := _PER_CENT.fullmatch(item)):
        return Share(part=int(Decimal(part[1]) * 100))
    if isinstance(item, str) and item.startswith("$") and _DOLLARS.fullmatch(item):
        return Share(cents(item))
    raise ValueError(f'has {describe_value(item)} for place {place}: write "20%" or "$5"')


def blinds(value: object) -> tuple[Level, ...]:
    """Reads blind levels, written as a list of "small/big" or "small/big/ante". Raises ValueError."""
    if not isinstance(value, list) or not value:
        raise ValueError(
            f'should be a list with the blinds of each level, such as ["1/2", "2/4"], not {describe_value(value)}'
        )
    return tuple(_read_level(item) for item in value)


def _read_level(item: object) -> Level:
    level_match = _LEVEL.fullmatch(item) if isinstance(item, str) else None
    if level_match is None:
        raise ValueError(f'has {describe_value(item)}: write "1/2", or "1/2/1" for an ante of 1')
    level = Level(int(level_match[1]), int(level_match[2]), int(level_match[3] or 0))
    if not 1 <= level.small <= level.big:
        raise ValueError(f'has "{item}": a small blind is at least 1 and not more than the big blind')
    return level
