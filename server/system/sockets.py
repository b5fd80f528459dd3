"""Functions that watch sockets, pass them to other processes, and use them by descriptor, on every system.

On Unix, a socket is passed as a file descriptor. On Windows, the receiving process gets a description of the socket
that no other process can use. On Windows, the event loop that can start processes cannot watch sockets. So a thread
watches them.
"""

import asyncio
import base64
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from server.system.processes import UNIX, own_group_arguments

_ON_INPUT = "-"
"""On Windows, `start_with_sockets` passes this argument for each socket. The new process reads the socket's description
from its standard input.
"""
_LENGTH_BYTES = 4
_READ_BYTES = 1 << 16


class Watcher(Protocol):
    """The part of an event loop that calls a function when a socket can be read or written."""

    def add_reader(self, fd: Any, callback: Callable[..., object], /) -> object: ...

    def remove_reader(self, fd: Any) -> bool: ...

    def add_writer(self, fd: Any, callback: Callable[..., object], /) -> object: ...

    def remove_writer(self, fd: Any) -> bool: ...


@cache
def watcher(loop: asyncio.AbstractEventLoop) -> Watcher:
    """Returns an object that watches sockets for `loop`: the loop itself if it can, otherwise a thread."""
    if type(loop).add_reader is not asyncio.AbstractEventLoop.add_reader:
        return loop
    from tornado.platform.asyncio import SelectorThread  # noqa: PLC0415 - installed on Windows only

    thread: Any = SelectorThread(loop)  # it takes any callback, but is typed for callbacks that return None
    return cast(Watcher, thread)


