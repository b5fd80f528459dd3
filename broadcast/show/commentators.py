"""What the show does for its commentators: it puts their storyline on air, and warns them of long and short hands."""

import asyncio
from collections.abc import Callable
from statistics import median
from typing import Literal

SECONDS, SECONDS_A_CHARACTER = 4.0, 0.05
"""How long a storyline stays: long enough to be noticed and read."""
FEWEST = 6
"""Hands to compare with before one is called long or short."""
KEPT = 100
SHORT, LONG = 0.6, 1.5
"""Fractions of the usual time of a hand."""


class StorylineOnAir:
    """One storyline at a time: it disappears when its time is up or, if it is pinned, when it is taken away."""

    def __init__(self, put: Callable[[str], object]) -> None:
        """`put` puts a text on air instead of the caption; "" brings the caption back."""
        self.text = ""
        """The storyline on air, "" for none."""
        self.pinned = False
        self._put = put
        self._timer: asyncio.TimerHandle | None = None

    def show(self, text: str, *, pinned: bool) -> None:
        """Puts `text` on air, replacing the last one. Needs a running event loop."""
        self._stop()
        self.text, self.pinned = text, pinned
        self._put(text)
        if not pinned:
            seconds = SECONDS + SECONDS_A_CHARACTER * len(text)
            self._timer = asyncio.get_running_loop().call_later(seconds, self.end)

    def end(self) -> None:
        """Takes the storyline away, if there is one."""
        self._stop()
        if self.text:
            self.text, self.pinned = "", False
            self._put("")

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class Tempo:
    """Compares each hand's length with those before it, only for commentators, who must fit their words to it."""

    def __init__(self) -> None:
        self.now: Literal["", "short", "long"] = ""
        """The length of the hand on air, "" if it is an ordinary one."""
        self._times: list[int] = []

    def begin(self, ms: int) -> None:
        """Rates a hand that begins and will take `ms` milliseconds at speed 1."""
        usual = median(self._times) if len(self._times) >= FEWEST else ms
        self.now = "long" if ms > LONG * usual else "short" if ms < SHORT * usual else ""
        self._times = [*self._times, ms][-KEPT:]
