"""Quick Draw's starter bots as they are handed out: they play a practice game, and pass `highnoon check`."""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from server.game.events import ActionTaken, BotDisconnected, FaultNoted
from server.journal.journal import read_journal
from server.submissions.read import read_submissions
from server.verify.recording import verify
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.program import highnoon, serving_program
from tests.support.source_files import ROOT

STARTERS = ROOT / "assets" / "starters" / "quick-draw"
PROGRAMS = (
    [sys.executable, str(STARTERS / "python" / "bot.py")],
    [str(Path(sys.executable).parent / "node"), str(STARTERS / "javascript" / "bot.js")],
)
LAST_HAND = "hand 5 is over"


def test_the_starters_register_and_play_their_practice_games(tmp_path: Path) -> None:
    words = ("practice", "--speed", "0", "--data", str(tmp_path), "--seed", "7" * 64)
    with serving_program(*words) as program, ExitStack() as running:
        starters = []
        for number, command in enumerate(PROGRAMS, 1):
            starter = subprocess.Popen([*command, f"localhost:{program.port}"], stdout=subprocess.PIPE, text=True)
            starters.append(running.enter_context(starter))
            running.callback(starter.kill)
            assert starter.stdout is not None
            answer = json.loads(starter.stdout.readline().replace("'", '"'))
            assert answer["watch_url"].endswith(f"channel=practice-{number}")
        for starter in starters:
            assert starter.stdout is not None
            assert any(line.startswith(LAST_HAND) for line in starter.stdout), "it has left before the end"
            output, _ = starter.communicate()
            assert (starter.returncode, output) == (0, ""), "it ends by itself when the server hangs up"
    for number, _ in enumerate(PROGRAMS, 1):
        (recording,) = (tmp_path / "recordings" / "practice").glob(f"*-practice-{number}-*.jsonl")
        entries = read_journal(recording).entries
        assert verify(entries).hands == 6
        events = [entry.event for entry in entries]
        assert not [event for event in events if isinstance(event, FaultNoted | BotDisconnected)]
        acts = [event for event in events if isinstance(event, ActionTaken)]
        assert not [act for act in acts if act.fault]


def test_the_starters_folders_have_no_fault(tmp_path: Path) -> None:
    found = read_submissions(STARTERS, tmp_path)
    assert [bot.name for bot in found] == ["C++ Starter", "Java Starter", "JavaScript Starter", "Python Starter"]
    assert not [(bot.faults, bot.mends, bot.notes) for bot in found if bot.faults or bot.mends or bot.notes]


@NEEDS_BUBBLEWRAP
def test_a_starter_passes_the_check() -> None:
    """The one in Python, for boxes see this machine's own programs, and Node need not be among them."""
    checked = highnoon("check", str(STARTERS / "python"), "--runner", "light")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "hands played    6" in checked.stdout
