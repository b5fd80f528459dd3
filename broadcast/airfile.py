"""What has been on air, on disk: so that a studio that was restarted knows where the show was.

One line for each entry of the house: its number, when it went on air and how long it held the screen. Nothing waits
for the disk, and nothing fails with it: a line that is lost is found again between its neighbours.
"""

import contextlib
import os
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from server.game.events import ChatSent, ControlSet, CueGiven, Event
from server.journal import Entry

LONGEST_LINE = 60
"""Bytes; a longer one is rubbish."""


class Aired(Struct, frozen=True):
    """A line of the diary."""

    seq: int
    at_ms: int
    hold_ms: int


class Diary:
    """The file at `path`, written on where an earlier studio left it."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._torn = path.stat().st_size > 0

    def append(self, seq: int, at_ms: int, hold_ms: int) -> None:
        """Notes that entry `seq` of the house went on air, unless the disk refuses."""
        line = b"%s%d %d %d\n" % (b"\n" if self._torn else b"", seq, at_ms, hold_ms)
        self._torn = True
        with contextlib.suppress(OSError):
            self._torn = os.write(self._file, line) < len(line)

    def read(self) -> list[Aired]:
        """Every whole line, in the order in which things went on air."""
        return _lines(self._path)

    def close(self) -> None:
        os.close(self._file)


def forget_others(path: Path, last: int) -> None:
    """Removes a diary that tells of more than the `last` entry of its journal: it is another one's. Raises OSError."""
    if path.exists() and any(line.seq > last for line in _lines(path)):
        path.unlink()


def _lines(path: Path) -> list[Aired]:
    lines = (line.split(b" ") for line in path.read_bytes().split(b"\n") if len(line) <= LONGEST_LINE)
    return [Aired(*map(int, line)) for line in lines if len(line) == 3 and all(part.isdigit() for part in line)]


def recalled(lines: Iterable[Aired], entries: Sequence[Entry]) -> list[tuple[Entry, Aired]]:
    """What was on air, in its order, each with its line: what has none but must have been there got its neighbour's.

    The operator's entries go on air out of turn, so they are neighbours among themselves. Chat without a line was
    kept off the air.
    """
    found: list[tuple[Entry, Aired]] = []
    desk, table = (deque(each for each in entries if of_the_desk(each.event) is theirs) for theirs in (True, False))
    known = {entry.seq: entry for entry in entries}
    for line in lines:
        lane = desk if line.seq in known and of_the_desk(known[line.seq].event) else table
        while lane and lane[0].seq <= line.seq:
            entry = lane.popleft()
            if entry.seq == line.seq or not isinstance(entry.event, ChatSent):
                found.append((entry, line))
    return found


def of_the_desk(event: Event) -> bool:
    """Whether the operator did it."""
    return isinstance(event, ControlSet | CueGiven)
