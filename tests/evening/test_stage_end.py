"""End stage: the operator ends the stage that viewers see, even if the table has reached the next one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.app.evening.card_room import CardRoom, begin_recording
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ControlSet, Entrant, HandStarted, StageEnded, StageStarted

HAND = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")
END = ControlSet("stage_end", value=True, was=False)
BOTS = tuple(range(1, 8))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    entrants = [Entrant(number, f"Bot {number}", "") for number in BOTS]
    room = CardRoom(
        begin_recording(tmp_path / "x.jsonl"), entrants, contest=QUICK_DRAW_FORMAT, seed=bytes(32), prizes_cents=()
    )
    yield room
    room.bus.close()


def trials(room: CardRoom) -> None:
    room.bus.publish(StageStarted(1, "The Trials", 15, 6, BOTS, (5000,) * 7, 6), HAND, HAND)


def high_noon(room: CardRoom) -> None:
    room.bus.publish(StageEnded(1, BOTS, (5000,) * 7, BOTS[:6], ""))
    room.bus.publish(StageStarted(2, "High Noon", 1, 24, BOTS[:6], (5000,) * 6, 0), HAND)


def test_only_the_stage_on_air_and_at_the_table_can_be_ended_and_continued(room: CardRoom) -> None:
    assert room.request(END, 0) == "no stage is on air yet"
    trials(room)
    assert room.request(END, 2) == "that stage has not begun at the table"
    assert not room.gate.controls.stage_end
    assert room.request(END, 1) == ""
    assert room.gate.controls.stage_end
    assert room.request(ControlSet("stage_end", value=False, was=True), 1) == ""
    assert not room.gate.controls.stage_end


@pytest.mark.parametrize("shown", [0, 1, 2])
def test_ending_the_trials_on_air_does_not_end_high_noon_at_the_table(room: CardRoom, shown: int) -> None:
    """Not even once every hand of The Trials has been shown and only the list of who advances is to come."""
    trials(room)
    high_noon(room)
    room.gate.has_shown(shown)
    assert room.request(END, 1) == "the table has ended The Trials already; what is left of it has only to be shown"
    assert not room.gate.controls.stage_end
    assert room.request(END, 2) == ""
