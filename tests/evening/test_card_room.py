"""The card room reports its health, lets the operator end the right stage, and asks about `finish_trials_by`."""

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.app.evening.card_room import CardRoom, begin_recording, doubt
from server.app.evening.health import TableHealth
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import (
    ActionTaken,
    ControlSet,
    DealEnded,
    Entrant,
    GameStarted,
    HandStarted,
    StageEnded,
    StageStarted,
    TournamentOpened,
)
from server.game.formats import as_exhibition
from server.journal.journal import Journal

BOTS = tuple(range(1, 8))
ENTRANTS = [Entrant(number, f"Bot {number}") for number in range(1, 13)]
HAND = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")
TRIALS = StageStarted(1, "The Trials", 15, 6, BOTS, (5000,) * 7, 6)
END = ControlSet("stage_end", value=True, was=False)
NOON = datetime.fromisoformat("2026-11-21T12:00").timestamp()
"""Noon in this machine's own time zone."""
HOUR = 3600.0


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    begun = begin_recording(tmp_path / "x.jsonl")
    room = CardRoom(begun, ENTRANTS[:7], contest=QUICK_DRAW_FORMAT, seed=bytes(32), prizes_cents=())
    yield room
    room.bus.close()


def test_stage_can_be_ended_and_continued_only_while_on_air_and_at_the_table(room: CardRoom) -> None:
    room.health.notice = lambda: question(16.0)
    assert room.health.report().notice == question(16.0), "the desk must show the question"
    assert room.request(END, 0) == "no stage is on air"
    room.bus.publish(TRIALS, HAND, HAND)
    assert room.health.report().notice == "", "the question must disappear once the first stage has begun"
    assert room.request(END, 2) == "that stage has not begun at the table"
    assert not room.gate.controls.stage_end
    assert room.request(END, 1) == ""
    assert room.gate.controls.stage_end
    assert room.request(ControlSet("stage_end", value=False, was=True), 1) == ""
    assert not room.gate.controls.stage_end


@pytest.mark.parametrize("shown", [0, 1, 2])
def test_ending_the_trials_on_air_does_not_end_high_noon_at_the_table(room: CardRoom, shown: int) -> None:
    """This is so even if all hands of The Trials have been on air, and only the list of advancing bots has not."""
    room.bus.publish(TRIALS, HAND, HAND)
    room.bus.publish(StageEnded(1, BOTS, (5000,) * 7, BOTS[:6], ""))
    room.bus.publish(StageStarted(2, "High Noon", 1, 24, BOTS[:6], (5000,) * 6, 0), HAND)
    room.gate.has_shown(shown)
    assert room.request(END, 1) == "the table has already ended The Trials; only its show is still running"
    assert not room.gate.controls.stage_end
    assert room.request(END, 2) == ""


def test_unlimited_games_and_hands_are_reported_without_a_total(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "recordings" / "x.jsonl")
    health = TableHealth(journal, time.monotonic)
    assert health.report().disk_free_bytes
    journal.path.unlink()
    journal.path.parent.rmdir()
    for games, hands, doing in (
        (0, 8, "The Tables, game 1, hand 3 of 8"),
        (1, 0, "The Tables, hand 3"),
        (15, 6, "The Tables, game 1 of 15, hand 3 of 6"),
    ):
        health.hear(StageStarted(1, "The Tables", games, hands, (1, 2), (40, 40)))
        health.hear(GameStarted(1, hands, (1, 2), (40, 40), ""))
        health.hear(HandStarted(3, 0, 1, 2, 0, (40, 40), ""))
        assert (health.report().doing, health.report().disk_free_bytes) == (doing, 0)
    journal.close()


def test_desk_estimates_the_time_for_the_other_deals_from_the_deals_that_were_played(tmp_path: Path) -> None:
    journal, times = Journal(tmp_path / "x.jsonl"), [0.0]
    health = TableHealth(journal, lambda: times[-1])
    health.hear(StageStarted(1, "The Final", 30, 1, (1, 2), (40, 40), deals=15))
    assert health.report().doing == "The Final, deal 1 of 15"
    for deal, at, doing in (
        (1, 20.0, "The Final, deal 2 of 15, about 5 minutes left"),
        (2, 40.0, "The Final, deal 3 of 15, about 4 minutes left"),
        (3, 3640.0, "The Final, deal 4 of 15, about 4 minutes left"),
    ):
        times.append(at)
        health.hear(DealEnded(deal, (1, 2), (0, 0)))
        assert health.report().doing == doing
    health.pace.forget()
    for deal, at, doing in (
        (4, 9000.0, "The Final, deal 5 of 15"),
        (5, 9006.0, "The Final, deal 6 of 15, about 60 s left"),
        (6, 9036.0, "The Final, deal 7 of 15, about 54 s left"),
        (7, 9066.0, "The Final, deal 8 of 15, about 2 minutes left"),
    ):
        times.append(at)
        health.hear(DealEnded(deal, (1, 2), (0, 0)))
        assert health.report().doing == doing
    journal.close()


def test_desk_sees_the_last_and_the_slowest_answer_of_a_bot(room: CardRoom) -> None:
    room.bus.publish(TRIALS, GameStarted(1, 6, BOTS[:6], (5000,) * 6, ""), HAND)
    for think_ms in (2100, 900, 300):
        room.bus.publish(ActionTaken(1, "fold", 0, 0, all_in=False, think_ms=think_ms))
    bot = room.health.bots[BOTS[1]]
    assert (bot.turns, bot.last_ms, bot.slowest_ms) == (3, 300, 2100)


def test_answer_is_slow_in_an_exhibition_only_if_it_takes_time_from_the_bank(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "x.jsonl")
    health = TableHealth(journal, time.monotonic)
    form = as_exhibition(QUICK_DRAW_FORMAT, 30_000, 120_000)
    for rules, slow_ms in ((QUICK_DRAW_FORMAT.rules, 2000), (form.rules, 30_001)):
        health.hear(TournamentOpened("quick-draw", "Evening", rules, 5000, tuple(ENTRANTS), ""))
        assert {bot.slow_ms for bot in health.bots.values()} == {slow_ms}
    journal.close()


def question(hours: float, *, pace: float = 1.0, bots: int = 12) -> str:
    """Returns the question at noon if `finish_trials_by` is `hours` hours later, or ""."""
    return doubt(QUICK_DRAW_FORMAT, ENTRANTS[:bots], NOON + hours * HOUR, pace, NOON)


def test_organiser_is_asked_only_about_a_time_at_which_the_first_stage_cannot_end() -> None:
    for hours, pace in ((0.2, 1.0), (0.5, 1.0), (1.0, 1.0), (3.0, 0.2), (16.0, 0.0)):
        assert question(hours, pace=pace) == "", hours
        assert doubt(QUICK_DRAW_FORMAT, ENTRANTS, 0.0, pace, NOON) == "", "nothing may be asked if no time is set"
    for hours, finish in (
        (-1, "Saturday 11:00"),
        (6, "Saturday 18:00"),
        (8.25, "Saturday 20:15"),
        (16, "Sunday 04:00"),
    ):
        zone = datetime.fromtimestamp(NOON).astimezone().tzname()
        now = f"If The Trials starts now, at Saturday 12:00 {zone}, it will end between"
        expected = f"finish_trials_by is {finish} {zone}. {now}"
        assert expected in question(hours)
    assert "If High Noon starts now" in question(16.0, bots=6)
    assert doubt(replace(QUICK_DRAW_FORMAT, stages=()), ENTRANTS, NOON + 99 * HOUR, 1.0, NOON) == ""
