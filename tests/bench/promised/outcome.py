"""The outcome of trying a promise, and the table of all outcomes."""

from collections.abc import Iterable

from msgspec import Struct


class Outcome(Struct, frozen=True):
    """The outcome for a promise: how often it was tried and broken, what was measured, and the goal."""

    tried: str
    """What was tried, such as "kills" or "pairs of decks"."""
    times: int
    lost: int
    figure: str = ""
    goal: str = ""

    @property
    def holds(self) -> bool:
        """Whether the promise was tried at all and never broken."""
        return self.times > 0 and self.lost == 0


def table(rows: Iterable[tuple[str, str, Outcome]]) -> str:
    """Returns a Markdown table with a line for each promise: its number, its text and its outcome."""
    lines = ["| | promise | tried | broken | measured | goal |", "|---|---|--:|--:|---|---|"]
    for number, promise, outcome in rows:
        tried = f"{outcome.times:,} {outcome.tried}"
        lines.append(f"| {number} | {promise} | {tried} | {outcome.lost} | {outcome.figure} | {outcome.goal} |")
    return "\n".join(lines)
