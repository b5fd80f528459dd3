"""What a bot prints, kept in a file: the beginning and the end of it, and nothing a terminal would obey."""

import os
import threading
from pathlib import Path

from server.console import plain

PRINTED_BYTES = 4000
"""How much of the end of a log is read to be told."""
_READ_BYTES = 1 << 16
_SLOW_SECONDS = 0.05
"""Seconds between two reads from a bot whose log is full, so that it does not take the others' time."""


class OutputLog:
    """A file that takes any amount and keeps at most `limit` bytes: half from the beginning, half from the end."""

    def __init__(self, path: Path, limit: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb", buffering=0)
        self._half = limit // 2
        self._room = self._half
        self._tail = bytearray()
        self._left_out = 0

    @property
    def full(self) -> bool:
        """Whether the beginning is written; what comes now is held back until the end."""
        return not self._room

    def write(self, output: bytes) -> None:
        """Adds what the bot printed. Never raises: where the disk is full or the log closed, it is lost."""
        if self._file.closed:
            return
        head, rest = output[: self._room], output[self._room :]
        self._room -= len(head)
        self._put(head)
        self._tail += rest
        if len(self._tail) > 2 * self._half:
            self._cut()

    def close(self) -> None:
        """Writes the end, and how much is missing before it."""
        if self._file.closed:
            return
        self._cut()
        if self._left_out:
            self._put(f"\n[{self._left_out} bytes or more left out]\n".encode())
        self._put(bytes(self._tail))
        self._file.close()

    def _cut(self) -> None:
        """Leaves out all but the last half."""
        over = max(0, len(self._tail) - self._half)
        self._left_out += over
        del self._tail[:over]

    def _put(self, output: bytes) -> None:
        try:
            self._file.write(harmless(output))
        except OSError:
            self._room = 0


def keep_log(output: int, log: OutputLog, over: threading.Event) -> None:
    """Keeps all that comes from the file `output`, to its end; blocks. Once it is `over` it no longer waits."""
    while piece := os.read(output, _READ_BYTES):
        log.write(piece)
        if log.full:
            over.wait(_SLOW_SECONDS)


def harmless(output: bytes) -> bytes:
    """`output` as UTF-8 without control characters but line ends and tabs; never longer than it was."""
    text = output.decode("utf-8", errors="replace").replace("\ufffd", "?")
    if text.replace("\n", "").replace("\t", "").isprintable():  # as nearly always
        return text.encode()
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "?" for letter in text).encode()


def printed_in(log: Path) -> str:
    """The last PRINTED_BYTES of a log, made harmless for terminals; "" where it cannot be read."""
    try:
        with log.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - PRINTED_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(plain(line.replace("\t", "    ")) for line in text.strip().splitlines())
