"""Writes and reads the diary, a file that says what has been on air. With the diary, a studio (the process that makes
the show) can continue the show after a restart.

A line of the diary says when an entry of the journal (the record of the contest) went on air, and how long it stayed on
screen. Other lines record replays, spoken captions, thoughts and starts of studios. If the disk fails, the show goes
on. Readers of the diary infer a missing line from the next line.
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
from server.game.events import BOT_TEXT_EVENTS, ControlSet, CueGiven, Event
from server.journal.journal import Entry
from server.text.regular_file import open_regular, read_regular

DIARY_SUFFIX = ".air"
"""The suffix of the diary's file. The rest of the name is the name of the recording."""
MAX_LINE_BYTES = 60
"""The longest valid line, in bytes. A longer line is damaged, and readers skip it."""
_VOICE_PREFIX = "voice-"
LAST_BYTES = 4096
"""To find the last entry, this many bytes (more than a hundred lines) are read from the end of a diary."""


class AiredLine(Struct, frozen=True):
    """A line of the diary: entry `seq` of the journal went on air `at_ms` into the show, and stayed for `hold_ms`."""

    seq: int
    at_ms: int
    hold_ms: int


class ReplayLine(Struct, frozen=True):
    """A line of the diary: a hand of a game was shown again, `at_ms` into the show."""

    game: int
    hand: int
    at_ms: int


class SpokenLine(Struct, frozen=True):
    """A line of the diary: sound file `number` was played with entry `seq`. The sound lasts `ms` milliseconds.

    `caption` is the CRC-32 of the spoken caption. `describe` is 1 if the sound is only for viewers who cannot see the
    picture, else 0.
    """

    seq: int
    caption: int
    number: int
    ms: int
    describe: int

    @property
    def line(self) -> LineSpoken:
        return LineSpoken(sound_name(self.number), self.ms, bool(self.describe))

    def speaks(self, caption: str) -> bool:
        """Whether this caption was spoken."""
        return crc32(caption.encode()) == self.caption


class ThoughtLine(Struct, frozen=True):
    """A line of the diary: the thought in entry `note` was shown with the action in entry `seq`."""

    seq: int
    note: int


class NotesRead(Struct, frozen=True):
    """A line of the diary. The studio has read the bots' notes about the hand that is shown next. The last note is
    entry number `note`.
    """

    note: int


SpokenLines = Mapping[int, SpokenLine]
"""The spoken lines, each keyed by the number of the entry with which it was spoken."""
NOTHING_SPOKEN: SpokenLines = MappingProxyType({})


class StudioStart(Struct, frozen=True):
    """A line of the diary: when a studio started, in the show's time and in milliseconds since 1970.

    This studio wrote the lines that follow.
    """

    at_ms: int
    utc_ms: int


DiaryLine = AiredLine | ReplayLine | StudioStart | NotesRead | SpokenLine | ThoughtLine
AnyEntry = TypeVar("AnyEntry", bound=Entry)
_LINE_TYPES: dict[bytes, type[ReplayLine | StudioStart | NotesRead | SpokenLine | ThoughtLine]] = {
    b"again": ReplayLine,
    b"dated": StudioStart,
    b"notes": NotesRead,
    b"said": SpokenLine,
    b"thought": ThoughtLine,
}
"""The first word of each kind of line. Only an `AiredLine` line has no such word."""


class Diary:
    """Appends to the diary at `path`. `clock` returns seconds since 1970."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """Opens or creates the file. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._clock = clock
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._ends_inside_line = path.stat().st_size > 0
        """Whether the next line must begin with a line break. A program that died may have left part of a line."""

    def record_start(self, at_ms: int) -> None:
        """Records that a studio starts now, `at_ms` into the show. Does not raise."""
        self.append(StudioStart(at_ms, int(self._clock() * 1000)))

    def append(self, line: DiaryLine) -> None:
        """Writes `line`. Does not raise: if the disk fails, the line is lost."""
        words = [word for word, kind in _LINE_TYPES.items() if isinstance(line, kind)]
        parts = [*words, *(b"%d" % part for part in astuple(line))]
        text = b"%s%s\n" % (b"\n" if self._ends_inside_line else b"", b" ".join(parts))
        self._ends_inside_line = True
        with contextlib.suppress(OSError):
            self._ends_inside_line = os.write(self._file, text) < len(text)

    def read(self) -> list[DiaryLine]:
        """Returns all intact lines, in the order in which they were on air. Raises OSError."""
        return read_diary(self._path)


def read_diary(path: Path) -> list[DiaryLine]:
    """Returns all intact lines of a diary, in the order in which they were on air. Raises OSError."""
    texts = (text for text in read_regular(path).split(b"\n") if len(text) <= MAX_LINE_BYTES)
    return [line for text in texts if (line := _parse_line(text))]


