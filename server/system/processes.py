"""Functions for processes on every operating system: priorities, limits, signals and more."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

UNIX = hasattr(os, "fork")
"""Whether this is Linux, macOS or another Unix. Tests can remove `os.fork` to run the code for Windows."""
LINUX = UNIX and sys.platform == "linux"
TERM, KILL = 15, 9
"""The numbers of SIGTERM and SIGKILL. Windows has no SIGKILL."""
_DEFAULT_FILE_LIMIT = 8_192
"""If the system sets no limit on open files, `raise_file_limit` allows this many."""
_POLL_SECONDS = 0.05


def processor_count() -> int:
    """Returns the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def total_memory() -> int:
    """Returns the size of this machine's memory in bytes."""
    import psutil  # noqa: PLC0415 - takes long to import

    return int(psutil.virtual_memory().total)


def free_memory() -> int:
    """Returns how many bytes of memory programs can still get."""
    import psutil  # noqa: PLC0415 - takes long to import

    return int(psutil.virtual_memory().available)


def memory_of(pid: int) -> int:
    """Returns how many bytes of memory a process uses, or 0 if unknown."""
    import psutil  # noqa: PLC0415 - takes long to import

    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0


def memory_of_tree(pid: int) -> int:
    """Returns how many bytes of memory a process and its descendants use, or 0 if the process has ended. On Linux,
    shared memory is divided among the processes that share it. On other systems, it counts once for each process.
    """
    import psutil  # noqa: PLC0415 - takes long to import

    used = 0
    with suppress(psutil.Error):
        leader = psutil.Process(pid)
        for process in (leader, *leader.children(recursive=True)):
            with suppress(psutil.Error):  # the process has just ended
                memory = process.memory_full_info()
                used += int(getattr(memory, "pss", memory.rss))
    return used


def load_average() -> float:
    """Returns the average number of processes that used or waited for a processor in the last minute."""
    import psutil  # noqa: PLC0415 - takes long to import

    return float(psutil.getloadavg()[0])


def lower_priority(steps: int) -> None:
    """Lowers this process's priority by `steps` (at most 19) if possible. On Windows, lowers it to "below normal"."""
    if sys.platform == "win32":
        import psutil  # noqa: PLC0415 - takes long to import

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    elif hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(steps)


def own_group_arguments(*, session: bool = False) -> dict[str, Any]:
    """Returns keyword arguments for `subprocess.Popen`. They start the child in its own process group or, with
    `session`, in its own session. So Ctrl-C does not reach the child.
    """
    if not UNIX:
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    return {"start_new_session": True} if session else {"process_group": 0}


def signal_group(pid: int, number: int) -> None:
    """Sends TERM or KILL to the group that process `pid` leads. On Windows, ends the process and its descendants.

    Does nothing if all these processes have ended.
    """
    if sys.platform != "win32" and hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(pid, number)
        return
    import psutil  # noqa: PLC0415 - takes long to import

    with suppress(psutil.Error):
        leader = psutil.Process(pid)
        for process in (*leader.children(recursive=True), leader):
            with suppress(psutil.Error):
                process.send_signal(number) if UNIX else process.kill()


def call_on_terminate(loop: asyncio.AbstractEventLoop, on_terminate: Callable[[], object]) -> None:
    """Calls `on_terminate` on the running `loop` when the system asks this process to end: by SIGTERM or, on Windows,
    Ctrl-Break.
    """

    def handle(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(on_terminate)

    try:
        loop.add_signal_handler(signal.SIGTERM, on_terminate)
    except (AttributeError, NotImplementedError):  # Windows
        signal.signal(signal.SIGTERM, handle)
        if sys.platform == "win32":
            signal.signal(signal.SIGBREAK, handle)


def raise_file_limit(wanted_limit: int) -> int:
    """Raises the limit on open files to `wanted_limit`, or as far as the system allows. Returns the new limit."""
    if sys.platform != "win32":
        with suppress(ImportError):
            import resource  # noqa: PLC0415 - Windows lacks it

            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            target = wanted_limit if hard == resource.RLIM_INFINITY else min(hard, wanted_limit)
            if soft != resource.RLIM_INFINITY and soft < target:
                with suppress(ValueError, OSError):  # macOS has a second limit
                    resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
            soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            return target if soft == resource.RLIM_INFINITY else soft
    return min(wanted_limit, _DEFAULT_FILE_LIMIT)


def limit_usage(memory_bytes: int, cpu_seconds: int, *, writes: bool) -> None:
    """Limits this process's memory and processor time. The process may write files only if `writes` is set. A process
    at a limit gets MemoryError or is ended. On Windows, a thread checks the memory and the time twenty times a second
    instead, and the process can always write.
    """
    if sys.platform != "win32":
        with suppress(ImportError):
            import resource  # noqa: PLC0415 - Windows lacks it

            limits = [(resource.RLIMIT_AS, memory_bytes), (resource.RLIMIT_CPU, cpu_seconds), (resource.RLIMIT_CORE, 0)]
            for resource_number, amount in limits if writes else [*limits, (resource.RLIMIT_FSIZE, 0)]:
                with suppress(ValueError):  # macOS lacks some limits
                    resource.setrlimit(resource_number, (amount, amount))
            return
    threading.Thread(target=_end_at_limit, args=(memory_bytes, cpu_seconds), daemon=True).start()


def _end_at_limit(memory_bytes: int, cpu_seconds: int) -> None:
    import psutil  # noqa: PLC0415 - takes long to import

    process = psutil.Process()
    while process.memory_info().rss < memory_bytes and time.process_time() < cpu_seconds:
        time.sleep(_POLL_SECONDS)
    process.kill()
