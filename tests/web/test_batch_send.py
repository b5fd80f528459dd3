"""The same bytes are sent to many real sockets, both with io_uring, if this system has it, and one by one."""

import contextlib
import os
import socket
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadcast.web.connections import batch_send
from broadcast.web.connections.batch_send import MAX_BATCH, BatchSender, Ring, batch_sender

HAS_RING = isinstance(batch_sender(), Ring)
needs_ring = pytest.mark.skipif(not HAS_RING, reason="this system has no io_uring, or does not allow it")
Pairs = list[tuple[socket.socket, socket.socket]]


@pytest.fixture(params=[pytest.param(Ring, marks=needs_ring), BatchSender])
def sender(request: pytest.FixtureRequest) -> BatchSender:
    sender: BatchSender = request.param()
    return sender


@contextlib.contextmanager
def connected(count: int) -> Iterator[Pairs]:
    """Yields `count` TCP connections, each with our end, which does not block, and the other end."""
    with contextlib.ExitStack() as closing:
        listener = closing.enter_context(socket.create_server(("127.0.0.1", 0), backlog=count))
        pairs = []
        for _ in range(count):
            far = closing.enter_context(socket.create_connection(listener.getsockname(), timeout=60))
            near = closing.enter_context(listener.accept()[0])
            near.setblocking(False)
            pairs.append((near, far))
        yield pairs


def numbers(pairs: Pairs) -> "array[int]":
    return array("i", (near.fileno() for near, _ in pairs))


def drain(far: socket.socket, count: int) -> bytes:
    received = bytearray()
    while len(received) < count:
        piece = far.recv(min(65536, count - len(received)))
        assert piece, f"the connection ended after {len(received)} bytes of {count}"
        received += piece
    return bytes(received)


def test_all_sockets_get_all_bytes_even_of_the_largest_batch(sender: BatchSender) -> None:
    with connected(40) as pairs:
        for turn in range(60):
            some = pairs[: 1 + turn * 7 % 40]
            data = b"message %d " % turn * (1 + turn)
            assert sender.send(numbers(some), data) == {}
            assert {drain(far, len(data)) for _, far in some} == {data}
    with connected(1) as ((near, far),):
        for letter in (b"a", b"b", b"c"):
            assert sender.send(array("i", [near.fileno()]) * MAX_BATCH, letter) == {}
            assert drain(far, MAX_BATCH) == letter * MAX_BATCH


def test_sockets_that_accept_nothing_are_reported_and_others_get_everything(sender: BatchSender) -> None:
    with connected(5) as pairs:
        (full, far), (gone, _) = pairs[1], pairs[3]
        before = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                before += full.send(bytes(65536))
        all_numbers = numbers(pairs)
        gone.shutdown(socket.SHUT_WR)
        all_numbers.append(-1)
        assert sender.send(all_numbers, b"hello") == {1: 0, 3: 0, 5: 0}
        assert [drain(pairs[index][1], 5) for index in (0, 2, 4)] == [b"hello"] * 3
        assert drain(far, before) == bytes(before)
        full.send(b"end")
        assert drain(far, 3) == b"end", "bytes that a socket refused must not be sent later"


@needs_ring
def test_no_other_process_inherits_a_ring() -> None:
    def rings() -> set[int]:
        files = Path("/proc/self/fd").iterdir()
        return {int(each.name) for each in files if each.is_symlink() and "io_uring" in os.readlink(each)}

    before = rings()
    ring = Ring()
    assert rings() - before
    assert not any(os.get_inheritable(each) for each in rings())
    maps = Path("/proc/self/smaps").read_text().split("[io_uring]")[1:]
    assert maps
    for each in maps:
        flags = next(line for line in each.splitlines() if line.startswith("VmFlags"))
        assert "dc" in flags.split(), "a fork must not copy the ring's memory"
    del ring
    assert rings() == before, "closing must leave no ring open"


def test_system_without_io_uring_sends_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_send, "IO_URING_SETUP", 99_999)  # no kernel has a system call of this number
    assert batch_sender().name == "one by one"
