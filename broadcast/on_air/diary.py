"""The diary: a file that says what has been on air, so that a studio (the process that makes the show) can continue the
show after a restart.

The diary has a line for each entry, which says when the entry went on air and for how long it held the screen. It also
has a line for each replay, each spoken line, each thought and each start of a studio. If the disk fails, the show
continues without writing the line. Readers of the diary infer a lost line from the next line.
"""

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar
from zlib import crc32

from msgspec import Struct
from msgspec.structs import astuple, replace

from broadcast.on_air.events import LineSpoken
from server.game.events import WORDS_OF_BOTS, ControlSet, CueGiven, Event
from server.journal.journal import Entry
from server.text.regular_file import open_regular, read_regular

DIARY = ".air"
"""The suffix of the diary's file. The rest of the name is the name of the recording."""
LONGEST_LINE = 60
"""The longest valid line, in bytes. A longer line is damaged, and readers skip it."""
_VOICE_PREFIX = "voice-"
LAST_BYTES = 4096
"""How many bytes from the end of a diary are read to find its last entry: more than a hundred lines."""


class Aired(Struct, frozen=True):
    """A line of the diary: entry `seq` of the journal went on air `at_ms` into the show and was held for `hold_ms`."""

    seq: int
    at_ms: int
    hold_ms: int


class Again(Struct, frozen=True):
    """A line of the diary: a hand of a game was shown again, `at_ms` into the show."""

    game: int
    hand: int
    at_ms: int


class Said(Struct, frozen=True):
    """A line of the diary: sound file `number`, which lasts `ms`, was spoken with entry `seq`.

    `caption` is the CRC-32 of the spoken caption. `describe` is 1 for a line that describes the picture, else 0.
    """

    seq: int
    caption: int
    number: int
    ms: int
    describe: int

    @property
    def line(self) -> LineSpoken:
        return LineSpoken(sound_name(self.number), self.ms, bool(self.describe))

    def is_of(self, caption: str) -> bool:
        """Whether this caption was spoken."""
        return crc32(caption.encode()) == self.caption


class Thought(Struct, frozen=True):
    """A line of the diary: the thought in entry `note` was shown with the action in entry `seq`."""

    seq: int
    note: int


class NotesRead(Struct, frozen=True):
    """A line of the diary: the bots' notes on the next hand, up to entry `note`, were read before the hand went on
    air.
    """

    note: int


Spoken = Mapping[int, Said]
"""The spoken lines, keyed by the number of the entry."""
NOTHING_SPOKEN: Spoken = MappingProxyType({})


class Dated(Struct, frozen=True):
    """A line of the diary: when a studio started, in the show's time and in milliseconds since 1970.

    That studio wrote the lines that follow.
    """

    at_ms: int
    world_ms: int


Line = Aired | Again | Dated | NotesRead | Said | Thought
Recalled = TypeVar("Recalled", bound=Entry)
_KINDS: dict[bytes, type[Again | Dated | NotesRead | Said | Thought]] = {
    b"again": Again,
    b"dated": Dated,
    b"notes": NotesRead,
    b"said": Said,
    b"thought": Thought,
}
"""The first word of each kind of line. Only an `Aired` line has no such word."""


