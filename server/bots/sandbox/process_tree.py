"""Finds the descendants of a process, measures what they use, and lists the resource limits set on them."""

import contextlib
import os
import re
import resource
from collections.abc import Iterator, Mapping
from pathlib import Path

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.runner import Usage

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_DATA_FACTOR = 4
"""A process may reserve up to this many times its memory limit. Memory that is reserved but not used does not count."""
_MAX_SIGNALS = 1_000
"""At most this many signals and timers may be pending. The memory that they take belongs to no process."""
_DEFAULT_BUFFER_PATH = Path("/proc/sys/net/core/wmem_default")
_MEMORY_LINE = re.compile(r"^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+)", re.MULTILINE)
_PAGE_TABLES = re.compile(r"^VmPTE:\s+(\d+)", re.MULTILINE)
"""The memory for page tables. It matters if a bot reads one byte in every 2 MB of untouched memory. Each such byte
costs 4 kB of page tables, and no other memory.
"""
_OWN_MEMORY = re.compile(r"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+)", re.MULTILINE)


def descendants(pid: int) -> Iterator[int]:
    """Yields the ids of all descendants of `pid`, parents first. May miss processes that start or end meanwhile."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split():
                yield int(child)
                yield from descendants(int(child))


def measure_usage(pid: int) -> Usage:
    """Returns the total usage of all descendants of `pid`: memory without mapped files, and processor time.

    Memory that several processes share is counted once for each process. So before you end a bot for its memory, call
    `memory_without_sharing`. The processor time of an ended process is included only while its parent is alive.
    """
    memory = ticks = 0
    for child in descendants(pid):
        memory += _sum_lines(child, "status", _MEMORY_LINE)
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # The process's own time, and the time of its dead children.
    return Usage(memory, memory, ticks / _TICKS_PER_SECOND)


def memory_without_sharing(pid: int) -> int:
    """Returns the memory of all descendants of `pid` in bytes. Counts shared memory once. `measure_usage` is faster."""
    return sum(_own_memory(child) or _sum_lines(child, "status", _MEMORY_LINE) for child in descendants(pid))


def socket_memory(pid: int) -> int:
    """Returns the most bytes that the sockets in the network namespace of `pid` can hold, if their buffers have the
    default sizes.

    Closed sockets are included as long as their data can still be read.
    """
    with contextlib.suppress(OSError):
        sockets = re.search(r"^sockets: used (\d+)", Path(f"/proc/{pid}/net/sockstat").read_text())
        return int(sockets[1]) * int(_DEFAULT_BUFFER_PATH.read_text()) if sockets else 0
    return 0


def _own_memory(pid: int) -> int:
    own_bytes = _sum_lines(pid, "smaps_rollup", _OWN_MEMORY)
    return own_bytes and own_bytes + _sum_lines(pid, "status", _PAGE_TABLES)


def _sum_lines(pid: int, table: str, lines: re.Pattern[str]) -> int:
    """Returns the sum of the numbers in the matching `lines` of a /proc file of process `pid`, in bytes. Returns 0 once
    the process has ended.

    If the first thread of a process has ended, only its other threads still report the memory of the process.
    """
    with contextlib.suppress(OSError):
        for thread in (pid, *map(int, os.listdir(f"/proc/{pid}/task"))):
            if kilobytes := lines.findall(Path(f"/proc/{thread}/{table}").read_text()):
                return sum(map(int, kilobytes)) * 1024
    return 0


def resource_limits(limits: Limits) -> Mapping[int, int]:
    """Returns the limits that `resource.prlimit` sets on each process, keyed by RLIMIT_ numbers."""
    return {
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_RTPRIO: 0,  # An organiser who records sound may have real-time priority. Bots must not.
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_SIGPENDING: _MAX_SIGNALS,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_FSIZE: limits.scratch_bytes,
        resource.RLIMIT_DATA: limits.memory_bytes * _DATA_FACTOR,
    }
