"""Which system calls a bot in a bubblewrap box may not make, as a seccomp program. Values only.

Written here so that nothing has to be compiled: some forty instructions of the kernel's classic packet filter (BPF).
"""

import struct
from collections.abc import Iterable, Mapping

from msgspec import Struct

from server.bots.sandbox.runner import CannotRun

_NEEDLESS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "perf_event_open": (298, 241),
    "ptrace": (101, 117),
    "request_key": (249, 218),
    "userfaultfd": (323, 282),
}
"""Calls that no bot needs and that have been used to break out of boxes. Numbers on x86_64 and on aarch64."""
_UNCOUNTED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "msgget": (68, 186),
    "semget": (64, 190),
    "shmget": (29, 194),
}
"""Calls that give memory that belongs to no process, so that only a control group can count it."""
_MMAP = (9, 222)
_SHARED_BY_NOBODY = 0x21
"""MAP_SHARED (also as MAP_SHARED_VALIDATE) together with MAP_ANONYMOUS."""

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_AT_LEAST = 0x15, 0x35
_NUMBER, _ARCHITECTURE, _FOURTH_ARGUMENT = 0, 4, 16 + 3 * 8
_KILL, _REFUSE, _ALLOW = 0x80000000, 0x00050001, 0x7FFF0000
"""Kill the process; refuse the call with EPERM; allow it."""
_X32 = 0x40000000
"""On x86_64, the number from which the same calls are repeated for x32 programs."""


class Machine(Struct, frozen=True):
    """A processor: the kernel's number for it, and its column in the tables above."""

    audit: int
    column: int


_MACHINES = {"x86_64": Machine(0xC000003E, 0), "aarch64": Machine(0xC00000B7, 1)}


def syscall_filter(machine: str, *, counted: bool) -> bytes:
    """The filter program for a machine, named as `platform.machine()` does. Raises CannotRun for an unknown one.

    `counted`: whether memory that belongs to no process is counted; else the calls that give it are refused as well.
    """
    if machine not in _MACHINES:
        raise CannotRun(f"Boxes are known for {' and '.join(_MACHINES)} only, and this is {machine}.")
    known = _MACHINES[machine]
    refused = [numbers[known.column] for numbers in _refused(counted).values()]
    lines = [
        *_head(known.audit),
        *(line for number in refused for line in _unless(number)),
        *([] if counted else _mmap(_MMAP[known.column])),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return _packed(lines)


def _refused(counted: bool) -> Mapping[str, tuple[int, int]]:
    return _NEEDLESS if counted else _NEEDLESS | _UNCOUNTED


_Line = tuple[int, int, int, int]
"""An instruction: operation, jump if true, jump if false, operand."""


def _head(audit: int) -> Iterable[_Line]:
    """Kills at calls in the convention of another processor, and refuses x32 calls."""
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _IF_EQUAL, 1, 0, audit
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, _NUMBER
    yield _IF_AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _REFUSE


def _unless(number: int) -> Iterable[_Line]:
    yield _IF_EQUAL, 0, 1, number
    yield _RETURN, 0, 0, _REFUSE


def _mmap(number: int) -> Iterable[_Line]:
    """Refuses mmap by its flags; both processors keep the lower half of an argument first."""
    yield _IF_EQUAL, 0, 4, number
    yield _LOAD, 0, 0, _FOURTH_ARGUMENT
    yield _AND, 0, 0, _SHARED_BY_NOBODY
    yield _IF_EQUAL, 0, 1, _SHARED_BY_NOBODY
    yield _RETURN, 0, 0, _REFUSE


def _packed(lines: Iterable[_Line]) -> bytes:
    """As the kernel's `struct sock_filter`."""
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
