"""`--rehearse`, `--again` and `replay --as-live` use the right recordings, and change none of them."""

from pathlib import Path

from server.game.events import ControlSet, HandEnded, TournamentEnded, TournamentOpened
from server.journal.journal import read_journal
from server.shuffle import commitment, parse_seed
from server.verify.recording import verify
from tests.end_to_end.evening import NAMES, Terminal, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.viewers import Operator, Viewer
from tests.support.ports import free_ports
from tests.support.source_files import ROOT

SECRETS = secrets_of(NAMES[:3])
RECORDING = "2026-11-21-a-night-in-tests.jsonl"
PUBLISHED = ROOT / "tests/data/phh/pluribus-101-20.phh"


def commitment_in(path: Path) -> str:
    opened = read_journal(path).entries[0].event
    assert isinstance(opened, TournamentOpened)
    return opened.seed_commitment


def test_rehearsal_does_not_touch_the_evening(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, SECRETS, lines='start = "desk"')
    rehearsed = tmp_path / "data-rehearsal" / "recordings" / RECORDING
    with RemoteBots(folder.register, SECRETS, wild=0.5):
        with tournament(folder, "--rehearse", "--speed", "50") as terminal, Operator(terminal.address) as ann:
            terminal.wait_for_output(f"a rehearsal, with its own seed and its own folder, {tmp_path}/data-rehearsal")
            ann.sees_bots(len(SECRETS))
            ann.set("started", True)
            ann.sees(lambda desk: desk["status"]["hands_shown"] >= 1)
            assert terminal.interrupt() == 0
        assert not folder.data.exists()
        with tournament(folder) as terminal, Operator(terminal.address) as ann:
            terminal.wait_for_output("ready; the tournament begins when START is pressed at the desk")
            ann.sees_bots(len(SECRETS))
            ann.set("started", True)
            assert terminal.ended() == 0, terminal.text
    assert commitment_in(folder.journal) == commitment(parse_seed("2a"))
    assert commitment_in(rehearsed) != commitment_in(folder.journal)
    assert verify(folder.entries).finished


def test_finished_evening_is_shown_again_and_kept_beside_a_new_one(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, SECRETS)
    with RemoteBots(folder.register, SECRETS, wild=0.5), tournament(folder) as terminal:
        assert terminal.ended() == 0, terminal.text
        terminal.wait_for_output(f"highnoon serve {folder.data}")
        terminal.wait_for_output(f"highnoon verify {folder.journal}")
    output = terminal.text
    before = {path: path.read_bytes() for path in folder.journal.parent.glob("*.json*")}
    with tournament(folder) as terminal:
        terminal.wait_for_output("this tournament has been played; it is shown to its end, but not played again")
        terminal.wait_for_output("--again plays it again and keeps this recording; --rehearse tries it out in a folder")
        assert terminal.ended() == 0
    assert "remote bots" not in terminal.text
    assert output[output.index("place  bot") : output.index("the final results are kept")] in terminal.text
    with RemoteBots(folder.register, SECRETS, wild=0.5), tournament(folder, "--again", "--speed", "0") as terminal:
        assert terminal.ended() == 0, terminal.text
    assert {path: path.read_bytes() for path in before} == before
    second = folder.journal.with_name("2026-11-21-a-night-in-tests_2.jsonl")
    assert commitment_in(second) != commitment_in(folder.journal)
    assert isinstance(read_journal(second).entries[-1].event, TournamentEnded)


def rehearse(recording: Path, data: Path, speed: str) -> Terminal:
    [port] = free_ports(1)
    return Terminal("replay", recording, "--as-live", "--port", str(port), "--data", data, "--speed", speed)


def test_rehearsal_waits_for_start_and_obeys_the_desk(recording: Path, tmp_path: Path) -> None:
    before = recording.read_bytes()
    with rehearse(recording, tmp_path, "400") as terminal:
        terminal.wait_for_output("press START at the desk")
        base = terminal.address.partition("/control")[0]
        with Operator(terminal.address) as ann, Viewer(base):
            ann.sees(lambda desk: "a rehearsal, waiting for the start" in desk["lights"][0]["words"])
            ann.set("paused", True)
            ann.set("started", True)
            ann.sees(lambda desk: desk["status"]["waiting"] == "paused")
            assert ann.set("stage_end", True) == "in a rehearsal, a stage ends when it ended in the recording"
            ann.set("paused", False)
            ann.sees(lambda desk: desk["status"]["hands_shown"] >= 1)
            assert ann.set("card", "break") == "put up the break card"
            assert ann.undo() == "took the card away"
            terminal.wait_for_output("the rehearsal has ended")
            ann.sees(lambda desk: desk["status"]["scene"] == "champion")
        assert terminal.interrupt() == 0
    assert recording.read_bytes() == before


def test_rehearsal_at_speed_0_ends_by_itself_and_its_journal_has_all_events(recording: Path, tmp_path: Path) -> None:
    for path in (recording, PUBLISHED):
        with rehearse(path, tmp_path / path.stem, "0") as terminal:
            assert terminal.ended() == 0, terminal.text
        assert "press START" not in terminal.text
        (journal,) = (tmp_path / path.stem / "rehearsals").glob("*.jsonl")
        rehearsed = [entry.event for entry in read_journal(journal).entries if not isinstance(entry.event, ControlSet)]
        if path == recording:
            assert rehearsed == [entry.event for entry in read_journal(recording).entries]
        else:
            assert [type(event) for event in rehearsed].count(HandEnded) == 1
