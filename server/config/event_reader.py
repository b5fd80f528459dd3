"""One pass over an event file: values are taken out by their keys, and what is wrong with them is gathered.

Which keys there are stands here; what they mean does not.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from server.config.event_values import written
from server.config.toml_lines import line_of

Value = TypeVar("Value")
Table = Mapping[str, object]

KEYS = {
    "": (
        "name", "date", "mode", "contest", "buy_in", "prizes", "seed", "pace", "finish_trials_by", "start", "runner",
        "bot_addresses", "bot_networks", "host", "hosts", "ports", "data", "table", "season", "tokens", "obs",
        "entries",
    ),
    "table": ("starting_stack", "blinds", "hands_per_level", "most_hands", "rounds", "max_hands_per_round"),
    "season": ("games", "pause_seconds", "invitations"),
    "ports": ("pages", "register"),
    "tokens": ("control", "view"),
    "obs": ("address", "password"),
    "entries": ("player", "folder", "remote", "bot", "secret", "url"),
}  # fmt: skip
EXAMPLES = {
    "name": 'name = "Friday at the Saloon"',
    "date": "date = 2026-11-21",
    "player": 'player = "Ada"',
    "folder": 'folder = "bots/ada"',
    "bot": 'bot = "Billy the Kid"',
    "secret": "a secret word of 16 characters or more",
}


class Reading:
    """A file being read: each fault with its line. A place is the path of a table, "" for the file itself."""

    def __init__(self, file: str, lines: Mapping[str, int]) -> None:
        self.faults: list[tuple[int, str]] = []
        self._file = file
        self._lines = lines

    def take(self, table: Table, place: str, key: str, read: Callable[[object], Value], default: Value) -> Value:
        """The value of a key that may be left out."""
        if key not in table:
            return default
        try:
            return read(table[key])
        except ValueError as error:
            self.fault(f"{place}.{key}".lstrip("."), str(error))
            return default

    def must(
        self,
        table: Table,
        place: str,
        key: str,
        read: Callable[[object], Value],
        default: Value,
    ) -> Value:
        """The value of a key that has to be there."""
        if key not in table:
            self.fault(f"{place}.{key}".lstrip("."), f"is missing; write {EXAMPLES[key]}")
        return self.take(table, place, key, read, default)

    def table(self, found: Table, key: str) -> Table:
        table = found.get(key, {})
        if not isinstance(table, Mapping):
            known = " and ".join(KEYS[key])
            self.fault(key, f"should be a table with {known}, not {written(table)}")
            return {}
        self.known(table, key, key)
        return table

    def known(self, table: Table, kind: str, place: str) -> None:
        for key in table:
            if key not in KEYS[kind]:
                self.fault(f"{place}.{key}".lstrip("."), _unknown(key, kind))

    def fault(self, key: str, words: str) -> None:
        line = line_of(self._lines, key)
        where = f"{self._file} line {line}" if line else self._file
        self.faults.append((line, f"{where}, {key}: {words}"))


def _unknown(key: str, kind: str) -> str:
    if kind and key in KEYS[""]:
        return f'there is no "{key}" here: it belongs above the first line in brackets'
    close = get_close_matches(key, KEYS[kind], n=1)
    if close:
        return f'there is no such key; did you mean "{close[0]}"?'
    return f"there is no such key; there are {', '.join(KEYS[kind])}"
