"""A showrunner (which puts a contest on air) and an operator, on a clock that only tests move."""

import asyncio
import heapq
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from math import ceil
from typing import Any

from broadcast.on_air.air_log import AirLog
from broadcast.on_air.picture_state import State
from broadcast.show.showrunner import Showrunner
from server.game.events import Control, ControlSet, Cue, CueGiven, Event
from server.journal.bus import Bus
from tests.support.background import background_task
from tests.support.idle_loop import settle

Entries = list[dict[str, Any]]


class ManualClock:
    """A clock in seconds that only tests move. A `sleep` ends when `run` has moved the clock far enough."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waking = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._numbers), waking))
        await waking

    async def wait(self, seconds: float, woken: asyncio.Event) -> None:
        """Waits for `woken`, but for at most `seconds` of this clock."""
        sleeping, waking = asyncio.ensure_future(self.sleep(seconds)), asyncio.ensure_future(woken.wait())
        try:
            await asyncio.wait((sleeping, waking), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            waking.cancel()

    async def run(self, seconds: float) -> None:
        """Moves the clock by `seconds`. Sleepers wake in order, each at its own time."""
        end = self.now + seconds
        await settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            due_at, _, wake_up = heapq.heappop(self._sleepers)
            if not wake_up.done():
                self.now = due_at
                wake_up.set_result(None)
                await settle()
        self.now = end

    async def run_until_woken(self, step: float) -> None:
        """Moves the clock by one or more whole steps, until the next sleeper has woken."""
        await settle()
        wait = self._sleepers[0][0] - self.now if self._sleepers else step
        await self.run(step * max(1, ceil(wait / step)))


class ShowOnFakeClock:
    """A show. `bus` brings it the contest's events. `aired` collects what is aired. The showrunner gets `settings`."""

    def __init__(
        self, speed: float = 1, *, bus: Bus | None = None, clock: ManualClock | None = None, **settings: Any
    ) -> None:
        self.clock = clock or ManualClock()
        self.bus = bus or Bus(None, lambda: 0.0)
        self.air = AirLog("main", speed)
        self.aired: Entries = []
        self.air.listeners.add(lambda text: self.aired.append(json.loads(text)))
        past_lines = settings["diary"].read() if settings.get("diary") else ()  # what earlier runs aired
        self.runner = Showrunner(
            self.air, clock=lambda: self.clock.now, wait=self.clock.wait, past_lines=past_lines, **settings
        )

    def running_task(self) -> AbstractAsyncContextManager[asyncio.Task[None]]:
        """Runs the show during the `with` block, then cancels it, as if its program were killed."""
        return background_task(self.runner.run(self.bus.follow()))

    async def set(self, control: Control, value: bool | float | str, bot: int = 0) -> None:
        self.bus.publish(ControlSet(control, value, False, bot, "Ada"))
        await settle()

    async def cue(self, cue: Cue) -> None:
        self.bus.publish(CueGiven(cue, "Ada"))
        await settle()

    async def run_until_aired(self, entry_type: str, times: int = 1, step: float = 0.05) -> None:
        """Lets time pass in steps until `times` entries of `entry_type` have been on air."""
        for _ in range(4000):
            if list_types(self.aired).count(entry_type) >= times:
                return
            await self.clock.run_until_woken(step)
        raise AssertionError(f"{entry_type} was not on air {times} times; last was {list_types(self.aired)[-1:]}")


@asynccontextmanager
async def running_show(*events: Event, speed: float = 1, **settings: Any) -> AsyncIterator[ShowOnFakeClock]:
    show = ShowOnFakeClock(speed, **settings)
    show.bus.publish(*events)
    async with show.running_task():
        yield show


def list_types(entries: Entries) -> list[str]:
    return [entry["type"] for entry in entries]


def without_times(entries: Entries) -> Entries:
    return [{key: value for key, value in entry.items() if key not in ("seq", "at_ms", "hold_ms")} for entry in entries]


async def run_alone(events: Sequence[Event]) -> tuple[Entries, State]:
    """Shows `events` without an operator. Returns what went on air, and the final picture (the show's state)."""
    show = ShowOnFakeClock(0)
    show.bus.publish(*events)
    show.bus.close()
    async with show.running_task() as task:
        await task
    return show.aired, show.air.picture
