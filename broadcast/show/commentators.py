"""What the show does for those who comment: their storyline on air, and whether the hand on air will be a long one."""

import asyncio
from collections.abc import Callable
from statistics import median
from typing import Literal

SECONDS, SECONDS_A_LETTER = 4.0, 0.05
"""How long it stays: long enough to be found, and to be read."""
FEWEST = 6
"""So many hands have to be known before one is called long or short."""
KEPT = 100
SHORT, LONG = 0.6, 1.5
"""Parts of the usual time of a hand."""
Pace = Literal["", "short", "long"]


class StorylineOnAir:
    """One storyline at a time: it goes by itself after its time, or stays until another word if it is pinned."""

    def __init__(self, put: Callable[[str], object]) -> None:
        """`put` puts a text on air in place of the caption, or with "" the caption again."""
        self.text = ""
        """What is on air now, "" for nothing."""
        self.pinned = False
        self._put = put
        self._timer: asyncio.TimerHandle | None = None

    def show(self, text: str, *, pinned: bool) -> None:
        """Puts `text` on air, in place of the one before it. To be called in a running event loop."""
        self._stop()
        self.text, self.pinned = text, pinned
        self._put(text)
        if not pinned:
            seconds = SECONDS + SECONDS_A_LETTER * len(text)
            self._timer = asyncio.get_running_loop().call_later(seconds, self.end)

    def end(self) -> None:
        """Takes it away; does nothing if there is none."""
        self._stop()
        if self.text:
            self.text, self.pinned = "", False
            self._put("")

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class Tempo:
    """Compares each hand with those before it. Only commentators are told, who have to fit their words to it."""

    def __init__(self) -> None:
        self.now: Pace = ""
        """How the hand on air compares, "" for as usual."""
        self._times: list[int] = []

    def begin(self, ms: int) -> None:
        """A hand begins that takes so many milliseconds at speed 1."""
        usual = median(self._times) if len(self._times) >= FEWEST else ms
        self.now = "long" if ms > LONG * usual else "short" if ms < SHORT * usual else ""
        self._times = [*self._times, ms][-KEPT:]
