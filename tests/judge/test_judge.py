"""The rules are kept: a judge that knows nothing of the program works out every hand again from the rule books.

Longer: `make bench BENCH=judge`.
"""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.contests import CONTESTS
from tests.bench.__main__ import ALL, chosen
from tests.judge.books import BOOKS, HANDS_PER_LEVEL
from tests.judge.contest import judge
from tests.judge.played import KINDS, judged
from tests.support.contests import DiceBot
from tests.support.recordings import KEPT, KEPT_CONTESTS
from tests.support.source_files import ROOT

HANDS = 200
HOUSE, MISBEHAVING = KINDS[:1], KINDS[1:]

Events = list[dict[str, Any]]


@pytest.mark.parametrize("kinds", [HOUSE, MISBEHAVING], ids=["house", "misbehaving"])
@pytest.mark.parametrize("contest", BOOKS)
def test_the_rules_are_kept(contest: str, kinds: tuple[type[DiceBot], ...], tmp_path: Path) -> None:
    found = judged(contest, HANDS, tmp_path, kinds)
    assert found.deviations == []
    assert found.hands >= HANDS


def test_running_all_benchmarks_runs_the_judge_only_once() -> None:
    """The promises are among them, and P23 is the judge."""
    assert [bench.stem for bench in chosen("judge")] == ["judge"]
    assert {"judge", "promises"} & {bench.stem for bench in chosen(ALL)} == {"promises"}


@pytest.mark.parametrize("name", KEPT)
def test_recordings_over_real_connections_keep_the_rules(name: str) -> None:
    assert judge(KEPT_CONTESTS / name).deviations == []


@pytest.mark.parametrize("contest", BOOKS)
def test_stacks_and_blinds_are_those_of_the_book(contest: str) -> None:
    ours, book = CONTESTS[contest].format, BOOKS[contest]
    assert ours.starting_stack == book.starting_stack
    assert tuple((level.small, level.big) for level in ours.rules.levels) == book.blinds
    assert {level.ante for level in ours.rules.levels} == {0}
    assert ours.rules.hands_per_level == HANDS_PER_LEVEL.get(contest, 0)


def test_the_judge_imports_nothing_of_the_server() -> None:
    for module in ("books", "hand", "contest"):
        tree = ast.parse((ROOT / f"tests/judge/{module}.py").read_text())
        froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
        allowed = ("collections", "itertools", "json", "pathlib", "phevaluator", "tests.judge", "typing")
        assert not [name for name in (*froms, *names) if not name.startswith(allowed)]


# -- the judge itself ------------------------------------------------------------------------------


def first(events: Events, kind: str, wanted: Callable[[dict[str, Any]], object] = bool) -> dict[str, Any]:
    return next(event for event in events if event["type"] == kind and wanted(event))


def odd_chip(events: Events) -> None:
    one, other, *_ = first(events, "pot_awarded", lambda event: len(event["awards"]) > 1)["awards"]
    one["amount"], other["amount"] = one["amount"] - 1, other["amount"] + 1


def wrong(kind: str, name: str, by: int, wanted: Callable[[dict[str, Any]], object] = bool) -> Callable[[Events], None]:
    """Changes a number in the first `wanted` event of a kind."""

    def change(events: Events) -> None:
        first(events, kind, wanted)[name] += by

    return change


def swapped(kind: str, name: str, wanted: Callable[[dict[str, Any]], object] = bool) -> Callable[[Events], None]:
    """Swaps the first two in a list."""

    def change(events: Events) -> None:
        values = first(events, kind, wanted)[name]
        values[0], values[1] = values[1], values[0]

    return change


FAULTS: dict[str, Callable[[Events], None]] = {
    "an odd chip": odd_chip,
    "a big blind": wrong("blind_posted", "amount", 1, lambda event: event["blind"] == "big"),
    "the seat of a blind": wrong("blind_posted", "seat", 1),
    "the button": wrong("hand_started", "button", 1),
    "a least raise": wrong("turn_started", "min_raise_to", 1, lambda event: event["min_raise_to"]),
    "a highest raise": wrong("turn_started", "max_raise_to", -1, lambda event: event["max_raise_to"]),
    "what is to call": wrong("turn_started", "to_call", 1),
    "whose turn it is": wrong("turn_started", "seat", 1),
    "what went in": wrong("action_taken", "amount", 1, lambda event: event["act"] == "call"),
    "what comes back": wrong("bet_returned", "amount", 1),
    "a pot": lambda events: first(events, "bets_collected")["pots"][0].update(amount=1),
    "the stacks after a hand": swapped("hand_ended", "stacks", lambda event: len({*event["stacks"][:2]}) > 1),
    "the cards that are shown": swapped("hand_shown", "cards"),
    "the five that count": lambda events: first(events, "hand_shown", lambda event: event["best"]).update(
        best=["2c", "3d", "4h", "5s", "7c"]
    ),
    "who is out": wrong("bot_eliminated", "place", -1),
    "the ranking": swapped("stage_ended", "ranking"),
    "the final table": swapped("tournament_ended", "placings"),
}  # fmt: skip
"""What the judge must notice wherever it occurs."""


@pytest.mark.parametrize("what", FAULTS)
def test_the_judge_notices_what_is_wrong(what: str, tmp_path: Path) -> None:
    judged("arena", HANDS, tmp_path)
    noticed = 0
    for path in tmp_path.glob("*.jsonl"):
        header, *lines = path.read_text().splitlines()
        events = [json.loads(line) for line in lines]
        try:
            FAULTS[what](events)
        except StopIteration:
            continue
        path.write_text("\n".join([header, *map(json.dumps, events)]))
        assert judge(path).deviations, path.name
        noticed += 1
    assert noticed
