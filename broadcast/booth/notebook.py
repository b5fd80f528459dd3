"""Keeps a file of the notes that commentators write for one another. Also records which items of the organiser's
programme (the run of the show) are done.

If the disk fails, the notebook is kept in memory until the next restart.
"""

import contextlib
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.desk.operators import one_line
from server.journal.atomic_file import write_atomically
from server.text.regular_file import read_at_most

MAX_NOTES = 100
"""At most this many notes are kept. A further note displaces the oldest."""
MAX_NOTE_CHARACTERS = 240
"""The maximum number of characters in a note."""
_MAX_BYTES = 1 << 20


class BoothNote(Struct, frozen=True):
    """A note: its number from 1, its time in seconds since 1970, its author and its text."""

    number: int
    at: int
    by: str
    text: str


class NotebookContent(Struct, frozen=True):
    """The content of a notebook. `done` has the indexes of the items of the run of the show that are done."""

    notes: tuple[BoothNote, ...] = ()
    done: frozenset[int] = frozenset()


class Notebook:
    """The notebook of one show. Without a `path`, the notebook is lost when the program ends."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.content = _read(path) if path else NotebookContent()

    def write(self, text: str, by: str, at: int) -> None:
        """Adds a note, cut to one line of at most MAX_NOTE_CHARACTERS characters. Raises ValueError if it is empty."""
        line = one_line(text, MAX_NOTE_CHARACTERS)
        if not line:
            raise ValueError("the note is empty")
        number = self.content.notes[-1].number + 1 if self.content.notes else 1
        self._keep(
            NotebookContent((*self.content.notes, BoothNote(number, at, by, line))[-MAX_NOTES:], self.content.done)
        )

    def erase(self, number: int) -> None:
        """Removes note `number`. Raises ValueError if there is no such note."""
        remaining = tuple(note for note in self.content.notes if note.number != number)
        if len(remaining) == len(self.content.notes):
            raise ValueError("this note has already been erased")
        self._keep(NotebookContent(remaining, self.content.done))

    def tick(self, item: int, *, done: bool) -> None:
        """Marks an item of the run of the show as done or not done."""
        self._keep(
            NotebookContent(self.content.notes, self.content.done | {item} if done else self.content.done - {item})
        )

    def _keep(self, content: NotebookContent) -> None:
        self.content = content
        if self._path:
            with contextlib.suppress(OSError):
                write_atomically(self._path, msgspec.json.encode(content))


def _read(path: Path) -> NotebookContent:
    """Reads the notebook in a file. Returns an empty notebook if the file is missing or unreadable."""
    try:
        return msgspec.json.decode(read_at_most(path, _MAX_BYTES), type=NotebookContent)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return NotebookContent()
