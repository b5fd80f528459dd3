"""An evening (a contest with a show) writes only to its own recording, and refuses files of other contests."""

import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from tempfile import gettempdir

import msgspec
import pytest
from msgspec.structs import replace

from broadcast.on_air.diary import AiredLine, Diary, delete_foreign_diary
from server.app.evening.card_room import CardRoom, begin_recording
from server.app.evening.evening_files import (
    EveningSecrets,
    SecretsDamaged,
    choose_attempt,
    read_secrets,
    recording_path,
    secrets_path,
)
from server.bots.sandbox.bubblewrap.runner import open_bubblewrap
from server.bots.sandbox.runner import BoxEnvironment
from server.config.event_file import EveningPlan
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.errors import Refusal
from server.game.events import Entrant, StageStarted
from server.journal.journal import Entry, Journal
from server.season.events import PlayerEntered, SeasonEnded, SeasonOpened
from tests.end_to_end.evening import write_evening
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.games.contests import play_contest
from tests.support.games.recordings import write
from tests.support.program import highnoon

SEED = b"\x2a" * 32
CONTEST = tuple(play_contest(3, bots=2))
FIRST_HALF = CONTEST[: len(CONTEST) // 2]
SECRETS = {"Ada": "a-secret-of-its-own-Ada"}


def make_plan(folder: Path, contest: str = "quick-draw", name: str = "Friday") -> EveningPlan:
    return EveningPlan(name=name, date=date(2026, 11, 21), entries=(), data=folder / "data", contest=contest, seed=SEED)


@pytest.mark.parametrize("entries", [FIRST_HALF, CONTEST], ids=["interrupted", "over"])
def test_playing_again_starts_a_second_recording_that_is_then_resumed(tmp_path: Path, entries: Sequence[Entry]) -> None:
    plan = make_plan(tmp_path)
    write(make_plan(tmp_path, name="Friday 2").journal, CONTEST)
    assert choose_attempt(plan) == choose_attempt(plan, again=True) == plan
    unplayed_path = write(plan.journal, CONTEST[:1])
    assert choose_attempt(plan, again=True) == plan, "a recording without any hand must be used again"
    unplayed_path.unlink()
    first_path = write(plan.journal, entries)
    second_plan = choose_attempt(plan, again=True)
    assert (second_plan.journal.name, second_plan.seed) == ("2026-11-21-friday_2.jsonl", b"")
    assert choose_attempt(plan).journal == first_path, "until the second recording is written, the first must be found"
    write(second_plan.journal, entries)
    assert choose_attempt(plan) == second_plan
    assert choose_attempt(plan, again=True).journal.name == "2026-11-21-friday_3.jsonl"


def test_playing_again_is_refused_while_the_recording_is_being_written(tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    journal = Journal(plan.journal)
    journal.append(FIRST_HALF)
    with pytest.raises(Refusal, match="another process is writing this journal, so it is not started again"):
        choose_attempt(plan, again=True)
    assert choose_attempt(plan) == plan
    journal.close()


@NEEDS_BUBBLEWRAP
def test_rehearsal_does_not_remove_the_boxes_of_a_running_evening(tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    evening_runner = open_bubblewrap(BoxEnvironment(plan.label))
    (box_folder,) = Path(gettempdir()).glob(f"*{plan.label}-*")
    rehearsal_runner = open_bubblewrap(BoxEnvironment(choose_attempt(plan, rehearse=True).label))
    assert box_folder.exists()
    for runner in (evening_runner, rehearsal_runner):
        asyncio.run(runner.close())


def test_interrupted_rehearsal_resumes_and_a_finished_one_starts_again(tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    rehearsal = choose_attempt(plan, rehearse=True)
    path = write(rehearsal.journal, FIRST_HALF)
    assert choose_attempt(plan, rehearse=True) == rehearsal
    assert choose_attempt(plan, rehearse=True, again=True).attempt == 2
    path.unlink()
    write(path, CONTEST)
    assert (choose_attempt(plan, rehearse=True).attempt, choose_attempt(plan).attempt) == (2, 1)


def test_season_that_starts_again_has_a_second_ledger(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "upac")
    events = SeasonOpened("x", "c"), PlayerEntered(1, "Ada"), SeasonEnded(SEED.hex())
    entries = [Entry(number, 0, event) for number, event in enumerate(events, 1)]
    write(recording_path(plan), entries[:2])  # A ledger is the journal of a season.
    assert recording_path(choose_attempt(plan)).name == "2026-11-21-friday.ledger"
    assert recording_path(choose_attempt(plan, again=True)).name == "2026-11-21-friday_2.ledger"
    write(recording_path(choose_attempt(plan, rehearse=True)), entries)
    assert recording_path(choose_attempt(plan, rehearse=True)).name == "2026-11-21-friday_2.ledger"


def test_seed_is_never_used_again(tmp_path: Path) -> None:
    # The program stops, because it cannot listen at the address 192.0.2.1.
    folder = write_evening(tmp_path, SECRETS, lines='host = "192.0.2.1"')
    folder.file.write_text(folder.file.read_text().replace('seed = "2a"\n', ""))
    seeds = set()
    for _ in range(2):
        assert highnoon("tournament", str(folder.file)).returncode == 1
        seeds.add(read_secrets(secrets_path(folder.journal)).seed)
        folder.journal.unlink()
    assert len(seeds) == 2


def test_diary_of_another_journal_is_removed(tmp_path: Path) -> None:
    diary = tmp_path / "x.air"  # A diary says when each entry of a journal went on air.
    diary.write_text("7 1 1\n" + "9" * 5000 + " 1 1\n")
    delete_foreign_diary(diary, 7)
    assert Diary(diary).read() == [AiredLine(7, 1, 1)]
    delete_foreign_diary(diary, 6)
    assert not diary.exists()
    diary.write_text("7 1 1\n")
    begin_recording(tmp_path / "x.jsonl").journal.close()
    assert not diary.exists()


def test_file_without_secrets_is_refused_with_the_reason(tmp_path: Path) -> None:
    secrets = tmp_path / "x.secret"
    with pytest.raises(SecretsDamaged, match="missing"):
        read_secrets(secrets)
    for content in (b"", b"\xff", b"{}", b'{"seed":"zz","control":"123456789012","view":"210987654321"}'):
        secrets.write_bytes(content)
        with pytest.raises(SecretsDamaged, match="without them the tournament cannot be resumed"):
            read_secrets(secrets)


def test_journal_with_another_seed_or_buy_in_is_refused_with_the_reason(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, SECRETS)
    recording, seed = begin_recording(folder.journal), b"\x01" * 32
    contest = replace(QUICK_DRAW_FORMAT, title="A night in tests")
    ada = Entrant(1, "Ada", "Ada Senior")
    room = CardRoom(recording, [ada], contest_format=contest, seed=seed, prizes_cents=(500,))
    room.bus.publish(StageStarted(1, "High Noon", 1, 24, (1,), (5000,)))
    room.bus.close()
    secrets = EveningSecrets((b"\x02" * 32).hex(), "control-in-tests", "looking-in-tests")
    secrets_path(folder.journal).write_bytes(msgspec.json.encode(secrets))
    assert "belongs to another tournament" in highnoon("tournament", str(folder.file)).stderr
    secrets_path(folder.journal).write_bytes(msgspec.json.encode(replace(secrets, seed=seed.hex())))
    folder.file.write_text("buy_in = 6\n" + folder.file.read_text())
    assert "change name, buy_in and prizes" in highnoon("tournament", str(folder.file)).stderr
