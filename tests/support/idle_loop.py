"""An event loop that tells a test when no task can run."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

SETTLE_SECONDS = 60.0
Result = TypeVar("Result")


class IdleSelector(selectors.DefaultSelector):
    """Completes the futures in `waiters` once the event loop is idle (no task can run)."""

    def __init__(self) -> None:
        super().__init__()
        self.waiters: list[asyncio.Future[None]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout == 0 or not self.waiters:  # The event loop passes 0 while a task can run.
            return super().select(timeout)
        events = super().select(0)
        while self.waiters and not events:
            waiter = self.waiters.pop()
            if not waiter.done():
                waiter.set_result(None)
        return events


class IdleLoop(asyncio.SelectorEventLoop):
    """The event loop of all asynchronous tests. See `settle`."""

    def __init__(self) -> None:
        self.idle_selector = IdleSelector()
        super().__init__(self.idle_selector)


async def settle() -> None:
    """Lets all other tasks run until each waits for a timer, a socket or a thread. Raises TimeoutError after a minute.

    Works only on an IdleLoop.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, IdleLoop)
    idle = loop.create_future()
    loop.idle_selector.waiters.append(idle)
    async with asyncio.timeout(SETTLE_SECONDS):
        await idle


def run_on_idle_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs `work` like asyncio.run, but on an IdleLoop."""
    with asyncio.Runner(loop_factory=IdleLoop) as runner:
        return runner.run(work)
