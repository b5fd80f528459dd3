"""Ports for servers that tests start."""

import atexit
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from server.app.sparring.sides import reserve_port

_HELD = ExitStack()
atexit.register(_HELD.close)


def free_ports(count: int) -> list[int]:
    """Free ports of this machine, reserved for as long as this process runs."""
    return [int(_HELD.enter_context(reserve_port()).getsockname()[1]) for _ in range(count)]


@contextmanager
def running_server(
    command: Sequence[str], port: int, seconds: float, *, cwd: Path, env: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Runs a server until the `with` block ends; yields once it accepts connections on this machine's `port`."""
    with (cwd / "errors.log").open("w") as log:
        process = subprocess.Popen(command, cwd=cwd, env=env, stderr=log)
    deadline = time.monotonic() + seconds
    try:
        while True:
            assert process.poll() is None, f"the server has ended: {(cwd / 'errors.log').read_text()}"
            assert time.monotonic() < deadline, "the server does not accept connections"
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(seconds)
