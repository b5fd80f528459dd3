"""`highnoon replay --as-live`: a recording is shown as if it happened now, and the desk works."""

from pathlib import Path

from msgspec.structs import replace

from broadcast.on_air.diary import Again, Aired, read_diary
from server.game.events import ActionTaken, ControlSet, HandEnded, HandStarted, TournamentEnded
from server.journal.journal import Entry, read_journal
from tests.end_to_end.evening import Terminal
from tests.end_to_end.viewers import Operator, Viewer
from tests.support.ports import free_ports
from tests.support.recordings import small_contest, write

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
    assert isinstance(now[-1], TournamentEnded)
    assert any(isinstance(event, HandStarted) for event in now)


def test_slow_table_brings_replays_and_loses_no_hand(tmp_path: Path) -> None:
    path = write(tmp_path / "slow.jsonl", [_slow(entry) for entry in small_contest()])
    with rehearsal(path, tmp_path, "200") as terminal, Operator(terminal.address) as ann:
        ann.set("started", True)
        ann.sees(lambda desk: desk["status"]["scene"] == "champion")
        assert terminal.interrupt() == 0
    (left,) = (tmp_path / "rehearsals").glob("*.air")
    shown = [line for line in read_diary(left) if isinstance(line, Again)]
    assert shown
    assert len({(line.game, line.hand) for line in shown}) == len(shown), "none is repeated"
    aired = {line.seq for line in read_diary(left) if isinstance(line, Aired)}
    ends = [entry for entry in read_journal(left.with_suffix(".jsonl")).entries if isinstance(entry.event, HandEnded)]
    assert {entry.seq for entry in ends} <= aired


def _slow(entry: Entry) -> Entry:
    """The entry with a long thinking time, if it is of the final."""
    event = entry.event
    late = isinstance(event, ActionTaken) and entry.seq > len(small_contest()) * 2 // 3
    return replace(entry, event=replace(event, think_ms=20_000)) if late else entry


def test_published_hands_are_rehearsed_to_their_end(tmp_path: Path) -> None:
    with rehearsal(PUBLISHED, tmp_path, "0") as terminal:
        assert terminal.ended() == 0, terminal.text
    assert "press START" not in terminal.text
    (left,) = (tmp_path / "rehearsals").glob("*.jsonl")
    assert [type(entry.event) for entry in read_journal(left).entries].count(HandEnded) == 1
