"""`highnoon replay --as-live`: a recording is shown as if it happened now, and the desk works."""

from pathlib import Path

from server.game.events import ControlSet, HandEnded
from server.journal.journal import read_journal
from tests.end_to_end.evening import Terminal
from tests.end_to_end.viewers import Operator, Viewer
from tests.support.ports import free_ports

PUBLISHED = Path(__file__).parents[1] / "data" / "phh" / "pluribus-101-20.phh"


def rehearsal(recording: Path, data: Path, speed: str) -> Terminal:
    [port] = free_ports(1)
    return Terminal("replay", recording, "--as-live", "--port", str(port), "--data", data, "--speed", speed)


def test_rehearsal_waits_for_start_and_obeys_the_desk(recording: Path, tmp_path: Path) -> None:
    before = recording.read_bytes()
    with rehearsal(recording, tmp_path, "400") as terminal:
        terminal.hears("press START at the desk")
        base = terminal.address.partition("/control")[0]
        with Operator(terminal.address) as ann, Viewer(base):
            ann.sees(lambda desk: "a rehearsal, waiting for the start" in desk["lights"][0]["words"])
            ann.set("paused", True)
            ann.set("started", True)
            ann.sees(lambda desk: desk["status"]["waiting"] == "paused")
            assert ann.set("stage_end", True) == "in a rehearsal a stage ends when it ended"
            ann.set("paused", False)
            ann.sees(lambda desk: desk["status"]["hands_shown"] >= 1)
            assert ann.set("card", "break") == "put up the break card"
            assert ann.undo() == "took the card away"
            terminal.hears("the rehearsal is at its end")
            ann.sees(lambda desk: desk["status"]["scene"] == "champion")
        assert terminal.interrupt() == 0
    assert recording.read_bytes() == before


def test_rehearsal_leaves_a_journal_of_the_same_evening(recording: Path, tmp_path: Path) -> None:
    with rehearsal(recording, tmp_path, "0") as terminal:
        assert terminal.ended() == 0, terminal.text
    (left,) = (tmp_path / "rehearsals").glob("*.jsonl")
    then, now = ([entry.event for entry in read_journal(path).entries] for path in (recording, left))
    assert [event for event in now if not isinstance(event, ControlSet)] == then


def test_published_hands_are_rehearsed_to_their_end(tmp_path: Path) -> None:
    with rehearsal(PUBLISHED, tmp_path, "0") as terminal:
        assert terminal.ended() == 0, terminal.text
    assert "press START" not in terminal.text
    (left,) = (tmp_path / "rehearsals").glob("*.jsonl")
    assert [type(entry.event) for entry in read_journal(left).entries].count(HandEnded) == 1
