"""Finds free ports, and runs the servers that tests start."""

import atexit
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from server.app.sparring.sides import reserve_port
from tests.support.program import SECONDS, wait_until

_RESERVED_PORTS = ExitStack()
atexit.register(_RESERVED_PORTS.close)


def free_ports(count: int) -> list[int]:
    """Returns free ports of this machine. No other process gets these ports while this process runs."""
    return [int(_RESERVED_PORTS.enter_context(reserve_port()).getsockname()[1]) for _ in range(count)]


@contextmanager
def running_server(
    command: Sequence[str], port: int, *, cwd: Path, env: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Runs a server until the `with` block ends. Yields once the server accepts connections on `port`."""
    with (cwd / "errors.log").open("w") as log:
        process = subprocess.Popen(command, cwd=cwd, env=env, stderr=log)

    def accepts_connections() -> bool:
        assert process.poll() is None, f"the server has ended: {(cwd / 'errors.log').read_text()}"
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        return False

    try:
        wait_until(accepts_connections, lambda: "the server does not accept connections")
        yield
    finally:
        process.terminate()
        process.wait(SECONDS)
