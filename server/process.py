"""How processes of this program start, seldom search for garbage, and end: with their parent, or by our hand."""

import asyncio
import contextlib
import ctypes
import gc
import signal

PR_SET_PDEATHSIG = 1
"""As in linux/prctl.h."""
SEARCHED_AFTER = (10_000, 2, 1)
"""Thresholds of the three generations: new objects until the youngest is searched, then searches of one until the next.

Python's own 700 would search all connections all the time, while everybody waits. But a finished game's objects, some
600 of 36 kB, refer to one another and stay until all generations are searched. Here that is after some 100 games, and
takes 0.1 s: with more games it would be done less often, but hold everybody up for longer.
"""


def search_seldom() -> None:
    """Sets the thresholds, and takes what has been imported so far out of every search. For the whole process.

    Python puts off a whole search until a quarter has come to what the last one went through, so one is made now that
    goes through nothing.
    """
    gc.freeze()
    gc.collect()
    gc.set_threshold(*SEARCHED_AFTER)


def end_with_parent() -> None:
    """Has the kernel end this process with its parent, even if it hangs. Only Linux can; elsewhere it does nothing."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


async def exit_status(process: asyncio.subprocess.Process) -> int:
    """The status with which a process ends within a second; 0 if it does not."""
    with contextlib.suppress(TimeoutError):
        return await asyncio.wait_for(process.wait(), 1.0)
    return 0


async def end_process(process: asyncio.subprocess.Process, seconds: float = 0.0) -> None:
    """Waits some seconds for a process to end by itself, then kills it."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), seconds)
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
