"""Recordings of the Arena from before games were counted: read, proved and written again to the same bytes."""

from pathlib import Path

import msgspec
import pytest

from server.app.results.results import results
from server.game.events import TournamentEnded
from server.journal.journal import Journal, read_journal
from server.verify.file import verdict_on
from tests.verify.in_javascript import Prover

FOLDER = Path(__file__).parents[1] / "data" / "arena"
RECORDINGS = ("one-game", "few-hands")


@pytest.mark.parametrize("name", RECORDINGS)
def test_both_programs_prove_them_with_the_same_counts(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.jsonl"
    prover = Prover(tmp_path)
    theirs, ours = prover.file(path), verdict_on(path)
    prover.close()
    assert (theirs["holds"], ours.holds) == (True, True)
    counted = {claim.of: claim.count for claim in ours.claims}
    assert {claim["of"]: claim["count"] for claim in theirs["claims"]} == counted
    assert (theirs["notes"], list(ours.notes)) == ([], [])
    hands = {"one-game": (279, 15, 3), "few-hands": (79, 4, 0)}[name]
    assert (counted["entries"], counted["hands"], counted.get("out", 0)) == hands


@pytest.mark.parametrize("name", RECORDINGS)
def test_what_is_read_from_them_is_written_with_the_same_bytes(name: str, tmp_path: Path) -> None:
    recording = FOLDER / f"{name}.jsonl"
    entries = read_journal(recording).entries
    assert isinstance(entries[-1].event, TournamentEnded)
    journal = Journal(tmp_path / "again.jsonl")
    journal.append(entries)
    journal.close()
    assert bodies(tmp_path / "again.jsonl") == bodies(recording)


def bodies(path: Path) -> list[bytes]:
    """The lines without the header and without their sums, which go on from it."""
    return [line.rpartition(b',"sum":')[0] for line in path.read_bytes().splitlines()[1:]]


def test_their_results_are_the_ones_that_were_kept() -> None:
    told = results(read_journal(FOLDER / "one-game.jsonl").entries)
    kept = FOLDER / "one-game.results.json"
    assert msgspec.json.format(msgspec.json.encode(told)) + b"\n" == kept.read_bytes()
