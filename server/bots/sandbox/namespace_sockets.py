"""Runs `namespace_program.py` to open listening sockets inside a box (a bot's sandbox), and receives them."""

import json
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from server.bots.sandbox import namespace_program
from server.bots.sandbox.runner import GAME_PORT, REGISTER_PORT, CannotRun
from server.child_environment import environment_for_child

PORTS = (REGISTER_PORT, GAME_PORT)
_ENTER_SECONDS = 10.0


def open_box_sockets(
    pid: int,
    ports: Sequence[int] = (),
    addresses: Sequence[str] = (),
    limits: Mapping[int, int] | None = None,
    max_files: Mapping[str, int] | None = None,
    *,
    sysctls: Mapping[str, str] | None = None,
) -> list[socket.socket]:
    """Returns sockets that listen on `ports`, on all addresses, in the network namespace of process `pid`.

    `addresses` (IPv4) are added to the loopback interface there. Process `pid` gets `limits`, keyed by RLIMIT_ numbers.
    `max_files` is the maximum number of files on each tmpfs, keyed by path. `sysctls` are set in the network and user
    namespaces. If `sysctls` are given, both namespaces must belong to process `pid` alone. Takes about 50 ms. Raises
    CannotRun if the system forbids any of this.
    """
    own_end, child_end = socket.socketpair()
    own_end.settimeout(_ENTER_SECONDS)
    with own_end, child_end:
        request = {
            "pid": pid, "answer": child_end.fileno(), "ports": ports, "addresses": addresses, "limits": limits or {},
            "files": max_files or {}, "sysctls": sysctls or {},
        }  # fmt: skip
        command = [sys.executable, "-I", "-S", str(Path(namespace_program.__file__)), json.dumps(request)]
        child = subprocess.Popen(  # noqa: S603
            command, pass_fds=[child_end.fileno()], stdin=subprocess.DEVNULL, env=environment_for_child()
        )
        child_end.close()
        try:
            return receive_sockets(own_end, len(ports))
        finally:
            child.kill()
            child.wait()


def receive_sockets(connection: socket.socket, count: int) -> list[socket.socket]:
    """Returns the sockets that `namespace_program.py` sends over `connection`. Raises CannotRun with its message."""
    try:
        sent, fds, _, _ = socket.recv_fds(connection, 1024, len(PORTS))
        answer = sent.decode(errors="replace") or "it ended without an answer"
    except TimeoutError:
        answer, fds = "it took too long", []
    if answer != "ok" or len(fds) != count:
        raise CannotRun(f"No socket can be opened in the box: {answer}.")
    return [socket.socket(fileno=fd) for fd in fds]
