"""Checks that a starter reports in one line and exits: no answer, an occupied port, a missing configuration."""

import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.ports import free_ports

REGISTERS = {
    "quick-draw": ("no server answers at ", "{address}"),
    "enova": ("no tournament answers at ", "0", "A bot", "http://{address}"),
}
"""The start of the line of each starter that registers, and its arguments."""


def check_no_answer(contest: str, command: Sequence[str]) -> None:
    [port] = free_ports(1)
    begins, *arguments = (each.replace("{address}", f"127.0.0.1:{port}") for each in REGISTERS[contest])
    _check_end(command, arguments, f"{begins}{arguments[-1]} (")


def check_occupied_port(command: Sequence[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        port = str(occupied.getsockname()[1])
        _check_end(command, [port], f"port {port} is not available (")


def check_no_configuration(command: Sequence[str], folder: Path) -> None:
    _check_end(command, [], "there is no bot_config.json with a name ", folder)


def _check_end(command: Sequence[str], arguments: Sequence[str], words: str, folder: Path | None = None) -> None:
    ended = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr
    assert ended.stderr.startswith(words), ended.stderr
