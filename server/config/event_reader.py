"""Looks up the settings in an event file by key, and collects the faults in their values."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import TypeVar

from server.config.event_keys import KEYS, NUMBER_RANGES
from server.config.event_values import describe_value, whole_number_between

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]|\n', re.DOTALL
)
_TABLE_HEADER = re.compile(r"(\[\[?)([^\]]+)\]")
_KEY = re.compile(r"""((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")

_EXAMPLES = {
    "name": 'name = "Friday at the Saloon"',
    "date": "date = 2026-11-21",
    "player": 'player = "Ada"',
    "folder": 'folder = "bots/ada"',
    "url": 'url = "http://127.0.0.1:3001"',
    "what": 'what = "Opening"',
    "bot": 'bot = "Billy the Kid"',
    "secret": "a secret word of 16 characters or more",
}


Value = TypeVar("Value")
Table = Mapping[str, object]


class EventReader:
    """Reads an event file and collects its faults. In the methods, `table_name` is a table's path, such as
    "entries[2]", or "" for the top of the file.
    """

    def __init__(self, file: str, lines: Mapping[str, int]) -> None:
        """`file` is the file's name, and `lines` has the line number of each key (see `lines_of`)."""
        self.faults: list[tuple[int, str]] = []
        """The faults so far, each with its line number (0 if unknown) and its message."""
        self.file = file
        self._lines = lines

    def read(self, table: Table, table_name: str, key: str, reader: Callable[[object], Value], default: Value) -> Value:
        """Reads the value of an optional key with `reader`. Returns `default` if the key is missing or the value is
        wrong. A wrong value is also a fault.
        """
        if key not in table:
            return default
        try:
            return reader(table[key])
        except ValueError as error:
            self.add_fault(f"{table_name}.{key}".lstrip("."), str(error))
            return default

    def read_number(self, table: Table, name: str, default: int) -> int:
        """Reads an optional whole number. `name` is the key's full name, such as "table.rounds". The allowed range is
        in NUMBER_RANGES.
        """
        table_name, _, key = name.partition(".")
        return self.read(table, table_name, key, whole_number_between(*NUMBER_RANGES[name]), default)

    def require(
        self, table: Table, table_name: str, key: str, reader: Callable[[object], Value], default: Value
    ) -> Value:
        """Like `read`, but a missing key is a fault."""
        if key not in table:
            self.add_fault(f"{table_name}.{key}".lstrip("."), f"is missing; write {_EXAMPLES[key]}")
        return self.read(table, table_name, key, reader, default)

    def read_table(self, root: Table, key: str) -> Table:
        """Returns the table under `key`, or {} if there is none. Adds a fault for each unknown key in the table."""
        table = root.get(key, {})
        if not isinstance(table, Mapping):
            known_keys = " and ".join(KEYS[key])
            self.add_fault(key, f"should be a table with {known_keys}, not {describe_value(table)}")
            return {}
        self.check_keys(table, key, key)
        return table

    def read_tables(self, root: Table, key: str) -> list[tuple[str, Table]]:
        """Returns the tables in the list under `key`, each with its name. Returns [] if there is no list. Adds a fault
        for each unknown key in the tables.
        """
        tables = root.get(key, [])
        if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
            self.add_fault(key, f"should be written as [[{key}]], once for each item")
            return []
        named_tables = [(f"{key}[{number}]", table) for number, table in enumerate(tables, 1)]
        for table_name, table in named_tables:
            self.check_keys(table, key, table_name)
        return named_tables

    def check_keys(self, table: Table, keys_of: str, table_name: str) -> None:
        """Adds a fault for every unknown key in `table`. `keys_of` is the table's name in KEYS."""
        for key in table:
            if key not in KEYS[keys_of]:
                self.add_fault(f"{table_name}.{key}".lstrip("."), _describe_unknown_key(key, keys_of))

    def add_fault(self, key: str, text: str) -> None:
        """Adds a fault in the value of `key`. `key` is a full name, such as "ports.pages"."""
        line = line_of(self._lines, key)
        position = f"{self.file} line {line}" if line else self.file
        self.faults.append((line, f"{position}, {key}: {text}"))


def _describe_unknown_key(key: str, keys_of: str) -> str:
    if keys_of and key in KEYS[""]:
        return f'there is no "{key}" here: it belongs above the first line in brackets'
    similar_keys = get_close_matches(key, KEYS[keys_of], n=1)
    if similar_keys:
        return f'there is no such key; did you mean "{similar_keys[0]}"?'
    return f"there is no such key; the keys are {', '.join(KEYS[keys_of])}"


def lines_of(text: str) -> dict[str, int]:
    """Returns the line number of each key and table, keyed by path: "name", "ports.pages", "entries[2].folder",
    "entries[2]".

    Lines, and the tables of a list, are numbered from 1. Leaves out keys inside a value, such as the keys of an inline
    table.
    """
    line_numbers: dict[str, int] = {}
    counts: Counter[str] = Counter()
    table = ""
    for number, statement in _statements(text):
        if header := _TABLE_HEADER.match(statement):
            table = _key_path(header[2])
            if header[1] == "[[":
                counts[table] += 1
                table = f"{table}[{counts[table]}]"
            line_numbers.setdefault(table, number)
        elif key := _KEY.match(statement):
            line_numbers.setdefault(f"{table}.{_key_path(key[1])}".lstrip("."), number)
    return line_numbers


def line_of(lines: Mapping[str, int], path: str) -> int:
    """Returns the line of the key `path`. If `lines` lacks the key, returns the line of the table around it, or 0."""
    while path and path not in lines:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get(path, 0)


def _key_path(key: str) -> str:
    """Removes quotation marks from a key, and spaces around its dots."""
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yields each statement with the number of its first line. A statement may have several lines."""
    begin = depth = 0
    for token in _TOKEN.finditer(text + "\n"):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0] == "\n" and depth <= 0:
            statement = text[begin : token.start()]
            leading_space = len(statement) - len(statement.lstrip())
            yield text.count("\n", 0, begin + leading_space) + 1, statement.strip()
            begin = token.end()
