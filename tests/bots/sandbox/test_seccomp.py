"""A bot in a bubblewrap box may not make some system calls, which honest bots do not need."""

import platform
import struct
from pathlib import Path
from typing import Literal

import pytest

from server.bots.sandbox.bubblewrap.seccomp import syscall_filter
from server.bots.sandbox.runner import BotCommands, CannotRun
from tests.bots.sandbox.boxed_bots import log_of, logged, opened, wait_for_end
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP

AUDIT_NUMBERS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# From the kernel's seccomp.h: SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO with EPERM, SECCOMP_RET_ALLOW.
KILLED, REFUSED, ALLOWED = 0x80000000, 0x00050001, 0x7FFF0000
CALLS = {
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
"""The numbers of forbidden system calls on each processor, copied from the kernel's tables."""
CALLS_FOR_UNCOUNTED_MEMORY = {"memfd_create", "shmget", "mq_open"}
CHECKED_BY_ARGUMENT = {
    "x86_64": {"fcntl": 72, "socket": 41, "socketpair": 53, "setsockopt": 54, "mmap": 9},
    "aarch64": {"fcntl": 25, "socket": 198, "socketpair": 199, "setsockopt": 208, "mmap": 222},
}
IGNORED = 0x00050000
"""SECCOMP_RET_ERRNO with 0: the call has no effect, but reports success."""


def _verdict(program: bytes, number: int, audit: int, *arguments: int) -> int:
    """Runs the filter `program` on a system call; returns the verdict. Knows only instructions that our filters use."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    call = struct.pack("=iIQ6Q", number if number < 1 << 31 else number - (1 << 32), audit, 0, *padded)
    at = loaded = 0
    while True:
        code, jump_if_true, jump_if_false, value = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", call, value)
            case 0x54:
                loaded &= value
            case 0x15:
                at += jump_if_true if loaded == value else jump_if_false
            case 0x35:
                at += jump_if_true if loaded >= value else jump_if_false
            case 0x06:
                return int(value)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("counted", [True, False])
def test_calls_whose_arguments_allocate_uncounted_memory_are_refused(machine: str, counted: bool) -> None:
    program, audit = syscall_filter(machine, counts_all_memory=counted), AUDIT_NUMBERS[machine]
    numbers = CALLS[machine] | CHECKED_BY_ARGUMENT[machine]
    cut, shared = ALLOWED if counted else IGNORED, ALLOWED if counted else REFUSED
    table: list[tuple[str, tuple[int, ...], int]] = [
        ("memfd_create", (0, 0x4), REFUSED),  # MFD_HUGETLB takes huge pages
        ("shmget", (0, 0, 0o4600), REFUSED),
        ("fcntl", (3, 1031), REFUSED),  # F_SETPIPE_SZ makes a pipe larger
        ("fcntl", (3, 1), ALLOWED),
        *(("socket", (family, 1, 0), ALLOWED) for family in (1, 2, 10, 16)),
        *(("socket", (family, 1, 0), REFUSED) for family in (0, 15, 17, 38, 40)),
        ("socket", (16, 3, 9), REFUSED),  # netlink is allowed only to list addresses
        ("socketpair", (1, 1), ALLOWED),
        ("socketpair", (30, 1), REFUSED),
        *(("setsockopt", (3, 1, option), cut) for option in (7, 8, 32, 33)),  # make the buffers of a socket larger
        ("setsockopt", (3, 0, 8), ALLOWED),
        ("setsockopt", (3, 1, 2), ALLOWED),
        *(("mmap", (0, 0, 0, flags), shared) for flags in (0x21, 0x23, 0x4021)),
        ("mmap", (0, 0, 0, 0x40022), REFUSED),
        *(("mmap", (0, 0, 0, flags), ALLOWED) for flags in (0x22, 0x01)),
        *((name, (), shared if name in CALLS_FOR_UNCOUNTED_MEMORY else REFUSED) for name in CALLS[machine]),
    ]
    for name, arguments, verdict in table:
        assert _verdict(program, numbers[name], audit, *arguments) == verdict, (name, arguments)


def test_other_calls_are_allowed_unless_they_are_made_as_on_another_processor() -> None:
    program = syscall_filter("x86_64", counts_all_memory=False)
    refused = {number for number in range(600) if _verdict(program, number, AUDIT_NUMBERS["x86_64"]) != ALLOWED}
    assert len(refused) == 26  # socket and socketpair are refused only because the family is 0
    assert _verdict(program, 0x40000000 | 1, AUDIT_NUMBERS["x86_64"]) == REFUSED
    assert _verdict(program, 0xFFFFFFFF, AUDIT_NUMBERS["x86_64"]) == REFUSED
    assert _verdict(program, 1, 0x40000003) == KILLED
    with pytest.raises(CannotRun, match="only on x86_64 and aarch64, and this is riscv64"):
        syscall_filter("riscv64", counts_all_memory=True)


MAKES_CALLS = """\
import ctypes, errno, mmap, sys
libc = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[1:]):
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
    print(number, errno.errorcode.get(ctypes.get_errno()), flush=True, file=sys.stderr)
try:
    mmap.mmap(-1, 4096)
except PermissionError:
    print("no shared memory", file=sys.stderr)
"""
HONEST = """\
import multiprocessing, multiprocessing.shared_memory, sys, threading

def square(number):
    return number * number

if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        assert pool.map(square, range(9))[8] == 64
    queue, lock, numbers = multiprocessing.Queue(), multiprocessing.Lock(), multiprocessing.Array("i", 1000)
    child = multiprocessing.Process(target=queue.put, args=(5,))
    child.start()
    with lock:
        numbers[7] = queue.get()
    child.join()
    shared = multiprocessing.shared_memory.SharedMemory(create=True, size=1 << 20)
    shared.buf[0] = 1
    shared.unlink()
    threads = [threading.Thread(target=square, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
        thread.join()
    print("all is well", file=sys.stderr)
"""


@NEEDS_BUBBLEWRAP
async def test_kernel_refuses_every_call_on_the_list(tmp_path: Path) -> None:
    numbers = [str(number) for number in CALLS[platform.machine()].values()]
    lines = await _run_bot(tmp_path, MAKES_CALLS, *numbers, kind="uncounted")
    assert lines == [*(f"{number} EPERM" for number in numbers), "no shared memory"]


@NEEDS_BUBBLEWRAP
async def test_bots_of_several_processes_run_and_share_memory(tmp_path: Path) -> None:
    assert await _run_bot(tmp_path, HONEST) == ["all is well"]


async def _run_bot(
    folder: Path, program: str, *arguments: str, kind: Literal["light", "uncounted"] = "light"
) -> list[str]:
    """Runs a Python program as a bot; returns the lines that it prints to standard error."""
    (folder / "bot").mkdir()
    (folder / "bot" / "bot.py").write_text(program)
    orders = BotCommands(" ".join(["exec python3 bot.py", *arguments]))
    async with opened(kind, folder) as runner:
        built = await runner.build_piped("Asker", folder / "bot", orders, lambda _: None)
        bot = await runner.start_piped("Asker", built, log_of(folder, "asker"))
        assert await wait_for_end(bot) == "ended by itself (0)", log_of(folder, "asker").read_text()
    return logged(folder, "asker")
