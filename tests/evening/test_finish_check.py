"""`finish_trials_by`: the organiser is asked about a time that can't be kept, but not about one that can."""

from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.app.evening.card_room import doubt
from server.app.evening.health import TableHealth
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Entrant, StageStarted
from server.journal.journal import Journal

NOON = datetime.fromisoformat("2026-11-21T12:00").timestamp()
"""Noon in this machine's own time zone."""
HOUR = 3600.0
ENTRANTS = [Entrant(number, f"Bot {number}") for number in range(1, 13)]


def question(hours: float, *, pace: float = 1.0, bots: int = 12) -> str:
    """The question at noon about a time that many hours later."""
    return doubt(QUICK_DRAW_FORMAT, ENTRANTS[:bots], NOON + hours * HOUR, pace, NOON)


@pytest.mark.parametrize(("hours", "pace"), [(0.2, 1.0), (1.0, 1.0), (2.0, 1.0), (6.0, 0.2), (16.0, 0.0)])
def test_organiser_is_not_asked_about_a_time_that_can_nearly_be_kept(hours: float, pace: float) -> None:
    assert question(hours, pace=pace) == ""
    assert doubt(QUICK_DRAW_FORMAT, ENTRANTS, 0.0, pace, NOON) == "", "no time is set"


@pytest.mark.parametrize(
    ("hours", "finish"), [(-1, "Saturday 11:00"), (6, "Saturday 18:00"), (8.25, "Saturday 20:15"), (16, "Sunday 04:00")]
)
def test_organiser_is_asked_about_a_time_far_from_any_that_can_be_kept(hours: float, finish: str) -> None:
    expected = f"finish_trials_by is {finish}. Begun now, at Saturday 12:00, The Trials would end between"
    assert expected in question(hours)


def test_estimate_is_for_the_end_of_the_first_stage() -> None:
    assert "High Noon would end" in question(16.0, bots=6)
    assert doubt(replace(QUICK_DRAW_FORMAT, stages=()), ENTRANTS, NOON + 99 * HOUR, 1.0, NOON) == ""


def test_desk_shows_the_question_until_the_first_stage_begins(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "x.jsonl")
    health = TableHealth(journal, lambda: 0.0)
    health.notice = lambda: question(16.0)
    assert health.report().notice == question(16.0)
    health.heard(StageStarted(1, "The Trials", 15, 6, (1, 2), (40, 40)))
    assert health.report().notice == ""
    journal.close()
