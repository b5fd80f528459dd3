"""A season that is over, read from its ledger, for its pages to be shown later."""

from datetime import datetime
from pathlib import Path

from broadcast.archive.archive import is_written
from server.season.files import ENDING, store_of
from server.season.ledger import read_ledger
from server.season.standings import Standings
from server.shuffle import parse_seed
from server.text.regular_file import regular_files
from server.verify.season import check_ledger


class PastSeason:
    """A finished season, all of it public."""

    on_air = 0
    state = 0, 0

    def __init__(self, path: Path) -> None:
        """Reads and verifies the ledger at `path`.

        Raises OSError where it cannot be read, ValueError where the season is not over or the ledger is wrong.
        """
        recording = read_ledger(path)
        seed = check_ledger(recording.entries, b"").seed
        self.standings: Standings = check_ledger(recording.entries, parse_seed(seed))
        self.began = datetime.fromisoformat(recording.header.begun).timestamp()
        self.store = store_of(path)


def latest_season(folder: Path) -> PastSeason | None:
    """The latest season in `folder` that is over and whose ledger holds; None if there is none."""
    for path in sorted(regular_files(folder, ENDING), key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            if not is_written(path):
                return PastSeason(path)
        except (OSError, ValueError):
            continue
    return None
