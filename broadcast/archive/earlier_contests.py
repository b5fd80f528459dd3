"""The contests of the archive's index that were begun before a moment, for storylines that reach back to them."""

import sqlite3

from broadcast.archive.database import number_of
from broadcast.commentary.storylines.earlier import EarlierContest, Most


def earlier_contests(index: sqlite3.Connection, name: str, begun: str) -> list[EarlierContest]:
    """Those begun before the recording `name`, which was `begun` in ISO 8601, the earliest first; no practice games.

    A name that two bots of a contest share stands for neither. Raises sqlite3.Error where the index cannot be read.
    """
    before = (number_of(name, begun),)
    rows = index.execute(
        "SELECT id, name, contest, starting_stack FROM recordings"
        " WHERE whole AND name NOT LIKE 'practice/%' AND id < ? ORDER BY id",
        before,
    ).fetchall()
    entrants = index.execute(
        "SELECT e.recording, n.name, max(e.place), max(e.finalist), count(*) FROM entrants e"
        " JOIN names n ON n.id = e.name WHERE e.recording < ? GROUP BY e.recording, n.name",
        before,
    )
    places: dict[int, dict[str, int]] = {number: {} for number, *_ in rows}
    finalists: dict[int, set[str]] = {number: set() for number, *_ in rows}
    for number, bot, place, was_finalist, bots in entrants:
        if number in places and bots == 1:
            places[number][bot] = place
            finalists[number] |= {bot} if was_finalist else set()
    most: dict[int, dict[str, Most]] = {number: {} for number, *_ in rows}
    for number, kind, amount, hand in index.execute(
        "SELECT recording, kind, amount, number FROM most WHERE recording < ?", before
    ):
        if number in most:
            most[number][kind] = Most(amount, hand)
    return [
        EarlierContest(recording, contest, stack, places[number], frozenset(finalists[number]), most[number])
        for number, recording, contest, stack in rows
    ]
