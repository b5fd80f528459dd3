"""Measures what a bubblewrap box uses, by its control group or process by process."""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.process_tree import measure_usage, memory_without_sharing, socket_memory
from server.bots.sandbox.runner import Usage
from server.child_environment import SYSTEMD_VARIABLES, environment_for_child

_REMOVAL_SECONDS = 2.0
_RETRY_SECONDS = 0.01
_SYSTEMD_SECONDS = 5.0


class ProcessMeter:
    """Adds up what all descendants of `pid` use. Counts the buffers of each socket in the box's network as full.

    `init_pid` is the box's first process. Files on a tmpfs, for example, also use memory, but this meter does not count
    them. So the box must forbid or limit memory that is not counted. The methods of all meters may block briefly.
    """

    def __init__(self, pid: int, init_pid: int, limits: Limits) -> None:
        self._pid = pid
        self._init_pid = init_pid
        self._max_bytes = limits.memory_bytes
        self._memory_bytes = 0

    def measure(self) -> Usage:
        """Returns what the box uses now. Values that can no longer be measured are 0. Never raises."""
        usage, socket_bytes = measure_usage(self._pid), socket_memory(self._init_pid)
        self._memory_bytes = usage.memory_bytes + socket_bytes
        if self._memory_bytes > self._max_bytes:  # perhaps only because shared memory was counted several times
            self._memory_bytes = memory_without_sharing(self._pid) + socket_bytes
        return Usage(self._memory_bytes, self._memory_bytes, usage.cpu_seconds)

    def exceeds_limit(self) -> bool:
        """Whether the last `measure` found more memory than allowed. Never raises."""
        return self._memory_bytes > self._max_bytes

    def close(self) -> None:
        """Cleans up. Never raises."""


class GroupMeter:
    """Reads a version 2 control group. If the group uses too much memory, the kernel kills all its processes."""

    events_file = "memory.events"

    def __init__(self, folders: Mapping[str, Path]) -> None:
        """`folders` are the group's folders by controller. Raises OSError if there is no such group."""
        self.folder = folders["memory"]
        self.folders = folders
        self._events_fd = os.open(self.folder / self.events_file, os.O_RDONLY | os.O_CLOEXEC)
        self._was_oom_killed = False

    def measure(self) -> Usage:
        memory = self._read_number("memory", "memory.current")
        microseconds = self._read_number("cpu", "cpu.stat", r"^usage_usec (\d+)")
        return Usage(memory, max(memory, self._read_number("memory", "memory.peak")), microseconds / 1e6)

    def exceeds_limit(self) -> bool:
        try:
            events = os.pread(self._events_fd, 4096, 0).decode()
        except OSError:  # the group has been removed
            events = ""
            self._was_oom_killed = self._was_oom_killed or self._exceeded_before_removal()
        self._was_oom_killed = self._was_oom_killed or bool(re.search(r"^oom_kill [1-9]", events, re.MULTILINE))
        return self._was_oom_killed

    def close(self) -> None:
        """Removes the group. Call this when all its processes have ended or been killed."""
        os.close(self._events_fd)
        deadline = time.monotonic() + _REMOVAL_SECONDS
        for folder in set(self.folders.values()):
            while not remove_group(folder) and time.monotonic() < deadline:
                time.sleep(_RETRY_SECONDS)

    def _exceeded_before_removal(self) -> bool:
        """Whether a group used too much memory before it was removed."""
        return False

    def _read_number(self, controller: str, table: str, line: str = r"(\d+)") -> int:
        with contextlib.suppress(OSError):
            if match := re.search(line, (self.folders[controller] / table).read_text(), re.MULTILINE):
                return int(match[1])
        return 0


class OldGroupMeter(GroupMeter):
    """Reads a version 1 control group. If the group uses too much memory, the kernel kills one process at a time."""

    events_file = "memory.oom_control"

    def measure(self) -> Usage:
        memory, peak = (self._read_number("memory", f"memory.{name}_in_bytes") for name in ("usage", "max_usage"))
        return Usage(memory, max(memory, peak), self._read_number("cpuacct", "cpuacct.usage") / 1e9)


class ScopeMeter(GroupMeter):
    """Reads the group of a systemd scope. When a scope ends, systemd removes its group at once, but remembers how the
    scope ended.
    """

    def close(self) -> None:
        super().close()
        self._systemctl("reset-failed")

    def _exceeded_before_removal(self) -> bool:
        return self._systemctl("show", "--property=Result") == "Result=oom-kill"

    def _systemctl(self, *arguments: str) -> str:
        owner = () if os.geteuid() == 0 else ("--user",)
        command = ["systemctl", *owner, *arguments, self.folder.name]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            result = subprocess.run(  # noqa: S603
                command,
                check=False,
                capture_output=True,
                text=True,
                timeout=_SYSTEMD_SECONDS,
                env=environment_for_child(*SYSTEMD_VARIABLES),
            )
            return result.stdout.strip()
        return ""


Meter = ProcessMeter | GroupMeter


def remove_group(folder: Path) -> bool:
    """Removes a control group if it has no processes. Returns whether it is gone."""
    with contextlib.suppress(OSError):
        folder.rmdir()
    return not folder.exists()
