"""The archive's index: an SQLite file that can always be deleted and rebuilt from the recordings.

This module writes all rows. The module `broadcast.archive.queries` has the queries.
"""

import hashlib
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from broadcast.archive.summary import Summary
from server.system.files import folder_lock

DATABASE_VERSION = 6
LOCK_TIMEOUT_SECONDS = 30.0
_SCHEMA_SQL = """
CREATE TABLE recordings (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, state TEXT NOT NULL, fault TEXT NOT NULL,
  begun TEXT NOT NULL, contest TEXT NOT NULL, title TEXT NOT NULL, games INTEGER NOT NULL, hands INTEGER NOT NULL,
  bots INTEGER NOT NULL, winner TEXT NOT NULL, biggest INTEGER NOT NULL, starting_stack INTEGER NOT NULL,
  whole INTEGER NOT NULL, deals INTEGER NOT NULL);
CREATE INDEX recordings_by_state ON recordings (state, id);
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL);
CREATE TABLE entrants (
  recording INTEGER NOT NULL, bot INTEGER NOT NULL, name INTEGER NOT NULL, place INTEGER NOT NULL,
  finalist INTEGER NOT NULL,
  PRIMARY KEY (recording, bot)) WITHOUT ROWID;
CREATE INDEX entrants_by_name ON entrants (name, recording, bot);
CREATE TABLE hands (
  recording INTEGER NOT NULL, number INTEGER NOT NULL, game INTEGER NOT NULL, hand INTEGER NOT NULL,
  stage TEXT NOT NULL, big_blind INTEGER NOT NULL, pot INTEGER NOT NULL, made TEXT NOT NULL, score INTEGER NOT NULL,
  deal INTEGER NOT NULL, deal_hands INTEGER NOT NULL,
  PRIMARY KEY (recording, number)) WITHOUT ROWID;
CREATE INDEX hands_by_made ON hands (made, recording, number, pot);
CREATE INDEX hands_by_pot ON hands (pot, recording, number);
CREATE TABLE players (
  recording INTEGER NOT NULL, number INTEGER NOT NULL, bot INTEGER NOT NULL, won INTEGER NOT NULL,
  ranking TEXT NOT NULL, PRIMARY KEY (recording, number, bot)) WITHOUT ROWID;
CREATE TABLE marks (
  mark TEXT NOT NULL, recording INTEGER NOT NULL, number INTEGER NOT NULL, rank INTEGER NOT NULL,
  PRIMARY KEY (mark, recording, number)) WITHOUT ROWID;
CREATE INDEX marks_by_hand ON marks (recording, number, rank, mark);
CREATE TABLE most (
  recording INTEGER NOT NULL, kind TEXT NOT NULL, amount INTEGER NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (recording, kind)) WITHOUT ROWID;
CREATE TABLE begun (
  recording INTEGER NOT NULL, kind TEXT NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (recording, kind)) WITHOUT ROWID;
"""
_RECORDING_TABLES = ("entrants", "hands", "players", "marks", "most", "begun")
_MOMENT_BITS, _NAME_BITS = 42, 20

RecordingState = Literal["shown", "empty", "damaged", "foreign"]
"""The states of a file. Only a "shown" recording has hands in the index. Even such a recording may be incomplete. A
"foreign" file is not the recording of a contest.
"""


class IndexedRecording(Struct, frozen=True):
    """What the index stores about a recording. `begun` is its start time in UTC (ISO 8601).

    `stamp` changes with the file's content. `fault` is a sentence that says why the recording is hidden, or "" if it is
    shown.
    """

    name: str
    stamp: str
    state: RecordingState
    begun: str = ""
    fault: str = ""
    summary: Summary = msgspec.field(default_factory=Summary)


def stamp_of(path: Path) -> str:
    """Returns a text made of a file's size and modification time. The text changes when the file's content changes.
    Raises OSError.
    """
    status = path.stat()
    return f"{status.st_size}-{status.st_mtime_ns}"


def open_index(path: Path) -> None:
    """Creates an empty index at `path` if there is no readable index of version DATABASE_VERSION. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with folder_lock(path.parent, shared=True):
        exists = _exists(path)
    if not exists:
        with folder_lock(path.parent):
            if not _exists(path):  # another process may have created the index meanwhile
                _create_empty(path)


def replace_index(path: Path) -> None:
    """Waits until the index at `path` is not in use, and replaces it with an empty one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with folder_lock(path.parent):
        _create_empty(path)


@contextmanager
def open_connection(path: Path) -> Iterator[sqlite3.Connection]:
    """Connects to the index at `path`. Hold the connection only briefly, because it locks the index. Raises
    sqlite3.Error, OSError.

    While the connection is open, a lock keeps other processes from replacing the index. Without the lock, SQLite could
    mix files of the old index with files of the new one.
    """
    with folder_lock(path.parent, shared=True), _connection(path) as index:
        yield index


def known_stamps(index: sqlite3.Connection) -> dict[str, str]:
    """Returns the stamps of all recordings in the index, keyed by name."""
    return dict(index.execute("SELECT name, stamp FROM recordings"))


