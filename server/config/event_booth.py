"""Reads what an event file tells those who comment: what they should know of a bot, and the run of the show."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from server.config.event_reader import Reading, Table
from server.config.event_values import called_name, clock_time, line, title
from server.journal.booth_notes import BotNotes, ShowItem

MOST_ITEMS = 40
LONGEST_SAY, LONGEST_NOTES = 60, 400
"""Characters."""
Row = TypeVar("Row")


def read_bots(reading: Reading, found: Table) -> tuple[BotNotes, ...]:
    """What is written of the bots, as far as it can be read; no bot twice."""
    bots = _rows(reading, found, "bots", _bot)
    for number, each in enumerate(bots, 1):
        if each.bot and each.bot in {earlier.bot for earlier in bots[: number - 1]}:
            reading.fault(f"bots[{number}].bot", f'"{each.bot}" has a [[bots]] already')
    return bots


def read_run_of_show(reading: Reading, found: Table) -> tuple[ShowItem, ...]:
    """The lines of the run of the show, as far as they can be read."""
    items = _rows(reading, found, "run_of_show", _item)
    if len(items) > MOST_ITEMS:
        reading.fault("run_of_show", f"has {len(items)} lines; {MOST_ITEMS} are the most")
    return items


def _rows(reading: Reading, found: Table, key: str, read: Callable[[Reading, Table, str], Row]) -> tuple[Row, ...]:
    tables = found.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        reading.fault(key, f"should be written as [[{key}]], one for each")
        return ()
    for number, table in enumerate(tables, 1):
        reading.known(table, key, f"{key}[{number}]")
    return tuple(read(reading, table, f"{key}[{number}]") for number, table in enumerate(tables, 1))


def _bot(reading: Reading, table: Table, place: str) -> BotNotes:
    return BotNotes(
        reading.must(table, place, "bot", called_name, ""),
        reading.take(table, place, "say", line(LONGEST_SAY), ""),
        reading.take(table, place, "notes", line(LONGEST_NOTES), ""),
    )


def _item(reading: Reading, table: Table, place: str) -> ShowItem:
    at = reading.take(table, place, "at", clock_time, None)
    return ShowItem(reading.must(table, place, "what", title, ""), f"{at:%H:%M}" if at else "")
