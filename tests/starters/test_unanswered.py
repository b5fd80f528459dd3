"""A starter reports in one line what is missing, and exits with status 1."""

import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.commands.authors.new import STARTERS
from tests.support.ports import free_ports
from tests.support.starters import PROGRAMS

REGISTERS = {
    "quick-draw": ("no server answers at ", "{address}"),
    "enova": ("no tournament answers at ", "0", "A bot", "http://{address}"),
}
"""For each starter that registers, the beginning of its complaint, and its arguments."""
INTERPRETERS = {"python": sys.executable, "javascript": str(Path(sys.executable).parent / "node")}
each_language = pytest.mark.parametrize("language", INTERPRETERS)


def command_of(contest: str, language: str) -> list[str]:
    return [INTERPRETERS[language], str(STARTERS / contest / language / PROGRAMS[contest][language])]


@pytest.mark.parametrize("contest", REGISTERS)
@each_language
def test_starter_reports_that_no_server_answers(contest: str, language: str) -> None:
    check_no_answer(contest, command_of(contest, language))


@pytest.mark.parametrize("contest", ["arena", "enova"])
@each_language
def test_starter_reports_an_occupied_port(contest: str, language: str) -> None:
    check_occupied_port(command_of(contest, language))


@each_language
def test_starter_reports_a_missing_configuration(language: str, tmp_path: Path) -> None:
    interpreter, program = command_of("quick-draw", language)
    check_no_configuration([interpreter, str(shutil.copy(program, tmp_path))], tmp_path)


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
