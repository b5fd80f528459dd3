"""`highnoon new`: a folder with a bot that plays as it stands."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from server.app.sparring.sides import read_sides
from server.commands.authors.new import CALLED, STARTERS
from server.contests import CONTESTS
from tests.support.program import highnoon
from tests.support.source_files import ROOT
from tests.support.starters import PROGRAMS

EVERY_ONE = [(contest, language) for contest, programs in PROGRAMS.items() for language in programs]


def test_there_is_a_bot_for_every_contest_in_every_language() -> None:
    assert set(PROGRAMS) == set(CONTESTS)
    there = {(path.parent.name, path.name) for path in STARTERS.glob("*/*") if path.is_dir()}
    assert there == set(EVERY_ONE)


@pytest.mark.parametrize(("contest", "language"), EVERY_ONE)
def test_the_bot_is_the_starter_under_a_name_of_its_own(contest: str, language: str, tmp_path: Path) -> None:
    ended = highnoon("new", "My Ünicorn", "--contest", contest, "--language", language, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    made, starter = tmp_path / "My Ünicorn", STARTERS / contest / language
    assert re.search(r"\bdecide\(", (made / PROGRAMS[contest][language]).read_text())
    files = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
    assert files == {
        path.relative_to(starter) for path in starter.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    assert not [path for path in made.rglob("*.json") if CALLED[language] in path.read_text()]
    for path in made.rglob("*.json"):
        assert json.loads(path.read_text())["name"] == "My Ünicorn"


def test_what_it_says_next_can_be_done(tmp_path: Path) -> None:
    said = highnoon("new", "my-bot", cwd=tmp_path).stdout
    assert f"highnoon check {tmp_path / 'my-bot'}" in said
    checked = highnoon("check", str(tmp_path / "my-bot"), "--no-run")
    assert checked.returncode == 0, checked.stdout
    assert "my-bot" in checked.stdout


def test_a_bot_of_enova_is_told_the_name_that_the_tournament_will_give_it(tmp_path: Path) -> None:
    said = highnoon("new", "my-bot", "--contest", "enova", cwd=tmp_path).stdout
    assert "enova_bot.py 3001 mybot http://localhost:5000" in said
    refused = highnoon("new", "other", "--contest", "enova", "--name", "***", cwd=tmp_path)
    assert refused.returncode != 0
    assert "The name needs letters or digits" in refused.stderr
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(("contest", "language"), [each for each in EVERY_ONE if each[1] != "cpp"])
def test_it_says_how_to_try_it(contest: str, language: str, tmp_path: Path) -> None:
    if not shutil.which({"python": "python3", "javascript": "node"}.get(language, language)):
        pytest.skip(f"no {language} here")
    words = tried(tmp_path, contest, language)
    assert [side.kind for side in read_sides([words[2]], words[-1] if len(words) > 3 else "quick-draw")] == ["command"]


def test_a_bot_of_a_folder_with_a_blank_can_be_tried_as_it_says(tmp_path: Path) -> None:
    probed = highnoon(*tried(tmp_path, "upac", "python")[1:])
    assert probed.returncode == 0, probed.stdout


def tried(folder: Path, contest: str, language: str) -> list[str]:
    """The words of the command that tries a new bot."""
    said = highnoon("new", "My bot", "--contest", contest, "--language", language, cwd=folder).stdout
    (command,) = re.findall(r"try it +(.+)", said)
    return shlex.split(command)


@pytest.mark.parametrize(("words", "why"), [
    (("x" * 31,), "cannot be a bot's name: Name must be at most 30 characters. Give another with --name"),
    (("bot", "--name", "\u200b"), "cannot be a bot's name"),
    ((str(ROOT / "tests"),), "is there already, and stays as it is"),
    (("bot", "--language", "cobol"), "invalid choice: 'cobol'"),
])  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_made(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    ended = highnoon("new", *words, cwd=tmp_path)
    assert ended.returncode in (1, 2)
    assert why in ended.stderr
    assert not list(tmp_path.iterdir())
