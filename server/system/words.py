"""Command lines on every operating system: their words, quotes, and output."""

import io
import shlex
import subprocess
import sys

from server.system.processes import UNIX

PYTHON = "python3" if UNIX else "python"
"""The usual command for Python."""


def words_of(command: str, *, unix: bool = UNIX) -> list[str]:
    r"""Returns the words of a command line. On Windows a backslash stands for itself: `C:\bots\bot.exe`.

    Raises ValueError if a quote is not closed.
    """
    words = shlex.shlex(command, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if not unix:
        words.escape, words.quotes = "", '"'
    return list(words)


def quoted(word: str, *, unix: bool = UNIX) -> str:
    """Quotes a word for a command line, if it needs quotes."""
    return shlex.quote(word) if unix else subprocess.list2cmdline([word])


def print_utf_8() -> None:
    """Makes this process write UTF-8 into pipes and files, even on Windows. Terminals need no change."""
    for stream in (sys.stdout, sys.stderr):
        if not UNIX and isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="replace")
