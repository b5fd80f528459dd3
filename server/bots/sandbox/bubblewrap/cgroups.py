"""Limits and measures bubblewrap boxes with the kernel's control groups, if this machine permits that.

The groups are made below this process's own group or, if that does not work, as systemd scopes. If neither works, each
process is measured by itself.
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
"""The group that this process moves to, if it must: a group with child groups may contain no processes."""
_BOX_GROUP = "highnoon-box"
_CPU_PERIOD_US = 100_000
"""The period of the processor quota, in microseconds."""
_SYSTEMD_RUNS = Path("/run/systemd/system")
_TRIAL_SECONDS = 10.0


class UsageControl:
    """A way to measure and limit what boxes use. This base class measures process by process."""

    counts_all_memory = False
    """Whether the memory limit also covers memory that the kernel attributes to no process, such as files on a tmpfs.
    """

    def command(self, limits: Limits) -> Sequence[str]:
        """The words to put in front of the box's command: a program that starts it, or none."""
        return ()

    def meter(self, pid: int, init_pid: int, limits: Limits) -> Meter:
        """A meter for the box started by process `pid`, whose first process is `init_pid`. Raises OSError."""
        return ProcessMeter(pid, init_pid, limits)


class CgroupControl(UsageControl):
    """Measures in control groups that this program creates and removes. `parent_folders` are the parent folders of the
    groups, by controller.

    In version 2, all controllers share a folder. In version 1, each may have a folder of its own.
    """

    counts_all_memory = True

    def __init__(self, parent_folders: Mapping[str, Path], version: Literal[1, 2]) -> None:
        self.parent_folders = parent_folders
        self._version = version
        self._numbers = itertools.count()
        for leftover in (
            leftover for home in set(parent_folders.values()) for leftover in home.glob(f"{_BOX_GROUP}-*-*")
        ):
            if not Path("/proc", leftover.name.split("-")[2]).exists():
                remove_group(leftover)

    def meter(self, pid: int, init_pid: int, limits: Limits) -> Meter:
        folders = self._find_free_folders()
        try:
            for folder in set(folders.values()):
                folder.mkdir()
            for controller, name, value in (_version_1_limits if self._version == 1 else _version_2_limits)(limits):
                with contextlib.suppress(FileNotFoundError):  # kernels without swap lack some of these files
                    _write(folders[controller] / name, value)
            for folder in set(folders.values()):
                _write(folder / "cgroup.procs", init_pid)
            return OldGroupMeter(folders) if self._version == 1 else GroupMeter(folders)
        except OSError:
            for folder in folders.values():
                remove_group(folder)
            raise

    def _find_free_folders(self) -> Mapping[str, Path]:
        """Returns folders for a new group that no other runner of this process has taken."""
        while True:
            name = f"{_BOX_GROUP}-{os.getpid()}-{next(self._numbers)}"
            folders = {controller: home / name for controller, home in self.parent_folders.items()}
            if not any(folder.exists() for folder in folders.values()):
                return folders


def _version_2_limits(limits: Limits) -> Iterator[tuple[str, str, object]]:
    """The controller, file and value of each limit in version 2."""
    yield "memory", "memory.max", limits.memory_bytes
    yield "memory", "memory.swap.max", 0
    yield "memory", "memory.oom.group", 1
    yield "pids", "pids.max", limits.processes
    yield "cpu", "cpu.max", f"{limits.cpus * _CPU_PERIOD_US:.0f} {_CPU_PERIOD_US}"


def _version_1_limits(limits: Limits) -> Iterator[tuple[str, str, object]]:
    """The controller, file and value of each limit in version 1, which counts the memory of connections separately."""
    yield "memory", "memory.limit_in_bytes", limits.memory_bytes
    yield "memory", "memory.memsw.limit_in_bytes", limits.memory_bytes
    yield "memory", "memory.kmem.tcp.limit_in_bytes", limits.scratch_bytes
    yield "pids", "pids.max", limits.processes
    yield "cpu", "cpu.cfs_period_us", _CPU_PERIOD_US
    yield "cpu", "cpu.cfs_quota_us", f"{limits.cpus * _CPU_PERIOD_US:.0f}"


