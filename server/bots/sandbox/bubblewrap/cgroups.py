"""Control groups of version 2 for bubblewrap boxes, where this machine lets us have them.

Either right below our own, or each from systemd as a scope; which of them is found out by trying. Without them all is
counted process by process.
"""

import contextlib
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from server.bots.sandbox.bubblewrap.meters import GroupMeter, Meter, ProcessMeter, ScopeMeter, removed
from server.bots.sandbox.process_tree import descendants
from server.bots.sandbox.runner import Limits
from server.environment import SYSTEMD, environment

_NEEDED = {"memory", "pids"}
_OURS = "highnoon-server"
"""The group that this process moves into where needed: a group with groups below it may have no processes."""
_A_BOX = "highnoon-box"
_SYSTEMD_RUNS = Path("/run/systemd/system")
_TRY_SECONDS = 10.0


class Counting(Protocol):
    """A way to measure and limit what boxes use."""

    counted: bool
    """Whether memory that belongs to no process is counted, too."""

    def command(self, limits: Limits) -> Sequence[str]:
        """The first words of a box's command, a program that starts it; empty for none."""

    def meter(self, pid: int, init: int, limits: Limits) -> Meter:
        """A meter for the box that process `pid` started, and whose first process is `init`. Raises OSError."""


class ProcessCounting:
    """Measures by looking at the processes."""

    counted = False

    def command(self, limits: Limits) -> Sequence[str]:
        return ()

    def meter(self, pid: int, init: int, limits: Limits) -> Meter:
        return ProcessMeter(pid, limits)


class OwnGroups:
    """Measures in control groups that we make below `home` and remove."""

    counted = True

    def __init__(self, home: Path) -> None:
        self.home = home
        self._numbers = itertools.count()
        for left in home.glob(f"{_A_BOX}-*-*"):
            if not Path("/proc", left.name.split("-")[2]).exists():
                removed(left)

    def command(self, limits: Limits) -> Sequence[str]:
        return ()

    def meter(self, pid: int, init: int, limits: Limits) -> Meter:
        folder = self.home / f"{_A_BOX}-{os.getpid()}-{next(self._numbers)}"
        while folder.exists():  # Another runner of this program made it.
            folder = self.home / f"{_A_BOX}-{os.getpid()}-{next(self._numbers)}"
        folder.mkdir()
        try:
            _write(folder / "memory.max", limits.memory_bytes)
            _write(folder / "pids.max", limits.processes)
            _write(folder / "memory.oom.group", 1)
            with contextlib.suppress(FileNotFoundError):  # A kernel that cannot swap has none.
                _write(folder / "memory.swap.max", 0)
            _write(folder / "cgroup.procs", init)
            return GroupMeter(folder)
        except OSError:
            removed(folder)
            raise


class Scopes:
    """Measures in scopes of systemd, which removes each when its last process has ended, even if we are gone."""

    counted = True

    def command(self, limits: Limits) -> Sequence[str]:
        limits_of_scope = {
            "MemoryMax": limits.memory_bytes,
            "MemorySwapMax": 0,
            "TasksMax": limits.processes + 1,  # Bubblewrap's own process is one of them here.
        }
        whose = () if os.geteuid() == 0 else ("--user",)
        properties = (f"--property={name}={value}" for name, value in limits_of_scope.items())
        return ("systemd-run", *whose, "--scope", "--quiet", *properties, "--")

    def meter(self, pid: int, init: int, limits: Limits) -> Meter:
        return ScopeMeter(_group_of(pid))


def find_counting() -> Counting:
    """The best way that this machine permits; removes groups that ended runs have left. Never raises."""
    with contextlib.suppress(OSError):
        if home := _home_of_groups():
            return OwnGroups(home)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if _has_scopes():
            return Scopes()
    return ProcessCounting()


def _home_of_groups() -> Path | None:
    """The group below which ours may lie, with what is needed let through to them. Raises OSError."""
    home = _group_of(os.getpid())
    home = home.parent if home.name == _OURS else home
    if not _NEEDED.issubset((home / "cgroup.controllers").read_text().split()):
        return None
    if not _lets_through(home) and _has_room(home):
        _write(home / "cgroup.subtree_control", " ".join(f"+{name}" for name in sorted(_NEEDED)))
    if not _lets_through(home) or not os.access(home / "cgroup.procs", os.W_OK) or not os.access(home, os.W_OK):
        return None
    return home


def _lets_through(home: Path) -> bool:
    return _NEEDED.issubset((home / "cgroup.subtree_control").read_text().split())


def _has_room(home: Path) -> bool:
    """Whether no processes are in it, after moving our own to a group below; others are left alone. Raises OSError."""
    if not (home / "cgroup.type").exists():  # The root of all groups may have both.
        return True
    there = {int(pid) for pid in (home / "cgroup.procs").read_text().split()}
    if not there <= {os.getpid(), *descendants(os.getpid())}:
        return False
    (home / _OURS).mkdir(exist_ok=True)
    for pid in there:
        _write(home / _OURS / "cgroup.procs", pid)
    return True


def _has_scopes() -> bool:
    """Whether systemd gives us one that limits memory. Raises OSError, SubprocessError."""
    if not _SYSTEMD_RUNS.is_dir() or not shutil.which("systemd-run"):
        return False
    most = 64 << 20
    script = 'cat "$(sed -n s,^0::,/sys/fs/cgroup,p /proc/self/cgroup)/memory.max"'
    command = [*Scopes().command(Limits(memory_bytes=most)), "sh", "-c", script]
    tried = subprocess.run(  # noqa: S603
        command, check=False, capture_output=True, timeout=_TRY_SECONDS, env=environment(*SYSTEMD)
    )
    return tried.stdout.strip() == str(most).encode()


def _group_of(pid: int) -> Path:
    """The folder of a process's group of version 2. Raises OSError where there is none."""
    found = re.search(r"^0::(/.*)$", Path(f"/proc/{pid}/cgroup").read_text(), re.MULTILINE)
    mount = mount_of(Path("/proc/self/mountinfo").read_text().splitlines())
    if not found or not mount:
        raise FileNotFoundError("there are no control groups of version 2")
    return Path(mount + found[1])


def mount_of(table: Iterable[str]) -> str:
    """Where the groups of version 2 lie; "" if nowhere."""
    for line in table:
        before, _, after = line.partition(" - ")
        if after.startswith("cgroup2 ") and before.split()[3] == "/":
            return before.split()[4]
    return ""


def _write(path: Path, value: object) -> None:
    path.write_text(str(value))
