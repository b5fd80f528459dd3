"""Which storyline is told now: nothing twice in ten minutes, and every bot has its turn. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable

from broadcast.commentary.storylines.storyline import IMPORTANCES, Storyline

TEN_MINUTES = 24
"""Hands that ten minutes of a show hold at most, at speed 1."""
BETWEEN = 3
"""From one storyline to the next at least so many hands, except for what is breaking."""


class AirTime:
    """What has been told in one show. `hand` counts the hands of the whole show."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, frozenset[int]], int] = {}
        self._of_the_past: set[str] = set()
        """What was told of earlier contests: it stays as it is, and once is enough."""
        self._times: Counter[int] = Counter()
        """How often each bot has been told of."""
        self._last = -BETWEEN

    def choose(self, lines: Iterable[Storyline], hand: int, seated: Collection[int]) -> Storyline | None:
        """The storyline to tell as a hand begins, of bots that are `seated`; it counts as told. None: none now."""
        fresh = [line for line in lines if self._is_fresh(line, hand) and {*line.bots} <= {*seated}]
        best = min(fresh, key=self._rank, default=None)
        if best is None:
            return None
        self._told[best.kind, frozenset(best.bots)] = self._last = hand
        self._times.update(best.bots)
        if best.earlier:
            self._of_the_past.add(best.text)
        return best

    def _is_fresh(self, line: Storyline, hand: int) -> bool:
        last = self._told.get((line.kind, frozenset(line.bots)))
        is_due = line.importance == "breaking" or hand - self._last >= BETWEEN
        return is_due and line.text not in self._of_the_past and (last is None or hand - last > TEN_MINUTES)

    def _rank(self, line: Storyline) -> tuple[int, float, int]:
        """What matters most first; among equals who has been told of least, then what is rarest."""
        often = sum(self._times[bot] for bot in line.bots) / len(line.bots)
        return IMPORTANCES.index(line.importance), often, -line.once_in