class Diary:
    """Appends to the diary at `path`. `clock` returns seconds since 1970."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Opens or creates the file. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._clock = clock
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._ends_inside_line = path.stat().st_size > 0

    def begin(self, at_ms: int) -> None:
        """Records that a studio starts now, `at_ms` into the show. Does not raise."""
        self.append(Dated(at_ms, int(self._clock() * 1000)))

    def append(self, line: Line) -> None:
        """Writes `line`. Does not raise: if the disk fails, the line is lost."""
        words = [word for word, kind in _KINDS.items() if isinstance(line, kind)]
        parts = [*words, *(b"%d" % part for part in astuple(line))]
        text = b"%s%s\n" % (b"\n" if self._ends_inside_line else b"", b" ".join(parts))
        self._ends_inside_line = True
        with contextlib.suppress(OSError):
            self._ends_inside_line = os.write(self._file, text) < len(text)

    def read(self) -> list[Line]:
        """Returns all intact lines, in the order in which they were on air. Raises OSError."""
        return read_diary(self._path)


def read_diary(path: Path) -> list[Line]:
    """Returns all intact lines of a diary, in the order in which they were on air. Raises OSError."""
    texts = (text for text in read_regular(path).split(b"\n") if len(text) <= LONGEST_LINE)
    return [line for text in texts if (line := _parse_line(text))]


def said_line(seq: int, caption: str, line: LineSpoken) -> Said:
    """Returns the diary's line for a spoken `line`.

    `seq` is the entry with which it is spoken, `caption` that entry's caption.
    """
    number = int(line.sound.removeprefix(_VOICE_PREFIX).removesuffix(".ogg"), 16)
    return Said(seq, crc32(caption.encode()), number, line.ms, line.describe)


def spoken_lines(path: Path) -> Spoken:
    """Returns what was spoken in the show of the recording at `path`; empty if its diary is missing or unreadable."""
    try:
        return spoken_of(read_diary(path.with_suffix(DIARY)))
    except OSError:
        return NOTHING_SPOKEN


def spoken_of(lines: Iterable[Line]) -> Spoken:
    """Returns the spoken lines, keyed by the number of the entry."""
    return {line.seq: line for line in lines if isinstance(line, Said)}


def sound_name(number: int) -> str:
    """Returns the name of a spoken line's sound in /media."""
    return f"{_VOICE_PREFIX}{number:016x}.ogg"


def last_on_air(path: Path) -> int:
    """Returns the number of the last entry on air, read from the end of the diary at `path`; 0 if there is none."""
    try:
        with open_regular(path) as file:
            start = file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_BYTES))
            lines = map(_parse_line, file.read().split(b"\n")[start > 0 :])  # the first line may be cut
    except OSError:
        return 0
    return max((line.seq for line in lines if isinstance(line, Aired)), default=0)


def true_times(lines: Iterable[Line]) -> tuple[list[Aired | Thought], int]:
    """Returns the lines about what was on air, with real times in milliseconds since the show began, and the time when
    it began.

    The show's clock stops while no studio runs, but real times include such interruptions. The time when the show began
    is in milliseconds since 1970; 0 if the diary does not contain it.
    """
    start = interrupted = 0
    aired = list[Aired | Thought]()
    for line in lines:
        if isinstance(line, Dated):
            start = start or line.world_ms - line.at_ms
            interrupted = max(interrupted, line.world_ms - line.at_ms - start)
        elif isinstance(line, Aired):
            aired.append(replace(line, at_ms=line.at_ms + interrupted))
        elif isinstance(line, Thought):
            aired.append(line)
    return aired, start


def forget_others(path: Path, last: int) -> None:
    """Removes the diary at `path` if it belongs to another journal.

    A diary with entries after `last`, the last entry of this journal, belongs to another one. Raises OSError.
    """
    if path.exists() and any(isinstance(line, Aired) and line.seq > last for line in read_diary(path)):
        path.unlink()


def _parse_line(text: bytes) -> Line | None:
    parts = text.split(b" ")
    kind = _KINDS.get(parts[0], Aired)
    numbers = parts if kind is Aired else parts[1:]
    is_intact = len(numbers) == len(kind.__struct_fields__) and all(number.isdigit() for number in numbers)
    return kind(*map(int, numbers)) if is_intact else None


def recalled_entries(lines: Iterable[Line], entries: Sequence[Recalled]) -> list[tuple[Recalled, Aired]]:
    """Returns the entries that were on air, in the order of the diary's `lines`, each with its line.

    An entry without a line was also on air if a later entry has a line, and gets the line of the later entry. The
    operator's entries go on air out of turn, so they are matched separately. Chat without a line was muted.
    """
    pairs: list[tuple[Recalled, Aired]] = []
    desk, table = (
        deque(each for each in entries if is_from_desk(each.event) is by_operator) for by_operator in (True, False)
    )
    known = {entry.seq: entry for entry in entries}
    for line in lines:
        if not isinstance(line, Aired):
            continue
        waiting = desk if line.seq in known and is_from_desk(known[line.seq].event) else table
        while waiting and waiting[0].seq <= line.seq:
            entry = waiting.popleft()
            if entry.seq == line.seq or not isinstance(entry.event, WORDS_OF_BOTS):
                pairs.append((entry, line))
    return pairs


def is_from_desk(event: Event) -> bool:
    """Whether the operator caused `event`."""
    return isinstance(event, ControlSet | CueGiven)
