"""The file with an Arena's own blinds: {"levels": [{"small_blind": 10, "big_blind": 20, "duration": 24}]}."""

from collections.abc import Callable
from math import gcd
from pathlib import Path
from typing import NamedTuple

from server.config import event_values as values
from server.config.event_file import MOST_CHIPS, EventFaults
from server.config.event_reader import Table
from server.contests.arena.venue.config_reader import ArenaReading
from server.game.rules import Level
from server.text.regular_file import read_at_most

MOST_BYTES = 1 << 20
MOST_LEVELS = 1000
"""Also counted as often as a level lasts longer than the shortest step."""
MOST_DURATION = 10_000


class Blinds(NamedTuple):
    """Levels of so many hands each. A level that lasts longer than another stands there more than once."""

    levels: tuple[Level, ...] = ()
    hands_per_level: int = 0


def blinds_beside(folder: Path, warn: Callable[[str], object]) -> Callable[[object], Blinds]:
    """A reader for a file of blinds, whose path may be relative to `folder`. It raises ValueError.

    The original plays its own levels where the file is not there; so do we, and `warn` is called.
    """

    def read(value: object) -> Blinds:
        path = folder / values.text(value)
        if not path.is_file():
            warn(f'there is no file "{value}" in {folder}: the 29 levels hold')
            return Blinds()
        try:
            raw = read_at_most(path, MOST_BYTES)
        except OSError as error:
            raise ValueError(f'"{value}" cannot be read: {error.strerror}') from None
        return _blinds(path.name, raw)

    return read


def _blinds(name: str, raw: bytes) -> Blinds:
    reading = ArenaReading(name)
    try:
        found = reading.parse(raw)
        levels = found.get("levels") if isinstance(found, dict) else None
        if not isinstance(levels, list) or not levels or not all(isinstance(level, dict) for level in levels):
            reading.stop('should be an object with "levels", a list of objects in braces')
        read = [_level(reading, level, f"levels[{number}]") for number, level in enumerate(levels[:MOST_LEVELS], 1)]
        reading.finish()
    except EventFaults as faults:
        raise ValueError("; ".join(faults.faults)) from None
    return _of_equal_length(read)


def _level(reading: ArenaReading, table: Table, place: str) -> tuple[Level, int]:
    """A level, and how many hands it lasts."""
    for key in ("small_blind", "big_blind", "duration"):
        if key not in table:
            reading.fault(f"{place}.{key}", "is missing")
    small = reading.take(table, place, "small_blind", values.count(1, MOST_CHIPS), 1)
    big = reading.take(table, place, "big_blind", values.count(1, MOST_CHIPS), small)
    ante = reading.take(table, place, "ante", values.count(0, MOST_CHIPS), 0)
    if big < small:
        reading.fault(f"{place}.big_blind", f"should be at least the small blind of {small}")
    return Level(small, big, ante), reading.take(table, place, "duration", values.count(1, MOST_DURATION), 1)


def _of_equal_length(levels: list[tuple[Level, int]]) -> Blinds:
    """The same blinds in steps of equal length. How long the last level lasts says nothing: it stays."""
    *risen, (last, lasting) = levels
    step = gcd(*(duration for _, duration in risen)) or lasting
    steps = [level for level, duration in risen for _ in range(duration // step)]
    if len(steps) >= MOST_LEVELS:
        raise ValueError(f"the durations have no common step: they make more than {MOST_LEVELS} levels")
    return Blinds((*steps, last), step)
