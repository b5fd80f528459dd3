"""Tunes a process: makes garbage collection rare, and ends the process when its parent ends. Also ends other
processes.
"""

import asyncio
import contextlib
import ctypes
import gc

from server.system.processes import KILL, LINUX

PR_SET_PDEATHSIG = 1
"""The value of this constant in linux/prctl.h."""
GC_THRESHOLDS = (10_000, 2, 1)
"""The thresholds of Python's garbage collector, for `gc.set_threshold`.

With Python's first threshold of 700, the collector would scan all connections again and again while everybody waits.
With these thresholds, a full collection happens after some 100 games. Full collections must not be rarer: A finished
game leaves about 600 objects (36 kB) that only a full collection frees, because they refer to one another. A full
collection takes only 0.03 to 0.06 s, because the collector skips the many events, journal entries and states of tables.
The classes of these objects say `gc=False`, because such objects never refer to one another in a circle.
"""


def limit_gc() -> None:
    """Sets the thresholds for the whole process, and exempts everything imported so far from collection.

    Then runs a full collection. This collection is quick, because it scans hardly any objects.
    """
    gc.freeze()
    gc.collect()
    gc.set_threshold(*GC_THRESHOLDS)


def collect_and_freeze() -> None:
    """Collects new garbage, and exempts all other objects in the process from later collections.

    With ten thousand viewers, there are 750,000 objects, and scanning them stalls everybody for 0.4 s. A frozen object
    is still freed when nothing refers to it. Objects that refer to one another are freed only after `unfreeze`.
    """
    gc.collect()
    gc.freeze()


def unfreeze() -> None:
    """Lets the next collection scan all objects that were exempt."""
    gc.unfreeze()


def end_with_parent() -> None:
    """Makes the kernel kill this process when its parent ends, even if this process hangs. Works only on Linux."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, KILL)


async def exit_status(process: asyncio.subprocess.Process) -> int:
    """Waits up to a second for a process to end. Returns its exit status, or 0 if the process is still running."""
    with contextlib.suppress(TimeoutError):
        return await asyncio.wait_for(process.wait(), 1.0)
    return 0


async def end_process(process: asyncio.subprocess.Process, seconds: float = 0.0) -> None:
    """Waits up to `seconds` for a process to end by itself, then kills it."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), seconds)
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
