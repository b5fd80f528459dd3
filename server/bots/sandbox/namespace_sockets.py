"""Has `namespace_program.py` open listening sockets inside a box, and takes them over from it."""

import json
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from server.bots.sandbox import namespace_program
from server.bots.sandbox.runner import GAME_PORT, REGISTER_PORT, CannotRun

_SECONDS = 10.0


def listen_inside(
    pid: int,
    addresses: Sequence[str],
    limits: Mapping[int, int] | None = None,
    most_files: Mapping[str, int] | None = None,
) -> tuple[socket.socket, socket.socket]:
    """Sockets that listen on REGISTER_PORT and GAME_PORT in the network namespace of process `pid`.

    They answer on every address there is, and on `addresses` besides; the process gets `limits`, by the numbers of
    `resource`, and its disks in memory hold so many files, by where they lie. Takes some 50 ms. Raises CannotRun where
    that is not permitted.
    """
    fds = _entered(pid, [REGISTER_PORT, GAME_PORT], addresses, limits or {}, most_files or {})
    register, game = (socket.socket(fileno=fd) for fd in fds)
    return register, game


def limit_inside(pid: int, limits: Mapping[int, int], most_files: Mapping[str, int]) -> None:
    """Gives process `pid` its limits where it may be entered, as `listen_inside` does, but opens nothing."""
    _entered(pid, [], [], limits, most_files)


def _entered(
    pid: int,
    ports: Sequence[int],
    addresses: Sequence[str],
    limits: Mapping[int, int],
    most_files: Mapping[str, int],
) -> Sequence[int]:
    """The files of the sockets that were opened."""
    ours, theirs = socket.socketpair()
    ours.settimeout(_SECONDS)
    with ours, theirs:
        request = {
            "pid": pid, "answer_fd": theirs.fileno(), "ports": ports, "addresses": addresses, "limits": limits,
            "files": most_files,
        }  # fmt: skip
        command = [sys.executable, "-I", "-S", str(Path(namespace_program.__file__)), json.dumps(request)]
        child = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603
        theirs.close()
        try:
            said, fds = _answer(ours)
        finally:
            child.kill()
            child.wait()
    if said != "ok" or len(fds) != len(ports):
        raise CannotRun(f"The box cannot be entered to listen in it: {said}.")
    return fds


def _answer(ours: socket.socket) -> tuple[str, list[int]]:
    try:
        said, fds, _, _ = socket.recv_fds(ours, 1024, 2)
    except TimeoutError:
        return "it took too long", []
    return said.decode(errors="replace") or "it ended without a word", list(fds)
