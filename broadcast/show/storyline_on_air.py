"""The storyline that the commentators have put on the lower third, and when its time is over."""

import asyncio
from collections.abc import Callable

SECONDS, SECONDS_A_LETTER = 4.0, 0.05
"""How long it stays: long enough to be found, and to be read."""


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
