"""After kill -9 at any moment, a restarted contest ends as without the kill: with the same events, each once."""

import random
from pathlib import Path

import pytest

from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.journal.killed_contest import decided_events, failpoints, run_contest

KILLS = 24
"""The smallest number of kills. The benchmark kills hundreds of processes."""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a contest that was not killed, with which the others are compared."""
    journal = tmp_path_factory.mktemp("unbroken") / "contest.jsonl"
    assert run_contest(journal) == 0
    return journal


def test_a_contest_killed_again_and_again_ends_in_the_same_way(unbroken: Path, tmp_path: Path) -> None:
    killed = contests = 0
    ends = iter(failpoints(2 * KILLS, random.Random(1871)))
    while killed < KILLS:
        journal = tmp_path / f"{contests}.jsonl"
        while run_contest(journal, next(ends)) != 0:
            killed += 1
        assert decided_events(journal) == decided_events(unbroken)
        assert verify(read_journal(journal).entries).finished
        contests += 1
