"""Limits and measures bubblewrap boxes with the kernel's control groups, if this machine permits that.

This program makes the groups below its own group, or lets systemd make them (as scopes). If neither works, it measures
the processes of a box one by one.
"""

import contextlib
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.bubblewrap.meters import (
    GroupMeter,
    Meter,
    OldGroupMeter,
    ProcessMeter,
    ScopeMeter,
    remove_group,
)
from server.bots.sandbox.process_tree import descendants
from server.child_environment import SYSTEMD_VARIABLES, environment_for_child

_NEEDED_CONTROLLERS = {"memory", "pids"}
_CONTROLLERS = (*sorted(_NEEDED_CONTROLLERS), "cpu", "cpuacct")
_OWN_GROUP = "highnoon-server"
"""The name of the child group to which this process moves before it makes groups for boxes. The kernel
allows no processes in a group that has child groups.
"""
_BOX_GROUP = "highnoon-box"
_CPU_PERIOD_US = 100_000
"""The period of the processor quota, in microseconds."""
_SYSTEMD_RUNS = Path("/run/systemd/system")
_TRIAL_SECONDS = 10.0


class UsageControl:
    """A way to measure and limit what boxes use. This base class only measures, process by process."""

    counts_all_memory = False
    """Whether the memory limit also covers memory that belongs to no process, such as files on a tmpfs."""

    def command(self, limits: Limits) -> Sequence[str]:
        """Returns a program, with its first arguments, that starts the box's command. Returns () if none is needed."""
        return ()

    def meter(self, pid: int, init_pid: int, limits: Limits) -> Meter:
        """Returns a meter for the box started by process `pid`, whose first process is `init_pid`. Raises OSError."""
        return ProcessMeter(pid, init_pid, limits)


class CgroupControl(UsageControl):
    """Measures in control groups that this program creates and removes. `parent_folders` are the parent folders of the
    groups, by controller.

    In version 2 of control groups, all controllers share a folder. In version 1, each may have a folder of its own.
    """

    counts_all_memory = True

    def __init__(self, parent_folders: Mapping[str, Path], version: Literal[1, 2]) -> None:
        self.parent_folders = parent_folders
        self._version = version
        self._numbers = itertools.count()
        for leftover in (
            leftover for parent in set(parent_folders.values()) for leftover in parent.glob(f"{_BOX_GROUP}-*-*")
        ):
            if not Path("/proc", leftover.name.split("-")[2]).exists():
                remove_group(leftover)

    def meter(self, pid: int, init_pid: int, limits: Limits) -> Meter:
        folders = self._make_folders()
        try:
            for controller, name, value in (_version_1_limits if self._version == 1 else _version_2_limits)(limits):
                with contextlib.suppress(FileNotFoundError):  # Kernels without swap lack some of these files.
                    _write(folders[controller] / name, value)
            for folder in set(folders.values()):
                _write(folder / "cgroup.procs", init_pid)
            return OldGroupMeter(folders) if self._version == 1 else GroupMeter(folders)
        except OSError:
            for folder in folders.values():
                remove_group(folder)
            raise

    def _make_folders(self) -> Mapping[str, Path]:
        """Makes the folders of a new group, under a name that is still free. Raises OSError.

        Another runner of this process, or an earlier process with the same PID, may have taken a name.
        """
        while True:
            name = f"{_BOX_GROUP}-{os.getpid()}-{next(self._numbers)}"
            folders = {controller: parent / name for controller, parent in self.parent_folders.items()}
            with contextlib.ExitStack() as undoing, contextlib.suppress(FileExistsError):
                for folder in sorted(set(folders.values())):
                    folder.mkdir()
                    undoing.callback(remove_group, folder)
                undoing.pop_all()  # All folders are made, so none is removed.
                return folders


def _version_2_limits(limits: Limits) -> Iterator[tuple[str, str, object]]:
    """Yields the controller, file and value of each limit in version 2."""
    yield "memory", "memory.max", limits.memory_bytes
    yield "memory", "memory.swap.max", 0
    yield "memory", "memory.oom.group", 1
    yield "pids", "pids.max", limits.processes
    yield "cpu", "cpu.max", f"{limits.cpus * _CPU_PERIOD_US:.0f} {_CPU_PERIOD_US}"


def _version_1_limits(limits: Limits) -> Iterator[tuple[str, str, object]]:
    """Yields the controller, file and value of each limit in version 1. In that version, the memory of connections has
    a limit of its own.
    """
    yield "memory", "memory.limit_in_bytes", limits.memory_bytes
    yield "memory", "memory.memsw.limit_in_bytes", limits.memory_bytes
    yield "memory", "memory.kmem.tcp.limit_in_bytes", limits.scratch_bytes
    yield "pids", "pids.max", limits.processes
    yield "cpu", "cpu.cfs_period_us", _CPU_PERIOD_US
    yield "cpu", "cpu.cfs_quota_us", f"{limits.cpus * _CPU_PERIOD_US:.0f}"


