"""A killed evening (tournament and show) resumes with an unchanged result. In a deal, all tables get the same cards."""

import re
import shutil
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from server.contests import CONTESTS
from server.game import events
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.end_to_end.evening import NAMES, EventFolder, Operator, RemoteBots, Terminal, tournament, write_evening
from tests.end_to_end.killed_evening import baseline_events, deterministic_events, killed_evenings
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.starters import starter_command
from tests.support.bots.submission import HOST, write_player
from tests.support.program import SECONDS, wait_until

ALL_IN_RATE = 0.2
MOMENTS: Sequence[tuple[str, int]] = (
    ("stage_started", 1), ("hand_started", 1), ("turn_started", 3), ("hand_ended", 1), ("street_dealt", 1),
    ("game_ended", 1), ("stage_started", 1), ("tournament_ended", 1),
)  # fmt: skip
"""An event type and a number for each run. The run is killed once it has added that many such events to the journal."""
END_EVENT = b'"type":"tournament_ended"'


def wait_for_event(terminal: Terminal, journal: Path, event_type: str, count: int) -> None:
    """Polls until the journal has `count` events of this type, or the tournament has ended."""

    def has_come() -> bool:
        content = read_whole_lines(journal)
        return content.count(f'"type":"{event_type}"'.encode()) >= count or END_EVENT in content

    wait_until(lambda: has_come() or terminal.process.poll() is not None, lambda: terminal.text, pause=0.005)
    assert has_come(), f"the program ended before {event_type} {count}:\n{terminal.text}"


def read_whole_lines(journal: Path) -> bytes:
    """Returns the journal's complete lines. The file is missing while the program replaces an empty journal."""
    try:
        text = journal.read_bytes()
    except FileNotFoundError:
        return b""
    return text[: text.rfind(b"\n") + 1]


def run_until(folder: EventFolder, moment: tuple[str, int], kill: Callable[[Terminal], object], earlier: bytes) -> str:
    """Runs the program until `moment`, then calls `kill`. Returns the output. The journal must begin with `earlier`."""
    event_type, added_count = moment
    with tournament(folder) as terminal:
        if earlier:
            terminal.wait_for_output(str(folder.journal))
        wait_for_event(terminal, folder.journal, event_type, added_count + earlier.count(f'"{event_type}"'.encode()))
        kill(terminal)
        expected_status = 0 if kill == Terminal.interrupt else -signal.SIGKILL
        assert terminal.process.wait(SECONDS) == expected_status, terminal.text
    assert folder.journal.read_bytes().startswith(earlier)
    return terminal.text


def test_evening_killed_at_eight_moments_has_the_same_result(tmp_path: Path) -> None:
    folder, uninterrupted = (write_evening(tmp_path / name, NAMES) for name in ("killed", "uninterrupted"))
    with RemoteBots(uninterrupted.register, NAMES, all_in_rate=ALL_IN_RATE), tournament(uninterrupted) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    with tournament(folder) as terminal:
        terminal.wait_for_output("remote bots")  # The program is killed before any bot has come.
    journal_before = b""
    with RemoteBots(folder.register, NAMES, all_in_rate=ALL_IN_RATE, reconnect=True):
        for number, moment in enumerate(MOMENTS):
            kill = Terminal.kill_everything if number % 2 else lambda terminal: terminal.process.kill()
            output = run_until(folder, moment, kill, journal_before)
            resumed = f"resuming from {folder.journal}: {journal_before.count(b'seq')} entries"
            assert (resumed in output) is (bool(journal_before) and END_EVENT not in journal_before), output
            journal_before = read_whole_lines(folder.journal)
        with tournament(folder) as terminal:
            assert terminal.wait_for_end() == 0, terminal.text
    assert ("this tournament has been played" in terminal.text) is (END_EVENT in journal_before)
    assert END_EVENT not in journal_before or folder.journal.read_bytes() == journal_before
    assert deterministic_events(folder.journal) == deterministic_events(uninterrupted.journal)
    folder.verify_recording()


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: apt-get install strace")
def test_evening_killed_at_a_system_call_has_the_same_result(tmp_path: Path) -> None:
    expected_events = baseline_events(tmp_path)
    for journal, _ in killed_evenings(tmp_path, kills=16):
        assert deterministic_events(journal) == expected_events
        assert verify(read_journal(journal).entries).finished


def write_evening_of_boxes(folder: Path) -> EventFolder:
    """Writes the event file of an evening with three bots in bubblewrap boxes (sandboxes)."""
    players = {name: write_player(folder / name, name) for name in NAMES[:3]}
    lines = f'start = "bots"\nrunner = "light"\nbot_addresses = ["{HOST}"]'
    return write_evening(folder / "evening", (), players, lines=lines)


