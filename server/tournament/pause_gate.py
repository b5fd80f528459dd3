"""Decides when the next hand may be dealt: not during a pause, and not too far ahead of the show.

While the studio (the process that runs the show) is gone, the table waits, so that viewers miss no hand. The operator
can let the table play on unseen.
"""

import asyncio

from server.game.events import ControlSet, Event, HandStarted, StageStarted
from server.tournament.control_values import Controls, evolve

MAX_HANDS_AHEAD = 1
"""How many hands the table may be ahead of the show. In a stage of deals (the same cards at several tables), the table
may be this many deals ahead.
"""


class PauseGate:
    """The gate of one table. Await `gate()` before each hand."""

    def __init__(self, controls: Controls) -> None:
        self.controls = controls
        self.hands_dealt = 0
        self.hands_shown = 0
        self.is_studio_gone = False
        """Whether the studio counts as gone, because it has been away for too long or crashes again and again."""
        self._max_hands_ahead = MAX_HANDS_AHEAD
        self._changed = asyncio.Event()

    async def wait_for_start(self) -> None:
        """Waits until the operator has started the tournament."""
        while not self.controls.started:
            await self._changed.wait()

    async def __call__(self) -> None:
        """Waits until the table may deal its next hand."""
        while not self._is_open():
            await self._changed.wait()

    async def wait_until_shown(self, hands: int) -> None:
        """Waits until the show has shown `hands` hands."""
        while self.hands_shown < hands:
            await self._changed.wait()

    def apply(self, event: Event) -> None:
        """Applies an event from the journal. Most events make no difference to the gate."""
        self.hands_dealt += isinstance(event, HandStarted)
        if isinstance(event, StageStarted):
            self._max_hands_ahead = MAX_HANDS_AHEAD * (
                min(event.seats, len(event.bots)) * event.hands if event.deals else 1
            )
        new_controls = evolve(self.controls, event)
        if new_controls != self.controls:
            self.controls = new_controls
            self._wake()

    def set_hands_shown(self, hands: int) -> None:
        """Sets how many hands the studio has shown. A restarted studio counts from the first hand again."""
        self.hands_shown = hands
        self._wake()

    def set_studio_gone(self, *, is_gone: bool) -> None:
        """Sets whether the studio counts as gone."""
        self.is_studio_gone = is_gone
        self._wake()

    def why_cannot_play_unseen(self, event: Event) -> str:
        """If `event` tells the table to play on without a studio, returns why it may not. Otherwise returns ""."""
        if not (isinstance(event, ControlSet) and event.control == "unseen" and event.value):
            return ""
        if not self.controls.started:
            return "the tournament has not started"
        return "" if self.is_studio_gone else "the studio is running: the table plays as the show continues"

    def _is_open(self) -> bool:
        if self.controls.paused or not self.controls.started:
            return False
        return self.controls.unseen or (
            not self.is_studio_gone and self.hands_dealt - self.hands_shown <= self._max_hands_ahead
        )

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
