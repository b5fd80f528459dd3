"""What a starter reports if nobody listens, its port is in use, or its configuration is missing."""

import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.ports import free_ports

REGISTERS = {
    "quick-draw": ("no server answers at ", "{address}"),
    "enova": ("no tournament answers at ", "0", "A bot", "http://{address}"),
}
"""Of the starters that register: how their line begins, and what follows their command."""


def says_that_nobody_answers(contest: str, command: Sequence[str]) -> None:
    """Asserts that it reports this in one line and exits with status 1."""
    [port] = free_ports(1)
    begins, *arguments = (each.replace("{address}", f"127.0.0.1:{port}") for each in REGISTERS[contest])
    _ends(command, arguments, f"{begins}{arguments[-1]} (")


def says_that_its_port_is_taken(command: Sequence[str]) -> None:
    """Asserts that it reports this in one line and exits with status 1."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        _ends(command, [port], f"port {port} is not available (")


def says_that_it_has_no_configuration(command: Sequence[str], folder: Path) -> None:
    """Asserts that it reports this in one line and exits with status 1, in a folder without it."""
    _ends(command, [], "there is no bot_config.json with a name ", folder)


def _ends(command: Sequence[str], arguments: Sequence[str], words: str, folder: Path | None = None) -> None:
    ended = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr
    assert ended.stderr.startswith(words), ended.stderr
