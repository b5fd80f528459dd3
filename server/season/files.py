"""Finds the files of a season: its numbered games, uploads and test games."""

import shutil
from pathlib import Path

from server.season.outcome import GameFiles, files_of

_GAMES_PER_FOLDER = 1000

LEDGER_SUFFIX = ".ledger"
"""The suffix of ledger files. A ledger is the journal of a season."""


class SeasonFiles:
    """The files of one season, in a folder beside the season's ledger."""

    def __init__(self, ledger: Path) -> None:
        self.folder = folder = ledger.with_suffix("")
        self.incoming = folder / "incoming"
        """The folder of uploads that are still being read."""
        self.newcomers = folder / "newcomers"
        """The folder of archives from players who wait for the operator's approval."""

    def game_files(self, number: int) -> GameFiles:
        """Returns the files of game `number`."""
        return files_of(self.folder / "games" / f"{number // _GAMES_PER_FOLDER:04}" / f"{number:06}.jsonl")

    def test_files(self, upload: int) -> GameFiles:
        """Returns the files of an upload's test game."""
        return files_of(self.folder / "tests" / f"{upload:06}.jsonl")

    def upload_folder(self, number: int) -> Path:
        """Returns the folder of an upload. The bot's files are in the subfolder `bot`."""
        return self.folder / "uploads" / f"{number:06}"

    def store_bot(self, number: int, bot: Path) -> None:
        """Copies the folder `bot` into the folder of upload `number`, completely or not at all. Raises OSError."""
        target = self.upload_folder(number)
        temporary_folder = target.with_suffix(".half")
        for leftover in (temporary_folder, target):  # left by a crash before the upload was in the ledger
            shutil.rmtree(leftover, ignore_errors=True)
        shutil.copytree(bot, temporary_folder / "bot", symlinks=True)
        temporary_folder.rename(target)

    def delete_test(self, upload: int) -> None:
        """Removes the files of an interrupted test game. Raises OSError."""
        files = self.test_files(upload)
        for path in (files.journal, files.public_log, files.defender_log, files.challenger_log):
            path.unlink(missing_ok=True)