def set_unread_timeout(connected: socket.socket, seconds: int) -> None:
    """Makes the system close a connection whose other end reads nothing for `seconds`. Does nothing on systems other
    than Linux.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)


@contextmanager
def watched_input(on_line: Callable[[], object]) -> Iterator[None]:
    """Calls `on_line` on the running event loop whenever a line is typed, until the `with` block ends."""
    loop = asyncio.get_running_loop()
    if UNIX:
        loop.add_reader(sys.stdin, lambda: sys.stdin.readline() and on_line())
        try:
            yield
        finally:
            loop.remove_reader(sys.stdin)
        return

    def wait() -> None:
        for _ in sys.stdin:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(lambda: waiting and on_line())

    waiting = [True]
    threading.Thread(target=wait, daemon=True).start()
    try:
        yield
    finally:
        waiting.clear()


# -- by descriptor


def _with_socket(fd: int, use: Callable[[socket.socket], Any]) -> Any:
    opened = socket.socket(fileno=fd)
    try:
        return use(opened)
    finally:
        opened.detach()


def _read_socket(fd: int, max_bytes: int, /) -> bytes:
    return bytes(_with_socket(fd, lambda opened: opened.recv(max_bytes)))


def _write_socket(fd: int, data: bytes, /) -> int:
    return int(_with_socket(fd, lambda opened: opened.send(data)))


read: Callable[[int, int], bytes] = os.read if UNIX else _read_socket
"""Reads at most the given number of bytes from the socket or pipe with the given descriptor. Raises OSError."""
write: Callable[[int, bytes], int] = os.write if UNIX else _write_socket
"""Writes bytes to the socket or pipe with the given descriptor, and returns how many were written. Raises OSError."""


def close(fd: int) -> None:
    """Closes the socket or pipe with the descriptor `fd`."""
    os.close(fd) if UNIX else socket.close(fd)


def set_nonblocking(fd: int) -> None:
    """Makes a descriptor non-blocking: `read` and `write` raise BlockingIOError instead of waiting."""
    if UNIX and sys.platform != "win32":
        os.set_blocking(fd, False)
    else:
        _with_socket(fd, lambda opened: opened.setblocking(False))


def make_watchable(sink: int, source: int) -> tuple[int, int]:
    """Returns two descriptors that an event loop can watch, in place of the pipe ends `sink` and `source`.

    The first descriptor is for writing, and the second is for reading. On Windows, both are sockets, and two threads
    copy bytes between these sockets and the pipes. Use the descriptors with `read`, `write` and `close`.
    """
    if UNIX:
        return sink, source
    (near_sink, far_sink), (near_source, far_source) = socket.socketpair(), socket.socketpair()

    def feed() -> None:
        with far_sink, open(sink, "wb", buffering=0) as pipe, suppress(OSError):
            while piece := far_sink.recv(_READ_BYTES):
                pipe.write(piece)

    def drain() -> None:
        with far_source, open(source, "rb", buffering=0) as pipe, suppress(OSError):
            while piece := pipe.read(_READ_BYTES):
                far_source.sendall(piece)

    for copy in (feed, drain):
        threading.Thread(target=copy, daemon=True).start()
    return near_sink.detach(), near_source.detach()


# -- to other processes


async def start_with_sockets(
    sockets: Sequence[socket.socket], command: Sequence[str], *arguments: str, cwd: Path, env: Mapping[str, str]
) -> asyncio.subprocess.Process:
    """Starts `command` with one argument for each socket, followed by `arguments`. Ctrl-C does not reach the new
    process.

    The new process opens the sockets with `open_passed_socket`, in the same order. The caller's copies stay open.
    Raises OSError.
    """
    if UNIX:
        files = [passed.fileno() for passed in sockets]
        return await asyncio.create_subprocess_exec(
            *command, *map(str, files), *arguments,
            cwd=cwd, env=env, pass_fds=files, stdin=subprocess.DEVNULL, **own_group_arguments(session=True),
        )  # fmt: skip
    markers = [_ON_INPUT] * len(sockets)
    process = await asyncio.create_subprocess_exec(
        *command, *markers, *arguments, cwd=cwd, env=env, stdin=subprocess.PIPE, **own_group_arguments(session=True)
    )
    assert process.stdin, "standard input is a pipe"
    for passed in sockets:
        process.stdin.write(base64.b64encode(_share_socket(passed, process.pid)) + b"\n")
    process.stdin.close()
    return process


def open_passed_socket(argument: str) -> socket.socket:
    """Opens a socket that `start_with_sockets` passed to this process. `argument` is the command-line argument for this
    socket. Raises OSError.
    """
    if argument != _ON_INPUT:
        return socket.socket(fileno=int(argument))
    return _open_shared(base64.b64decode(sys.stdin.buffer.readline()))


def pass_sockets(sockets: Sequence[socket.socket], through: socket.socket, pid: int) -> None:
    """Sends `sockets` to process `pid` over the socket `through`. Afterwards, the caller must close its own copies.
    Raises OSError.
    """
    if hasattr(socket, "send_fds"):
        socket.send_fds(through, [b"s"], [passed.fileno() for passed in sockets])
        return
    for passed in sockets:
        shared = _share_socket(passed, pid)
        through.sendall(len(shared).to_bytes(_LENGTH_BYTES) + shared)


def receive_passed_sockets(count: int, through: socket.socket) -> list[socket.socket]:
    """Waits for `count` sockets that `pass_sockets` sends, and returns them. Raises OSError."""
    if hasattr(socket, "recv_fds"):
        _, files, _, _ = socket.recv_fds(through, 1, count)
        return [socket.socket(fileno=file) for file in files]
    lengths = (int.from_bytes(_receive_exactly(through, _LENGTH_BYTES)) for _ in range(count))
    return [_open_shared(_receive_exactly(through, length)) for length in lengths]


def _receive_exactly(through: socket.socket, length: int) -> bytes:
    received = b""
    while len(received) < length:
        piece = through.recv(length - len(received))
        if not piece:
            raise ConnectionError("the process that hands over sockets has ended")
        received += piece
    return received


def _share_socket(passed: Any, pid: int) -> bytes:
    """Duplicates a socket for process `pid`. Returns a description that only that process can use."""
    return bytes(passed.share(pid))


def _open_shared(shared: bytes) -> socket.socket:
    opened: socket.socket = getattr(socket, "fromshare")(shared)  # noqa: B009 - only Windows has it
    return opened
