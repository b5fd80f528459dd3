"""Writes and reads journals, the files with all events of a contest. An entry is on disk before anybody sees it.

Finished journals are called recordings.

Each line is a JSON object: first a header, then entries with consecutive numbers. Each line ends with `sum`, a checksum
of the line and the previous checksum. So a checksum also covers all earlier lines. This module does not know what
events mean.
"""

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType

import msgspec
from msgspec import Struct

from server.game.events import Event, JournalEvent
from server.system.files import BINARY_FLAG, UNTRUSTED_FLAGS, FileLock, sync_data, sync_folder
from server.text.regular_file import open_regular, read_regular

FORMAT = "high-noon/1"
NOT_A_RECORDING = (
    "this is not a High Noon recording (they end in .jsonl); `highnoon import` makes one from published hands"
)
"""The message for a file that does not begin like a journal."""
_HEADER_BEGINNING = b'{"journal":"'
_SUM_DIGITS = 24
_CHECKSUM_FIELD = b',"sum":"'
_CHECKSUM_TEMPLATE = _CHECKSUM_FIELD + b'%s"}'
_TAIL_BYTES = len(_CHECKSUM_TEMPLATE % bytes(_SUM_DIGITS))


class Entry(Struct, frozen=True, gc=False):
    """An event with its number (`seq`, from 1) and its time (`at_ms`, in milliseconds since the journal started)."""

    seq: int
    at_ms: int
    event: Event


class Header(Struct, frozen=True):
    """The first line of a journal: its format (`journal`), and the time in UTC when it started (`begun`)."""

    journal: str
    begun: str


class Recording(Struct, frozen=True):
    """The contents of a journal. A last line that a crash left half-written is not in `entries`. `torn_bytes` is the
    length of that line.
    """

    header: Header
    entries: list[Entry]
    torn_bytes: int = 0
    last_sum: str = ""


class JournalDamaged(ValueError):
    """The file is not a journal, or was altered. The message says which line is wrong, and why."""


class _Stamp(Struct):
    seq: int
    at_ms: int


_read_stamp = msgspec.json.Decoder(_Stamp).decode
_read_event = msgspec.json.Decoder(JournalEvent).decode
_DECODE_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


DeferSync = Callable[[int], object]
"""A function that syncs files later. The function is called with the descriptor of each file."""


class Journal:
    """A journal that is being written. `append` writes all its entries to disk, or writes none and raises OSError."""

    def __init__(self, path: Path, start_time: str | None = None, defer_sync: DeferSync | None = None) -> None:
        """Creates a journal at `path`. It starts at `start_time` (UTC, ISO 8601, or "" if unknown), by default now.

        If `defer_sync` is given, calls it instead of syncing the file. The caller must then sync the file later. Raises
        FileExistsError or OSError.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        # Other users of this machine must not read the hole cards of live hands.
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | BINARY_FLAG, 0o600)
        self._defer_sync = defer_sync
        self.size = 0
        self.write_ms = 0.0
        """The time that the last write and its sync took, in milliseconds."""
        self._checksum = ""
        start_time = datetime.now(UTC).isoformat(timespec="milliseconds") if start_time is None else start_time
        self._lock = FileLock(path, self._file)
        try:
            _lock_journal(self._lock, self._file, path)
            self._write(msgspec.json.encode(Header(FORMAT, start_time)))
            if defer_sync is None:
                sync_folder(path.parent)
        except OSError:
            self.close()
            path.unlink()
            raise

    @classmethod
    def resume(cls, path: Path, kinds: UnionType = JournalEvent) -> tuple["Journal", "Recording"]:
        """Reopens the journal at `path` and cuts off a half-written last line. Returns the journal and its contents.

        Raises JournalDamaged or OSError, such as BlockingIOError while another process is writing the journal.
        """
        journal = cls.__new__(cls)
        journal.path, journal.write_ms, journal._defer_sync = path, 0.0, None
        journal._file = os.open(path, os.O_WRONLY | os.O_APPEND | UNTRUSTED_FLAGS)
        journal._lock = FileLock(path, journal._file)
        try:
            _lock_journal(journal._lock, journal._file, path)
            recording = read_journal(path, kinds)
            journal.size = path.stat().st_size - recording.torn_bytes
            os.ftruncate(journal._file, journal.size)
            os.fsync(journal._file)
        except (OSError, JournalDamaged):
            journal.close()
            raise
        journal._checksum = recording.last_sum
        return journal, recording

    def append(self, entries: Sequence[Entry]) -> None:
        """Writes all `entries` together, with one sync. If that fails, writes none of them and raises OSError."""
        self._write(*(entry_body(entry) for entry in entries))

    def mark_readable(self) -> None:
        """Lets other processes read the journal like a finished journal. The operator may still add events to it."""
        with contextlib.suppress(OSError):
            self._lock.acquire(shared=True)

    def close(self) -> None:
        self._lock.close()

    def _write(self, *bodies: bytes) -> None:
        lines, checksum = [], self._checksum
        for body in bodies:
            checksum = _next_checksum(checksum, body)
            lines.append(b"%s%s\n" % (body[:-1], _CHECKSUM_TEMPLATE % checksum.encode()))
        text = b"".join(lines)
        started_at = time.perf_counter()
        try:
            unwritten = memoryview(text)
            while unwritten:  # on a full disk, the first write is cut short, and the next one raises OSError
                unwritten = unwritten[os.write(self._file, unwritten) :]
            if self._defer_sync:
                self._defer_sync(self._file)
            else:
                sync_data(self._file)
        except OSError as error:
            os.ftruncate(self._file, self.size)
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self.write_ms = (time.perf_counter() - started_at) * 1000
        self.size += len(text)
        self._checksum = checksum


def entry_body(entry: Entry) -> bytes:
    """Returns an entry as one JSON object, without its checksum: `{"seq":…,"at_ms":…,"type":…, …}`."""
    return b'{"seq":%d,"at_ms":%d,%s' % (entry.seq, entry.at_ms, msgspec.json.encode(entry.event)[1:])


def is_journal(path: Path) -> bool:
    """Whether the file at `path` begins like a journal, even if it is damaged. Raises OSError."""
    with open_regular(path) as file:
        return file.read(len(_HEADER_BEGINNING)) == _HEADER_BEGINNING


def read_journal(path: Path, kinds: UnionType = JournalEvent) -> Recording:
    """Reads the journal at `path`, and checks its numbers and checksums. `kinds` are the events that the journal may
    contain.

    Leaves out a last line that a crash left half-written, and counts the bytes of that line. Raises OSError, or
    JournalDamaged if the file is no journal or a line was altered.
    """
    return parse_journal(read_regular(path), kinds)


def parse_journal(text: bytes, kinds: UnionType = JournalEvent) -> Recording:
    """Reads a journal in memory, as `read_journal` reads a file."""
    end = text.rfind(b"\n") + 1
    lines = text[:end].split(b"\n")[:-1]
    if not lines:
        raise JournalDamaged("the file is not a journal: it has no complete header line")
    chain = ChecksumChain()
    bodies = map(chain.check, lines)
    try:
        header = msgspec.json.decode(next(bodies), type=Header)
    except _DECODE_ERRORS as error:
        raise JournalDamaged("line 1: no journal header") from error
    if header.journal != FORMAT:
        raise JournalDamaged(f"line 1: the format is '{header.journal}', but this program reads '{FORMAT}'")
    read_event = msgspec.json.Decoder(kinds).decode
    entries = [_parse_entry(number, body, read_event) for number, body in enumerate(bodies, 1)]
    return Recording(header, entries, len(text) - end, chain.checksum)


class ChecksumChain:
    """Checks the checksums of a journal's lines, one after the other."""

    def __init__(self) -> None:
        self.checksum = ""
        self.line_count = 0

    def check(self, line: bytes) -> bytes:
        """Returns the next line without its checksum. Raises JournalDamaged if the checksum is wrong."""
        self.line_count += 1
        body, tail = line[:-_TAIL_BYTES] + b"}", line[-_TAIL_BYTES:]
        if not tail.startswith(_CHECKSUM_FIELD):
            raise JournalDamaged(f"line {self.line_count}: no checksum at its end")
        self.checksum = _next_checksum(self.checksum, body)
        if tail != _CHECKSUM_TEMPLATE % self.checksum.encode():
            raise JournalDamaged(
                f"line {self.line_count}: the checksum does not match; this line or an earlier one was altered"
            )
        return body


