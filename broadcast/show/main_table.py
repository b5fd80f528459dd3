"""Chooses the table to show when several tables play the same deal: a dramatic table with unusual results."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from broadcast.commentary.drama import drama_of
from broadcast.on_air.table_state import TableEntry, with_tables
from server.game.events import Event, HandEnded, HandStarted
from server.journal.journal import Entry

DIFFERENCE_WEIGHT = 60
"""A table gets at most this many points for the seat with the most unusual result. The table gets all points if this
result differs from the seat's mean at all tables by a starting stack or more.
"""


def choose_main_table(tables: Sequence[Sequence[Event]]) -> int:
    """Returns the index of the table with the most to tell. `tables` has the events at each table of a deal.

    Each table gets the score of its most dramatic hand, computed without chances to win. A table also gets points for
    its most unusual seat. The points measure how far the seat's result is from the mean of this seat at all tables. The
    table with the largest sum is chosen. If tables have the same sum, the first of them is chosen. No I/O.
    """
    results = [_chips_won(events) for events in tables]
    means = [fmean(column) for column in zip(*results, strict=False)]
    stack = max(
        1,
        max((max(event.stacks) for events in tables for event in events if isinstance(event, HandStarted)), default=1),
    )

    def score(table_index: int) -> float:
        deviation = max((abs(won - mean) for won, mean in zip(results[table_index], means, strict=False)), default=0.0)
        return _max_drama(tables[table_index]) + DIFFERENCE_WEIGHT * min(1.0, deviation / stack)

    return max(range(len(tables)), key=lambda table_index: (score(table_index), -table_index))


def _max_drama(events: Sequence[Event]) -> int:
    """Returns the score of the most dramatic hand, or 0 without hands."""
    return max((drama_of(hand, {}).score for hand in _hands(events)), default=0)


def _hands(events: Sequence[Event]) -> Iterator[list[TableEntry]]:
    hand: list[TableEntry] = []
    for entry in with_tables(Entry(seq, 0, event) for seq, event in enumerate(events, 1)):
        hand = [entry] if isinstance(entry.event, HandStarted) else [*hand, entry]
        if isinstance(entry.event, HandEnded):
            yield hand


def _chips_won(events: Sequence[Event]) -> list[int]:
    """Returns how many chips each seat won in all hands together, or [] if no hand was played to its end."""
    first_stacks = next((event.stacks for event in events if isinstance(event, HandStarted)), ())
    last_stacks = next((event.stacks for event in reversed(events) if isinstance(event, HandEnded)), ())
    return [after - before for before, after in zip(first_stacks, last_stacks, strict=False)]
