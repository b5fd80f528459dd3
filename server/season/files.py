"""The paths of a season's files: games, uploads and test games, each by its number. Knows nothing of their content."""

import shutil
from pathlib import Path

from server.season.outcome import GameFiles, files_of

_IN_A_FOLDER = 1000

ENDING = ".ledger"
"""The end of the name of a season's ledger."""


class Store:
    """The files of one season, in a folder beside its ledger."""

    def __init__(self, ledger: Path) -> None:
        self.folder = folder = ledger.with_suffix("")
        self.incoming = folder / "incoming"
        """Where uploads are while they are read."""
        self.newcomers = folder / "newcomers"
        """Where the archives of players are who wait for the operator."""

    def game(self, number: int) -> GameFiles:
        """The files of the game of that number."""
        return files_of(self.folder / "games" / f"{number // _IN_A_FOLDER:04}" / f"{number:06}.jsonl")

    def test(self, upload: int) -> GameFiles:
        """The files of an upload's test game."""
        return files_of(self.folder / "tests" / f"{upload:06}.jsonl")

    def upload(self, number: int) -> Path:
        """The folder of an upload; the bot's files are in its folder `bot`."""
        return self.folder / "uploads" / f"{number:06}"

    def keep(self, number: int, bot: Path) -> None:
        """Copies the folder `bot` to that of an upload, whole or not at all. Raises OSError."""
        there = self.upload(number)
        half = there.with_suffix(".half")
        for left in (half, there):  # a crash came before the ledger had the upload
            shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(bot, half / "bot", symlinks=True)
        half.rename(there)

    def forget_test(self, upload: int) -> None:
        """Removes the files of a test game that a crash interrupted. Raises OSError."""
        files = self.test(upload)
        for left in (files.journal, files.public, files.defender, files.challenger):
            left.unlink(missing_ok=True)