def _parse_entry(number: int, body: bytes, read_event: Callable[[bytes], Event] = _read_event) -> Entry:
    """Parses entry `number`, which is on line `number + 1`. The number and the time come first, then the event."""
    stamp_json, type_key, event_json = body.partition(b',"type":')
    try:
        stamp, event = _read_stamp(stamp_json + b"}"), read_event(b"{" + type_key[1:] + event_json)
    except _DECODE_ERRORS as error:
        raise JournalDamaged(f"line {number + 1}: not an entry") from error
    if stamp.seq != number:
        raise JournalDamaged(f"line {number + 1}: entry {stamp.seq} where {number} was expected")
    return Entry(stamp.seq, stamp.at_ms, event)


def read_header(path: Path) -> Header:
    """Reads the header of the journal at `path`. Raises OSError, or msgspec.DecodeError if it is not a journal."""
    with open_regular(path) as file:
        return msgspec.json.decode(file.readline(4096), type=Header)


class JournalFollower:
    """Reads a journal that another process is writing."""

    def __init__(self, path: Path) -> None:
        """Opens the journal at `path` at its start. Raises OSError."""
        self._file = open_regular(path)
        self._chain = ChecksumChain()
        self._entries_read = 0

    def read(self, last_number: int) -> list[Entry]:
        """Returns the unread entries up to number `last_number`. All of them must be on disk. Raises JournalDamaged."""
        entries: list[Entry] = []
        while self._entries_read < last_number:
            line = self._file.readline()
            if not line.endswith(b"\n"):
                raise JournalDamaged(f"{self._file.name} ends before entry {last_number}")
            body = self._chain.check(line[:-1])
            if self._chain.line_count > 1:
                self._entries_read += 1
                entries.append(_parse_entry(self._entries_read, body))
        return entries

    def close(self) -> None:
        self._file.close()


def _lock_journal(lock: FileLock, file: int, path: Path) -> None:
    """Locks the journal until it is closed. Raises BlockingIOError if another process is writing it."""
    try:
        lock.acquire()
        is_taken = not path.exists() or os.fstat(file).st_ino != path.stat().st_ino  # another process has replaced it
    except BlockingIOError:
        is_taken = True
    if is_taken:
        raise BlockingIOError(errno.EAGAIN, "another process is writing this journal", str(path))


def discard_journal(path: Path) -> None:
    """Deletes a journal. Raises OSError (BlockingIOError while another process is writing it)."""
    file = os.open(path, os.O_WRONLY | UNTRUSTED_FLAGS)
    lock = FileLock(path, file)
    try:
        _lock_journal(lock, file, path)
        lock.remove()
    finally:
        lock.close()


def _next_checksum(previous_checksum: str, body: bytes) -> str:
    return hashlib.sha256(previous_checksum.encode() + body).hexdigest()[:_SUM_DIGITS]
