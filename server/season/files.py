"""Where a season keeps its files: games, uploads, test games, each by its number. What is in them is not known here."""

import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from server.season.game import GameFiles, files_of

_IN_A_FOLDER = 1000

ENDING = ".ledger"
"""Of a season's file."""


class Store:
    """One season's, below `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.incoming = folder / "incoming"
        """Where uploads are until they have been read."""
        self.newcomers = folder / "newcomers"
        """Where those are who wait for the operator."""

    def game(self, number: int) -> GameFiles:
        """A game's files."""
        return files_of(self.folder / "games" / f"{number // _IN_A_FOLDER:04}" / f"{number:06}.jsonl")

    def test(self, upload: int) -> GameFiles:
        """The files of an upload's test game."""
        return files_of(self.folder / "tests" / f"{upload:06}.jsonl")

    def upload(self, number: int) -> Path:
        """The folder in which that version's `bot` folder is."""
        return self.folder / "uploads" / f"{number:06}"

    def keep(self, number: int, bot: Path) -> None:
        """Keeps a bot's folder under a number, whole or not at all. Raises OSError."""
        there = self.upload(number)
        half = there.with_suffix(".half")
        for left in (half, there):  # of a run that broke off before it was written down
            shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(bot, half / "bot", symlinks=True)
        half.rename(there)

    def forget_test(self, upload: int) -> None:
        """Removes what a test game that broke off has left."""
        files = self.test(upload)
        for left in (files.journal, files.public, files.defender, files.challenger):
            left.unlink(missing_ok=True)


def store_of(ledger: Path) -> Store:
    """The store of the season with that ledger; it lies beside it."""
    return Store(ledger.with_suffix(""))


def digest_of(folder: Path) -> str:
    """The SHA-256 of all names and contents below a folder. Raises OSError."""
    whole = sha256()
    for path in _files(folder):
        content = sha256(path.read_bytes()).hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
