"""Reads the values in a configuration file of the contest Arena, and collects mistakes and unused keys.

Also reads the blinds file: {"levels": [{"small_blind": 10, "big_blind": 20, "duration": 24}]}.
"""

import codecs
import re
from collections.abc import Callable
from difflib import get_close_matches
from math import gcd
from pathlib import Path
from typing import NamedTuple, NoReturn

from server.config import event_values as values
from server.config.event_keys import MAX_CHIPS
from server.config.event_reader import EventReader, Table
from server.errors import EventFaults
from server.game.rules import Level
from server.text.json_faults import InvalidJson, decode_utf8, parse_json
from server.text.regular_file import read_at_most

MAX_BYTES = 1 << 20
MAX_LEVELS = 1000
"""The levels of a blinds file are cut into levels of equal length. There may be at most this many of these levels."""
MAX_DURATION = 10_000

KNOWN_KEYS = {
    "": ("game_server", "tournament", "ais", "name", "description", "timeout", "bot_networks"),
    "tournament": (
        "rounds", "max_hands_per_round", "initial_chips", "max_players", "blind_structure_file", "delay_between_hands",
        "mode", "small_blind", "big_blind",
    ),
    "ais": ("ai_id", "ai_name", "url", "host", "port", "description"),
}  # fmt: skip
_MAX_REPORTED = 12
"""In the remark for the organiser, at most this many unused keys are listed."""
_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def without_comments(text: str) -> str:
    """Replaces the `//` and `/* */` comments in JSON with spaces, so that lines and columns stay the same."""

    def blank(match: re.Match[str]) -> str:
        piece = match[0]
        return piece if piece.startswith('"') else re.sub(r"[^\n]", " ", piece)

    return _TEXT_OR_COMMENT.sub(blank, text)


class ArenaReading(EventReader):
    """A file being read. Collects all faults and unused keys."""

    def __init__(self, file: str) -> None:
        super().__init__(file, {})
        self.unused: list[str] = []
        """The full names of unused keys."""
        self._remarks: list[str] = []

    def parse(self, raw: bytes) -> object:
        """Parses JSON that may have comments. Raises EventFaults if `raw` is not such JSON."""
        try:
            return parse_json(without_comments(decode_utf8(raw.removeprefix(codecs.BOM_UTF8))))
        except InvalidJson as error:
            self.stop(str(error))

    def read_table(self, root: Table, key: str) -> Table:
        """Returns the object under `key`, or {} if there is none. Reports the object's unknown keys."""
        table = root.get(key, {})
        if not isinstance(table, dict):
            self.add_fault(key, f"should be an object in braces, not {values.describe_value(table)}")
            return {}
        self.check_keys(table, key, key)
        return table

    def check_keys(self, table: Table, section: str, table_name: str) -> None:
        """Reports each unknown key: as a fault if it looks misspelled, otherwise as unused."""
        for key in table:
            if key in KNOWN_KEYS[section]:
                continue
            close_keys = get_close_matches(key, KNOWN_KEYS[section], n=1, cutoff=0.75)
            if close_keys and close_keys[0] not in table:
                self.add_fault(full_key(table_name, key), f'there is no such key; did you mean "{close_keys[0]}"?')
            else:
                self.unused.append(full_key(table_name, key))

    def remark(self, text: str) -> None:
        """Adds a remark for the organiser."""
        self._remarks.append(text)

    def remarks(self) -> tuple[str, ...]:
        """Returns the remarks for the organiser, including a remark on unused keys."""
        listed, more = self.unused[:_MAX_REPORTED], len(self.unused) - _MAX_REPORTED
        unused = ", ".join(name[:60] for name in listed) + (f" and {more} more" if more > 0 else "")
        return (*self._remarks, *([f"not used: {unused}"] if listed else ()))

    def finish(self) -> None:
        """Raises EventFaults if any faults were found."""
        if self.faults:
            raise EventFaults([fault for _, fault in self.faults])

    def stop(self, text: str) -> NoReturn:
        """Raises EventFaults, because the file cannot be read any further."""
        raise EventFaults([f"{self.file}: {text}"])


