"""Puts storylines on air: sentences about many hands, chosen by commentators. Tells commentators whether a hand will be
long or short.
"""

import asyncio
from collections.abc import Callable
from statistics import median
from typing import Literal

BASE_SECONDS, SECONDS_PER_CHARACTER = 4.0, 0.05
"""A storyline stays on air for BASE_SECONDS, and for SECONDS_PER_CHARACTER more for each character. Viewers can then
notice and read it.
"""
MIN_EARLIER_HANDS = 6
"""A hand is called long or short only if at least this many hands came before it."""
COMPARED_HANDS = 100
"""A hand is compared with at most this many hands before it."""
SHORT_RATIO, LONG_RATIO = 0.6, 1.5
"""A hand is short if it takes less than SHORT_RATIO times the median time of the hands before it. A hand is long if it
takes more than LONG_RATIO times this median.
"""


class StorylineOnAir:
    """The storyline on air. The storyline is removed when its time is over. A pinned storyline stays until `end` is
    called.
    """

    def __init__(self, put: Callable[[str], object]) -> None:
        """`put` puts a text on air instead of the caption. An empty text brings the caption back."""
        self.text = ""
        """The storyline on air, or "" for none."""
        self.pinned = False
        self._put = put
        self._timer: asyncio.TimerHandle | None = None

    def show(self, text: str, *, pinned: bool) -> None:
        """Puts `text` on air in place of an earlier storyline. Needs a running event loop."""
        self._stop()
        self.text, self.pinned = text, pinned
        self._put(text)
        if not pinned:
            seconds = BASE_SECONDS + SECONDS_PER_CHARACTER * len(text)
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
    """Compares the length of each hand with earlier hands, so that commentators know how much time they have.

    Only commentators may see the result, because the length of a hand hints at how it ends.
    """

    def __init__(self) -> None:
        self.hand_length: Literal["", "short", "long"] = ""
        """The length of the hand on air, or "" for an ordinary length."""
        self._times: list[int] = []

    def rate_hand(self, ms: int) -> None:
        """Rates the length of a hand that starts now and will take `ms` milliseconds at speed 1."""
        usual_ms = median(self._times) if len(self._times) >= MIN_EARLIER_HANDS else ms
        self.hand_length = "long" if ms > LONG_RATIO * usual_ms else "short" if ms < SHORT_RATIO * usual_ms else ""
        self._times = [*self._times, ms][-COMPARED_HANDS:]
