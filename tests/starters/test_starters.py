"""Starters report in one line what is missing. Those in Java and C++ are built as they say, and pass all checks."""

import json
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.commands.authors.new import STARTERS_FOLDER
from server.contests import CONTESTS
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.starters import GIVEN, PROGRAMS
from tests.support.ports import free_ports
from tests.support.program import highnoon

REGISTERS = {
    "quick-draw": ("no server answers at ", "{address}"),
    "enova": ("no tournament answers at ", "0", "A bot", "http://{address}"),
}
"""For each starter that registers, the beginning of its complaint, and its arguments."""
NO_NAME = "there is no bot_config.json with a name "
INTERPRETERS = {"python": sys.executable, "javascript": str(Path(sys.executable).parent / "node")}
COMPILERS = {"java": "javac", "cpp": "g++"}


def command_of(contest: str, language: str) -> list[str]:
    return [INTERPRETERS[language], str(STARTERS_FOLDER / contest / language / PROGRAMS[contest][language])]


def check_complaint(words: str, *command: str, folder: Path | None = None) -> None:
    """Checks that the command ends at once, with one line that begins with `words`."""
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr
    assert ended.stderr.startswith(words), ended.stderr


def check_complaints(contest: str, command: Sequence[str]) -> None:
    """Checks what a starter says if no server answers, or if its port is taken."""
    if contest in REGISTERS:
        [port] = free_ports(1)
        begins, *arguments = (each.replace("{address}", f"127.0.0.1:{port}") for each in REGISTERS[contest])
        check_complaint(f"{begins}{arguments[-1]} (", *command, *arguments)
    if contest in ("arena", "enova"):
        with socket.create_server(("127.0.0.1", 0)) as occupied:
            taken = str(occupied.getsockname()[1])
            check_complaint(f"port {taken} is not available (", *command, taken)


@pytest.mark.parametrize("language", INTERPRETERS)
def test_starter_reports_in_one_line_what_is_missing(language: str, tmp_path: Path) -> None:
    for contest in ("quick-draw", "enova", "arena"):
        check_complaints(contest, command_of(contest, language))
    interpreter, program = command_of("quick-draw", language)
    check_complaint(NO_NAME, interpreter, str(shutil.copy(program, tmp_path)), folder=tmp_path)


def build_starter(contest: str, language: str, folder: Path) -> str:
    """Copies a starter to `folder` and builds it by its own instructions. Returns the command that starts it."""
    shutil.copytree(STARTERS_FOLDER / contest / language, folder, dirs_exist_ok=True)
    program = folder / PROGRAMS[contest][language]
    if (config := program.parent / "bot.json").exists():
        commands = json.loads(config.read_text())
        build, run = commands["build"], commands["run"]
    elif language == "java":  # The source can also be started directly: `java Bot.java` builds it at each start.
        build, run = f"javac {program.name}", f"java {program.stem}"
    else:
        comments = re.sub(r"\n?// +", " ", program.read_text())
        build = re.findall(r"(g\+\+ [^&]*?\.cpp)", comments)[0]
        run = f"./{program.stem}"
    subprocess.run(shlex.split(build), cwd=program.parent, check=True)
    start = f'cd {shlex.quote(str(program.parent))} && exec {run} "$@"'
    return f"sh -c {shlex.quote(start)} bot"


@pytest.fixture(params=COMPILERS)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A language whose compiler is installed. Java's optimiser is off, because it slows down short runs."""
    chosen: str = request.param
    if not shutil.which(COMPILERS[chosen]):
        pytest.skip(f"{COMPILERS[chosen]} is not installed")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    return chosen


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_compiled_starter_passes_every_check(
    contest: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = build_starter(contest, language, tmp_path)
    ended = highnoon("probe", f"{command} {GIVEN[contest]}", "--contest", contest)
    assert not ended.returncode, ended.stdout + ended.stderr
    monkeypatch.delenv("JAVA_TOOL_OPTIONS")  # with these options, Java prints a line about them
    check_complaints(contest, shlex.split(command))
    if contest == "quick-draw":
        (tmp_path / "bot_config.json").unlink()
        check_complaint(NO_NAME, *shlex.split(command), folder=tmp_path)


@NEEDS_BUBBLEWRAP
def test_compiled_starter_is_built_in_a_seasons_box(language: str) -> None:
    checked = highnoon("check", str(STARTERS_FOLDER / "upac" / language), "--runner", "light")
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
