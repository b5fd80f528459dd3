"""Fakes for time and network: a clock that the test moves, and a connection at whose other end the test is the bot."""

import heapq
import itertools
import json
from collections.abc import Callable
from typing import Any


class FakeTimer:
    """A callback that is due at `when` unless it is cancelled."""

    def __init__(self, when: float, callback: Callable[[], object]) -> None:
        self.when = when
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class FakeClock:
    """A clock in seconds that moves only with `advance`. `call_at` works like the method of an event loop."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._timers: list[tuple[float, int, FakeTimer]] = []
        self._numbers = itertools.count()

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], object], /) -> FakeTimer:
        timer = FakeTimer(when, callback)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def advance(self, seconds: float) -> None:
        """Moves the clock; due callbacks run in order, each when the clock shows its time."""
        end = self._now + seconds
        while self._timers and self._timers[0][0] <= end:
            when, _, timer = heapq.heappop(self._timers)
            self._now = max(self._now, when)
            if timer.callback:
                timer.callback()
        self._now = end


class FakeConnection:
    """The server's connection to a bot. The test plays the bot: it reads messages in `sent` and writes with `say`."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        """Each message that the bot received."""
        self.kernel_takes = True
        """Whether the kernel takes each message at once. If not, messages wait for `let_through`."""
        self.arrived: list[bytes] = []
        """Bytes that the bot has sent and the server has not read yet."""
        self.closed = False
        self._held: list[Callable[[], None]] = []

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The messages that the bot received, parsed."""
        return [json.loads(message) for message in self.raw]

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._received = received
        self._lost = lost

    def send(
        self, message: bytes, *, droppable: bool = False, on_handed_over: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        def hand() -> None:
            self.raw.append(message)
            if on_handed_over:
                on_handed_over()

        if on_handed_over:
            self.drain()
        self._held.append(hand)
        if self.kernel_takes:
            self.let_through()
        return lambda: self._held.remove(hand) if hand in self._held else None

    def let_through(self) -> None:
        """Lets the kernel take all messages that it has not taken yet."""
        held, self._held = self._held, []
        for hand in held:
            hand()

    def drain(self) -> None:
        arrived, self.arrived = self.arrived, []
        for received in arrived:
            self._received(received)

    def close(self) -> None:
        self.closed = True

    def say(self, *messages: dict[str, Any] | bytes) -> None:
        """Sends `messages` as the bot, all in one piece."""
        self._received(b"".join(m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages))

    def lose(self, reason: str = "closed the connection") -> None:
        self._lost(reason)
