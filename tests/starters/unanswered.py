"""What a starter that registers itself says where nobody listens."""

import subprocess
from collections.abc import Sequence

from tests.support.ports import free_ports

REGISTERS = {
    "quick-draw": ("no server answers at ", "{address}"),
    "enova": ("no tournament answers at ", "0", "A bot", "http://{address}"),
}
"""Of the starters that register: how their line begins, and what follows their command."""


def says_that_nobody_answers(contest: str, command: Sequence[str]) -> None:
    """Asserts that it says so in one line, and ends with status 1."""
    [port] = free_ports(1)
    begins, *arguments = (each.replace("{address}", f"127.0.0.1:{port}") for each in REGISTERS[contest])
    ended = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr
    assert ended.stderr.startswith(f"{begins}{arguments[-1]} ("), ended.stderr
