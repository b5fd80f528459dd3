"""Sends the same bytes to hundreds of sockets with one system call, through io_uring if the kernel has it.

One system call per socket, with the Python code around it, can double the cost of sending. With io_uring, Linux reads a
list of sends from memory that it shares with the program. This list has columns (socket, address, size). One slice of a
memoryview fills a whole column, so no Python code runs for each socket. The caller learns only which sockets did not
accept everything.
"""

# No request stays pending. With MSG_DONTWAIT, a send fails instead of waiting, so every request has ended when the call
# returns. The bytes may then be freed, and no file descriptor can be reused during the call. Only one thread uses each
# sender, and the kernel works only during system calls, so the shared memory needs no barriers.
#
# The kernel may lack io_uring, a container may forbid it, and other systems do not have it. So `batch_sender` tries
# io_uring once. Without io_uring each socket gets its own system call.

import ctypes
import errno
import mmap
import os
import socket
import struct
import sys
import weakref
from array import array

from server.system.processes import LINUX
from server.system.sockets import write

MAX_BATCH = 512
"""The maximum number of sockets per call. A call for that many sockets takes about a millisecond."""
IO_URING_SETUP, IO_URING_ENTER = 425, 426  # the same on every architecture
_IORING_ENTER_GETEVENTS = 1
_IORING_OP_SEND = 26
_QUEUES_AT, _ENTRIES_AT = 0, 0x10000000
"""The offsets of the two queues and of the entries in io_uring's file."""
_PARAMETERS = struct.Struct("=30I")
"""struct io_uring_params: ten general numbers, then ten offsets for each of the two queues."""
_ENTRY = struct.Struct("=BBHiQQIIQ24x")
"""struct io_uring_sqe: operation, flags, priority, file, offset, address, size, flags of send, number of the entry."""
_SEND_FLAGS = getattr(socket, "MSG_DONTWAIT", 0) | getattr(socket, "MSG_NOSIGNAL", 0)
_UINT_MAX = 0xFFFFFFFF
_RESULT_BYTES = 16
"""struct io_uring_cqe: number of the entry (8 bytes), bytes sent or an error (4), flags (4)."""


class BatchSender:
    """Sends to many sockets with a system call for each. `name` describes the method."""

    name = "one by one"

    def send(self, sockets: "array[int]", data: bytes) -> dict[int, int]:
        """Sends `data` on at most MAX_BATCH non-blocking `sockets`, given by their file descriptors. Never waits.

        Returns how many bytes each socket accepted, keyed by its index in `sockets`. Leaves out sockets that accepted
        all bytes. Does not raise: a socket with an error accepts 0 bytes, and the next send on that socket fails.
        """
        size, partial = len(data), {}
        for index, fd in enumerate(sockets):
            try:
                sent = write(fd, data)
            except OSError:
                sent = 0
            if sent != size:
                partial[index] = sent
        return partial


