"""Opens recordings and files of published hands alike; `highnoon import FILE` makes a recording of published hands."""

import sys
from collections.abc import Sequence
from pathlib import Path

from server.console import hands_in_words, plain_lines, say
from server.errors import Refusal
from server.hand_histories.import_hands import Imported, import_hands
from server.hand_histories.phh_reader import MOST_BYTES, BadHistory
from server.journal.journal import FORMAT, Entry, Header, Journal, Recording, read_journal

PUBLISHED = (".phh", ".phhs")
UNKNOWN_TIME = "nobody knows when"
"""Stands in a header for the time at which published hands began, where their file has none."""


def open_recording(path: Path) -> Recording:
    """Returns the recording in a file, or one made of published hands (.phh, .phhs); prints remarks on those as errors.

    Raises OSError, JournalDamaged where a recording was altered, or Refusal where published hands cannot be played.
    """
    if path.suffix.lower() not in PUBLISHED:
        return read_journal(path)
    imported = _imported(path)
    for remark in imported.remarks:
        print(plain_lines(f"note: {remark}"), file=sys.stderr)  # what a command tells may be read by a program
    return Recording(Header(FORMAT, imported.begun or UNKNOWN_TIME), imported.entries)


def import_file(path: Path, out: Path | None) -> int:
    """Writes a recording of the hands in a .phh or .phhs file, by default beside it; returns 0.

    Raises OSError, or Refusal where the file holds no hands that can be played or the recording exists already.
    """
    imported = _imported(path)
    recording = out or path.with_suffix(".jsonl")
    try:
        keep_as(recording, imported.entries, imported.begun or None)
    except FileExistsError:
        raise Refusal(f"{recording} is there already") from None
    say(f"{recording}: {hands_in_words(imported.hands)}, {len(imported.entries)} entries")
    for remark in imported.remarks:
        say(f"  note: {remark}")
    return 0


def keep_as(path: Path, entries: Sequence[Entry], begun: str | None) -> None:
    """Writes a recording of `entries`, begun at `begun` (UTC, ISO 8601) or now. Raises OSError."""
    journal = Journal(path, begun)
    try:
        journal.append(entries)
    finally:
        journal.close()


def _imported(path: Path) -> Imported:
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    try:
        return import_hands(content, path.stem)
    except BadHistory as error:
        raise Refusal(f"{path}: {error}") from None
