"""Recordings made by this or an earlier version can be read, proved, shown, exported, and written again."""

from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from broadcast.film.film import film_recording
from server.app.results.results import compute_results
from server.commands.export import export
from server.game.events import BotEliminated, GameStarted, HandEnded, StageStarted, TournamentEnded
from server.hand_histories.from_recording import recorded_hands
from server.journal.journal import read_journal
from server.season.ledger import read_ledger
from server.verify.file import verdict_on
from server.verify.season import check_ledger
from tests.hand_histories.recordings import hands_of
from tests.support.games.recordings import KEPT_FOLDER, KEPT_RECORDINGS, of_kind, write
from tests.support.source_files import ROOT
from tests.verify.conftest import Prover

OLDER_RECORDINGS = ROOT / "tests/data/arena"
"""The folder of recordings that were made by an older version. That version had no series of games."""
KEPT_PATHS = (
    *sorted(OLDER_RECORDINGS.glob("*.jsonl")), ROOT / "tests/data/enova/big-blind-twice.jsonl",
    *(KEPT_FOLDER / name for name in KEPT_RECORDINGS),
)  # fmt: skip
REMARKS = {"quick-draw": 2, "blinds-behind-antes": 1, "big-blind-twice": 1, "exhibition": 3, "same-cards": 1}
"""How many remarks (such as "the operator ended a stage") a recording's proof has. Other proofs have none."""


@pytest.mark.parametrize("path", KEPT_PATHS, ids=lambda path: path.stem)
def test_page_and_command_prove_kept_recordings_with_the_same_counts(path: Path, prover: Prover) -> None:
    page_verdict, command_verdict = prover.file(path), verdict_on(path)
    assert (page_verdict["holds"], command_verdict.holds) == (True, True)
    assert page_verdict["whole"] is command_verdict.whole is True  # "whole": complete to its end
    counts = {claim.of: claim.count for claim in command_verdict.claims}
    for claim in page_verdict["claims"]:
        assert claim["count"] == counts[claim["of"]]
    assert len(command_verdict.notes) == REMARKS.get(path.stem, 0)
    entries = read_journal(path).entries
    hands, eliminations = len(of_kind(entries, HandEnded)), len(of_kind(entries, BotEliminated))
    assert (counts["entries"], counts["hands"], counts.get("out", 0)) == (len(entries), hands, eliminations)


@pytest.mark.parametrize("path", KEPT_PATHS, ids=lambda path: path.stem)
def test_kept_recordings_are_written_again_with_the_same_bytes(path: Path, tmp_path: Path) -> None:
    entries = read_journal(path).entries
    assert isinstance(entries[-1].event, TournamentEnded)
    lines, lines_again = (
        [line.rpartition(b',"sum":')[0] for line in file.read_bytes().splitlines()[1:]]
        for file in (path, write(tmp_path / "again.jsonl", entries))
    )
    assert lines_again == lines, "only the header and the checksums, which depend on the header, may differ"


def test_kept_recording_still_has_the_same_results() -> None:
    results = compute_results(read_journal(OLDER_RECORDINGS / "one-game.jsonl").entries)
    kept_results = (OLDER_RECORDINGS / "one-game.results.json").read_bytes()
    assert msgspec.json.format(msgspec.json.encode(results)) + b"\n" == kept_results


def test_kept_seasons_are_proved_with_their_games() -> None:
    ledger_without_newcomers = ROOT / "tests/data/season/spring.ledger"
    for ledger in (KEPT_FOLDER / "upac.ledger", ledger_without_newcomers):
        verdict = verdict_on(ledger)
        assert (verdict.holds, verdict.open) == (True, ())  # Nothing is left open (unproved).
    standings = check_ledger(read_ledger(ledger_without_newcomers).entries, b"")
    assert [player.name for player in standings.members()] == ["Ada", "Bob", "Cleo"]


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_kept_recordings_are_shown_to_their_end(name: str) -> None:
    recording = read_journal(KEPT_FOLDER / name)
    outline = film_recording(recording.entries, recording.header.begun).outline
    assert outline.finished
    hands, has_deals, is_repeated = 0, False, False
    for entry in recording.entries:
        match entry.event:
            case StageStarted():
                has_deals = bool(entry.event.deals)
            case GameStarted():
                is_repeated = entry.event.dealt_as is not UNSET
            case HandEnded():
                hands += not (has_deals and is_repeated)  # Viewers see only one of the tables with the same cards.
    assert len(outline.hands) - 1 == hands


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_export_of_kept_recordings_keeps_the_final_stacks(name: str, tmp_path: Path) -> None:
    assert export(KEPT_FOLDER / name, "phhs", None, tmp_path / "out.phhs") == 0
    hands = recorded_hands(read_journal(KEPT_FOLDER / name).entries)
    stacks = [[hand.ended.stacks[seat] for seat in hand.dealt_seats] for hand in hands]
    assert [[*map(int, read.finishing_stacks)] for read in hands_of((tmp_path / "out.phhs").read_bytes())] == stacks
