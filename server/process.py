"""How processes of this program limit garbage collection, and end: with their parent, or killed by us."""

import asyncio
import contextlib
import ctypes
import gc
import signal

PR_SET_PDEATHSIG = 1
"""As in linux/prctl.h."""
SEARCHED_AFTER = (10_000, 2, 1)
"""Thresholds of the three generations: new objects before the youngest is collected, then collections of one generation
before the next is collected.

Python's default of 700 would scan all connections all the time, while everybody waits. But a finished game leaves some
600 objects, 36 kB, that refer to one another, and only a full collection frees them. It happens after some 100 games
and takes 0.1 s; a rarer one would stall everybody for longer.
"""


def search_seldom() -> None:
    """Sets the thresholds for the whole process, and exempts everything imported so far from collection.

    Python delays a full collection until the new objects are a quarter of those that the last one scanned, so this runs
    one that scans nothing.
    """
    gc.freeze()
    gc.collect()
    gc.set_threshold(*SEARCHED_AFTER)


def collect_and_freeze() -> None:
    """Collects new garbage, and exempts all other objects from later collections. For the whole process.

    Ten thousand viewers are 750,000 objects, and each collection that scans them stalls everybody for 0.4 s. A
    frozen object is still freed when nothing refers to it; `unfreeze` is for those that refer to one another.
    """
    gc.collect()
    gc.freeze()


def unfreeze() -> None:
    """Includes the frozen objects in the next collection. For the whole process."""
    gc.unfreeze()


def end_with_parent() -> None:
    """Makes the kernel kill this process when its parent ends, even if it hangs. Does nothing except on Linux."""
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
