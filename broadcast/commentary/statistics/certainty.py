"""What the statistics of an evening can tell, and what they cannot. Pure."""

from collections.abc import Mapping, Sequence

from broadcast.odds.earned import Unit
from broadcast.on_air.events import StatisticsChanged
from server.text.grammar import listed_within, named

NAMES_ROOM = 60
"""Letters."""


def bounds_of(units: Sequence[Unit], bot: int) -> dict[str, int]:
    """The fields `low` and `high` of what a bot earns in as many units, with 95 %; none where that cannot be told."""
    from broadcast.odds.certainty import interval_of  # noqa: PLC0415  brings NumPy, which a studio is not to wait for

    earned = [float(unit[bot].earned) for unit in units if bot in unit]
    interval = interval_of(earned)
    if interval is None:
        return {}
    return {"low": round(len(earned) * interval.low), "high": round(len(earned) * interval.high)}


def plain_truth(counted: StatisticsChanged, names: Mapping[int, str]) -> str:
    """How sure one can be of what the bots have earned, in a sentence or two."""
    told = [row for row in counted.rows if row.low is not None and row.high is not None]
    if not told:
        return f"{counted.hands:,} hands cannot tell a good bot from a lucky one."
    clear = [named(names[row.bot]) for row in told if (row.low or 0) > 0 or (row.high or 0) < 0]
    who = listed_within(clear, NAMES_ROOM)
    truth = "One evening cannot tell a good bot from a lucky one."
    if not clear:
        return f"{truth} No range of what was earned stays clear of zero."
    if len(clear) == 1:
        return f"{truth} The range of what {who} earned is the only one that stays clear of zero."
    return f"{truth} The ranges of what {who} earned stay clear of zero."
