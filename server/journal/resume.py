"""Begins a journal, or goes on with the one that a crash has left."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from server.game.events import StageStarted
from server.journal.journal import Entry, Journal, discard_journal
from server.text.regular_file import read_regular


class Begun(Struct, frozen=True):
    """A journal to write on, and what it holds: nothing if it is new. `note` says in words what was found.

    `began` is when it was begun, in seconds since 1970.
    """

    journal: Journal
    entries: Sequence[Entry] = ()
    note: str = ""
    began: float = 0.0


def begin_journal(path: Path, begun: str | None = None) -> Begun:
    """A new journal, or the one that is there. A tournament that had not begun to play is begun anew.

    A new one says that it was begun at `begun` (UTC, ISO 8601), with None now.
    Raises OSError, and JournalDamaged where a journal is damaged anywhere but at its end.
    """
    if not path.exists() or b"\n" not in read_regular(path):
        return _anew(path, begun)
    journal, recording = Journal.resume(path)
    torn = f"; a half-written last line of {recording.torn_bytes} bytes is cut off" if recording.torn_bytes else ""
    if any(isinstance(entry.event, StageStarted) for entry in recording.entries):
        began = datetime.fromisoformat(recording.header.begun).timestamp()
        return Begun(journal, recording.entries, f"{len(recording.entries)} entries{torn}", began)
    journal.close()
    return _anew(path, begun)


def _anew(path: Path, begun: str | None) -> Begun:
    if path.exists():
        discard_journal(path)
    return Begun(Journal(path, begun))
