"""Pause, speed and skip: how long a hold really takes, and whether the show may continue. Knows nothing of poker."""

import asyncio
from collections.abc import Awaitable, Callable

from server.game.events import Event
from server.tournament.control_values import Controls, evolve

TRIFLE_MS = 0.5
"""A hold with less left than this is over, because clocks are not exact."""
LATE_SECONDS = 0.25
"""The next hold makes up for a delay up to this; a longer one means that the show waited for the table."""


class Playback:
    """Pause, speed and skip of one show. `written` is the speed of its channel; at 0 there are no holds."""

    def __init__(
        self, written: float, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.controls = Controls()
        self.governor = 1.0
        """The governor's factor for the operator's speed."""
        self._written = written
        self._clock = clock
        self._sleep = sleep
        self._changed = asyncio.Event()
        self._holding = self._cut = False
        self._step = self._granted = False
        self._due = float("-inf")
        """When the last hold should have ended."""

    @property
    def pace(self) -> float:
        """The speed of the show: its milliseconds per real millisecond."""
        return self.asked * self.governor

    @property
    def asked(self) -> float:
        """The pace set by the operator, without the governor's factor."""
        return self._written * self.controls.speed

    @property
    def frozen(self) -> bool:
        """Whether the show stands still: paused, or behind a card, where viewers would miss it."""
        return self.controls.paused or self.controls.card != ""

    def apply(self, event: Event) -> None:
        """Applies a change of the operator's settings; the present hold continues at the new pace."""
        before, self.controls = self.controls, evolve(self.controls, event)
        self._granted &= before.held == self.controls.held
        self.wake()

    def skip(self, *, ready: bool) -> None:
        """Ends the present hold for the operator's "next"; if something is `ready`, a held or paused show may begin it.

        Does nothing behind a card: nobody would see what was skipped.
        """
        if self.controls.card:
            return
        self._cut = self._holding
        self._step = self._holding or ready
        self._granted |= ready and self.controls.held and not self._holding
        self.wake()

    def may_begin(self, *, stop: bool) -> bool:
        """Whether the next group may go on air; `stop` says that a held show does not begin it."""
        held = stop and self.controls.held and not self._granted
        return not (self.controls.card or held or (self.controls.paused and not self._step))

    def passed(self) -> None:
        """Revokes what `skip` allowed a held show, once a hand or a leaderboard is over."""
        self._granted = False

    def wake(self) -> None:
        """Wakes `change` and `hold`, because something has changed."""
        self._changed.set()
        self._changed = asyncio.Event()

    def cut(self) -> None:
        self._cut = self._holding
        self.wake()

    async def change(self, within_ms: float | None = None) -> float:
        """Returns on `wake`, or after `within_ms` of the show; the result is how many of these passed, else 0."""
        if within_ms is not None:
            return await self._pass(within_ms)
        await self._changed.wait()
        return 0.0

    async def hold(self, ms: float) -> None:
        """Returns when `ms` of the show have passed and it is not frozen, or when the hold is cut."""
        self._holding, self._cut, self._step = True, False, False
        late = self._clock() - self._due
        shortened = max(ms / 2, ms - late * self.pace * 1000) if late <= LATE_SECONDS else ms
        left = shortened if self._written else 0.0
        await self._sleep(0)
        while not self._cut and (self.frozen or left > TRIFLE_MS):
            left -= await self._pass(left)
        self._holding = False
        self._due = self._clock() + (min(left, 0.0) / self.pace / 1000 if self._written else 0.0)

    async def _pass(self, left: float) -> float:
        """The ms of the show that have passed once `left` is over or something has changed."""
        if self.frozen:
            await self.change()
            return 0.0
        began, pace = self._clock(), self.pace
        changed = asyncio.ensure_future(self._changed.wait())
        slept = asyncio.ensure_future(self._sleep(left / pace / 1000))
        try:
            await asyncio.wait((changed, slept), return_when=asyncio.FIRST_COMPLETED)
        finally:
            changed.cancel()
            slept.cancel()
        return (self._clock() - began) * pace * 1000
