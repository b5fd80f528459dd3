"""`highnoon new` makes a folder with a bot that can play at once."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from server.app.sparring.sides import read_sides
from server.commands.authors.new import STARTER_NAMES, STARTERS
from server.contests import CONTESTS
from tests.support.program import highnoon
from tests.support.source_files import ROOT
from tests.support.starters import PROGRAMS

CONTESTS_AND_LANGUAGES = [(contest, language) for contest, programs in PROGRAMS.items() for language in programs]


def command_to_try(printed: str) -> list[str]:
    (command,) = re.findall(r"try it +(.+)", printed)
    return shlex.split(command)


def test_every_contest_has_a_bot_in_every_language() -> None:
    assert set(PROGRAMS) == set(CONTESTS)
    found = {(path.parent.name, path.name) for path in STARTERS.glob("*/*") if path.is_dir()}
    assert found == set(CONTESTS_AND_LANGUAGES)


@pytest.mark.parametrize(("contest", "language"), CONTESTS_AND_LANGUAGES)
def test_new_bot_is_the_starter_with_another_name_and_can_be_tried(contest: str, language: str, tmp_path: Path) -> None:
    ended = highnoon("new", "My Ünicorn", "--contest", contest, "--language", language, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    made, starter = tmp_path / "My Ünicorn", STARTERS / contest / language
    assert re.search(r"\bdecide\(", (made / PROGRAMS[contest][language]).read_text())
    files = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
    assert files == {
        path.relative_to(starter) for path in starter.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    assert not [path for path in made.rglob("*.json") if STARTER_NAMES[language] in path.read_text()]
    for path in made.rglob("*.json"):
        assert json.loads(path.read_text())["name"] == "My Ünicorn"
    command = command_to_try(ended.stdout)
    if language != "cpp" and shutil.which({"python": "python3", "javascript": "node"}.get(language, language)):
        (side,) = read_sides([command[2]], command[-1] if len(command) > 3 else "quick-draw")
        assert side.kind == "command"


def test_printed_commands_work_even_with_a_space_in_the_folders_name(tmp_path: Path) -> None:
    assert f"highnoon check {tmp_path / 'my-bot'}" in highnoon("new", "my-bot", cwd=tmp_path).stdout
    checked = highnoon("check", str(tmp_path / "my-bot"), "--no-run")
    assert checked.returncode == 0, checked.stdout
    command = command_to_try(highnoon("new", "My bot", "--contest", "upac", cwd=tmp_path).stdout)
    probed = highnoon(*command[1:])
    assert probed.returncode == 0, probed.stdout
    enova = highnoon("new", "enova-bot", "--contest", "enova", cwd=tmp_path).stdout
    assert "enova_bot.py 3001 enovabot http://localhost:5000" in enova, (
        "the printed command must have the name that the tournament will use"
    )


@pytest.mark.parametrize(("words", "why"), [
    (("x" * 31,), "cannot be a bot's name: Name must be at most 30 characters. Choose another with --name"),
    (("bot", "--name", "\u200b"), "cannot be a bot's name"),
    ((str(ROOT / "tests"),), "already exists and stays as it is"),
    (("bot", "--language", "cobol"), "invalid choice: 'cobol'"),
    (("other", "--contest", "enova", "--name", "***"), "The name needs letters or digits"),
])  # fmt: skip
def test_impossible_bot_is_refused_and_nothing_is_made(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    ended = highnoon("new", *words, cwd=tmp_path)
    assert ended.returncode in (1, 2)
    assert why in ended.stderr
    assert not list(tmp_path.iterdir())
