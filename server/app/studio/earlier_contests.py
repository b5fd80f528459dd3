"""Tells a show about earlier contests, which its storylines mention. The show first learns of the contests in the
archive's index, and then of recordings that are not in the index yet.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from broadcast.archive.archive import Archive
from broadcast.archive.database import recording_number
from broadcast.archive.queries import unshowable_files
from broadcast.commentary.storylines.earlier_facts import ContestRecord, EarlierContest, earlier_facts_of
from broadcast.show.showrunner import Showrunner
from server.console import say
from server.game.events import TournamentOpened
from server.journal.bus import Bus
from server.journal.journal import Entry, read_header
from server.text.characters import printable

INDEX_TIMEOUT_SECONDS = 2.0
"""A resumed show waits at most this many seconds for the index, and then starts without it."""


class EarlierContestsTeller:
    """Tells a show about earlier contests."""

    def __init__(self, show: Showrunner, archive: Archive, journal: Path) -> None:
        """`journal` is the show's recording, in the folder of `archive`."""
        self._show = show
        self._archive = archive
        self._journal = journal

    async def inform_resumed_show(self, entries: Sequence[Entry]) -> None:
        """Tells a resumed show about the contests in the index, so that its storylines stay the same as before the
        restart. `entries` are the entries of the show's recording.
        """
        with suppress(TimeoutError, OSError, sqlite3.Error):
            if entries:
                await asyncio.wait_for(self._inform(entries[0]), INDEX_TIMEOUT_SECONDS)

    async def run(self, bus: Bus) -> None:
        """Tells the show about earlier contests, first from the index and then from the recordings. Prints which
        recordings are left out.
        """
        async for entry in bus.follow():  # only the first entry is needed
            try:
                await self._inform(entry)
                await self._archive.refresh_index(wait_for_all=True)
                await self._inform(entry)
                left_out = await self._archive.run_query(unshowable_files)
            except (OSError, sqlite3.Error) as error:
                say(f"  storylines      of this evening only: the index cannot be read: {printable(str(error))}")
                return
            for name, fault in left_out:
                say(f"  left out        recording {printable(name)}: {printable(fault)}")
            return

    async def _inform(self, first_entry: Entry) -> None:
        opened, name = first_entry.event, self._journal.stem
        if isinstance(opened, TournamentOpened):
            start_time = (await asyncio.to_thread(read_header, self._journal)).begun
            self._show.use_earlier_contests(
                await self._archive.run_query(
                    lambda index: earlier_facts_of(read_earlier_contests(index, name, start_time), opened)
                )
            )


def read_earlier_contests(index: sqlite3.Connection, name: str, start_time: str) -> list[EarlierContest]:
    """Returns the contests before the recording `name`, earliest first, without practice games.

    `start_time` is the time when the recording `name` started, in ISO 8601. Leaves out bots of the same contest that
    share a name. Raises sqlite3.Error if the index cannot be read.
    """
    query_values = (recording_number(name, start_time),)
    rows = index.execute(
        "SELECT id, name, contest, starting_stack, hands FROM recordings"
        " WHERE whole AND name NOT LIKE 'practice/%' AND id < ? ORDER BY id",
        query_values,
    ).fetchall()
    entrants = index.execute(
        "SELECT e.recording, n.name, max(e.place), max(e.finalist), count(*) FROM entrants e"
        " JOIN names n ON n.id = e.name WHERE e.recording < ? GROUP BY e.recording, n.name",
        query_values,
    )
    places: dict[int, dict[str, int]] = {number: {} for number, *_ in rows}
    finalists: dict[int, set[str]] = {number: set() for number, *_ in rows}
    for number, bot, place, was_finalist, bots in entrants:
        if number in places and bots == 1:
            places[number][bot] = place
            finalists[number] |= {bot} if was_finalist else set()
    records: dict[int, dict[str, ContestRecord]] = {number: {} for number, *_ in rows}
    for number, kind, amount, hand in index.execute(
        "SELECT recording, kind, amount, number FROM most WHERE recording < ?", query_values
    ):
        if number in records:
            records[number][kind] = ContestRecord(amount, hand)
    stories: dict[int, dict[str, int]] = {number: {} for number, *_ in rows}
    for number, kind, times in index.execute(
        "SELECT recording, kind, times FROM begun WHERE recording < ?", query_values
    ):
        if number in stories:
            stories[number][kind] = times
    return [
        EarlierContest(
            recording, contest, stack, places[id_], frozenset(finalists[id_]), records[id_], hands, stories[id_]
        )
        for id_, recording, contest, stack, hands in rows
    ]
