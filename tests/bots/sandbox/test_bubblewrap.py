"""Bubblewrap boxes (sandboxes) have limits, refuse some system calls, and leave nothing behind."""

import asyncio
import os
import platform
import select
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.bubblewrap.cgroups import CgroupControl, UsageControl, find_usage_control, mount_of
from server.bots.sandbox.bubblewrap.command import BoxSpec, box_command
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe
from server.bots.sandbox.bubblewrap.meters import GroupMeter, OldGroupMeter
from server.bots.sandbox.bubblewrap.runner import open_bubblewrap
from server.bots.sandbox.bubblewrap.seccomp import syscall_filter
from server.bots.sandbox.bubblewrap.waiting_box import WaitingBox, start_waiting_box
from server.bots.sandbox.namespace_sockets import open_box_sockets
from server.bots.sandbox.runner import WEAK_BOXES_WARNING, CannotRun
from tests.bots.sandbox.boxed_bots import Sandbox, box_environment, open_runner, read_log, start_bot, wait_for_end
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.source_files import ROOT

MEGABYTE = 1 << 20
ROOT_CHANGER = """\
import ctypes, os, sys

LIBC = ctypes.CDLL(None, use_errno=True)
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}[os.uname().machine]

def check(status):
    if status:
        raise OSError(ctypes.get_errno(), "it is not permitted")

def disk(path):
    os.makedirs(path, exist_ok=True)
    check(LIBC.mount(b"tmpfs", path.encode(), b"tmpfs", 6, None))

def pivot(new, old):
    check(LIBC.syscall(PIVOT_ROOT, new.encode(), old.encode()))

base = sys.argv[1] + "/base"
disk(base)
os.chdir(base)
os.mkdir("old")
disk("new")
disk("new/tmp")
disk("new/dev/shm")
pivot(".", "old")
check(LIBC.umount2(b"/old", 2))
older = os.open("/", os.O_RDONLY)
os.chdir("/new")
pivot(".", ".")
print("between", flush=True)
sys.stdin.readline()
os.fchdir(older)
check(LIBC.umount2(b".", 2))
os.chdir("/")
print(os.statvfs("/tmp").f_files, os.statvfs("/dev/shm").f_files)
"""
"""A program that changes its root folder as bubblewrap does, and pauses while the old root still hides the new one."""
pytestmark = [NEEDS_BUBBLEWRAP, pytest.mark.programs]


