"""Reads an event file's settings for an exhibition, where a thinking clock replaces the contest's own time limits."""

from collections.abc import Mapping

from msgspec import Struct

from server.config.event_reader import EventReader, Table
from server.game.formats import Format, as_exhibition

_OTHER_LIMITS = ("answer_seconds", "hand_seconds")


class ExhibitionPlan(Struct, frozen=True):
    """The thinking clock of an exhibition. A bot has `seconds` for each decision. If it needs more, the extra time is
    taken from its `bank`, which is also in seconds.

    The bank is full again at the start of each game. So each game can be verified from its own events alone.
    """

    seconds: int = 30
    bank: int = 120

    def adapt(self, contest_format: Format) -> Format:
        """Returns `contest_format` with this clock."""
        return as_exhibition(contest_format, 1000 * self.seconds, 1000 * self.bank)


def read_exhibition(reader: EventReader, root: Table, *, is_evening: bool) -> ExhibitionPlan | None:
    """Returns the exhibition, or None if the file has none. If `is_evening` is false, an exhibition is a fault, because
    practice and seasons keep the contest's own time limits.
    """
    if "exhibition" not in root:
        return None
    table, defaults = reader.read_table(root, "exhibition"), ExhibitionPlan()
    if not is_evening:
        reader.add_fault("exhibition", "is for evenings: practice games and seasons keep the contest's own time limits")
    own_table = root.get("table")
    for key in own_table if isinstance(own_table, Mapping) else ():
        if key in _OTHER_LIMITS:
            reader.add_fault(f"table.{key}", "cannot be set beside [exhibition], which has the time limits")
    return ExhibitionPlan(
        reader.read_number(table, "exhibition.seconds", defaults.seconds),
        reader.read_number(table, "exhibition.bank", defaults.bank),
    )