def spoken_line(seq: int, caption: str, line: LineSpoken) -> SpokenLine:
    """Returns what the diary records about `line`, a recorded voice that was heard.

    `seq` is the number of the entry with which the voice spoke. `caption` is the caption of that entry.
    """
    number = int(line.sound.removeprefix(_VOICE_PREFIX).removesuffix(".ogg"), 16)
    return SpokenLine(seq, crc32(caption.encode()), number, line.ms, line.describe)


def read_spoken_lines(path: Path) -> SpokenLines:
    """Returns the lines that were spoken in the show of the recording at `path`. If the show's diary is missing or
    unreadable, returns no lines.
    """
    try:
        return select_spoken(read_diary(path.with_suffix(DIARY_SUFFIX)))
    except OSError:
        return NOTHING_SPOKEN


def select_spoken(lines: Iterable[DiaryLine]) -> SpokenLines:
    """Returns the spoken lines, keyed by the number of the entry."""
    return {line.seq: line for line in lines if isinstance(line, SpokenLine)}


def sound_name(number: int) -> str:
    """Returns the name of a spoken line's sound in /media."""
    return f"{_VOICE_PREFIX}{number:016x}.ogg"


def last_aired_seq(path: Path) -> int:
    """Returns the number of the last entry on air, or 0 if there is none. Reads only the end of the diary at `path`."""
    try:
        with open_regular(path) as file:
            start = file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_BYTES))
            lines = map(_parse_line, file.read().split(b"\n")[start > 0 :])  # the first line may be cut
    except OSError:
        return 0
    return max((line.seq for line in lines if isinstance(line, AiredLine)), default=0)


def real_times(lines: Iterable[DiaryLine]) -> tuple[list[AiredLine | ThoughtLine], int]:
    """Returns the lines about entries and thoughts, and the time when the show began.

    The returned lines about entries have real times, in milliseconds since the show began. Lines about thoughts have no
    times. Real time goes on while no studio runs, but the show's clock stands still. The time when the show began is in
    milliseconds since 1970, or 0 if the diary does not contain it.
    """
    start = paused_ms = 0
    timed_lines = list[AiredLine | ThoughtLine]()
    for line in lines:
        if isinstance(line, StudioStart):
            start = start or line.utc_ms - line.at_ms
            paused_ms = max(paused_ms, line.utc_ms - line.at_ms - start)
        elif isinstance(line, AiredLine):
            timed_lines.append(replace(line, at_ms=line.at_ms + paused_ms))
        elif isinstance(line, ThoughtLine):
            timed_lines.append(line)
    return timed_lines, start


def delete_foreign_diary(path: Path, last_seq: int) -> None:
    """Deletes the diary at `path` if it belongs to another journal.

    The diary belongs to another journal if it has entries after `last_seq`, the last entry of this journal. Raises
    OSError.
    """
    if path.exists() and any(isinstance(line, AiredLine) and line.seq > last_seq for line in read_diary(path)):
        path.unlink()


def _parse_line(text: bytes) -> DiaryLine | None:
    parts = text.split(b" ")
    kind = _LINE_TYPES.get(parts[0], AiredLine)
    numbers = parts if kind is AiredLine else parts[1:]
    is_intact = len(numbers) == len(kind.__struct_fields__) and all(number.isdigit() for number in numbers)
    return kind(*map(int, numbers)) if is_intact else None


def entries_on_air(lines: Iterable[DiaryLine], entries: Sequence[AnyEntry]) -> list[tuple[AnyEntry, AiredLine]]:
    """Returns the entries that were on air, each with its line of the diary, in the order of `lines`.

    An entry without a line was on air, too, if a later entry has a line. The entry without a line then gets the line of
    that later entry. But if a bot's chat or other words have no line, they were not on air, because the bot was muted.
    The operator's entries go on air out of order, so they are matched separately.
    """
    pairs: list[tuple[AnyEntry, AiredLine]] = []
    desk_entries, table_entries = (
        deque(each for each in entries if is_from_desk(each.event) is by_operator) for by_operator in (True, False)
    )
    entries_by_seq = {entry.seq: entry for entry in entries}
    for line in lines:
        if not isinstance(line, AiredLine):
            continue
        waiting = (
            desk_entries
            if line.seq in entries_by_seq and is_from_desk(entries_by_seq[line.seq].event)
            else table_entries
        )
        while waiting and waiting[0].seq <= line.seq:
            entry = waiting.popleft()
            if entry.seq == line.seq or not isinstance(entry.event, BOT_TEXT_EVENTS):
                pairs.append((entry, line))
    return pairs


def is_from_desk(event: Event) -> bool:
    """Whether the operator caused `event`."""
    return isinstance(event, ControlSet | CueGiven)
