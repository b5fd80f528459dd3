"""Makes the seccomp filter that blocks some system calls of bots in a bubblewrap sandbox. No I/O.

The filter is a program of about a hundred instructions of classic BPF. Python assembles it, so nothing needs to be
compiled.
"""

import struct
from collections.abc import Iterator

from msgspec import Struct

from server.bots.sandbox.runner import CannotRun

_BLOCKED_CALLS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "fanotify_init": (300, 262),
    "io_setup": (206, 0),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "perf_event_open": (298, 241),
    "ptrace": (101, 117),
    "request_key": (249, 218),
    "sched_setaffinity": (203, 122),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "syslog": (103, 116),
    "userfaultfd": (323, 282),
    "vmsplice": (278, 75),
}
"""Calls that no bot needs. With them, a bot could escape its box, use more processors than allowed, or read kernel
messages. A bot could also make the machine write to disk, or keep memory that belongs to no process. Each call has its
number on x86_64, then its number on aarch64.
"""
_UNCOUNTED_MEMORY_CALLS = {
    "landlock_create_ruleset": (444, 444),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "semget": (64, 190),
    "shmget": (29, 194),
}
"""Calls that allocate memory that belongs to no process. Only control groups count such memory."""


class _Rule(Struct, frozen=True):
    """Gives `verdict` on a call if each argument in `arguments` has the listed value after masking.

    `call` is the call's number on x86_64, then on aarch64.
    """

    call: tuple[int, int]
    verdict: int
    arguments: tuple[tuple[int, int, int], ...] = ()
    """For each argument to test: its index from 0, the mask, and the value."""


_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_AT_LEAST = 0x15, 0x35
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _FIRST_ARGUMENT_OFFSET = 0, 4, 16
_KILL, _REFUSE, _SKIP, _ALLOW = 0x80000000, 0x00050001, 0x00050000, 0x7FFF0000
"""The verdicts, in order: kill the process, refuse the call with EPERM, skip the call but report success, allow the
call.
"""
_ALL_BITS = 0xFFFFFFFF
_SOCKET, _SOCKETPAIR, _SETSOCKOPT = (41, 198), (53, 199), (54, 208)
_MMAP_NUMBERS = (9, 222)
_RULES = (
    _Rule(
        _MMAP_NUMBERS, _REFUSE, ((3, 0x40000, 0x40000),)
    ),  # MAP_HUGETLB: the kernel does not count these pages as memory
    _Rule(_UNCOUNTED_MEMORY_CALLS["memfd_create"], _REFUSE, ((1, 0x4, 0x4),)),  # MFD_HUGETLB
    _Rule(_UNCOUNTED_MEMORY_CALLS["shmget"], _REFUSE, ((2, 0o4000, 0o4000),)),  # SHM_HUGETLB
    _Rule((72, 25), _REFUSE, ((1, _ALL_BITS, 1031),)),  # fcntl with F_SETPIPE_SZ
    *(_Rule(_SOCKET, _ALLOW, ((0, _ALL_BITS, family),)) for family in (1, 2, 10)),  # AF_UNIX, AF_INET, AF_INET6
    _Rule(_SOCKET, _ALLOW, ((0, _ALL_BITS, 16), (2, _ALL_BITS, 0))),  # AF_NETLINK, to list the box's own addresses
    _Rule(_SOCKET, _REFUSE),
    _Rule(_SOCKETPAIR, _ALLOW, ((0, _ALL_BITS, 1),)),
    _Rule(_SOCKETPAIR, _REFUSE),
)
_RULES_UNCOUNTED = (
    _Rule(_MMAP_NUMBERS, _REFUSE, ((3, 0x21, 0x21),)),  # MAP_SHARED or MAP_SHARED_VALIDATE, with MAP_ANONYMOUS
    # SO_SNDBUF, SO_RCVBUF and their FORCE variants. Skipping these calls does no harm: the kernel, too, may set a
    # smaller size than a program asks for, without an error.
    *(_Rule(_SETSOCKOPT, _SKIP, ((1, _ALL_BITS, 1), (2, _ALL_BITS, option))) for option in (7, 8, 32, 33)),
)
_FIRST_X32_NUMBER = 0x40000000
"""On x86_64, programs of the x32 kind make calls with this number or a higher number."""
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""For each processor, its number in the kernel, and its index in the pairs of call numbers above."""
_BpfInstruction = tuple[int, int, int, int]
"""An instruction: the operation, how many instructions to skip if true and if false, and the operand."""


def syscall_filter(machine: str, *, counts_all_memory: bool) -> bytes:
    """Returns the filter program for `machine`, a name such as `platform.machine()` returns. Raises CannotRun for an
    unknown machine.

    `counts_all_memory` says whether a control group counts all memory of the bot. If not, the filter also refuses calls
    for memory that belongs to no process.
    """
    if machine not in _MACHINES:
        raise CannotRun(f"Boxes work only on {' and '.join(_MACHINES)}, and this is {machine}.")
    architecture, column = _MACHINES[machine]
    calls, rules = (
        (_BLOCKED_CALLS, _RULES)
        if counts_all_memory
        else (_BLOCKED_CALLS | _UNCOUNTED_MEMORY_CALLS, _RULES_UNCOUNTED + _RULES)
    )
    refusals = (_Rule(numbers, _REFUSE) for numbers in calls.values())
    lines: list[_BpfInstruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        (_IF_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),  # The call uses the numbers of another processor.
        (_LOAD, 0, 0, _NUMBER_OFFSET),
        (_IF_AT_LEAST, 0, 1, _FIRST_X32_NUMBER),
        (_RETURN, 0, 0, _REFUSE),
        *(line for rule in (*refusals, *rules) for line in _instructions(rule, column)),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)  # as the kernel's `struct sock_filter`


def _instructions(rule: _Rule, column: int) -> Iterator[_BpfInstruction]:
    """Yields the instructions of a rule. They test only the lower half of each argument, because the kernel ignores the
    upper half.

    Both kinds of processor store the lower half first.
    """
    jump = 3 * len(rule.arguments) + 1
    yield _LOAD, 0, 0, _NUMBER_OFFSET
    yield _IF_EQUAL, 0, jump, rule.call[column]
    for argument, mask, value in rule.arguments:
        jump -= 3
        yield _LOAD, 0, 0, _FIRST_ARGUMENT_OFFSET + 8 * argument
        yield _AND, 0, 0, mask
        yield _IF_EQUAL, 0, jump, value
    yield _RETURN, 0, 0, rule.verdict
