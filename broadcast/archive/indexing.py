"""Reads recordings into the archive's index: finds a folder's new and changed files, and summarises them."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from broadcast.archive.database import (
    IndexedRecording,
    delete_recordings,
    known_stamps,
    open_connection,
    open_index,
    stamp_of,
    store_recording,
)
from broadcast.archive.summary import summarise
from server.journal.journal import Header, JournalDamaged, read_journal
from server.text.regular_file import open_regular, regular_files

RECORDING_SUFFIX = ".jsonl"
RECORDING_FOLDERS = ("", "practice")
"""The folders with recordings. Recordings of a season (a contest of many games of two bots each) are left out, because
seasons have pages of their own.
"""
SEASON_PREFIX = "season"
"""The name of a season's game consists of this word and the game's number, such as "season/12"."""


def find_changed(index: Path, folder: Path, *, remove_deleted: bool = True) -> list[str]:
    """Returns the names of recordings in `folder` that are new, or whose stamp (size and time) has changed.

    A recording's name is its path below the folder, without the extension. With `remove_deleted`, also removes deleted
    recordings from the index. Raises sqlite3.Error, OSError.
    """
    stamps = {}
    for subfolder in RECORDING_FOLDERS:
        for path in regular_files(folder / subfolder, RECORDING_SUFFIX, inside=folder):
            with suppress(OSError):  # the file may have just been deleted
                stamps[path.relative_to(folder).as_posix().removesuffix(RECORDING_SUFFIX)] = stamp_of(path)
    with open_connection(index) as connection:
        before = known_stamps(connection)
        if remove_deleted and (gone := before.keys() - stamps.keys()):
            delete_recordings(connection, gone)
    return [name for name, stamp in stamps.items() if before.get(name) != stamp]


def index_recordings(
    index: Path, folder: Path, names: Iterable[str], *, on_indexed: Callable[[str], object] = lambda _: None
) -> None:
    """Reads the recordings `names` into the index. Calls `on_indexed` with each name. Raises sqlite3.Error, OSError."""
    open_index(index)
    with open_connection(index) as connection:
        for name in names:
            if recording := summarise_recording(folder / f"{name}{RECORDING_SUFFIX}", name):
                store_recording(connection, recording)
            on_indexed(name)


def summarise_recording(path: Path, name: str) -> IndexedRecording | None:
    """Returns what the index stores about the recording at `path`, or None if the file cannot be opened."""
    try:
        stamp = stamp_of(path)
        recording = read_journal(path)
    except JournalDamaged as error:
        return _faulty_recording(path, name, stamp, str(error))
    except OSError:
        return None
    begun = recording.header.begun
    try:
        summary = summarise(recording.entries)
    except Exception:
        fault = "It contradicts itself: its entries do not follow from one another."
        return IndexedRecording(name, stamp, "damaged", begun, fault)
    if not summary.hands and not summary.finished:
        return IndexedRecording(name, stamp, "empty", begun, "It ends before its first hand is over.")
    return IndexedRecording(name, stamp, "shown", begun, summary=summary)


def _faulty_recording(path: Path, name: str, stamp: str, fault: str) -> IndexedRecording:
    """Returns what the index stores about a file that cannot be shown: a damaged recording, or the ledger of a season,
    which lists the season's bots and games.
    """
    with open_regular(path) as file:
        head, first = file.readline(4096), file.readline(65536)
    try:
        begun = msgspec.json.decode(head, type=Header).begun
        kind = str(msgspec.json.decode(first).get("type", ""))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, AttributeError):
        begun, kind = "", ""
    if kind.startswith("season"):
        return IndexedRecording(name, stamp, "foreign", begun, "It is the ledger of a season, which has its own pages.")
    return IndexedRecording(name, stamp, "damaged", begun, f"{fault[:1].upper()}{fault[1:300]}.")
