"""Functions for command lines on every operating system: words, quotes, and output in UTF-8."""

import io
import re
import shlex
import subprocess
import sys

from server.system.processes import UNIX

PYTHON = "python3" if UNIX else "python"
"""The usual command for Python."""
_WINDOWS_WORD = re.compile(r"""'[^']*'(?!\S)|(?:"[^"]*"|[^\s"])+""")


def words_of(command: str, *, unix: bool = UNIX) -> list[str]:
    r"""Returns the words of a command line. On Windows, a backslash is an ordinary character, as in `C:\bots\bot.exe`.

    On Windows, a whole word may also be in single quotes. Raises ValueError if a quote is not closed.
    """
    if unix:
        return shlex.split(command)
    if command.count('"') % 2:
        raise ValueError("No closing quotation")
    words = _WINDOWS_WORD.findall(command)
    return [word[1:-1] if word[0] == word[-1] == "'" and len(word) > 1 else word.replace('"', "") for word in words]


def quoted(word: str, *, unix: bool = UNIX) -> str:
    """Quotes a word for a command line, if it needs quotes."""
    return shlex.quote(word) if unix else subprocess.list2cmdline([word])


def quoted_within(word: str, *, unix: bool = UNIX) -> str:
    """Quotes a word for a command line that will itself be quoted.

    On Windows, the word is put in single quotes, because PowerShell loses double quotes within double quotes.
    """
    return quoted(word, unix=unix) if unix or "'" in word or " " not in word else f"'{word}'"


def print_utf_8() -> None:
    """Makes this process write UTF-8 into pipes and files, even on Windows. Terminals need no change."""
    for stream in (sys.stdout, sys.stderr):
        if not UNIX and isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="replace")