@pytest.fixture
def readable_folder() -> Iterator[Path]:
    """A folder that every user may read, because bots run as another user if root runs the tests."""
    with tempfile.TemporaryDirectory(prefix="highnoon-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def _start_waiting(folder: Path, bot: Path, starter: Sequence[str] = ()) -> WaitingBox:
    """Starts a box that waits before it starts the bot in the folder `bot`. `starter` precedes the box's command."""
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    spec = BoxSpec(Recipe("/bot", {}, ("true",), ()), bot, hosts, Limits())
    call_filter = syscall_filter(platform.machine(), counts_all_memory=False)
    return start_waiting_box(partial(box_command, spec), call_filter, starter=starter)


@pytest.mark.parametrize("starter", [(), ("env", "PASSWORD=hush")])
def test_box_is_complete_when_it_is_entered(readable_folder: Path, starter: Sequence[str]) -> None:
    """If the program entered a box before the network of the box was set up, the bot could never connect."""
    for _ in range(5):
        box = _start_waiting(readable_folder, readable_folder, starter)
        try:
            box.wait_until_ready()
            assert "bwrap" in Path(f"/proc/{box.init_pid}/cmdline").read_text()
            assert not Path(f"/proc/{box.init_pid}/environ").read_bytes(), "a box must have no environment"
            assert "127.0.0.1" in Path(f"/proc/{box.init_pid}/net/fib_trie").read_text()
            assert os.getpgid(box.process.pid) == box.process.pid, "Ctrl+C must not reach the box"
        finally:
            box.kill_box()


def test_box_is_limited_even_while_its_root_changes(tmp_path: Path) -> None:
    """bubblewrap changes a box's root folder in two steps. Between the steps, the old root hides the new one."""
    script = tmp_path / "between.py"
    script.write_text(ROOT_CHANGER)
    command = ["unshare", "--user", "--map-root-user", "--net", "--mount", sys.executable, str(script), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"between\n"
        open_box_sockets(process.pid, max_files={"/tmp": 50, "/dev/shm": 60})  # noqa: S108 (paths in the box)
        output, _ = process.communicate(b"\n")
    assert output == b"50 60\n"


def test_error_says_why_a_box_cannot_be_made(readable_folder: Path) -> None:
    box = _start_waiting(readable_folder, readable_folder / "nowhere")
    box.wait_until_ready()
    assert "nowhere: No such file or directory" in box.kill_box()


def test_no_bubblewrap_box_outlives_a_killed_program(tmp_path: Path) -> None:
    script = f"""
import asyncio
from pathlib import Path
from tests.bots.sandbox.boxed_bots import open_runner, start_bot
async def run():
    async with open_runner("light", Path("{tmp_path}")) as runner:
        box = await start_bot(runner, Path("{tmp_path}"), "never")
        print(box._started.init_pid, flush=True)
        await box.wait_for_exit()
asyncio.run(run())
"""
    program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    with program.stdout:
        box_process = os.pidfd_open(int(program.stdout.readline()))
        program.kill()
        program.wait()
    try:
        assert select.select([box_process], [], [], 30.0)[0], "the box must end within 30 seconds"
    finally:
        os.close(box_process)
    environment = box_environment(tmp_path)
    asyncio.run(open_bubblewrap(environment).close())
    assert not list(Path(tempfile.gettempdir()).glob(f"highnoon-light-{environment.label}-*"))


@pytest.fixture
def usage_control() -> UsageControl:
    """The control groups that measure what boxes use. Skips the test if this machine has no control groups."""
    control = find_usage_control()
    if not control.counts_all_memory:
        pytest.skip("this machine has no control groups")
    return control


def test_only_complete_mounts_of_control_groups_are_used() -> None:
    for table, mount in (
        ("35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate", ["/sys/fs/cgroup", "", ""]),
        (
            "35 24 0:30 / /cg/memory rw - cgroup cgroup rw,memory\n36 24 0:31 / /cg/new rw - cgroup2 x rw\n"
            "37 24 0:32 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
            ["/cg/new", "/cg/memory", "/cg/cpu,cpuacct"],
        ),
        ("35 24 0:30 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw", ["", "", ""]),
        ("24 1 8:1 / / rw - ext4 /dev/sda1 rw", ["", "", ""]),
    ):
        assert [mount_of(table.splitlines(), controller) for controller in ("", "memory", "cpu")] == mount


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("user", [(), ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")])
def test_operator_is_warned_of_boxes_without_control_groups(user: tuple[str, ...]) -> None:
    program = "import asyncio; from server.bots import choose_sandbox as s; print(asyncio.run(s.weak_boxes_warning()))"
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DOCKER_HOST": "unix:///nowhere"}
    if subprocess.run([*user, "test", "-x", sys.executable], check=False).returncode:
        pytest.skip("this clone is in a folder that other users may not enter")
    report = subprocess.run(
        [*user, sys.executable, "-c", program], check=False, capture_output=True, text=True, env=env
    )
    assert not report.returncode, report.stderr
    assert report.stdout.strip() == ("" if not user and find_usage_control().counts_all_memory else WEAK_BOXES_WARNING)


@pytest.mark.usefixtures("usage_control")
async def test_control_group_limits_its_box_and_is_removed_with_it(tmp_path: Path) -> None:
    async with open_runner("light", tmp_path) as runner:
        assert WEAK_BOXES_WARNING not in runner.remarks
        box = await start_bot(runner, tmp_path, "never")
        meter = box._meter  # type: ignore[attr-defined]
        assert isinstance(meter, GroupMeter)
        if isinstance(meter, OldGroupMeter):
            assert int(_read_setting(meter, "memory", "memory.limit_in_bytes")) == 100 * MEGABYTE
            assert int(_read_setting(meter, "memory", "memory.kmem.tcp.limit_in_bytes")) == 16 * MEGABYTE
            assert _read_setting(meter, "cpu", "cpu.cfs_quota_us") == "100000"
        else:
            assert int(_read_setting(meter, "memory", "memory.max")) == 100 * MEGABYTE
            assert int(_read_setting(meter, "memory", "memory.swap.max")) == 0
            assert _read_setting(meter, "cpu", "cpu.max") == "100000 100000"
        assert int(_read_setting(meter, "pids", "pids.max")) in (64, 65)
        assert all(_read_setting(meter, controller, "cgroup.procs") for controller in ("memory", "pids", "cpu"))
        await box.stop()
        assert (await wait_for_end(box)).startswith("was stopped")
    assert not await asyncio.to_thread(meter.folder.exists)


def _read_setting(meter: GroupMeter, controller: str, name: str) -> str:
    return (meter.folders[controller] / name).read_text().strip()


def test_boxes_that_two_runners_start_simultaneously_get_separate_control_groups(usage_control: UsageControl) -> None:
    if not isinstance(usage_control, CgroupControl):
        pytest.skip("systemd makes control groups itself")
    # Two runners would have two controls. A control's method `meter` makes the control group of a box.
    controls = [usage_control, find_usage_control()] * 50
    with subprocess.Popen(["sleep", "600"]) as process, ThreadPoolExecutor(8) as executor:
        try:
            meters = list(executor.map(lambda each: each.meter(process.pid, process.pid, Limits()), controls))
        finally:
            process.kill()
    folders = {meter.folder for meter in meters if isinstance(meter, GroupMeter)}
    for meter in meters:
        meter.close()
    assert len(folders) == len(controls)
    assert not any(folder.exists() for folder in folders)


def test_only_groups_of_dead_programs_are_removed(usage_control: UsageControl) -> None:
    if not isinstance(usage_control, CgroupControl):
        pytest.skip("systemd removes control groups itself")
    dead = subprocess.Popen(["true"])
    dead.wait()
    groups = [usage_control.parent_folders["memory"] / f"highnoon-box-{pid}-77" for pid in (dead.pid, os.getpid())]
    for group in groups:
        group.mkdir()
    CgroupControl(usage_control.parent_folders, 2)
    assert [group.exists() for group in groups] == [False, True]
    groups[1].rmdir()


AUDIT_ARCH_NUMBERS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Four verdicts from the kernel's seccomp.h: SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO with EPERM,
# SECCOMP_RET_ALLOW, and SECCOMP_RET_ERRNO with 0. With the last one, the kernel skips the call, but reports success.
KILLED, REFUSED, ALLOWED, IGNORED = 0x80000000, 0x00050001, 0x7FFF0000, 0x00050000
FORBIDDEN_CALLS = {
    "x86_64": {
        "keyctl": 250, "memfd_create": 319, "shmget": 29, "ptrace": 101, "bpf": 321, "io_uring_setup": 425,
        "sched_setaffinity": 203, "vmsplice": 278, "userfaultfd": 323, "perf_event_open": 298, "syslog": 103,
        "io_setup": 206, "mq_open": 240,
    },
    "aarch64": {
        "keyctl": 219, "memfd_create": 279, "shmget": 194, "ptrace": 117, "bpf": 280, "io_uring_setup": 425,
        "sched_setaffinity": 122, "vmsplice": 75, "userfaultfd": 282, "perf_event_open": 241, "syslog": 116,
        "io_setup": 0, "mq_open": 180,
    },
}  # fmt: skip
"""The numbers of some forbidden system calls on each processor, copied from the kernel's tables. If control groups
count all memory, calls for shared memory are allowed, unless they ask for huge pages.
"""
CALLS_FOR_SHARED_MEMORY = {"memfd_create", "shmget", "mq_open"}
CHECKED_BY_ARGUMENT = {
    "x86_64": {"fcntl": 72, "socket": 41, "socketpair": 53, "setsockopt": 54, "mmap": 9},
    "aarch64": {"fcntl": 25, "socket": 198, "socketpair": 199, "setsockopt": 208, "mmap": 222},
}


def _verdict(program: bytes, number: int, audit_arch: int, *arguments: int) -> int:
    """Runs one of our seccomp filters, `program`, on a system call. Returns the filter's verdict."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    call = struct.pack("=iIQ6Q", number if number < 1 << 31 else number - (1 << 32), audit_arch, 0, *padded)
    index = loaded = 0
    while True:
        code, jump_if_true, jump_if_false, value = struct.unpack_from("=HBBI", program, index * 8)
        index += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", call, value)
            case 0x54:
                loaded &= value
            case 0x15:
                index += jump_if_true if loaded == value else jump_if_false
            case 0x35:
                index += jump_if_true if loaded >= value else jump_if_false
            case 0x06:
                return int(value)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("counts_all_memory", [True, False])
def test_calls_that_allocate_uncounted_memory_are_refused(machine: str, counts_all_memory: bool) -> None:
    program, audit_arch = syscall_filter(machine, counts_all_memory=counts_all_memory), AUDIT_ARCH_NUMBERS[machine]
    numbers = FORBIDDEN_CALLS[machine] | CHECKED_BY_ARGUMENT[machine]
    buffer_verdict = ALLOWED if counts_all_memory else IGNORED
    memory_verdict = ALLOWED if counts_all_memory else REFUSED
    table: list[tuple[str, tuple[int, ...], int]] = [
        ("memfd_create", (0, 0x4), REFUSED),  # MFD_HUGETLB: a file of huge pages
        ("shmget", (0, 0, 0o4600), REFUSED),
        ("fcntl", (3, 1031), REFUSED),  # F_SETPIPE_SZ: a larger pipe
        ("fcntl", (3, 1), ALLOWED),
        *(("socket", (family, 1, 0), ALLOWED) for family in (1, 2, 10, 16)),
        *(("socket", (family, 1, 0), REFUSED) for family in (0, 15, 17, 38, 40)),
        ("socket", (16, 3, 9), REFUSED),  # netlink is allowed only to list addresses
        ("socketpair", (1, 1), ALLOWED),
        ("socketpair", (30, 1), REFUSED),
        *(("setsockopt", (3, 1, option), buffer_verdict) for option in (7, 8, 32, 33)),  # these set buffer sizes
        ("setsockopt", (3, 0, 8), ALLOWED),
        ("setsockopt", (3, 1, 2), ALLOWED),
        *(("mmap", (0, 0, 0, flags), memory_verdict) for flags in (0x21, 0x23, 0x4021)),
        ("mmap", (0, 0, 0, 0x40022), REFUSED),
        *(("mmap", (0, 0, 0, flags), ALLOWED) for flags in (0x22, 0x01)),
        *((name, (), REFUSED) for name in FORBIDDEN_CALLS[machine] if name not in CALLS_FOR_SHARED_MEMORY),
        *((name, (), memory_verdict) for name in CALLS_FOR_SHARED_MEMORY),
    ]
    for name, arguments, verdict in table:
        assert _verdict(program, numbers[name], audit_arch, *arguments) == verdict, (name, arguments)


def test_only_forbidden_or_foreign_system_calls_are_refused() -> None:
    program = syscall_filter("x86_64", counts_all_memory=False)
    refused = {number for number in range(600) if _verdict(program, number, AUDIT_ARCH_NUMBERS["x86_64"]) != ALLOWED}
    assert len(refused) == 26  # socket and socketpair, too, because their first argument, 0, is a forbidden family
    assert _verdict(program, 0x40000000 | 1, AUDIT_ARCH_NUMBERS["x86_64"]) == REFUSED
    assert _verdict(program, 0xFFFFFFFF, AUDIT_ARCH_NUMBERS["x86_64"]) == REFUSED
    assert _verdict(program, 1, 0x40000003) == KILLED
    with pytest.raises(CannotRun, match="only on x86_64 and aarch64, and this is riscv64"):
        syscall_filter("riscv64", counts_all_memory=True)


async def test_kernel_refuses_every_forbidden_call(tmp_path: Path) -> None:
    program = """\
import ctypes, errno, mmap, sys
libc = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[2:]):
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
    print(number, errno.errorcode.get(ctypes.get_errno()), flush=True)
try:
    mmap.mmap(-1, 4096)
except PermissionError:
    print("no shared memory")
"""
    numbers = [str(number) for number in FORBIDDEN_CALLS[platform.machine()].values()]
    lines = await _run(tmp_path, "uncounted", program, *numbers)
    assert lines == [*(f"{number} EPERM" for number in numbers), "no shared memory"]


async def test_processes_of_a_bot_can_share_memory(tmp_path: Path) -> None:
    program = """\
import multiprocessing, multiprocessing.shared_memory

def square(number):
    return number * number

if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        assert pool.map(square, range(9))[8] == 64
    queue, numbers = multiprocessing.Queue(), multiprocessing.Array("i", 1000)
    child = multiprocessing.Process(target=queue.put, args=(5,))
    child.start()
    numbers[7] = queue.get()
    child.join()
    shared = multiprocessing.shared_memory.SharedMemory(create=True, size=1 << 20)
    shared.buf[0] = 1
    shared.unlink()
    print("all is well")
"""
    assert await _run(tmp_path, "light", program) == ["all is well"]


async def _run(folder: Path, sandbox: Sandbox, program: str, *arguments: str) -> list[str]:
    """Runs a Python program as a bot. Returns the lines that it prints."""
    async with open_runner(sandbox, folder) as runner:
        box = await start_bot(runner, folder, program=program, arguments=arguments)
        assert await wait_for_end(box) == "ended by itself (0)", read_log(folder, "honest")
    return read_log(folder, "honest")