@NEEDS_BUBBLEWRAP
def test_bots_in_boxes_are_restarted_when_the_evening_is_resumed(tmp_path: Path) -> None:
    folder, journal_before = write_evening_of_boxes(tmp_path), b""
    for moment, kill in ((("hand_started", 1), Terminal.kill_everything), (("turn_started", 3), Terminal.interrupt)):
        run_until(folder, moment, kill, journal_before)
        journal_before = read_whole_lines(folder.journal)
    with tournament(folder) as terminal:
        terminal.wait_for_output("resuming from")
        wait_for_event(terminal, folder.journal, "bot_connected", 3 * 3)
        with Operator(terminal.address) as ann:
            ann.set("stage_end", True)  # The stage ends after this hand.
        assert terminal.wait_for_end() == 0, terminal.text
    assert "left earlier" not in terminal.text
    assert folder.journal.read_bytes().startswith(journal_before)
    folder.verify_recording()
    assert sum(isinstance(event, events.BotConnected) for event in folder.events) == 3 * 3


def test_bot_that_was_lost_before_a_crash_stays_out_without_readmit(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, NAMES[:3])
    with tournament(folder) as terminal, RemoteBots(folder.register, NAMES[:2]):
        with RemoteBots(folder.register, NAMES[2:3]):
            wait_for_event(terminal, folder.journal, "turn_started", 3)
        wait_for_event(terminal, folder.journal, "bot_disconnected", 1)
        terminal.kill_everything()
    with tournament(folder) as terminal:
        terminal.wait_for_output(f"left earlier: {NAMES[2]}; may not rejoin without --readmit")
    entries_before = len(folder.entries)
    with RemoteBots(folder.register, NAMES[:3]), tournament(folder, "--speed", "0", "--readmit") as terminal:
        terminal.wait_for_output(f"left earlier: {NAMES[2]}; may rejoin")
        assert terminal.wait_for_end() == 0, terminal.text
    later_events = folder.events[entries_before:]
    assert events.BotConnected(3) in later_events
    assert not [event for event in later_events if isinstance(event, events.BotDisconnected)]
    assert isinstance(later_events[-1], events.TournamentEnded)


@pytest.mark.parametrize("contest", CONTESTS)
def test_starters_of_every_contest_play_deals(contest: str, tmp_path: Path) -> None:
    bot_count = 2 if CONTESTS[contest].is_duel else 3
    folder = write_evening(tmp_path, (), lines=f'contest = "{contest}"\nstart = "bots"\nbuy_in = 0')
    entries = "".join(
        f"[[entries]]\nplayer = '{name} Senior'\nbot = '{name}'\ncommand = '{starter_command(contest)}'\n"
        for name in NAMES[:bot_count]
    )
    folder.file.write_text(f"{folder.file.read_text()}\n[format]\nsame_cards = true\ndeals = 4\n{entries}")
    with tournament(folder) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    assert f"starting {bot_count} bots at {bot_count} tables" in terminal.text
    assert "for 4 deals (measured by a trial deal of " in terminal.text
    assert "4 deals: the same cards at every table, every bot once in every seat" in terminal.text
    assert re.search(r"deal 4 of 4, (about [\d.]+|less than 0\.1) s left", terminal.text)
    seatings = [event.seats for event in folder.events if isinstance(event, events.GameStarted)]
    assert len(seatings) == 4 * bot_count
    assert all(len(set(seatings[deal * bot_count : (deal + 1) * bot_count])) == bot_count for deal in range(4))
    results = [event for event in folder.events if isinstance(event, events.DealEnded)]
    assert [set(result.won) for result in results] == [{0}] * 4, "all bots run the same program, so none may win chips"
    assert not [event for event in folder.events if isinstance(event, events.FaultNoted)]
    assert not [event for event in folder.events if isinstance(event, events.ActionTaken) and event.fault]


@NEEDS_BUBBLEWRAP
def test_submissions_are_built_once_and_play_in_a_box_at_each_table(tmp_path: Path) -> None:
    folder = write_evening_of_boxes(tmp_path)
    folder.file.write_text(f"{folder.file.read_text()}\n[format]\nsame_cards = true\ndeals = 5\n")
    with tournament(folder) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    assert "instances of a bot can signal each other" in terminal.text, "bubblewrap boxes must come with a warning"
    assert "9 programs in boxes of at most 100 MB each may take 900 MB" in terminal.text
    (stage,) = (event for event in folder.events if isinstance(event, events.StageStarted))
    assert (stage.deals, len(stage.bots)) == (5, 3)
    assert verify(folder.entries).deals == 5
    logs = folder.data / "recordings" / "2026-11-21-a-night-in-tests-bots"
    assert sorted(path.name for path in logs.iterdir()) == ["table-1", "table-2", "table-3"]
