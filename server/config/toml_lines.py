"""On which line of a TOML text each key stands, so that a mistake can be pointed at. Pure; trusts that it is TOML."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]|\n', re.DOTALL
)
_HEADER = re.compile(r"(\[\[?)\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"""((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


def lines_of(text: str) -> dict[str, int]:
    """The line, from 1, of each key by its path: "name", "ports.pages", "entries[2].folder", "entries[2]" itself.

    Tables of a list count from 1. What stands inside a value, as in an inline table, has no line of its own.
    """
    found: dict[str, int] = {}
    counts: Counter[str] = Counter()
    table = ""
    for number, statement in _statements(text):
        if header := _HEADER.match(statement):
            table = _path(header[2])
            if header[1] == "[[":
                counts[table] += 1
                table = f"{table}[{counts[table]}]"
            found.setdefault(table, number)
        elif key := _KEY.match(statement):
            found.setdefault(f"{table}.{_path(key[1])}".lstrip("."), number)
    return found


def line_of(lines: Mapping[str, int], path: str) -> int:
    """The line of `path`, or of the nearest that holds it; 0 where none does."""
    while path and path not in lines:
        path = re.sub(r"(?:^|\.)[^.\[]+$|\[\d+\]$", "", path)
    return lines.get(path, 0)


def _path(key: str) -> str:
    """A key as written, without quotation marks and blanks round its dots."""
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Every statement with its first line: a value may go on over several."""
    begin = depth = 0
    for token in _TOKEN.finditer(text + "\n"):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0] == "\n" and depth <= 0:
            statement = text[begin : token.start()]
            blank = len(statement) - len(statement.lstrip())
            yield text.count("\n", 0, begin + blank) + 1, statement.strip()
            begin = token.end()
