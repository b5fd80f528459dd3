"""Has `namespace_program.py` open listening sockets inside a box, and receives them from it."""

import json
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from server.bots.sandbox import namespace_program
from server.bots.sandbox.runner import GAME_PORT, REGISTER_PORT, CannotRun
from server.environment import environment

_SECONDS = 10.0


def listen_inside(
    pid: int,
    addresses: Sequence[str],
    limits: Mapping[int, int] | None = None,
    most_files: Mapping[str, int] | None = None,
) -> tuple[socket.socket, socket.socket]:
    """Sockets that listen on REGISTER_PORT and GAME_PORT in the network namespace of process `pid`.

    They listen on all addresses of the namespace; `addresses` (IPv4) are added to its loopback interface. The process
    gets `limits` (from RLIMIT_ numbers to values), its disks in memory hold `most_files` (by path). Takes some 50 ms.
    Raises CannotRun where that is not permitted.
    """
    fds = _entered(pid, [REGISTER_PORT, GAME_PORT], addresses, limits or {}, most_files or {})
    register, game = (socket.socket(fileno=fd) for fd in fds)
    return register, game


def limit_inside(pid: int, limits: Mapping[int, int], most_files: Mapping[str, int]) -> None:
    """Sets limits as `listen_inside` does, but opens no sockets. Raises CannotRun where that is not permitted."""
    _entered(pid, [], [], limits, most_files)


def _entered(
    pid: int,
    ports: Sequence[int],
    addresses: Sequence[str],
    limits: Mapping[int, int],
    most_files: Mapping[str, int],
) -> Sequence[int]:
    """The file descriptors of the sockets that were opened."""
    ours, theirs = socket.socketpair()
    ours.settimeout(_SECONDS)
    with ours, theirs:
        request = {
            "pid": pid, "answer_fd": theirs.fileno(), "ports": ports, "addresses": addresses, "limits": limits,
            "files": most_files,
        }  # fmt: skip
        command = [sys.executable, "-I", "-S", str(Path(namespace_program.__file__)), json.dumps(request)]
        child = subprocess.Popen(  # noqa: S603
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment()
        )
        theirs.close()
        try:
            answer, fds = _answer(ours)
        finally:
            child.kill()
            child.wait()
    if answer != "ok" or len(fds) != len(ports):
        raise CannotRun(f"The box cannot be entered to listen in it: {answer}.")
    return fds


def _answer(ours: socket.socket) -> tuple[str, list[int]]:
    try:
        answer, fds, _, _ = socket.recv_fds(ours, 1024, 2)
    except TimeoutError:
        return "it took too long", []
    return answer.decode(errors="replace") or "it ended without a word", list(fds)
