"""The processes that descend from one, as the kernel tells it, and the limits that can be set on them from outside."""

import contextlib
import os
import re
import resource
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

from server.bots.runners.runner import Limits, Usage

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_DATA_FACTOR = 4
"""One process may reserve more than it uses; the sum of what all use is watched."""
_NICE = 5


def descendants(pid: int) -> Iterator[int]:
    """All processes below `pid`, parents first; who comes and goes meanwhile may be missed."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split():
                yield int(child)
                yield from descendants(int(child))


def used(pid: int) -> Usage:
    """What all processes below `pid` use together: memory of their own, and the time of those that live.

    What forked processes still share counts for each of them: look at `shared_out` before judging.
    """
    memory = ticks = 0
    for child in descendants(pid):
        with contextlib.suppress(OSError, ValueError, IndexError):
            _, resident, shared, *_ = Path(f"/proc/{child}/statm").read_text().split()
            memory += (int(resident) - int(shared)) * _PAGE_BYTES
            after_name = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, after_name[11:15]))  # its own time and that of its children that have ended
    return Usage(memory, memory, ticks / _TICKS_PER_SECOND)


def shared_out(pid: int) -> int:
    """The memory of all processes below `pid` in bytes, what they share counted once; slower than `used`."""
    kilobytes = 0
    for child in descendants(pid):
        with contextlib.suppress(OSError):
            found = re.search(r"^Pss_Anon: +(\d+)", Path(f"/proc/{child}/smaps_rollup").read_text(), re.MULTILINE)
            kilobytes += int(found[1]) if found else 0
    return kilobytes * 1024


def resource_limits(limits: Limits) -> Mapping[int, int]:
    """What each process may have, by the numbers of `resource`."""
    return {
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_NOFILE: limits.files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: limits.scratch_bytes,
        resource.RLIMIT_DATA: limits.memory_bytes * _DATA_FACTOR,
    }


def give_way(pid: int, processors: set[int]) -> None:
    """Lets a process and all it will start run on `processors` only, and after others. Raises OSError."""
    os.sched_setaffinity(pid, processors)
    os.setpriority(os.PRIO_PROCESS, pid, _NICE)


def tell(pids: Iterator[int], number: signal.Signals) -> None:
    """Sends a signal to each that is still there."""
    for pid in list(pids):
        with contextlib.suppress(OSError):
            os.kill(pid, number)
