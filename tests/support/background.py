"""Runs asynchronous code in a thread of its own, beside the test."""

from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, ExitStack
from typing import Any, Self, TypeVar

from anyio.from_thread import start_blocking_portal

from tests.support.idle_loop import run_on_idle_loop

PATIENCE_SECONDS = 60.0
Result = TypeVar("Result")


def run_in_thread(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine in another thread, because the thread of tests with a browser already has an event loop."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(run_on_idle_loop, work).result()


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

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine in the server's event loop, and returns its result."""

        async def await_work() -> Result:
            return await work

        return self._portal.start_task_soon(await_work).result(PATIENCE_SECONDS)
