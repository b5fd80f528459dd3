"""Keeps the beginning and the end of a bot's output in a file, without terminal control characters."""

import os
import threading
from pathlib import Path

from server.text.characters import printable

PRINTED_BYTES = 4000
"""How many bytes at the end of a log are shown."""
_READ_BYTES = 1 << 16
_SLOW_SECONDS = 0.05
"""The pause between two reads from a bot whose log is full. Without it, this bot could slow down the others."""


class OutputLog:
    """A file that keeps at most `limit` bytes of the output: half from the beginning, half from the end."""

    def __init__(self, path: Path, limit: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb", buffering=0)
        self._half = limit // 2
        self._head_bytes_left = self._half
        self._tail = bytearray()
        self._bytes_left_out = 0

    @property
    def is_head_full(self) -> bool:
        """Whether the half for the beginning is full. Once it is full, the newest output stays in memory until the log
        is closed.
        """
        return not self._head_bytes_left

    def write(self, output: bytes) -> None:
        """Adds output. Never raises. If the disk is full or the log is closed, the output is lost."""
        if self._file.closed:
            return
        head, overflow = output[: self._head_bytes_left], output[self._head_bytes_left :]
        self._head_bytes_left -= len(head)
        self._write(head)
        self._tail += overflow
        if len(self._tail) > 2 * self._half:
            self._trim_tail()

    def close(self) -> None:
        """Writes how many bytes are left out, then the end of the output."""
        if self._file.closed:
            return
        self._trim_tail()
        if self._bytes_left_out:
            self._write(f"\n[{self._bytes_left_out} bytes or more left out]\n".encode())
        self._write(bytes(self._tail))
        self._file.close()

    def _trim_tail(self) -> None:
        """Keeps only the newest bytes, at most half of the limit."""
        excess = max(0, len(self._tail) - self._half)
        self._bytes_left_out += excess
        del self._tail[:excess]

    def _write(self, output: bytes) -> None:
        try:
            self._file.write(sanitized(output))
        except OSError:
            self._head_bytes_left = 0


def copy_to_log(output: int, log: OutputLog, ended_event: threading.Event) -> None:
    """Logs everything that file descriptor `output` yields, up to its end. Blocks. Pauses between reads from a bot
    whose log is full, until `ended_event` is set.
    """
    while piece := os.read(output, _READ_BYTES):
        log.write(piece)
        if log.is_head_full:
            ended_event.wait(_SLOW_SECONDS)


def sanitized(output: bytes) -> bytes:
    """Returns `output` as UTF-8, without control characters except line feeds and tabs. The result is never longer than
    `output`.
    """
    text = output.decode("utf-8", errors="replace").replace("\ufffd", "?")
    if text.replace("\n", "").replace("\t", "").isprintable():  # nearly always
        return text.encode()
    return "".join(character if character.isprintable() or character in "\n\t" else "?" for character in text).encode()


def end_of_log(log: Path) -> str:
    """Returns the last PRINTED_BYTES of a log, safe for terminals, or "" if it cannot be read."""
    try:
        with log.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - PRINTED_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(printable(line.replace("\t", "    ")) for line in text.strip().splitlines())
