"""Starters in Java and C++, built with the command in their first lines, pass all checks of `highnoon probe`."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from server.commands.authors.new import STARTERS
from server.contests import CONTESTS
from tests.starters.test_unanswered import REGISTERS, check_no_answer, check_no_configuration, check_occupied_port
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.program import highnoon
from tests.support.starters import GIVEN, PROGRAMS

COMPILERS = {"java": "javac", "cpp": "g++"}


def build_starter(contest: str, language: str, folder: Path) -> str:
    """Copies a starter to `folder` and builds it by its own instructions. Returns the command that starts it."""
    shutil.copytree(STARTERS / contest / language, folder, dirs_exist_ok=True)
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
    if contest in REGISTERS:
        check_no_answer(contest, shlex.split(command))
    if contest in ("arena", "enova"):
        check_occupied_port(shlex.split(command))
    if contest == "quick-draw":
        (tmp_path / "bot_config.json").unlink()
        check_no_configuration(shlex.split(command), tmp_path)


@NEEDS_BUBBLEWRAP
def test_compiled_starter_is_built_in_a_seasons_box(language: str) -> None:
    checked = highnoon("check", str(STARTERS / "upac" / language), "--runner", "light")
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