class Ring(BatchSender):
    """Sends to all sockets with one system call of io_uring. Raises OSError if the system lacks or forbids it."""

    name = "io_uring"

    def __init__(self) -> None:
        if not LINUX:
            raise OSError(errno.ENOSYS, "only Linux has io_uring")
        self._syscall = ctypes.CDLL(None, use_errno=True).syscall
        self._syscall.argtypes, self._syscall.restype = (ctypes.c_long,) * 7, ctypes.c_long
        parameters = ctypes.create_string_buffer(_PARAMETERS.size)
        self._file: int = self._syscall(IO_URING_SETUP, MAX_BATCH, ctypes.addressof(parameters), 0, 0, 0, 0)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), "this system has no io_uring")
        weakref.finalize(self, os.close, self._file)
        self._map(_PARAMETERS.unpack(parameters.raw))
        near, far = socket.socketpair()
        with near, far:
            if self.send(array("i", [near.fileno()]), b"!"):
                raise OSError(errno.ENOSYS, "io_uring does not send")

    def _map(self, parameters: tuple[int, ...]) -> None:
        """Maps the ring's memory, and fills in what all calls have in common."""
        (entries, results), sq, cq = parameters[:2], parameters[10:20], parameters[20:]
        queues = self._map_part(_QUEUES_AT, max(sq[6] + entries * 4, cq[5] + results * _RESULT_BYTES))
        table = self._map_part(_ENTRIES_AT, entries * _ENTRY.size)
        self._queues = queues.cast("I")
        self._sq_head, self._sq_tail = sq[0] // 4, sq[1] // 4
        self._cq_head, self._cq_tail = cq[0] // 4, cq[1] // 4
        self._submitted_entries = self._queues[sq[6] // 4 :][:entries]
        self._sockets, self._addresses = table.cast("i")[1::16], table.cast("Q")[2::8]
        self._sizes = table.cast("I")[6::16]
        completions = queues[cq[5] :][: results * _RESULT_BYTES]
        self._completed_entries, self._sent = completions.cast("Q")[::2], completions.cast("i")[2::4]
        for entry in range(entries):
            _ENTRY.pack_into(table, entry * _ENTRY.size, _IORING_OP_SEND, 0, 0, -1, 0, 0, 0, _SEND_FLAGS, entry)
        self._entry_numbers = memoryview(array("I", range(entries)))

    def _map_part(self, offset: int, size: int) -> memoryview:
        memory = mmap.mmap(self._file, size, offset=offset)
        if sys.platform == "linux":
            memory.madvise(mmap.MADV_DONTFORK)
        return memoryview(memory)

    def send(self, sockets: "array[int]", data: bytes) -> dict[int, int]:
        count, size, queues = len(sockets), len(data), self._queues
        address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
        self._sockets[:count] = memoryview(sockets)
        self._addresses[:count] = memoryview(array("Q", (address,)) * count)
        self._sizes[:count] = memoryview(array("I", (size,)) * count)
        first_entry = queues[self._sq_head]
        _write_circular(self._submitted_entries, first_entry, self._entry_numbers[:count])
        first_result = queues[self._cq_head] = queues[self._cq_tail]
        queues[self._sq_tail] = (first_entry + count) & _UINT_MAX
        started = max(0, self._syscall(IO_URING_ENTER, self._file, count, 0, 0, 0, 0))
        # Drops the requests that the kernel did not start, so that the next call does not send them.
        queues[self._sq_tail] = (first_entry + started) & _UINT_MAX
        while (done := (queues[self._cq_tail] - first_result) & _UINT_MAX) < started:
            # The kernel never defers a send with MSG_DONTWAIT. But `data` may be freed afterwards, so this loop makes
            # sure that no send is left.
            self._syscall(IO_URING_ENTER, self._file, 0, started - done, _IORING_ENTER_GETEVENTS, 0, 0)
        results = _read_circular(self._sent, first_result, started)
        if started == count and results == size.to_bytes(4, sys.byteorder) * count:
            return {}
        sent = dict.fromkeys(range(count), 0)
        sent.update(
            zip(
                array("Q", _read_circular(self._completed_entries, first_result, started)),
                array("i", results),
                strict=True,
            )
        )
        return {index: max(0, size_sent) for index, size_sent in sent.items() if size_sent != size}


def batch_sender() -> BatchSender:
    """Returns a Ring if the system allows it, else a plain BatchSender."""
    try:
        return Ring()
    except OSError:
        return BatchSender()


def _write_circular(queue: memoryview, position: int, items: memoryview) -> None:
    """Writes into a circular queue. `position` may exceed the queue's length."""
    position %= len(queue)
    until_end = len(queue) - position
    queue[position : position + len(items)] = items[:until_end]
    queue[: max(0, len(items) - until_end)] = items[until_end:]


def _read_circular(queue: memoryview, position: int, count: int) -> bytes:
    position %= len(queue)
    return queue[position : position + count].tobytes() + queue[: max(0, position + count - len(queue))].tobytes()
