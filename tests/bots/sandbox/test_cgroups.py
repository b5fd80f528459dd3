"""Control groups for bubblewrap boxes: they are found where the system allows them, and removed afterwards."""

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.cgroups import Counting, OwnGroups, ProcessCounting, find_counting, mount_of
from server.bots.sandbox.bubblewrap.meters import GroupMeter, OldGroupMeter
from server.bots.sandbox.bubblewrap.runner import open_bubblewrap
from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from tests.bots.sandbox.boxed_bots import ended, opened, put_in, surroundings

MEGABYTE = 1 << 20


@pytest.fixture
def counting() -> Counting:
    """As this machine lets us have it; skipped without control groups."""
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    found = find_counting()
    if not found.counted:
        pytest.skip("this machine gives no control groups")
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
def test_groups_lie_where_they_are_mounted_whole(table: str, mount: list[str]) -> None:
    assert [mount_of(table.splitlines(), controller) for controller in ("", "memory", "cpu")] == mount


def test_without_groups_the_organiser_learns_that_memory_is_only_watched(tmp_path: Path) -> None:
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    runner = open_bubblewrap(surroundings(tmp_path), ProcessCounting())
    asyncio.run(runner.close())
    assert any("memory is only measured twenty times a second" in note for note in runner.notes)


def test_a_box_has_the_limits_of_its_group_and_leaves_none(counting: Counting, tmp_path: Path) -> None:
    async def story() -> Path:
        async with opened("light", tmp_path) as runner:
            assert not any("memory is only measured twenty times a second" in note for note in runner.notes)
            box = await put_in(runner, tmp_path, "never")
            meter = box._meter  # type: ignore[attr-defined]
            assert isinstance(meter, GroupMeter)
            _has_limits(meter)
            await box.stop()
            assert (await ended(box)).startswith("was stopped")
            return meter.folder

    assert not asyncio.run(story()).exists()


def _has_limits(meter: GroupMeter) -> None:
    """As the kernel has them, rounded down to pages; in either version."""
    old = isinstance(meter, OldGroupMeter)
    memory, swap = (
        ("memory.limit_in_bytes", "memory.kmem.tcp.limit_in_bytes") if old else ("memory.max", "memory.swap.max")
    )
    assert int(_read(meter, "memory", memory)) == 100 * MEGABYTE
    assert int(_read(meter, "memory", swap)) == (16 * MEGABYTE if old else 0)
    assert int(_read(meter, "pids", "pids.max")) in (64, 65)
    assert _read(meter, "cpu", "cpu.cfs_quota_us" if old else "cpu.max") in ("100000", "100000 100000")
    assert all(_read(meter, controller, "cgroup.procs") for controller in ("memory", "pids", "cpu"))


def _read(meter: GroupMeter, controller: str, name: str) -> str:
    return (meter.folders[controller] / name).read_text().strip()


def test_groups_of_a_program_that_is_gone_are_removed_and_no_others(counting: Counting) -> None:
    if not isinstance(counting, OwnGroups):
        pytest.skip("systemd removes them itself")
    gone = subprocess.Popen(["true"])
    gone.wait()
    left, kept = (counting.homes["memory"] / f"highnoon-box-{pid}-77" for pid in (gone.pid, os.getpid()))
    for group in (left, kept):
        group.mkdir()
    OwnGroups(counting.homes, 2)
    assert (left.exists(), kept.exists()) == (False, True)
    kept.rmdir()
