"""The outcome of trying a promise."""

from msgspec import Struct


class Outcome(Struct, frozen=True):
    """How often a promise was tried and broken, what was measured, and the goal."""

    tried: str
    """What was tried, such as "kills" or "pairs of decks"."""
    times: int
    lost: int
    figure: str = ""
    goal: str = ""

    @property
    def holds(self) -> bool:
        return self.times > 0 and self.lost == 0
