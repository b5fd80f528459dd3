"""Keeps a season's ledger: the journal of its players, bots and games. Each event is on disk before it takes effect."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from server.console import say
from server.game.events import Event
from server.journal.journal import Entry, Journal, Recording, discard_journal, read_journal
from server.season.events import SeasonEvent
from server.season.season_state import Standings
from server.text.regular_file import read_regular
from server.tournament.resumable_log import DISK_FULL, RETRY_SECONDS


class Ledger:
    """The ledger of one season. `standings` is the state after the ledger's last entry."""

    def __init__(self, path: Path) -> None:
        """Opens the ledger at `path`, or starts a new one. Raises OSError, JournalDamaged."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.standings = Standings()
        self.path = path
        self._changed = asyncio.Event()
        self._journal, recording = _open_journal(path)
        self.entries: list[Entry] = list(recording.entries)
        self.began_at = datetime.fromisoformat(recording.header.begun).timestamp()
        """When the ledger was started, in seconds since 1970. The times of its entries are measured from this moment.
        """
        self.standings.apply_entries(recording.entries)

    def append(self, *events: Event) -> None:
        """Writes events to disk, then applies them to `standings`. Raises OSError if they cannot be written."""
        last_ms = self.entries[-1].at_ms if self.entries else 0
        at_ms = max(last_ms, round((time.time() - self.began_at) * 1000))  # somebody may have set the clock back
        entries = [Entry(number, at_ms, event) for number, event in enumerate(events, len(self.entries) + 1)]
        self._journal.append(entries)
        self.entries += entries
        self.standings.apply_entries(entries)
        self._changed.set()
        self._changed = asyncio.Event()

    async def write(self, make_events: Callable[[], Sequence[Event]]) -> Sequence[Event]:
        """Calls `make_events`, writes the returned events to disk, and returns them. Waits while the disk is full.

        Each attempt calls `make_events` again, because the state may have changed during the wait. Raises OSError for
        any other disk error.
        """
        has_reported = False
        while True:
            events = make_events()
            try:
                if events:
                    self.append(*events)
            except OSError as error:
                if error.errno not in DISK_FULL:
                    raise
                if not has_reported:
                    say("the disk is full: the season waits until there is room")
                has_reported = True
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return events

    async def wait_for_change(self, seconds: float | None = None) -> None:
        """Waits for the next event, or until `seconds` are over. If `seconds` is None, the wait has no limit."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    def close(self) -> None:
        """Closes the file."""
        self._journal.close()


def read_ledger(path: Path) -> Recording:
    """Reads a ledger. Raises OSError, JournalDamaged."""
    return read_journal(path, SeasonEvent)


def _open_journal(path: Path) -> tuple[Journal, Recording]:
    if path.exists() and b"\n" in read_regular(path)[:4096]:
        return Journal.resume(path, SeasonEvent)
    if path.exists():
        discard_journal(path)
    journal = Journal(path)
    return journal, read_ledger(path)
