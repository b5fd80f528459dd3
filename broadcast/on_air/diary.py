"""The diary: what has been on air, on disk, so that a studio that was restarted knows where the show was.

One line for each entry of the log: its number, when it went on air and how long it held the screen; and one for each
hand that was shown again, and for each studio that began. Nobody waits for the disk, and a disk that refuses
stops nothing: for a line that is lost the next one counts.
"""

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from server.game.events import ChatSent, ControlSet, CueGiven, Event
from server.journal.journal import Entry

LONGEST_LINE = 60
"""Bytes; a longer one is rubbish."""
LAST_BYTES = 4096
"""Of a diary's end: more than a hundred lines."""


class Aired(Struct, frozen=True):
    """A line of the diary."""

    seq: int
    at_ms: int
    hold_ms: int


class Again(Struct, frozen=True):
    """A line of the diary: a hand of a game was shown again."""

    game: int
    hand: int
    at_ms: int


class Dated(Struct, frozen=True):
    """A line of the diary: when a studio began, by the show's time and by the world's, in milliseconds since 1970.

    The lines after it are of that studio.
    """

    at_ms: int
    world_ms: int


Line = Aired | Again | Dated
Recalled = TypeVar("Recalled", bound=Entry)
_KINDS: dict[bytes, type[Again | Dated]] = {b"again": Again, b"dated": Dated}
"""The first word of a line that is not of an entry."""


class Diary:
    """The file at `path`, written on where an earlier studio left it. `clock` gives seconds since 1970."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Opens or creates the file. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._clock = clock
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._torn = path.stat().st_size > 0

    def begin(self, at_ms: int) -> None:
        """Notes that a studio begins at the moment `at_ms` of the show, now."""
        self.append(Dated(at_ms, int(self._clock() * 1000)))

    def append(self, line: Line) -> None:
        """Writes `line`, unless the disk refuses: then it is lost, and nothing is raised."""
        words = [word for word, kind in _KINDS.items() if isinstance(line, kind)]
        parts = [*words, *(b"%d" % part for part in astuple(line))]
        text = b"%s%s\n" % (b"\n" if self._torn else b"", b" ".join(parts))
        self._torn = True
        with contextlib.suppress(OSError):
            self._torn = os.write(self._file, text) < len(text)

    def read(self) -> list[Line]:
        """Every whole line, in the order in which things went on air. Raises OSError."""
        return read_diary(self._path)

    def close(self) -> None:
        """Closes the file; nothing can be noted after it."""
        os.close(self._file)


def read_diary(path: Path) -> list[Line]:
    """Every whole line of a diary, in the order in which things went on air. Raises OSError."""
    texts = (text for text in path.read_bytes().split(b"\n") if len(text) <= LONGEST_LINE)
    return [line for text in texts if (line := _line(text))]


def last_on_air(path: Path) -> int:
    """The last entry that has been on air, by the end of the diary at `path`; 0 where there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_BYTES))
            lines = map(_line, file.read().split(b"\n"))  # a first line that is cut reads as a smaller number, if any
    except OSError:
        return 0
    return max((line.seq for line in lines if isinstance(line, Aired)), default=0)


def true_times(lines: Iterable[Line]) -> tuple[list[Aired], int]:
    """What was on air, its times counted in real milliseconds since the show began; and when it began.

    The show's own time stands still while there is no studio; here it goes on. The moment is in milliseconds since
    1970, 0 where the diary does not tell it.
    """
    began = lost = 0
    found = list[Aired]()
    for line in lines:
        if isinstance(line, Dated):
            began = began or line.world_ms - line.at_ms
            lost = max(lost, line.world_ms - line.at_ms - began)
        elif isinstance(line, Aired):
            found.append(replace(line, at_ms=line.at_ms + lost))
    return found, began


def forget_others(path: Path, last: int) -> None:
    """Removes a diary that tells of more than the `last` entry of its journal: it is another one's. Raises OSError."""
    if path.exists() and any(isinstance(line, Aired) and line.seq > last for line in read_diary(path)):
        path.unlink()


def _line(text: bytes) -> Line | None:
    parts = text.split(b" ")
    kind = _KINDS.get(parts[0], Aired)
    numbers = parts if kind is Aired else parts[1:]
    whole = len(numbers) == len(kind.__struct_fields__) and all(number.isdigit() for number in numbers)
    return kind(*map(int, numbers)) if whole else None


def recalled(lines: Iterable[Line], entries: Sequence[Recalled]) -> list[tuple[Recalled, Aired]]:
    """The entries that were on air, in the order of the diary's `lines`, each with its line.

    An entry without a line that comes before one with a line was on air too: it gets that line. The operator's entries
    go on air out of turn, so they count by themselves. Chat without a line was muted.
    """
    found: list[tuple[Recalled, Aired]] = []
    desk, table = (deque(each for each in entries if of_the_desk(each.event) is theirs) for theirs in (True, False))
    known = {entry.seq: entry for entry in entries}
    for line in lines:
        if not isinstance(line, Aired):
            continue
        lane = desk if line.seq in known and of_the_desk(known[line.seq].event) else table
        while lane and lane[0].seq <= line.seq:
            entry = lane.popleft()
            if entry.seq == line.seq or not isinstance(entry.event, ChatSent):
                found.append((entry, line))
    return found


def of_the_desk(event: Event) -> bool:
    """Whether `event` is something that the operator did."""
    return isinstance(event, ControlSet | CueGiven)
