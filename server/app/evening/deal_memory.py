"""Decides at how many tables of a deal the bots can run at the same time in this machine's memory. All tables of a deal
play the same cards.
"""

from msgspec import Struct

from server.bots.sandbox.box_limits import Limits
from server.errors import Refusal
from server.text.grammar import count_text

MEGABYTE = 1 << 20
RESERVE_BYTES = 512 * MEGABYTE
"""This many bytes of memory are kept free for the server and the show."""


class DealMemory(Struct, frozen=True):
    """The memory of an evening of deals. A deal has `table_count` tables with `table_count` seats each. There are
    `bot_count` bots, and `boxed_count` of them run in boxes. `unboxed_bytes` is the measured memory of all bots without
    a box, with one instance of each bot.
    """

    free_bytes: int
    table_count: int
    bot_count: int
    boxed_count: int
    unboxed_bytes: int = 0

    @property
    def _all_bots_bytes(self) -> int:
        """How many bytes all bots take in total, with one instance of each bot."""
        return self.boxed_count * Limits().memory_bytes + self.unboxed_bytes

    @property
    def _spare_bytes(self) -> int:
        return self.free_bytes - RESERVE_BYTES

    def tables_at_once(self) -> int:
        """Returns how many tables can have bots in memory at the same time.

        Raises Refusal if the bots of one table do not fit into memory.
        """
        if self.table_count * self._all_bots_bytes <= self._spare_bytes:
            return self.table_count
        if fitting_tables := max(0, self._spare_bytes) // max(1, self._table_bytes(self.table_count)):
            return min(fitting_tables, self.table_count - 1)
        seats = next(
            (seats for seats in range(self.table_count - 1, 1, -1) if self._table_bytes(seats) <= self._spare_bytes), 0
        )
        cure = f"free some memory, or write seats = {seats} in [format]" if seats else "free some memory"
        raise Refusal(
            f"the bots of one table may take {_megabytes(self._table_bytes(self.table_count))}, but only"
            f" {_megabytes(self.free_bytes)} are free here, and the server and the show need"
            f" {_megabytes(RESERVE_BYTES)}: {cure}"
        )

    def _table_bytes(self, seats: int) -> int:
        return self._all_bots_bytes * seats // self.bot_count

    def describe(self) -> str:
        """Describes how much memory all bots at all tables take, and whether the bots must start anew at each table.
        Raises Refusal if the bots of one table do not fit.
        """
        boxed, unboxed, parts = (
            self.boxed_count * self.table_count,
            (self.bot_count - self.boxed_count) * self.table_count,
            [],
        )
        if boxed:
            box_bytes = Limits().memory_bytes
            programs = f"{count_text(boxed, 'program')} in boxes of at most {_megabytes(box_bytes)} each"
            parts.append(f"{programs} may take {_megabytes(boxed * box_bytes)}")
        if unboxed:
            measured = _megabytes(self.unboxed_bytes * self.table_count)
            parts.append(f"{count_text(unboxed, 'program')} without boxes take about {measured}, as measured")
        needed = f"{' and '.join(parts)}; {_megabytes(self.free_bytes)} are free here"
        if (fitting := self.tables_at_once()) == self.table_count:
            return needed
        return (
            f"{needed}, and the server and the show need {_megabytes(RESERVE_BYTES)}. So only"
            f" {count_text(fitting, 'table')} can have bots at a time: all bots start anew at each table of each deal"
        )


def _megabytes(size: int) -> str:
    return f"{-(-size // MEGABYTE):,} MB"
