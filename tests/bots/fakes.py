"""A clock that the test moves, and a record of a bot's faults."""

import bisect
from collections.abc import Callable

from server.bots.message_records import BotFault, Record


class FakeTimer:
    def __init__(self, when: float, callback: Callable[[], object]) -> None:
        self.when = when
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class FakeClock:
    """A clock in seconds that moves only with `advance`. `call_at` works like the method of an event loop."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._timers: list[FakeTimer] = []

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], object], /) -> FakeTimer:
        timer = FakeTimer(when, callback)
        bisect.insort(self._timers, timer, key=lambda each: each.when)
        return timer

    def advance(self, seconds: float) -> None:
        """Moves the clock; due callbacks run in order, each when the clock shows its time."""
        end = self._now + seconds
        while self._timers and self._timers[0].when <= end:
            timer = self._timers.pop(0)
            self._now = max(self._now, timer.when)
            if timer.callback:
                timer.callback()
        self._now = end


class FaultRecord(Record):
    def __init__(self) -> None:
        self.faults: list[BotFault] = []

    @property
    def reasons(self) -> list[str]:
        return [each.reason for each in self.faults]

    def record_fault(self, wrong: BotFault) -> None:
        self.faults.append(wrong)
