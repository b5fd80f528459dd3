"""Prints the output of commands in the terminal: messages, addresses, progress. Makes untrusted text harmless."""

import json
import logging
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from server.system.shell_words import quoted
from server.text.characters import printable

LOG_VARIABLE = "HIGHNOON_LOG"
"""If this environment variable is "json", all our processes write messages as JSON."""
_ERASE_LINE = "\r\x1b[2K"


class LogLine(Struct, frozen=True):
    """A message as JSON: its time in UTC, its level ("info", "warning" or "error"), and its text."""

    time: str
    level: str
    text: str


class JsonFormatter(logging.Formatter):
    """Formats log records of Python's logging as `LogLine`s. The text ends with the traceback, if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return _log_json(record.levelname.lower(), printable_lines(record.getMessage() + trace))


def logs_json() -> bool:
    """Whether messages are written as JSON."""
    return os.environ.get(LOG_VARIABLE) == "json"


def set_up_logging() -> None:
    """If messages are JSON, writes Python's log records as JSON, too. Call it once per process."""
    if logs_json():
        handler = logging.StreamHandler()
        handler.setFormatter(JsonFormatter())
        logging.basicConfig(handlers=[handler], level=logging.WARNING)


def say(text: str) -> None:
    """Prints `text`, with a question mark for each unprintable character. Erases the progress line, if there is one."""
    if logs_json():
        print(_log_json("info", printable_lines(text).strip()), flush=True)
        return
    print((_ERASE_LINE if sys.stdout.isatty() else "") + printable_lines(text), flush=True)


def print_to_stderr(line: str) -> None:
    """Prints a message on standard error, so that standard output contains only the command's result."""
    if logs_json():
        print(_log_json("info", printable(line)), file=sys.stderr, flush=True)
        return
    print((_ERASE_LINE if sys.stderr.isatty() else "") + printable(line), file=sys.stderr, flush=True)


def print_error(text: str) -> None:
    """Prints on standard error why the program ends."""
    message = printable_lines(text)
    print(_log_json("error", message) if logs_json() else f"highnoon: {message}", file=sys.stderr, flush=True)


def error_in(line: str) -> str:
    """Returns the message in a line that another of our processes printed with `print_error`."""
    try:
        return msgspec.json.decode(line, type=LogLine).text
    except msgspec.DecodeError:
        return line.removeprefix("highnoon: ")


def print_json(value: object) -> None:
    """Prints `value` as JSON, for other programs."""
    print(json.dumps(value, indent=1), flush=True)


def printable_lines(text: str) -> str:
    """Returns `text` with a question mark for every unprintable character except line breaks."""
    return "\n".join(map(printable, text.split("\n")))


def print_addresses(base: str, channel: str = "main") -> None:
    """Prints the addresses of the pages below `base` that are open to everybody."""
    query = "" if channel == "main" else f"?channel={channel}"
    separator = "&" if query else "?"
    say(f"  what is on      {base}/")
    say(f"  OBS source      {base}/overlay{query}{separator}audio=1   (1920x1080)")
    say(f"  projector       {base}/projector{query}")


def print_next_steps(recording: Path, data: Path, base: str = "") -> None:
    """Prints what the user can do after a show. `base` is the address of the show's pages, or "" if none are served."""
    if base:
        say("the show is over; its pages stay until Ctrl-C")
        say(f"  recordings      {base}/recordings")
    say(f"  see it again    highnoon serve {quoted(str(data))}")
    say(f"  prove it        highnoon verify {quoted(str(recording))}")


class ProgressLine:
    """A status line. A terminal rewrites it in place. Any other output gets one line for each milestone."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty() and not logs_json()
        self._milestone = ""

    def show(self, milestone: str, detail: str = "") -> None:
        """On a terminal, shows both texts. On any other output, prints the milestone if it has changed."""
        if self._is_terminal:
            print(f"{_ERASE_LINE}{milestone}{detail}", end="", flush=True)
        elif milestone != self._milestone:
            say(milestone)
        self._milestone = milestone

    def end(self) -> None:
        """Ends the line, so that further output starts on the next line."""
        if self._is_terminal:
            print(flush=True)


def dollars_and_cents(cents: int) -> str:
    """Formats cents as dollars: "$25.00"."""
    return f"${cents // 100}.{cents % 100:02}"


_BAR_WIDTH = 30
_BAR_LINES = 10
"""The number of lines of progress that are printed if standard error is not a terminal."""


class ProgressBar:
    """Shows on standard error how many of `pieces` pieces of work are done."""

    def __init__(self, activity: str, pieces: int) -> None:
        self._activity = activity
        self._pieces = max(1, pieces)
        self._started_at = time.monotonic()
        self._done_count = 0
        self._is_terminal = sys.stderr.isatty() and not logs_json()
        self._update()

    def step(self, pieces: int = 1) -> None:
        """Counts further pieces as done."""
        self._done_count += pieces
        self._update(pieces)

    def close(self) -> None:
        if self._is_terminal:
            self._write(_ERASE_LINE)

    def _update(self, new_pieces: int = 1) -> None:
        if self._is_terminal:
            filled = min(_BAR_WIDTH, self._done_count * _BAR_WIDTH // self._pieces)
            self._write(
                f"{_ERASE_LINE}{self._activity} [{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {self._progress_text()}"
            )
        elif (
            self._done_count * _BAR_LINES // self._pieces > (self._done_count - new_pieces) * _BAR_LINES // self._pieces
        ):
            print_to_stderr(f"{self._activity}: {self._progress_text()}")

    def _progress_text(self) -> str:
        done = f"{self._done_count} of {self._pieces}"
        if not 0 < self._done_count < self._pieces:
            return done
        seconds_left = (time.monotonic() - self._started_at) / self._done_count * (self._pieces - self._done_count)
        return f"{done}, {seconds_left:.0f} s left"

    def _write(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)


def _log_json(level: str, text: str) -> str:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return msgspec.json.encode(LogLine(now, level, text)).decode()
