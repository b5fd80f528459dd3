"""Sends the same bytes to hundreds of sockets with one system call: by io_uring, where the kernel has it.

One system call per socket, with the Python around it, can double the cost of sending. Linux accepts a list instead, in
memory shared with the program. Slices of memoryviews fill its columns (socket, address, size), so no Python runs per
socket. The caller learns only which sockets did not take everything.
"""

# Nothing is left pending. With MSG_DONTWAIT the kernel refuses what it would have to wait for, so every request is over
# when the call returns: the bytes may be freed, and no socket's number can be reused meanwhile. Only one thread uses
# each sender, and the kernel works within its calls, so the shared memory needs no barriers.
#
# The kernel may lack io_uring, a container may forbid it, and other systems never had it: `batch_sender` tries it once.
# Without it each socket gets its own system call.

import ctypes
import errno
import mmap
import os
import socket
import struct
import sys
import weakref
from array import array

MAX_BATCH = 512
"""Sockets per call, which takes about a millisecond."""
IO_URING_SETUP, IO_URING_ENTER = 425, 426  # on all processors
_IORING_ENTER_GETEVENTS = 1
_IORING_OP_SEND = 26
_QUEUES_AT, _ENTRIES_AT = 0, 0x10000000
"""Offsets of the two queues and of the entries in the ring's file."""
_PARAMETERS = struct.Struct("=30I")
"""struct io_uring_params: ten numbers about the ring, then ten with the offsets in each queue."""
_ENTRY = struct.Struct("=BBHiQQIIQ24x")
"""struct io_uring_sqe: operation, flags, priority, file, offset, address, size, flags of send, number of the entry."""
_UINT_MAX = 0xFFFFFFFF
_RESULT_BYTES = 16
"""struct io_uring_cqe: number of the entry (8 bytes), bytes sent or an error (4), flags (4)."""


class BatchSender:
    """Sends to many sockets with a system call each. `name` is the method in words."""

    name = "one by one"

    def send(self, sockets: "array[int]", data: bytes) -> dict[int, int]:
        """Sends `data` on each of at most MAX_BATCH non-blocking sockets, given by file number. Never waits.

        Returns the bytes taken by each socket that did not take all, by index in `sockets`. Does not raise: a socket
        with an error takes 0 bytes, and the next send on it fails.
        """
        size, short = len(data), {}
        for index, number in enumerate(sockets):
            try:
                taken = os.write(number, data)
            except OSError:
                taken = 0
            if taken != size:
                short[index] = taken
        return short


class Ring(BatchSender):
    """Sends to all sockets with one system call, by io_uring. Raises OSError where the system lacks or forbids it."""

    name = "io_uring"

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise OSError(errno.ENOSYS, "only Linux has io_uring")
        self._call = ctypes.CDLL(None, use_errno=True).syscall
        self._call.argtypes, self._call.restype = (ctypes.c_long,) * 7, ctypes.c_long
        about = ctypes.create_string_buffer(_PARAMETERS.size)
        self._file: int = self._call(IO_URING_SETUP, MAX_BATCH, ctypes.addressof(about), 0, 0, 0, 0)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), "this system has no io_uring")
        weakref.finalize(self, os.close, self._file)
        self._map(_PARAMETERS.unpack(about.raw))
        near, far = socket.socketpair()
        with near, far:
            if self.send(array("i", [near.fileno()]), b"!"):
                raise OSError(errno.ENOSYS, "io_uring does not send")

    def _map(self, about: tuple[int, ...]) -> None:
        """Maps the ring's memory, and fills in what no call changes."""
        (entries, results), sq, cq = about[:2], about[10:20], about[20:]
        queues = self._shared(_QUEUES_AT, max(sq[6] + entries * 4, cq[5] + results * _RESULT_BYTES))
        table = self._shared(_ENTRIES_AT, entries * _ENTRY.size)
        self._queues = queues.cast("I")
        self._sq_head, self._sq_tail = sq[0] // 4, sq[1] // 4
        self._cq_head, self._cq_tail = cq[0] // 4, cq[1] // 4
        self._order = self._queues[sq[6] // 4 :][:entries]
        self._sockets, self._addresses = table.cast("i")[1::16], table.cast("Q")[2::8]
        self._sizes = table.cast("I")[6::16]
        over = queues[cq[5] :][: results * _RESULT_BYTES]
        self._numbers, self._taken = over.cast("Q")[::2], over.cast("i")[2::4]
        for entry in range(entries):
            flags = socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL
            _ENTRY.pack_into(table, entry * _ENTRY.size, _IORING_OP_SEND, 0, 0, -1, 0, 0, 0, flags, entry)
        self._entries = memoryview(array("I", range(entries)))

    def _shared(self, at: int, size: int) -> memoryview:
        shared = mmap.mmap(self._file, size, offset=at)
        shared.madvise(mmap.MADV_DONTFORK)
        return memoryview(shared)

    def send(self, sockets: "array[int]", data: bytes) -> dict[int, int]:
        """As BatchSender says."""
        count, size, queues = len(sockets), len(data), self._queues
        address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
        self._sockets[:count] = memoryview(sockets)
        self._addresses[:count] = memoryview(array("Q", (address,)) * count)
        self._sizes[:count] = memoryview(array("I", (size,)) * count)
        sq = queues[self._sq_head]
        _put_around(self._order, sq, self._entries[:count])
        over = queues[self._cq_head] = queues[self._cq_tail]
        queues[self._sq_tail] = (sq + count) & _UINT_MAX
        begun = max(0, self._call(IO_URING_ENTER, self._file, count, 0, 0, 0, 0))
        # What the kernel did not begin must not go out with the next call.
        queues[self._sq_tail] = (sq + begun) & _UINT_MAX
        while (done := (queues[self._cq_tail] - over) & _UINT_MAX) < begun:
            # The kernel never defers what has MSG_DONTWAIT; if it did, `data` and the sockets would have to outlive it.
            self._call(IO_URING_ENTER, self._file, 0, begun - done, _IORING_ENTER_GETEVENTS, 0, 0)
        taken = _from_around(self._taken, over, begun)
        if begun == count and taken == size.to_bytes(4, sys.byteorder) * count:
            return {}
        took = dict.fromkeys(range(count), 0)
        took.update(zip(array("Q", _from_around(self._numbers, over, begun)), array("i", taken), strict=True))
        return {index: max(0, some) for index, some in took.items() if some != size}


def batch_sender() -> BatchSender:
    """A Ring where the system allows it, else a plain BatchSender."""
    try:
        return Ring()
    except OSError:
        return BatchSender()


def _put_around(queue: memoryview, at: int, items: memoryview) -> None:
    """Writes into a circular queue; `at` only ever grows."""
    at %= len(queue)
    till_end = len(queue) - at
    queue[at : at + len(items)] = items[:till_end]
    queue[: max(0, len(items) - till_end)] = items[till_end:]


def _from_around(queue: memoryview, at: int, count: int) -> bytes:
    at %= len(queue)
    return queue[at : at + count].tobytes() + queue[: max(0, at + count - len(queue))].tobytes()
