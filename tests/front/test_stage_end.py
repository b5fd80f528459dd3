"""The operator ends the stage that is seen, though the table may be further."""

from pathlib import Path

from server.front.card_room import CardRoom, begin_journal
from server.game.contests import QUICK_DRAW_CONTEST
from server.game.events import ControlSet, Entrant, HandStarted, StageEnded, StageStarted

HAND = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")
END = ControlSet("stage_end", value=True, was=False)


def test_the_end_of_a_stage_never_falls_on_the_next_one(tmp_path: Path) -> None:
    entrants = [Entrant(number, f"Bot {number}", "") for number in range(1, 8)]
    room = CardRoom(
        begin_journal(tmp_path / "x.jsonl"), entrants, contest=QUICK_DRAW_CONTEST, seed=bytes(32), prizes_cents=()
    )
    bots = tuple(range(1, 8))
    room.bus.publish(StageStarted(1, "The Trials", 15, 6, bots, (5000,) * 7, 6), HAND, HAND)
    room.gate.has_shown(1)
    assert room.wish(END) == ""
    assert room.wish(ControlSet("stage_end", value=False, was=True)) == ""
    room.bus.publish(StageEnded(1, bots, (5000,) * 7, bots[:6], ""))
    room.bus.publish(StageStarted(2, "High Noon", 1, 24, bots[:6], (5000,) * 6, 0), HAND)
    assert "has ended this stage already" in room.wish(END)
    assert not room.gate.controls.stage_end
    room.gate.has_shown(2)
    assert room.wish(END) == ""
    room.bus.close()