class ScopeControl(UsageControl):
    """Measures in systemd scopes. systemd removes a scope when its last process ends, even if this program is no longer
    running.
    """

    counts_all_memory = True

    def command(self, limits: Limits) -> Sequence[str]:
        limits_of_scope = {
            "MemoryMax": limits.memory_bytes,
            "MemorySwapMax": 0,
            "TasksMax": limits.processes + 1,  # includes bubblewrap's own process
            "CPUQuota": f"{limits.cpus:.0%}",
        }
        owner = () if os.geteuid() == 0 else ("--user",)
        properties = (f"--property={name}={value}" for name, value in limits_of_scope.items())
        return ("systemd-run", *owner, "--scope", "--quiet", *properties, "--")

    def meter(self, pid: int, init_pid: int, limits: Limits) -> Meter:
        return ScopeMeter(dict.fromkeys(_CONTROLLERS, _group_of(pid)))


def find_usage_control() -> UsageControl:
    """Returns the best way to measure boxes on this machine. Removes groups that earlier runs left. Never raises."""
    with contextlib.suppress(OSError):
        if group := _find_parent_group():
            return CgroupControl(dict.fromkeys(_CONTROLLERS, group), 2)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if _has_scopes():
            return ScopeControl()
    with contextlib.suppress(OSError):
        if groups := _find_version_1_groups():
            return CgroupControl(groups, 1)
    return UsageControl()


def _find_parent_group() -> Path | None:
    """Returns the group in which this process can make groups for boxes, or None if there is no such group. First turns
    on the controllers of that group. Raises OSError.
    """
    group = _group_of(os.getpid())
    group = group.parent if group.name == _OWN_GROUP else group
    if not _NEEDED_CONTROLLERS.issubset((group / "cgroup.controllers").read_text().split()):
        return None
    if not _enables_controllers(group) and _move_processes_out(group):
        _write(group / "cgroup.subtree_control", " ".join(f"+{name}" for name in sorted(_NEEDED_CONTROLLERS)))
    with contextlib.suppress(OSError):
        _write(group / "cgroup.subtree_control", "+cpu")
    if (
        not _enables_controllers(group)
        or not os.access(group / "cgroup.procs", os.W_OK)
        or not os.access(group, os.W_OK)
    ):
        return None
    return group


def _find_version_1_groups() -> Mapping[str, Path] | None:
    """Returns this process's version 1 groups by controller. If a group is missing or cannot have child groups, returns
    None. Raises OSError.
    """
    memberships = re.findall(r"^\d+:([\w,]+):(/.*)$", Path("/proc/self/cgroup").read_text(), re.MULTILINE)
    table = Path("/proc/self/mountinfo").read_text().splitlines()
    groups = {
        controller: Path(mount_of(table, controller) + path)
        for controllers, path in memberships
        for controller in controllers.split(",")
        if controller in _CONTROLLERS and mount_of(table, controller)
    }
    is_usable = len(groups) == len(_CONTROLLERS) and all(os.access(group, os.W_OK) for group in groups.values())
    return groups if is_usable else None


def _enables_controllers(group: Path) -> bool:
    return _NEEDED_CONTROLLERS.issubset((group / "cgroup.subtree_control").read_text().split())


def _move_processes_out(group: Path) -> bool:
    """Moves this process and its descendants to a child group of `group`. Returns whether no process is left in
    `group`. Raises OSError.
    """
    # Only the root group lacks this file. The root group may have both processes and child groups.
    if not (group / "cgroup.type").exists():
        return True
    pids = {int(pid) for pid in (group / "cgroup.procs").read_text().split()}
    if not pids <= {os.getpid(), *descendants(os.getpid())}:
        return False
    (group / _OWN_GROUP).mkdir(exist_ok=True)
    for pid in pids:
        _write(group / _OWN_GROUP / "cgroup.procs", pid)
    return True


def _has_scopes() -> bool:
    """Whether systemd grants this process a scope that limits memory. Raises OSError or SubprocessError."""
    if not _SYSTEMD_RUNS.is_dir() or not shutil.which("systemd-run"):
        return False
    max_bytes = 64 << 20
    script = 'cat "$(sed -n s,^0::,/sys/fs/cgroup,p /proc/self/cgroup)/memory.max"'
    command = [*ScopeControl().command(Limits(memory_bytes=max_bytes)), "sh", "-c", script]
    trial = subprocess.run(  # noqa: S603
        command, check=False, capture_output=True, timeout=_TRIAL_SECONDS, env=environment_for_child(*SYSTEMD_VARIABLES)
    )
    return trial.stdout.strip() == str(max_bytes).encode()


def _group_of(pid: int) -> Path:
    """Returns the folder of a process's version 2 group. Raises OSError if it has none."""
    membership = re.search(r"^0::(/.*)$", Path(f"/proc/{pid}/cgroup").read_text(), re.MULTILINE)
    mount = mount_of(Path("/proc/self/mountinfo").read_text().splitlines())
    if not membership or not mount:
        raise FileNotFoundError("there are no control groups of version 2")
    return Path(mount + membership[1])


def mount_of(table: Iterable[str], controller: str = "") -> str:
    """Returns the folder at which control groups are mounted, or "" if there is none. `table` has the lines of
    /proc/self/mountinfo.

    If `controller` is "", looks for groups of version 2. Otherwise, looks for groups of version 1 with this controller.
    """
    for line in table:
        before, _, after = line.partition(" - ")
        file_system, _, options = after.split(maxsplit=2)
        if controller:
            is_wanted = file_system == "cgroup" and controller in options.split(",")
        else:
            is_wanted = file_system == "cgroup2"
        if is_wanted and before.split()[3] == "/":
            return before.split()[4]
    return ""


def _write(path: Path, value: object) -> None:
    path.write_text(str(value))
