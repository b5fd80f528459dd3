"""A bar that grows on standard error while long work goes on, beside what the command says."""

import sys
import time
from collections.abc import Callable

_WIDE = 30
_STEPS = 10
"""On anything but a terminal: a line for each such part of the work."""


class ProgressBar:
    """So many pieces of work, and how many of them are done."""

    def __init__(self, doing: str, pieces: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._doing = doing
        self._pieces = max(1, pieces)
        self._clock = clock
        self._begun = clock()
        self._done = 0
        self._terminal = sys.stderr.isatty()
        self._tell()

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        self._tell()

    def end(self) -> None:
        """Leaves room for other words."""
        if self._terminal:
            self._write("\r\x1b[2K")

    def _tell(self) -> None:
        if self._terminal:
            self._write(f"\r\x1b[2K{self._doing} {self._bar()} {self._words()}")
        elif self._done * _STEPS // self._pieces > (self._done - 1) * _STEPS // self._pieces:
            self._write(f"{self._doing}: {self._words()}\n")

    def _bar(self) -> str:
        full = min(_WIDE, self._done * _WIDE // self._pieces)
        return f"[{'#' * full}{'.' * (_WIDE - full)}]"

    def _words(self) -> str:
        done = f"{self._done} of {self._pieces}"
        if not 0 < self._done < self._pieces:
            return done
        left = (self._clock() - self._begun) / self._done * (self._pieces - self._done)
        return f"{done}, {left:.0f} s left"

    def _write(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)