def store_recording(index: sqlite3.Connection, recording: IndexedRecording) -> None:
    """Writes a recording into the index, in place of an older version. On sqlite3.Error, the index stays unchanged."""
    index.execute("BEGIN IMMEDIATE")
    with index:  # commits or rolls back
        _delete(index, recording.name)
        _write(index, recording)


def delete_recordings(index: sqlite3.Connection, names: Collection[str]) -> None:
    """Deletes the recordings `names` from the index. Raises sqlite3.Error."""
    index.execute("BEGIN IMMEDIATE")
    with index:
        for name in names:
            _delete(index, name)


def recording_number(name: str, begun: str) -> int:
    """Returns the number of a recording. The number is the same in every index. A contest that began later has a higher
    number.
    """
    with suppress(ValueError, OverflowError):
        moment = int(datetime.fromisoformat(begun).timestamp() * 1000)
        if 0 <= moment < 1 << _MOMENT_BITS:
            return moment << _NAME_BITS | _hash(name)
    return _hash(name)


@contextmanager
def _connection(path: Path) -> Iterator[sqlite3.Connection]:
    index = sqlite3.connect(path, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None)
    try:
        index.execute("PRAGMA synchronous = OFF")  # the index can be rebuilt at any time
        yield index
    finally:
        index.close()


def _exists(path: Path) -> bool:
    with suppress(sqlite3.DatabaseError), _connection(path) as index:
        return bool(index.execute("PRAGMA user_version").fetchone()[0] == DATABASE_VERSION)
    return False


def _create_empty(path: Path) -> None:
    for old in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        old.unlink(missing_ok=True)
    with _connection(path) as index:
        index.executescript(
            f"PRAGMA journal_mode = WAL; BEGIN; {_SCHEMA_SQL} PRAGMA user_version = {DATABASE_VERSION}; COMMIT;"
        )
    path.chmod(0o600)


def _hash(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode(errors="surrogateescape")).digest()[:4]) >> (32 - _NAME_BITS)


def _delete(index: sqlite3.Connection, name: str) -> None:
    row = index.execute("SELECT id FROM recordings WHERE name = ?", (name,)).fetchone()
    if row:
        for table in _RECORDING_TABLES:
            index.execute(f"DELETE FROM {table} WHERE recording = ?", row)  # noqa: S608 (our own names)
        index.execute("DELETE FROM recordings WHERE id = ?", row)


def _write(index: sqlite3.Connection, recording: IndexedRecording) -> None:
    summary = recording.summary
    number = recording_number(recording.name, recording.begun)
    while index.execute("SELECT 1 FROM recordings WHERE id = ?", (number,)).fetchone():
        number += 1
    winner = next((bot for bot, place in summary.places.items() if place == 1), 0)
    biggest = max((hand.pot for hand in summary.hands), default=0)
    index.execute(
        "INSERT INTO recordings VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            *(
                number,
                recording.name,
                recording.stamp,
                recording.state,
                recording.fault,
                recording.begun,
                summary.contest,
                summary.title,
            ),
            *(summary.games, len(summary.hands), len(summary.bots), summary.bots.get(winner, ""), biggest),
            *(summary.starting_stack, summary.finished, summary.deals),
        ),
    )
    if recording.state == "shown":
        _write_hands(index, number, summary)


def _write_hands(index: sqlite3.Connection, recording: int, summary: Summary) -> None:
    names = set(summary.bots.values())
    index.executemany(
        "INSERT OR IGNORE INTO names (name, folded) VALUES (?,?)", [(name, name.casefold()) for name in sorted(names)]
    )
    numbers = {name: index.execute("SELECT id FROM names WHERE name = ?", (name,)).fetchone()[0] for name in names}
    index.executemany(
        "INSERT INTO entrants VALUES (?,?,?,?,?)",
        [
            (recording, bot, numbers[name], summary.places.get(bot, 0), bot in summary.finalists)
            for bot, name in summary.bots.items()
        ],
    )
    index.executemany(
        "INSERT INTO most VALUES (?,?,?,?)",
        [(recording, kind, most.amount, most.hand) for kind, most in summary.records.items()],
    )
    index.executemany(
        "INSERT INTO begun VALUES (?,?,?)", [(recording, *each) for each in summary.storylines_begun.items()]
    )
    hands, players, marks = [], [], []
    for hand in summary.hands:
        hand_key = (recording, hand.number)
        game_columns = hand.game, hand.hand, hand.stage, hand.big_blind, hand.pot, hand.made, hand.score
        hands.append((*hand_key, *game_columns, hand.deal, hand.deal_hands))
        players += [(*hand_key, each.bot, each.amount, each.ranking) for each in hand.won]
        marks += [(mark, *hand_key, rank) for rank, mark in enumerate(hand.marks)]
    index.executemany("INSERT INTO hands VALUES (?,?,?,?,?,?,?,?,?,?,?)", hands)
    index.executemany("INSERT INTO players VALUES (?,?,?,?,?)", players)
    index.executemany("INSERT INTO marks VALUES (?,?,?,?)", marks)
