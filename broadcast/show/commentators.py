"""Helps commentators: puts their storyline on air, and warns them of long and short hands."""

import asyncio
from collections.abc import Callable
from statistics import median
from typing import Literal

SECONDS, SECONDS_A_CHARACTER = 4.0, 0.05
"""How long a storyline stays, so that it can be noticed and read: a base, and more for each character."""
MIN_EARLIER_HANDS = 6
"""How many earlier hands are needed before a hand can be called long or short."""
COMPARED_HANDS = 100
"""How many of the latest hands are compared."""
SHORT, LONG = 0.6, 1.5
"""A hand that takes less than SHORT times the usual time is short; one that takes more than LONG times that is long."""


class StorylineOnAir:
    """The storyline on air. It ends when its time is up; a pinned one stays until `end` is called."""

    def __init__(self, put: Callable[[str], object]) -> None:
        """`put` puts a text on air instead of the caption; with "" the caption returns."""
        self.text = ""
        """The storyline on air, "" for none."""
        self.pinned = False
        self._put = put
        self._timer: asyncio.TimerHandle | None = None

    def show(self, text: str, *, pinned: bool) -> None:
        """Puts `text` on air in place of the last storyline. Needs a running event loop."""
        self._stop()
        self.text, self.pinned = text, pinned
        self._put(text)
        if not pinned:
            seconds = SECONDS + SECONDS_A_CHARACTER * len(text)
            self._timer = asyncio.get_running_loop().call_later(seconds, self.end)

    def end(self) -> None:
        """Removes the storyline, if there is one."""
        self._stop()
        if self.text:
            self.text, self.pinned = "", False
            self._put("")

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class Tempo:
    """Compares the length of each hand with the earlier ones, so that commentators can fit their words to it.

    Only commentators may see it: it gives away how the hand goes.
    """

    def __init__(self) -> None:
        self.now: Literal["", "short", "long"] = ""
        """The length of the hand on air, "" if it is ordinary."""
        self._times: list[int] = []

    def begin(self, ms: int) -> None:
        """Rates a hand that starts now and will take `ms` milliseconds at speed 1."""
        usual = median(self._times) if len(self._times) >= MIN_EARLIER_HANDS else ms
        self.now = "long" if ms > LONG * usual else "short" if ms < SHORT * usual else ""
        self._times = [*self._times, ms][-COMPARED_HANDS:]
