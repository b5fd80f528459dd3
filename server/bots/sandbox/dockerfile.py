"""Reads a Dockerfile as Docker does: directives, comments, continued lines, flags and variables."""

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from server.bots.sandbox.runner import CannotRun

MAX_BYTES = 256 << 10
MAX_INSTRUCTIONS = 300
MAX_FILLED_CHARACTERS = 1 << 20
"""The maximum number of characters in an instruction once its variables are filled in.

Without this limit, a few lines of variables could fill the memory.
"""
INSTRUCTION_NAMES = (
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "MAINTAINER", "ONBUILD",
    "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
)  # fmt: skip
TOO_LONG = f"with its variables substituted it has more than {MAX_FILLED_CHARACTERS >> 10} kB."
_INSTRUCTIONS_WITH_FLAGS = ("ADD", "COPY", "FROM", "RUN")
_DIRECTIVE = re.compile(r"^#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(.+?)\s*$")
_FLAG = re.compile(r"--(\S*)(?:\s+|$)")
_HEREDOC = re.compile(r"(?:^|\s)\d*<<-?[\"']?[^\s<]")
_VARIABLE = re.compile(r"[\\`]?\$(?:(\w+)|\{(\w+)(?::?([-+])([^}]*))?\})")
_BLANKS = " \t\v\f\r\n"
_WITHOUT_VARIABLES = ("CMD", "ENTRYPOINT", "HEALTHCHECK", "MAINTAINER", "RUN", "SHELL")
"""The instructions in which Docker substitutes no variables."""
_PATTERN_SUBSTITUTION = re.compile(r"\$\{\w+(?![\w}]|:?[-+?])")
"""A substitution such as `${NAME//a/b}`, which can produce text of any length."""


