"""All contests keep the rules: an independent judge computes every hand again from the rule books.

`make bench BENCH=promises ARGS=P23` judges more hands.
"""

import ast
from pathlib import Path

import pytest

from server.contests import CONTESTS
from tests.judge.books import BOOKS, HANDS_PER_LEVEL
from tests.judge.contest import judge
from tests.judge.played import KINDS, judge_contest
from tests.support.games.contests import DiceBot
from tests.support.games.recordings import KEPT_CONTESTS, KEPT_RECORDINGS
from tests.support.source_files import ROOT

HANDS = 200
HOUSE, MISBEHAVING = KINDS[:1], KINDS[1:]


@pytest.mark.parametrize("kinds", [HOUSE, MISBEHAVING], ids=["house", "misbehaving"])
@pytest.mark.parametrize("contest", BOOKS)
def test_contests_keep_the_rules(contest: str, kinds: tuple[type[DiceBot], ...], tmp_path: Path) -> None:
    found = judge_contest(contest, HANDS, tmp_path, kinds)
    assert found.deviations == []
    assert found.hands >= HANDS


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_recordings_of_bots_over_real_connections_keep_the_rules(name: str) -> None:
    assert judge(KEPT_CONTESTS / name).deviations == []


@pytest.mark.parametrize("contest", BOOKS)
def test_stacks_and_blinds_are_as_in_the_rule_book(contest: str) -> None:
    ours, book = CONTESTS[contest].format, BOOKS[contest]
    assert ours.starting_stack == book.starting_stack
    assert tuple((level.small, level.big) for level in ours.rules.levels) == book.blinds
    assert {level.ante for level in ours.rules.levels} == {0}
    assert ours.rules.hands_per_level == HANDS_PER_LEVEL.get(contest, 0)


def test_the_judge_imports_nothing_from_the_server() -> None:
    for module in ("books", "hand", "contest"):
        tree = ast.parse((ROOT / f"tests/judge/{module}.py").read_text())
        froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
        allowed = ("collections", "itertools", "json", "pathlib", "phevaluator", "tests.judge", "typing")
        assert not [name for name in (*froms, *names) if not name.startswith(allowed)]
