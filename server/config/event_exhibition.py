"""Reads an event file's exhibition: a thinking clock that replaces the contest's own time limits."""

from collections.abc import Mapping

from msgspec import Struct

from server.config.event_reader import Reading, Table
from server.game.formats import Format, as_exhibition

_OTHER_LIMITS = ("answer_seconds", "hand_seconds")


class ExhibitionPlan(Struct, frozen=True):
    """The thinking clock of an exhibition. A bot has `seconds` for each decision. Decisions that take longer use up its
    time `bank`, in seconds.

    The bank is full at the start of each game. So a bot that has used up its bank gets a new bank in the next game, and
    each game can be proved from its own events.
    """

    seconds: int = 30
    bank: int = 120

    def of(self, contest: Format) -> Format:
        """`contest` with this clock."""
        return as_exhibition(contest, 1000 * self.seconds, 1000 * self.bank)


def read_exhibition(reading: Reading, found: Table, *, evening: bool) -> ExhibitionPlan | None:
    """Returns the exhibition, or None if the file has none. If `evening` is false, an exhibition is a fault, because
    practice and seasons cannot have one.
    """
    if "exhibition" not in found:
        return None
    table, usual = reading.table(found, "exhibition"), ExhibitionPlan()
    if not evening:
        reading.fault("exhibition", "is for evenings: practice games and seasons keep the contest's own time limits")
    own_table = found.get("table")
    for key in own_table if isinstance(own_table, Mapping) else ():
        if key in _OTHER_LIMITS:
            reading.fault(f"table.{key}", "cannot be set beside [exhibition], which has the time limits")
    return ExhibitionPlan(
        reading.number(table, "exhibition.seconds", usual.seconds), reading.number(table, "exhibition.bank", usual.bank)
    )
