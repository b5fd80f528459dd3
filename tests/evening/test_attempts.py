"""The recording that an evening writes: a rehearsal never writes the real one; nothing played is overwritten."""

import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from tempfile import gettempdir

import pytest

from server.app.evening.evening_files import attempt, recording_of
from server.bots.sandbox.bubblewrap.runner import open_bubblewrap
from server.bots.sandbox.runner import Surroundings
from server.config.event_file import EveningPlan
from server.errors import Refusal
from server.game.events import Event
from server.journal.journal import Entry, Journal
from server.season.events import PlayerEntered, SeasonEnded, SeasonOpened
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.contests import play_contest

SEED = b"\x2a" * 32
CONTEST = tuple(play_contest(3, bots=2))
MIDDLE = CONTEST[: len(CONTEST) // 2]
SEASON = (SeasonOpened("x", "c"), PlayerEntered(1, "Ada"), SeasonEnded(SEED.hex()))


def plan_in(folder: Path, contest: str = "quick-draw", name: str = "Friday") -> EveningPlan:
    return EveningPlan(name=name, date=date(2026, 11, 21), entries=(), data=folder / "data", contest=contest, seed=SEED)


def written(plan: EveningPlan, entries: Sequence[Entry]) -> Path:
    journal = Journal(recording_of(plan))
    journal.append(entries)
    journal.close()
    return journal.path


def facts(*events: Event) -> list[Entry]:
    return [Entry(number, 0, event) for number, event in enumerate(events, 1)]


@pytest.mark.parametrize("entries", [MIDDLE, CONTEST], ids=["interrupted", "over"])
def test_again_begins_a_second_recording_with_another_seed_and_resumes_it(
    tmp_path: Path, entries: Sequence[Entry]
) -> None:
    plan = plan_in(tmp_path)
    written(plan_in(tmp_path, name="Friday 2"), CONTEST)
    assert attempt(plan) == attempt(plan, again=True) == plan
    opened = written(plan, CONTEST[:1])
    assert attempt(plan, again=True) == plan, "nothing has been played"
    opened.unlink()
    first = written(plan, entries)
    second = attempt(plan, again=True)
    assert (second.journal.name, second.seed) == ("2026-11-21-friday_2.jsonl", b"")
    assert attempt(plan).journal == first, "until the second is started"
    written(second, entries)
    assert attempt(plan) == second
    assert attempt(plan, again=True).journal.name == "2026-11-21-friday_3.jsonl"


def test_recording_in_use_is_not_started_again(tmp_path: Path) -> None:
    plan = plan_in(tmp_path)
    journal = Journal(plan.journal)
    journal.append(MIDDLE)
    with pytest.raises(Refusal, match="another process is writing this journal, so it is not started again"):
        attempt(plan, again=True)
    assert attempt(plan) == plan
    journal.close()


@NEEDS_BUBBLEWRAP
def test_rehearsal_leaves_boxes_of_a_running_evening_alone(tmp_path: Path) -> None:
    plan = plan_in(tmp_path)
    real = open_bubblewrap(Surroundings(plan.label))
    (boxes,) = Path(gettempdir()).glob(f"*{plan.label}-*")
    rehearsal = open_bubblewrap(Surroundings(attempt(plan, rehearse=True).label))
    assert boxes.exists()
    for runner in (real, rehearsal):
        asyncio.run(runner.close())


def test_interrupted_rehearsal_resumes_and_a_finished_one_starts_again(tmp_path: Path) -> None:
    plan = plan_in(tmp_path)
    rehearsal = attempt(plan, rehearse=True)
    path = written(rehearsal, MIDDLE)
    assert attempt(plan, rehearse=True) == rehearsal
    assert attempt(plan, rehearse=True, again=True).attempt == 2
    path.unlink()
    written(rehearsal, CONTEST)
    assert attempt(plan, rehearse=True).attempt == 2
    assert attempt(plan).attempt == 1


def test_again_begins_a_season_beside_its_ledger(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "upac")
    written(plan, facts(*SEASON[:2]))
    assert recording_of(attempt(plan)).name == "2026-11-21-friday.ledger"
    assert recording_of(attempt(plan, again=True)).name == "2026-11-21-friday_2.ledger"
    rehearsal = attempt(plan, rehearse=True)
    written(rehearsal, facts(*SEASON))
    assert recording_of(attempt(plan, rehearse=True)).name == "2026-11-21-friday_2.ledger"
