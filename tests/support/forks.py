"""Starts the program by forking a process that has imported it already, which saves a second for each start.

A fork runs as `python -m server` does: as the main module, with arguments, folder, environment and files of its own.
Only the seed of its hashes is that of every other fork.
"""

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import msgspec

from tests.support.fork_children import CAN_FORK_BESIDE, Children

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 180
"""A limit that nothing here reaches: a minute was too short for `highnoon check` on a busy machine."""
LOOK_SECONDS = 0.002
"""Between two looks at what a program has done."""
_ONE_AT_A_TIME = threading.Lock()
_ROOM = 1000
"""For the command that each fork shows."""


class Order(msgspec.Struct, frozen=True, tag=True):
    """How to start the program: in a `session` of its own if need be, with no file beyond `largest_file` bytes.

    `seconds` are other values for constants of the program by their names, "server.bots.transports.tcp.GAP_SECONDS",
    where a test is not about how long something is waited for. Another `module` may be run as `python -m` would, and
    what it reads is `imported` before, once for it and all later programs.
    """

    words: Sequence[str]
    folder: str = str(ROOT)
    environment: Mapping[str, str] = msgspec.field(default_factory=lambda: {**os.environ, "PYTHONPATH": str(ROOT)})
    session: bool = False
    largest_file: int | None = None
    seconds: Mapping[str, int | float] = {}
    module: str = "server"
    imported: Sequence[str] = ()


class Fork:
    """One start of the program, used like a subprocess.Popen; it is killed when the tests end."""

    def __init__(self, order: Order, files: tuple[int, int] | None = None) -> None:
        """`files` are its standard output and error; without them both are read from `stdout`."""
        reader, pipe = os.pipe()
        self.stdout = open(reader, encoding="utf-8")  # noqa: SIM115 (it is closed by `close`)
        self.returncode: int | None = None
        self._keeper, theirs = _pair()
        with theirs, open(pipe, "wb"):
            socket.send_fds(_starter()[0], [msgspec.json.encode(order)], [theirs.fileno(), *(files or (pipe, pipe))])
        self.pid = self._told()

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""
        return self._status(0.0)

    def wait(self, seconds: float) -> int:
        """Its exit status, minus the number of the signal that ended it. Raises TimeoutError."""
        status = self._status(seconds)
        if status is None:
            raise TimeoutError(f"the program has not ended after {seconds} seconds")
        return status

    def runs_until(self, happened: Callable[[], bool]) -> None:
        """Waits until something has happened, or the program has ended."""
        while not happened() and self._status(LOOK_SECONDS) is None:
            pass

    def send_signal(self, number: int) -> None:
        """Sends a signal; does nothing if the program has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # It has ended just now.
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kills it."""
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Kills it if it still runs, and closes every file."""
        self.kill()
        self.wait(SECONDS)
        self.stdout.close()
        self._keeper.close()

    def _status(self, seconds: float) -> int | None:
        if self.returncode is None and select.select([self._keeper], [], [], seconds)[0]:
            self.returncode = self._told()
        return self.returncode

    def _told(self) -> int:
        status = self._keeper.recv(16)
        assert status, "the fork server has ended: see above"
        return int(status)


def run(order: Order) -> "subprocess.CompletedProcess[str]":
    """Runs the program to its end."""
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        program = Fork(order, (stdout.fileno(), stderr.fileno()))
        try:
            status = program.wait(SECONDS)
        finally:
            program.close()
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(order.words, status, stdout.read(), stderr.read())


@contextmanager
def forked_children() -> Iterator[None]:
    """Forks also what the program starts of ours while it runs in this process."""
    if not CAN_FORK_BESIDE:
        yield
        return
    started = vars(subprocess)["_fork_exec"]
    vars(subprocess)["_fork_exec"] = Children(lambda: _starter()[0], started).fork_exec
    try:
        yield
    finally:
        vars(subprocess)["_fork_exec"] = started


def _pair() -> tuple[socket.socket, socket.socket]:
    """A pair of connected sockets that keep message boundaries."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def _starter() -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    """The socket for orders, and the fork server of this process; started at the first use, by one thread."""
    with _ONE_AT_A_TIME:
        return _started()


@cache
def _started() -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    ours, theirs = _pair()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with theirs:
        command = [sys.executable, "-m", "tests.support.fork_server", _ROOM * "-"]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=theirs.fileno())
    atexit.register(_end, ours, server)
    return ours, server


def _end(ours: socket.socket, server: "subprocess.Popen[bytes]") -> None:
    """Ends the fork server, which ends when nobody can order any more."""
    ours.close()
    server.wait()
