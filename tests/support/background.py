"""Runs asynchronous code beside the test: in a task, or in a thread of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack, asynccontextmanager, suppress
from typing import Any, Self, TypeVar

from anyio.from_thread import start_blocking_portal

from tests.support.idle_loop import run_on_idle_loop

PATIENCE_SECONDS = 60.0
Result = TypeVar("Result")


def run_in_thread(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs `work` in another thread. Tests with a browser need this: their own thread already has an event loop."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(run_on_idle_loop, work).result()


@asynccontextmanager
async def background_task(work: Coroutine[Any, Any, Result]) -> AsyncIterator[asyncio.Task[Result]]:
    """Runs `work` during the `with` block, then cancels it and waits for its end. Raises its error, if any."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


class BackgroundService:
    """A server that runs until the `with` block ends. A subclass starts and stops the server in `running`."""

    def running(self) -> AbstractAsyncContextManager[object]:
        raise NotImplementedError

    def __enter__(self) -> Self:
        with ExitStack() as closing:
            self._portal = closing.enter_context(start_blocking_portal())
            closing.enter_context(self._portal.wrap_async_context_manager(self.running()))
            self._closing = closing.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def call_in_server(self, work: Callable[[], Result]) -> Result:
        """Runs `work` in the server's thread. Returns its result, which may be a task that is still running."""
        results = list[Result]()
        self._portal.start_task_soon(lambda: results.append(work())).result(PATIENCE_SECONDS)
        return results[0]

    def run_in_background(self, work: Coroutine[Any, Any, object]) -> AbstractContextManager[object]:
        """Runs `work` as a `background_task` in the server's event loop during the `with` block."""
        return self._portal.wrap_async_context_manager(background_task(work))

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine in the server's event loop, and returns its result."""

        async def await_work() -> Result:
            return await work

        return self._portal.start_task_soon(await_work).result(PATIENCE_SECONDS)
