"""From house log to on-air log: a hand goes on air when it is finished at the table, event by event, at its pace."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from broadcast.airlog import AirLog
from broadcast.onair import StandingsChanged
from broadcast.pacing import LEADERBOARD, holds
from broadcast.story import Story
from server.game.events import Event, HandEnded, HandStarted
from server.journal import Entry

HANDS_AHEAD = 1
"""How many hands the table may be ahead of the show."""


class Showrunner:
    """Runs the show of one channel. `speed` 0 is as fast as it goes."""

    def __init__(
        self,
        air: AirLog,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._air = air
        self._clock = clock
        self._sleep = sleep
        self._story = Story()
        self._begun = clock()
        self._dealt = 0
        self._shown = 0
        self._progress = asyncio.Condition()

    async def gate(self) -> None:
        """Returns when the table may deal its next hand without getting too far ahead of the show."""
        async with self._progress:
            await self._progress.wait_for(lambda: self._dealt - self._shown <= HANDS_AHEAD)
            self._dealt += 1

    async def run(self, entries: AsyncIterator[Entry]) -> None:
        """Shows everything of `entries`, to the end."""
        hand: list[Event] = []
        async for entry in entries:
            event = entry.event
            if hand or isinstance(event, HandStarted):
                hand.append(event)
                if isinstance(event, HandEnded):
                    await self._show(hand)
                    await self._hand_shown()
                    hand = []
            else:
                await self._show([event])

    async def _show(self, events: Sequence[Event]) -> None:
        for event, hold in zip(events, holds(events, self._story.sounds_ms()), strict=True):
            await self._put(event, hold)

    async def _put(self, event: Event, hold: int) -> None:
        added = self._story.after(event)
        if any(isinstance(extra, StandingsChanged) for extra in added):
            hold = LEADERBOARD
        hold_ms = int(hold / self._air.speed) if self._air.speed else 0
        at_ms = int((self._clock() - self._begun) * 1000)
        for each in (event, *added):
            self._air.put(each, at_ms, hold_ms)
        await self._sleep(hold_ms / 1000)

    async def _hand_shown(self) -> None:
        async with self._progress:
            self._shown += 1
            self._progress.notify_all()
