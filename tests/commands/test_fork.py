"""`highnoon fork` asks a new version of a bot all questions that the old one was asked, and lists changed answers."""

import json
from pathlib import Path

import pytest

from server.commands.authors.new import STARTERS
from server.contests import CONTESTS
from tests.commands.test_spar import PYTHON, starter
from tests.support.program import highnoon
from tests.support.starters import GIVEN, PROGRAMS

HANDS = "40"
Recorded = dict[str, tuple[Path, str]]
"""For each contest, a recording of its starter and the starter's name."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    recordings = {}
    for contest in CONTESTS:
        folder = tmp_path_factory.mktemp(contest)
        words = (starter(contest), "--against", "calling", "--contest", contest, "--record", str(folder), "--json")
        ended = highnoon("spar", *words, "--hands", HANDS, "--seed", "f")
        assert ended.returncode == 0, ended.stderr
        recordings[contest] = (folder / "table-1.jsonl", json.loads(ended.stdout)["bots"][0]["name"])
    return recordings


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_unchanged_bot_answers_every_question_as_before(contest: str, recorded: Recorded) -> None:
    path, name = recorded[contest]
    ended = highnoon("fork", str(path), "--bot", name, "--with", starter(contest), "--json")
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert result == {"bot": name, "questions": result["questions"], "different": 0, "changes": [], "hands": []}
    assert result["questions"] >= int(HANDS) // 2


def test_different_answers_are_counted_and_listed(recorded: Recorded, tmp_path: Path) -> None:
    path, name = recorded["quick-draw"]
    program = STARTERS / "quick-draw" / "python" / PROGRAMS["quick-draw"]["python"]
    folds = 'def decide(request):\n    return {"action": "fold", "raise_amount": 0}\n'
    text = program.read_text().replace("def decide(", "def once_decided(")
    for config in program.parent.glob("*.json"):
        (tmp_path / config.name).write_bytes(config.read_bytes())
    (bot := tmp_path / program.name).write_text(text.replace("if __name__", f"{folds}\n\nif __name__"))
    words = ("fork", str(path), "--bot", name, "--with", f"{PYTHON} {bot} {GIVEN['quick-draw']}")
    ended = highnoon(*words, "--json")
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert 0 < result["different"] < result["questions"]
    assert result["different"] == sum(change["count"] for change in result["changes"]) == len(result["hands"])
    assert {change["now"] for change in result["changes"]} == {"folds"}
    assert all(change["count"] == change["of"] for change in result["changes"]), "the new version always folds"
    assert "fold" not in {hand["was"]["act"] for hand in result["hands"]}
    assert {hand["now"]["act"] for hand in result["hands"]} == {"fold"}
    printed = highnoon(*words).stdout.splitlines()
    assert printed[0].startswith(f"{name}: a different answer to {len(result['hands'])} of {result['questions']} ")
    first = result["hands"][0]
    assert printed[printed.index("hands to look at:") + 1].startswith(
        f"  hand {first['number']} (game {first['game']} hand "
    )


@pytest.mark.parametrize(("program", "status", "words"), [
    (
        "import sys\nfor line in sys.stdin:\n    line.startswith('STACK') and print('MAYBE', flush=True)\n",
        0, ("now has no valid answer (malformed)", "an action is F, C, or R followed by a whole number"),
    ),
    ("import sys\nsys.stdin.readline()\nsys.exit(3)\n", 1, ("broken left: ended with status 3",)),
])  # fmt: skip
def test_broken_version_is_reported_with_the_reason(
    program: str, status: int, words: tuple[str, ...], recorded: Recorded, tmp_path: Path
) -> None:
    path, name = recorded["upac"]
    (bot := tmp_path / "broken.py").write_text(program)
    ended = highnoon("fork", str(path), "--bot", name, "--with", f"{PYTHON} {bot}")
    assert ended.returncode == status, ended.stderr
    assert all(each in ended.stdout + ended.stderr for each in words)
