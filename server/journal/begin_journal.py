"""Starts a journal, the file with all events of a contest, or resumes a journal that a crash left behind.

`server/tournament/resumable_log.py` then resumes the tournament from the journal.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from server.game.events import StageStarted
from server.journal.journal import Entry, Journal, discard_journal
from server.text.regular_file import read_regular


class BegunRecording(Struct, frozen=True):
    """A journal to write to. Only a resumed journal has the other fields: its entries, a `note` for the operator, and
    the time when it started, in seconds since 1970.
    """

    journal: Journal
    entries: Sequence[Entry] = ()
    note: str = ""
    started_at: float = 0.0


def begin_journal(path: Path, start_time: str | None = None) -> BegunRecording:
    """Resumes the journal at `path`. Starts a new journal if there is none, or if no stage has started in the old
    journal.

    A new journal starts at `start_time` (UTC, ISO 8601), or now. Raises OSError, or JournalDamaged if any line except
    the last is damaged.
    """
    if not path.exists() or b"\n" not in read_regular(path):
        return _new_journal(path, start_time)
    journal, recording = Journal.resume(path)
    torn_note = f"; a half-written last line of {recording.torn_bytes} bytes is cut off" if recording.torn_bytes else ""
    if any(isinstance(entry.event, StageStarted) for entry in recording.entries):
        began_at = datetime.fromisoformat(recording.header.begun).timestamp()
        return BegunRecording(journal, recording.entries, f"{len(recording.entries)} entries{torn_note}", began_at)
    journal.close()
    return _new_journal(path, start_time)


def _new_journal(path: Path, start_time: str | None) -> BegunRecording:
    if path.exists():
        discard_journal(path)
    return BegunRecording(Journal(path, start_time))
