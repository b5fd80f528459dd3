"""Runs an asynchronous server in its own thread, beside the test."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self, TypeVar

PATIENCE_SECONDS = 60.0
"""Longer than any request takes, even on a busy machine."""
Result = TypeVar("Result")


class ServedAside:
    """A server that runs until the `with` block ends; each subclass implements `running`."""

    def __init__(self) -> None:
        self._thread = threading.Thread(target=asyncio.run, args=(self._run(),), daemon=True)
        self._started = Future[None]()

    def running(self) -> AbstractAsyncContextManager[object]:
        """A context manager that serves for as long as it is open."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.result(PATIENCE_SECONDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.call_in_server(self._over.set)
        self._thread.join(PATIENCE_SECONDS)

    def call_in_server(self, work: Callable[[], Result]) -> Result:
        """Runs `work` in the server's thread; returns its result."""
        done: Future[Result] = Future()
        self._loop.call_soon_threadsafe(lambda: done.set_result(work()))
        return done.result(PATIENCE_SECONDS)

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine in the server's event loop; returns its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_SECONDS)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        try:
            async with self.running():
                self._started.set_result(None)
                await self._over.wait()
        except Exception as fault:
            if self._started.done():
                raise
            self._started.set_exception(fault)