class DockerfileFault(CannotRun):
    """A mistake in a Dockerfile: its line, what is wrong, and what to write instead."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"Dockerfile line {line}: {reason}")
        self.line = line


class Instruction(Struct, frozen=True):
    """An instruction. `line` is the number of its first line. `name` is in capitals. `flags` are without their dashes.
    `rest` is the text after the flags.
    """

    line: int
    name: str
    flags: tuple[str, ...]
    rest: str

    def flag(self, name: str) -> str:
        """Returns the value of `--name=VALUE`, or "" if it is missing."""
        values = [value for key, _, value in (flag.partition("=") for flag in self.flags) if key == name]
        return values[-1] if values else ""


class Dockerfile(Struct, frozen=True):
    """All instructions in order. `escape` is the character that continues lines.

    `syntax` is the name of the image that the file wants as its parser. It is "" if the file wants no special parser.
    """

    instructions: tuple[Instruction, ...]
    escape: str = "\\"
    syntax: str = ""


def parse_dockerfile(content: bytes) -> Dockerfile:
    """Parses a whole Dockerfile. Raises DockerfileFault if it is unreadable or ambiguous."""
    if len(content) > MAX_BYTES:
        raise DockerfileFault(1, f"the file has more than {MAX_BYTES >> 10} kB.")
    lines = content.decode(errors="replace").removeprefix("\ufeff").split("\n")
    directives = _read_directives(lines)
    escape = directives.get("escape", "\\")
    if escape not in ("\\", "`"):
        raise DockerfileFault(1, "escape must be \\ or `.")
    instructions = tuple(_parse_instruction(number, text) for number, text in _logical_lines(lines, escape))
    if len(instructions) > MAX_INSTRUCTIONS:
        raise DockerfileFault(instructions[MAX_INSTRUCTIONS].line, f"more than {MAX_INSTRUCTIONS} instructions.")
    return Dockerfile(instructions, escape, directives.get("syntax", ""))


def _read_directives(lines: list[str]) -> Mapping[str, str]:
    """Returns the directives, such as `# escape=`. They must come before any other line, even before a blank line."""
    directives: dict[str, str] = {}
    for line in lines:
        directive = _DIRECTIVE.match(line.strip(_BLANKS))
        if not directive:
            break
        directives.setdefault(directive[1].lower(), directive[2])
    return directives


def _logical_lines(lines: list[str], escape: str) -> Iterator[tuple[int, str]]:
    """Yields two things for each instruction: the number of its first line, and its text on one line, without comments
    and blank lines.
    """
    continues = re.compile(rf"(^|[^{re.escape(escape)}]){re.escape(escape)}[ \t]*$")
    start, logical_line = 0, ""
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r") if start else line.rstrip("\r").lstrip(" \t")
        if text.lstrip(_BLANKS).startswith("#") or not text.strip(_BLANKS):
            continue
        if any(character in text for character in "\r\0\v\f"):
            raise DockerfileFault(number, "it has a control character. Type the line again.")
        start = start or number
        logical_line += continues.sub(r"\1", text)
        if not continues.search(text):
            yield start, logical_line.strip(_BLANKS)
            start, logical_line = 0, ""
    if logical_line.strip(_BLANKS):
        yield start, logical_line.strip(_BLANKS)


def _parse_instruction(line: int, text: str) -> Instruction:
    name, rest = (*re.split(r"[ \t]+", text, maxsplit=1), "")[:2]
    name, rest = name.upper(), rest.lstrip()
    if name not in INSTRUCTION_NAMES:
        raise DockerfileFault(line, f"{name[:40]!r} is not an instruction.")
    flags: list[str] = []
    while name in _INSTRUCTIONS_WITH_FLAGS and (flag := _FLAG.match(rest)):
        flags.append(flag[1])
        rest = rest[flag.end() :]
    if name in ("ADD", "COPY", "RUN") and json_words(rest) is None and _HEREDOC.search(rest):
        raise DockerfileFault(line, "files inside the Dockerfile (<<) are not supported. Put a file beside it.")
    return Instruction(line, name, tuple(flags), rest)


def json_words(rest: str) -> tuple[str, ...] | None:
    """Returns the words of the JSON list `rest`. Returns None if `rest` is no such list, as in `CMD python bot.py`."""
    try:
        words = json.loads(rest)
    except (ValueError, RecursionError):
        return None
    return tuple(words) if isinstance(words, list) and all(isinstance(word, str) for word in words) else None


def read_pairs(rest: str) -> Iterator[tuple[str, str]]:
    """Yields the names and values in `A=1 B="two words"`. In the old form `A 1 2`, the value of A is "1 2"."""
    old_form = rest.split(maxsplit=1)
    if old_form and "=" not in old_form[0]:
        yield old_form[0], old_form[1] if len(old_form) > 1 else ""
        return
    try:
        pairs = shlex.split(rest)
    except ValueError:
        pairs = rest.split()
    yield from ((name, value) for name, _, value in (pair.partition("=") for pair in pairs))


def fill_variables(text: str, variables: Mapping[str, str]) -> str:
    """Returns `text` with its variables filled in. Unknown variables without a default are empty. Raises CannotRun if
    the filled-in values together have more than MAX_FILLED_CHARACTERS characters.
    """
    chars_left = MAX_FILLED_CHARACTERS

    def fill_one(match: re.Match[str]) -> str:
        nonlocal chars_left
        if not match[0].startswith("$"):
            return match[0][1:]
        value = variables.get(match[1] or match[2], "")
        filled = (match[4] if value else "") if match[3] == "+" else value or match[4] or ""
        chars_left -= len(filled)
        if chars_left < 0:
            raise CannotRun(TOO_LONG)
        return filled

    return _VARIABLE.sub(fill_one, text)


class ExpansionLimit:
    """Limits how long instructions may become when Docker's builder fills in their variables.

    Computes an upper bound, as if everything that looks like a variable had the longest known value.
    """

    def __init__(self) -> None:
        self._longest_value = 0

    def add_variables(self, values: Iterable[str]) -> None:
        """Adds the variables of an image."""
        self._longest_value = max(self._longest_value, *map(len, values), 0)

    def add(self, instruction: Instruction) -> None:
        """Adds the next instruction. Raises CannotRun if it could become too long."""
        if instruction.name in _WITHOUT_VARIABLES:
            return
        if _PATTERN_SUBSTITUTION.search(instruction.rest):
            raise CannotRun("write variables as $NAME, ${NAME}, ${NAME:-default} or ${NAME:+other}.")
        longest = len(instruction.rest) + instruction.rest.count("$") * self._longest_value
        if longest > MAX_FILLED_CHARACTERS:
            raise CannotRun(TOO_LONG)
        if instruction.name in ("ARG", "ENV"):
            self._longest_value = max(self._longest_value, longest)
