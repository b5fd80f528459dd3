"""Ports for servers that tests start."""

import atexit
from contextlib import ExitStack

from server.app.sparring.sides import held_port

_HELD = ExitStack()
atexit.register(_HELD.close)


def free_ports(count: int) -> list[int]:
    """Free ports of this machine, reserved for as long as this process runs."""
    return [int(_HELD.enter_context(held_port()).getsockname()[1]) for _ in range(count)]
