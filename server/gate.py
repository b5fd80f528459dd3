"""The gate before every hand: open while the table is not too far ahead of the show, and the operator lets it.

Without a studio it opens by itself after a while: a broken show must not stop the game.
"""

import asyncio
import contextlib
from collections.abc import Callable

from server.game.controls import Controls, evolve
from server.game.events import Event, HandStarted

HANDS_AHEAD = 1
"""How many hands the table may be ahead of the show."""
PATIENCE_SECONDS = 10.0
"""How long the table waits for a studio that is gone."""
MOST_FALLS = 4
"""A studio that went so often without having shown a hand between is gone, though it comes again and again."""


class Gate:
    """One table's gate. `clock` gives monotonic seconds."""

    def __init__(self, controls: Controls, clock: Callable[[], float], patience: float = PATIENCE_SECONDS) -> None:
        self.controls = controls
        self.dealt = 0
        self.shown = 0
        self._clock = clock
        self._patience = patience
        self._left_at: float | None = None
        self._falls = 0
        self._furthest = 0
        """The most hands that were ever shown: a studio that begins anew counts up to them again."""
        self._changed = asyncio.Event()

    async def start(self) -> None:
        """Returns when the operator has started the tournament."""
        while not self.controls.started:
            await self._changed.wait()

    async def __call__(self) -> None:
        """Returns when the table may deal its next hand."""
        while not self._open():
            await self._wait_for_change()

    async def passed(self, hands: int) -> None:
        """Returns when so many hands have been shown."""
        while self.shown < hands:
            await self._changed.wait()

    def heard(self, event: Event) -> None:
        """Follows the log: the desk, and the hands that are dealt."""
        self.dealt += isinstance(event, HandStarted)
        after = evolve(self.controls, event)
        if after != self.controls:
            self.controls = after
            self._wake()

    def has_shown(self, hands: int) -> None:
        """The studio has shown so many hands."""
        if hands > self._furthest:
            self._falls, self._furthest = 0, hands
        self.shown = hands
        self._wake()

    def studio(self, *, here: bool) -> None:
        """A studio has come, or gone. One that keeps falling is not back before it has shown something new."""
        if here is (self._left_at is None) or (here and self._falls >= MOST_FALLS):
            return
        self._falls += not here
        self._left_at = None if here else self._clock()
        self._wake()

    def _open(self) -> bool:
        controls = self.controls
        return controls.started and not controls.paused and (self.dealt - self.shown <= HANDS_AHEAD or self._given_up())

    def _given_up(self) -> bool:
        return self._left_at is not None and self._clock() - self._left_at >= self._patience

    async def _wait_for_change(self) -> None:
        """Until something changes, or the patience with a missing studio ends."""
        left = None if self._left_at is None else max(0.0, self._left_at + self._patience - self._clock())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), left)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