def full_key(table_name: str, key: str) -> str:
    """Returns the full name of a key: "tournament.rounds"."""
    return f"{table_name}.{key}".lstrip(".")


def seconds_reader(minimum: float, maximum: float) -> Callable[[object], float]:
    """Returns a function that reads a number of seconds. The function raises ValueError if the number is less than
    `minimum` or more than `maximum`.
    """

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not minimum <= value <= maximum:
            raise ValueError(
                f"should be a number of seconds from {minimum:g} to {maximum:g}, not {values.describe_value(value)}"
            )
        return float(value)

    return read


class Blinds(NamedTuple):
    """Blind levels of equal length. A level of the file that lasts longer than others is repeated in `levels`."""

    levels: tuple[Level, ...] = ()
    hands_per_level: int = 0


def blinds_file_reader(folder: Path, warn: Callable[[str], object]) -> Callable[[object], Blinds]:
    """Returns a function that reads the blinds file at a path, which may be relative to `folder`. If the file is
    missing, the function calls `warn` and returns no levels. Then the original server's 29 levels apply. The function
    raises ValueError for an invalid file.
    """

    def read(value: object) -> Blinds:
        path = folder / values.text(value)
        if not path.is_file():
            warn(f'there is no file "{value}" in {folder}: the 29 levels apply')
            return Blinds()
        try:
            raw = read_at_most(path, MAX_BYTES)
        except OSError as error:
            raise ValueError(f'"{value}" cannot be read: {error.strerror}') from None
        return _parse_blinds(path.name, raw)

    return read


def _parse_blinds(name: str, raw: bytes) -> Blinds:
    reading = ArenaReading(name)
    try:
        content = reading.parse(raw)
        levels = content.get("levels") if isinstance(content, dict) else None
        if not isinstance(levels, list) or not levels or not all(isinstance(level, dict) for level in levels):
            reading.stop('should be an object with "levels", a list of objects in braces')
        level_durations = [
            _read_level(reading, level, f"levels[{number}]") for number, level in enumerate(levels[:MAX_LEVELS], 1)
        ]
        reading.finish()
    except EventFaults as faults:
        raise ValueError("; ".join(faults.faults)) from None
    return _split_into_equal_levels(level_durations)


def _read_level(reading: ArenaReading, table: Table, table_name: str) -> tuple[Level, int]:
    for key in ("small_blind", "big_blind", "duration"):
        if key not in table:
            reading.add_fault(f"{table_name}.{key}", "is missing")
    small = reading.read(table, table_name, "small_blind", values.whole_number_between(1, MAX_CHIPS), 1)
    big = reading.read(table, table_name, "big_blind", values.whole_number_between(1, MAX_CHIPS), small)
    ante = reading.read(table, table_name, "ante", values.whole_number_between(0, MAX_CHIPS), 0)
    if big < small:
        reading.add_fault(f"{table_name}.big_blind", f"should be at least the small blind of {small}")
    return Level(small, big, ante), reading.read(
        table, table_name, "duration", values.whole_number_between(1, MAX_DURATION), 1
    )


def _split_into_equal_levels(levels: list[tuple[Level, int]]) -> Blinds:
    """Cuts `levels`, which have durations in hands, into levels of equal length. The duration of the last level does
    not matter, because that level lasts to the end. Raises ValueError for too many levels.
    """
    *first_levels, (last, last_duration) = levels
    step = gcd(*(duration for _, duration in first_levels)) or last_duration
    steps = [level for level, duration in first_levels for _ in range(duration // step)]
    if len(steps) >= MAX_LEVELS:
        raise ValueError(
            f"the durations have too small a common divisor: equal levels would number more than {MAX_LEVELS}"
        )
    return Blinds((*steps, last), step)
