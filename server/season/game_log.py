"""Writes the public log of a season's game: every line to and from both bots, with its time."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from server.bots.message_records import Direction, Record
from server.bots.sandbox.output_log import sanitized
from server.text.characters import clip_text

MAX_LOG_BYTES = 2 << 20
"""The maximum size of a log, in bytes. A game of a hundred rounds takes about 200 kB."""
MAX_LINE_CHARACTERS = 120
"""At most this many characters of a line from a bot are kept. Lines to bots are kept whole."""
_BUFFER_BYTES = 1 << 16
_PREFIX_BYTES = 24
"""The approximate number of characters before a bot's text: the time and the bot's side."""


class GameLog:
    """A file with lines such as `[1234] Defender < START SB`. The number is the time in milliseconds since the game
    began. `<` marks a line to the bot, `>` a line from the bot.

    If the file exists, appends to it. If the disk is full, all further lines of the bots are lost without an error.
    """

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        """`clock` returns monotonic seconds. Raises OSError if the file cannot be created."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)  # other users of this machine must not read the hole cards
        self._file = path.open("ab", _BUFFER_BYTES)
        self._bytes_left = MAX_LOG_BYTES - path.stat().st_size
        self._clock = clock
        self._started_at = clock()

    def add_system_line(self, text: str) -> None:
        """Adds a line from the server itself, and writes all buffered lines to the file."""
        self._add(f"System > {text}")
        self._try_to_write(self._file.flush)

    def record(self, side: str) -> Record:
        """Returns a record that logs the lines to and from one bot. `side` is "Defender" or "Challenger"."""
        return _Lines(partial(self._add_bot_line, side))

    def close(self) -> None:
        """Writes the remaining lines and closes the file."""
        self._try_to_write(self._file.close)

    def _add_bot_line(self, side: str, arrow: str, line: str) -> None:
        if self._bytes_left > 0:
            self._bytes_left -= len(line) + _PREFIX_BYTES
            self._add(f"{side} {arrow} {line}")

    def _add(self, line: str) -> None:
        at_ms = round((self._clock() - self._started_at) * 1000)
        self._try_to_write(lambda: self._file.write(f"[{at_ms}] {line}\n".encode(errors="replace")))

    def _try_to_write(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError:
            self._bytes_left = 0


class _Lines(Record):
    """Logs the lines to and from one bot. `Record` marks a line to the bot with ">", but the log marks it with "<"."""

    def __init__(self, add_line: Callable[[str, str], None]) -> None:
        self._add_line = add_line
        self._unfinished_line = b""

    def record(self, direction: Direction, message: bytes) -> None:
        if direction == ">":
            self._add_line("<", message.decode().rstrip("\n"))
        elif direction == "<":
            *lines_from_bot, self._unfinished_line = (self._unfinished_line + message).split(b"\n")
            for line in filter(None, map(bytes.strip, lines_from_bot)):
                self._add_line(">", clip_text(sanitized(line[: MAX_LINE_CHARACTERS + 1]).decode(), MAX_LINE_CHARACTERS))
            self._unfinished_line = self._unfinished_line[: MAX_LINE_CHARACTERS + 1]
