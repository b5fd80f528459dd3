"""Whether the hand that begins on air will be a long one. It is all that is told of a hand before its time."""

from statistics import median
from typing import Literal

FEWEST = 6
"""So many hands have to be known before one is called long or short."""
KEPT = 100
SHORT, LONG = 0.6, 1.5
"""Parts of the usual time of a hand."""
Pace = Literal["", "short", "long"]


class Tempo:
    """Compares each hand with those before it. Only commentators are told, who have to fit their words to it."""

    def __init__(self) -> None:
        self.now: Pace = ""
        """How the hand on air compares, "" for as usual."""
        self._times: list[int] = []

    def begin(self, ms: int) -> None:
        """A hand begins that takes so many milliseconds at speed 1."""
        self.now = self._compared(ms)
        self._times = [*self._times, ms][-KEPT:]

    def _compared(self, ms: int) -> Pace:
        if len(self._times) < FEWEST:
            return ""
        usual = median(self._times)
        return "long" if ms > LONG * usual else "short" if ms < SHORT * usual else ""
