"""Measures how much of the processor a request takes, in the event loop and in threads, so that it can be charged."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from types import coroutine
from typing import Any, TypeVar

Charge = Callable[[float, float], object]
"""Takes the seconds of processor time that a request has had, and those that all others have waited for it, which are
more on a busy machine."""
Result = TypeVar("Result")
_charge: ContextVar[Charge] = ContextVar("charge", default=lambda _cpu, _waited: None)


@coroutine
def charged(work: Awaitable[None], charge: Charge) -> Generator[Any, Any, None]:
    """Awaits `work`, and calls `charge` with what each of its steps took, and whatever it had done by `off_loop`."""
    _charge.set(charge)
    steps: Any = work.__await__()
    step, value = steps.send, None
    while True:
        began, used = time.perf_counter(), time.thread_time()
        try:
            awaited = step(value)
        except StopIteration:
            return
        finally:
            charge(time.thread_time() - used, time.perf_counter() - began)
        try:
            step, value = steps.send, (yield awaited)
        except BaseException as error:  # it is the work's own to handle
            step, value = steps.throw, error


async def off_loop(work: Callable[[], Result]) -> Result:
    """What `work` gives, made in a thread while the event loop goes on; the request that asks for it is charged."""
    spent = 0.0

    def timed() -> Result:
        nonlocal spent
        begun = time.thread_time()
        try:
            return work()
        finally:
            spent = time.thread_time() - begun

    try:
        return await asyncio.to_thread(timed)
    finally:
        _charge.get()(spent, spent)