class ScopeControl(UsageControl):
    """Measures in systemd scopes. systemd removes a scope when its last process ends, even if this program is gone."""

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
        if home := _find_parent_group():
            return CgroupControl(dict.fromkeys(_CONTROLLERS, home), 2)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if _has_scopes():
            return ScopeControl()
    with contextlib.suppress(OSError):
        if homes := _find_version_1_homes():
            return CgroupControl(homes, 1)
    return UsageControl()


def _find_parent_group() -> Path | None:
    """Returns the group in which this process can make groups for boxes, or None. Turns on the controllers in this
    group. Raises OSError.
    """
    home = _group_of(os.getpid())
    home = home.parent if home.name == _OWN_GROUP else home
    if not _NEEDED_CONTROLLERS.issubset((home / "cgroup.controllers").read_text().split()):
        return None
    if not _enables_controllers(home) and _move_processes_out(home):
        _write(home / "cgroup.subtree_control", " ".join(f"+{name}" for name in sorted(_NEEDED_CONTROLLERS)))
    with contextlib.suppress(OSError):
        _write(home / "cgroup.subtree_control", "+cpu")
    if not _enables_controllers(home) or not os.access(home / "cgroup.procs", os.W_OK) or not os.access(home, os.W_OK):
        return None
    return home


def _find_version_1_homes() -> Mapping[str, Path] | None:
    """Returns this process's version 1 groups by controller, if all of them can have child groups; otherwise None.
    Raises OSError.
    """
    groups = re.findall(r"^\d+:([\w,]+):(/.*)$", Path("/proc/self/cgroup").read_text(), re.MULTILINE)
    table = Path("/proc/self/mountinfo").read_text().splitlines()
    homes = {
        controller: Path(mount_of(table, controller) + path)
        for controllers, path in groups
        for controller in controllers.split(",")
        if controller in _CONTROLLERS and mount_of(table, controller)
    }
    usable = len(homes) == len(_CONTROLLERS) and all(os.access(home, os.W_OK) for home in homes.values())
    return homes if usable else None


def _enables_controllers(home: Path) -> bool:
    return _NEEDED_CONTROLLERS.issubset((home / "cgroup.subtree_control").read_text().split())


def _move_processes_out(home: Path) -> bool:
    """Moves this process and its descendants to a child group of `home`. Returns whether `home` is then free of
    processes. Raises OSError.
    """
    if not (home / "cgroup.type").exists():  # the root group may have both processes and child groups
        return True
    pids = {int(pid) for pid in (home / "cgroup.procs").read_text().split()}
    if not pids <= {os.getpid(), *descendants(os.getpid())}:
        return False
    (home / _OWN_GROUP).mkdir(exist_ok=True)
    for pid in pids:
        _write(home / _OWN_GROUP / "cgroup.procs", pid)
    return True


def _has_scopes() -> bool:
    """Whether systemd grants this process a scope that limits memory. Raises OSError, SubprocessError."""
    if not _SYSTEMD_RUNS.is_dir() or not shutil.which("systemd-run"):
        return False
    most = 64 << 20
    script = 'cat "$(sed -n s,^0::,/sys/fs/cgroup,p /proc/self/cgroup)/memory.max"'
    command = [*ScopeControl().command(Limits(memory_bytes=most)), "sh", "-c", script]
    trial = subprocess.run(  # noqa: S603
        command, check=False, capture_output=True, timeout=_TRIAL_SECONDS, env=environment_for_child(*SYSTEMD_VARIABLES)
    )
    return trial.stdout.strip() == str(most).encode()


def _group_of(pid: int) -> Path:
    """The folder of a process's version 2 group. Raises OSError if it has none."""
    found = re.search(r"^0::(/.*)$", Path(f"/proc/{pid}/cgroup").read_text(), re.MULTILINE)
    mount = mount_of(Path("/proc/self/mountinfo").read_text().splitlines())
    if not found or not mount:
        raise FileNotFoundError("there are no control groups of version 2")
    return Path(mount + found[1])


def mount_of(table: Iterable[str], controller: str = "") -> str:
    """Returns where the control groups of version 2 are mounted or, if `controller` is given, the control groups of
    version 1 with that controller. Returns "" if they are not mounted.
    """
    for line in table:
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(maxsplit=2)
        wanted = kind == "cgroup" and controller in options.split(",") if controller else kind == "cgroup2"
        if wanted and before.split()[3] == "/":
            return before.split()[4]
    return ""


def _write(path: Path, value: object) -> None:
    path.write_text(str(value))
