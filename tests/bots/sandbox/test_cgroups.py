"""Control groups count what bubblewrap boxes use, if the system allows that; the groups are removed afterwards."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.cgroups import Counting, OwnGroups, find_counting, mount_of
from server.bots.sandbox.bubblewrap.meters import GroupMeter, OldGroupMeter
from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from server.bots.sandbox.runner import WEAK
from tests.bots.sandbox.boxed_bots import opened, put_in, wait_for_end
from tests.support.source_files import ROOT

MEGABYTE = 1 << 20


@pytest.fixture
def counting() -> Counting:
    """How this machine counts what boxes use; skips the test if the machine has no control groups."""
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    found = find_counting()
    if not found.counted:
        pytest.skip("this machine has no control groups")
    return found


@pytest.mark.parametrize(
    ("table", "mount"),
    [
        ("35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate", ["/sys/fs/cgroup", "", ""]),
        (
            "35 24 0:30 / /cg/memory rw - cgroup cgroup rw,memory\n36 24 0:31 / /cg/new rw - cgroup2 x rw\n"
            "37 24 0:32 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
            ["/cg/new", "/cg/memory", "/cg/cpu,cpuacct"],
        ),
        ("35 24 0:30 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw", ["", "", ""]),
        ("24 1 8:1 / / rw - ext4 /dev/sda1 rw", ["", "", ""]),
    ],
)
def test_only_complete_mounts_of_control_groups_are_used(table: str, mount: list[str]) -> None:
    assert [mount_of(table.splitlines(), controller) for controller in ("", "memory", "cpu")] == mount


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("user", [(), ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")])
def test_weakness_of_boxes_is_reported_unless_root_has_control_groups(user: tuple[str, ...]) -> None:
    program = "import asyncio; from server.bots.choose_sandbox import weakness; print(asyncio.run(weakness()))"
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DOCKER_HOST": "unix:///nowhere"}
    if subprocess.run([*user, "test", "-x", sys.executable], check=False).returncode:
        pytest.skip("this clone is in a folder that other users may not enter")
    report = subprocess.run([*user, sys.executable, "-c", program], check=True, capture_output=True, text=True, env=env)
    is_silent = bubblewrap_fault() or (not user and find_counting().counted)
    assert report.stdout.strip() == ("" if is_silent else WEAK)


@pytest.mark.usefixtures("counting")
async def test_box_has_the_limits_of_its_group_and_the_group_is_removed_with_the_box(tmp_path: Path) -> None:
    async with opened("light", tmp_path) as runner:
        assert WEAK not in runner.notes
        box = await put_in(runner, tmp_path, "never")
        meter = box._meter  # type: ignore[attr-defined]
        assert isinstance(meter, GroupMeter)
        old = isinstance(meter, OldGroupMeter)
        memory, swap = (
            ("memory.limit_in_bytes", "memory.kmem.tcp.limit_in_bytes") if old else ("memory.max", "memory.swap.max")
        )
        assert int(_read(meter, "memory", memory)) == 100 * MEGABYTE
        assert int(_read(meter, "memory", swap)) == (16 * MEGABYTE if old else 0)
        assert int(_read(meter, "pids", "pids.max")) in (64, 65)
        assert _read(meter, "cpu", "cpu.cfs_quota_us" if old else "cpu.max") in ("100000", "100000 100000")
        assert all(_read(meter, controller, "cgroup.procs") for controller in ("memory", "pids", "cpu"))
        await box.stop()
        assert (await wait_for_end(box)).startswith("was stopped")
    assert not await asyncio.to_thread(meter.folder.exists)


def _read(meter: GroupMeter, controller: str, name: str) -> str:
    return (meter.folders[controller] / name).read_text().strip()


def test_only_groups_of_dead_programs_are_removed(counting: Counting) -> None:
    if not isinstance(counting, OwnGroups):
        pytest.skip("systemd removes control groups itself")
    gone = subprocess.Popen(["true"])
    gone.wait()
    abandoned, kept = (counting.homes["memory"] / f"highnoon-box-{pid}-77" for pid in (gone.pid, os.getpid()))
    for group in (abandoned, kept):
        group.mkdir()
    OwnGroups(counting.homes, 2)
    assert (abandoned.exists(), kept.exists()) == (False, True)
    kept.rmdir()
