"""All contests keep the rules: an independent judge computes every hand again from the rule books.

`make bench BENCH=promises ARGS=P23` judges more hands.
"""

import ast
import json
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


FIELDS = (
    "hand_started.button", "blind_posted.seat", "blind_posted.amount", "turn_started.seat", "turn_started.to_call",
    "turn_started.min_raise_to", "turn_started.max_raise_to", "action_taken.amount", "bet_returned.amount",
    "bets_collected.pots", "pot_awarded.awards", "hand_shown.cards", "hand_ended.stacks", "bot_eliminated.place",
    "stage_ended.ranking", "tournament_ended.placings",
)  # fmt: skip
"""Fields whose values follow from the rules and the decisions."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    folder = tmp_path_factory.mktemp("arena")
    judge_contest("arena", HANDS, folder)
    return [path.read_text().splitlines() for path in sorted(folder.glob("*.jsonl"))]


@pytest.mark.parametrize("field", FIELDS)
def test_the_judge_notices_a_number_increased_by_one_or_a_reversed_list(
    field: str, arena: list[list[str]], tmp_path: Path
) -> None:
    (kind, name), path = field.split("."), tmp_path / "wrong.jsonl"
    for lines in arena:
        for at, event in enumerate(map(json.loads, lines)):
            value = event.get(name) if event.get("type") == kind else None
            if value and (changed := value + 1 if isinstance(value, int) else value[::-1]) != value:
                path.write_text("\n".join([*lines[:at], json.dumps(event | {name: changed}), *lines[at + 1 :]]))
                assert judge(path).deviations
                return
    pytest.fail("no recording has this field")
