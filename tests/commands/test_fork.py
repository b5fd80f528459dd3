"""`highnoon fork`: a new version of a bot is asked what the old one was asked, and what it does otherwise is listed."""

import json
from pathlib import Path

import pytest

from server.commands.authors.new import STARTERS
from server.contests import CONTESTS
from tests.commands.test_spar import PYTHON, starter
from tests.support.program import highnoon
from tests.support.starters import GIVEN, PROGRAMS

HANDS = "40"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """For each contest a recording in which its starter has played, and what it was called."""
    found = {}
    for contest in CONTESTS:
        folder = tmp_path_factory.mktemp(contest)
        words = (starter(contest), "--against", "calling", "--contest", contest, "--record", str(folder), "--json")
        ended = highnoon("spar", *words, "--hands", HANDS, "--seed", "f")
        assert ended.returncode == 0, ended.stderr
        found[contest] = (folder / "table-1.jsonl", json.loads(ended.stdout)["bots"][0]["name"])
    return found


Recorded = dict[str, tuple[Path, str]]


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_an_unchanged_bot_answers_every_question_as_before(contest: str, recorded: Recorded) -> None:
    path, name = recorded[contest]
    ended = highnoon("fork", str(path), "--bot", name, "--with", starter(contest), "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told == {"bot": name, "questions": told["questions"], "different": 0, "changes": [], "hands": []}
    assert told["questions"] >= int(HANDS) // 2


def changed(contest: str, tmp_path: Path) -> str:
    """The command of a starter that folds whatever it is asked."""
    program = PROGRAMS[contest]["python"]
    text = (STARTERS / contest / "python" / program).read_text()
    bot = tmp_path / Path(program).name
    text = text.replace("def decide(", "def once_decided(").replace("if __name__", f"{_FOLDS[contest]}\n\nif __name__")
    bot.write_text(text)
    for path in (STARTERS / contest / "python").glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return f"{PYTHON} {bot} {GIVEN[contest]}"


_FOLDS = {
    "quick-draw": 'def decide(request):\n    return {"action": "fold", "raise_amount": 0}\n',
    "upac": 'def decide(*_):\n    return "F"\n',
}


@pytest.mark.parametrize("contest", list(_FOLDS))
def test_what_another_version_does_otherwise_is_counted_and_listed(
    contest: str, recorded: Recorded, tmp_path: Path
) -> None:
    path, name = recorded[contest]
    words = ("fork", str(path), "--bot", name, "--with", changed(contest, tmp_path))
    ended = highnoon(*words, "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert 0 < told["different"] < told["questions"]
    assert told["different"] == sum(change["count"] for change in told["changes"]) == len(told["hands"])
    assert {change["now"] for change in told["changes"]} == {"folds"}
    assert all(change["count"] == change["of"] for change in told["changes"]), "it folds always"
    assert "fold" not in {hand["was"]["act"] for hand in told["hands"]}
    assert {hand["now"]["act"] for hand in told["hands"]} == {"fold"}
    said = highnoon(*words).stdout.splitlines()
    assert said[0].startswith(f"{name}: another answer to {told['different']} of {told['questions']} questions (")
    first = told["hands"][0]
    assert said[said.index("hands to look at:") + 1].startswith(f"  hand {first['number']} (game {first['game']} hand ")


def test_a_version_that_gives_no_valid_answer_is_told_with_the_rule(recorded: Recorded, tmp_path: Path) -> None:
    path, name = recorded["upac"]
    bot = tmp_path / "wrong.py"
    bot.write_text("import sys\nfor line in sys.stdin:\n    line.startswith('STACK') and print('MAYBE', flush=True)\n")
    ended = highnoon("fork", str(path), "--bot", name, "--with", f"{PYTHON} {bot}")
    assert ended.returncode == 0, ended.stderr
    assert "now has no valid answer (malformed)" in ended.stdout
    assert "an action is F, C or R with a whole number behind it" in ended.stderr


def test_a_version_that_leaves_is_told_with_its_reason(recorded: Recorded, tmp_path: Path) -> None:
    path, name = recorded["upac"]
    bot = tmp_path / "leaver.py"
    bot.write_text("import sys\nsys.stdin.readline()\nsys.exit(3)\n")
    ended = highnoon("fork", str(path), "--bot", name, "--with", f"{PYTHON} {bot}")
    assert ended.returncode == 1
    assert "leaver left: ended with status 3" in ended.stderr


def test_who_was_not_there_cannot_be_asked_again(recorded: Recorded, tmp_path: Path) -> None:
    path, name = recorded["upac"]
    ended = highnoon("fork", str(path), "--bot", "Nobody", "--with", "careful")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert f"nobody is called 'Nobody' in {path}: there are {name}, Calling" in ended.stderr
    text = tmp_path / "text.jsonl"
    text.write_text("no recording\n")
    assert highnoon("fork", str(text), "--bot", name, "--with", "careful").returncode == 1
    ended = highnoon("fork", str(path), "--bot", name, "--with", "nonsense")
    assert "'nonsense' is neither a house style" in ended.stderr
