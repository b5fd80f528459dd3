"""Controls a show's timing: pause, speed, skip, and how long each event stays on screen. Knows nothing of poker."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from server.game.events import Event
from server.tournament.control_values import Controls, evolve

TOLERANCE_MS = 0.5
"""A hold is the time for which an event stays on screen. A hold is over once at most this many milliseconds are left,
because clocks are not exact.
"""
MAX_CATCH_UP_SECONDS = 0.25
"""After a delay of at most this many seconds, the next hold is shortened to make up for the delay. After a longer
delay, nothing is shortened, because the show was waiting for the next hand.
"""


async def wait_for_wake(seconds: float, woken: asyncio.Event) -> None:
    """Waits for `woken`, but at most for `seconds`. Lets other tasks run, even if `seconds` is 0."""
    if seconds <= 0:
        await asyncio.sleep(0)
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await woken.wait()


class Playback:
    """Pause, speed and skip of one show. The method `hold` keeps one event on screen. The operator's control `held` is
    something else: it makes the whole show wait before its next hand.

    The operator's speed is multiplied by `channel_speed`. If `channel_speed` is 0, there are no holds.
    `wait(seconds, woken)` returns after that many seconds of `clock`, or once `woken` is set.
    """

    def __init__(
        self,
        channel_speed: float,
        clock: Callable[[], float],
        wait: Callable[[float, asyncio.Event], Awaitable[None]] = wait_for_wake,
    ) -> None:
        self.controls = Controls()
        self.governor = 1.0
        """The governor makes the show end on time. It multiplies the operator's speed by this factor."""
        self._channel_speed = channel_speed
        self._clock = clock
        self._wait = wait
        self._changed = asyncio.Event()
        self._is_holding = self._is_hold_end_requested = False
        self._may_begin_while_paused = self._may_begin_while_held = False
        self._hold_due_at = float("-inf")
        """The time on the clock at which the last hold should have ended."""

    @property
    def pace(self) -> float:
        """The speed of the show: milliseconds of the show per real millisecond."""
        return self.ungoverned_pace * self.governor

    @property
    def ungoverned_pace(self) -> float:
        """The pace without the governor's factor: the channel's speed times the operator's."""
        return self._channel_speed * self.controls.speed

    @property
    def is_frozen(self) -> bool:
        """Whether the show stands still: it is paused, or hidden by a full-screen card such as the break card."""
        return self.controls.paused or self.controls.card != ""

    def apply(self, event: Event) -> None:
        """Applies a change of the operator's settings. A hold that is under way continues at the new pace."""
        controls_before, self.controls = self.controls, evolve(self.controls, event)
        self._may_begin_while_held &= controls_before.held == self.controls.held
        self.wake()

    def skip(self, *, ready: bool) -> None:
        """Performs the operator's "next": ends the current hold.

        If the next group of entries, such as a hand, is `ready`, the group may start although the operator has paused
        the show, or holds the show before its next hand. Does nothing while a full-screen card is up, because viewers
        would not see what was skipped.
        """
        if self.controls.card:
            return
        self._is_hold_end_requested = self._is_holding
        self._may_begin_while_paused = self._is_holding or ready
        self._may_begin_while_held |= ready and self.controls.held and not self._is_holding
        self.wake()

    def may_begin(self, *, is_hold_point: bool) -> bool:
        """Whether the next group of entries may go on air. `is_hold_point` says whether the control `held` makes the
        show wait before this group, as it does before a hand.
        """
        is_held = is_hold_point and self.controls.held and not self._may_begin_while_held
        return not (self.controls.card or is_held or (self.controls.paused and not self._may_begin_while_paused))

    def hold_again(self) -> None:
        """If `skip` has let a held show go on, makes the show wait again. Call this after a hand or a
        leaderboard.
        """
        self._may_begin_while_held = False

    def wake(self) -> None:
        """Wakes `wait_for_change` and `hold`. Call this after a change that affects either method."""
        self._changed.set()
        self._changed = asyncio.Event()

    def end_hold(self) -> None:
        self._is_hold_end_requested = self._is_holding
        self.wake()

    async def wait_for_change(self, within_ms: float | None = None) -> float:
        """Waits for `wake`, but for at most `within_ms` milliseconds of the show.

        Returns how many milliseconds of the show have passed, or 0 without `within_ms`.
        """
        if within_ms is not None:
            return await self._pass(within_ms)
        await self._changed.wait()
        return 0.0

    async def hold(self, ms: float) -> None:
        """Waits until `ms` milliseconds of the show have passed and the show is not frozen. A call of `end_hold` ends
        this wait.
        """
        self._is_holding, self._is_hold_end_requested, self._may_begin_while_paused = True, False, False
        delay = self._clock() - self._hold_due_at
        shortened = max(ms / 2, ms - delay * self.pace * 1000) if delay <= MAX_CATCH_UP_SECONDS else ms
        left_ms = shortened if self._channel_speed else 0.0
        await self._wait(0, self._changed)
        while not self._is_hold_end_requested and (self.is_frozen or left_ms > TOLERANCE_MS):
            left_ms -= await self._pass(left_ms)
        self._is_holding = False
        self._hold_due_at = self._clock() + (min(left_ms, 0.0) / self.pace / 1000 if self._channel_speed else 0.0)

    async def _pass(self, left_ms: float) -> float:
        """Waits until `left_ms` milliseconds of the show have passed or something changes. Returns how many ms have
        passed.
        """
        if self.is_frozen:
            await self.wait_for_change()
            return 0.0
        start, pace = self._clock(), self.pace
        await self._wait(left_ms / pace / 1000, self._changed)
        return (self._clock() - start) * pace * 1000
