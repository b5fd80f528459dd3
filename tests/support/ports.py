"""Ports for servers that tests start."""

import atexit
import socket
import subprocess
import time
from contextlib import ExitStack, suppress

from server.app.sparring.sides import reserve_port

_HELD = ExitStack()
atexit.register(_HELD.close)


def free_ports(count: int) -> list[int]:
    """Free ports of this machine, reserved for as long as this process runs."""
    return [int(_HELD.enter_context(reserve_port()).getsockname()[1]) for _ in range(count)]


def wait_for_server(process: "subprocess.Popen[bytes]", port: int, seconds: float) -> None:
    """Polls until a server that was started as `process` accepts connections on this machine's `port`."""
    until = time.monotonic() + seconds
    while True:
        assert process.poll() is None, "the server has ended"
        assert time.monotonic() < until, "the server does not accept connections"
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.02)
