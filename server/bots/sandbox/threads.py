"""Runs each blocking call in a new daemon thread, so that no call can keep the program from ending."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

T = TypeVar("T")


def run_in_thread(call: Callable[[], T]) -> Awaitable[T]:
    """Runs `call` in a new thread. Awaiting the result returns what `call` returns, or raises what it raises.

    There is no thread pool, because some calls last as long as a bot runs, and would fill the pool.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def finish(set_outcome: Callable[[], None]) -> None:
        if not result.done():
            set_outcome()

    def run() -> None:
        try:
            set_outcome = partial(result.set_result, call())
        except Exception as error:
            set_outcome = partial(result.set_exception, error)
        with contextlib.suppress(RuntimeError):  # The loop is closed, so nothing waits for the result.
            loop.call_soon_threadsafe(finish, set_outcome)

    threading.Thread(target=run, daemon=True).start()
    return result
