"""A season that is over, for those who look at it later: read from its ledger, which nobody writes any more."""

from datetime import datetime
from pathlib import Path

from broadcast.archive.archive import is_written
from server.season.files import ENDING, store_of
from server.season.ledger import read_ledger
from server.season.standings import Book
from server.shuffle import parse_seed
from server.verify.season import check_ledger


class PastSeason:
    """What its pages tell: everything, for no show keeps anything back."""

    on_air = 0

    def __init__(self, path: Path) -> None:
        """The season of the ledger at `path`. Raises OSError, or ValueError where it is not over or does not hold."""
        recording = read_ledger(path)
        seed = check_ledger(recording.entries, b"").seed
        self.book: Book = check_ledger(recording.entries, parse_seed(seed))
        self.began = datetime.fromisoformat(recording.header.begun).timestamp()
        self.store = store_of(path)


def latest_season(folder: Path) -> PastSeason | None:
    """The season in `folder` that was written last, of those that are over and hold; None without one."""
    for path in sorted(folder.glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            if not is_written(path):
                return PastSeason(path)
        except (OSError, ValueError):
            continue
    return None
