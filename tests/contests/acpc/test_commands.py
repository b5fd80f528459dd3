"""ACPC bots play in demos, practice, `check` and boxes, and logs of their matches can be exported and imported."""

import shutil
import subprocess
import sys
from pathlib import Path

import httpx

from server.game.events import FaultNoted
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.contests.acpc.test_matches import LOCAL, STARTER
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.ports import free_ports
from tests.support.program import highnoon, serving_program

EVENT = """\
name = "Boxes"
date = 2026-11-21
contest = "acpc"
start = "bots"
pace = 0
runner = "light"
table = { most_hands = 4, duplicate = true }
ports = { pages = PAGES, register = REGISTER }
"""


def test_demo_is_verified_without_a_fault_and_its_log_is_exported_and_imported(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    demo = ("demo", "--contest", "acpc", "--speed", "0", "--data", str(tmp_path), "--port", str(port))
    ended = highnoon(*demo)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (recording,) = (tmp_path / "recordings").glob("*.jsonl")
    entries = read_journal(recording).entries
    proof = verify(entries)
    assert (proof.finished, proof.hands, len(proof.placings)) == (True, 100, 6)
    assert not [entry for entry in entries if isinstance(entry.event, FaultNoted)]
    log = tmp_path / "match.log"
    assert highnoon("export", str(recording), "--acpc", "--out", str(log)).returncode == 0
    text = log.read_text()
    assert (text.count("STATE:"), text.count("SCORE:")) == (100, 1)
    assert "100 hands" in highnoon("import", str(log), "--strict").stdout
    again = highnoon("export", str(tmp_path / "match.jsonl"), "--acpc").stdout
    assert again.splitlines()[-1] == text.splitlines()[-1]


def test_practice_names_a_port_and_plays_the_bot_that_connects_there(tmp_path: Path) -> None:
    with serving_program("practice", "--contest", "acpc", "--speed", "0", "--data", str(tmp_path)) as program:
        body = {"name": "Me", "test_game_size": 2, "test_hand_count": 6}
        port = httpx.post(f"{program.base}/register", json=body, timeout=60.0).json()["port_number"]
        subprocess.run([sys.executable, STARTER, LOCAL, str(port)], check=True, capture_output=True)
        (recording,) = (tmp_path / "recordings/practice").glob("*.jsonl")
        assert verify(read_journal(recording).entries).hands == 6
        assert "Practice for the ACPC" in httpx.get(f"{program.base}/practice", timeout=60.0).text


@NEEDS_BUBBLEWRAP
def test_bots_in_boxes_pass_the_check_and_play_duplicates(tmp_path: Path) -> None:
    pages, register = free_ports(2)
    text = EVENT.replace("PAGES", str(pages)).replace("REGISTER", str(register))
    for name in ("Ada", "Bea"):
        shutil.copytree(STARTER.parent, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        config = tmp_path / name / "bot_config.json"
        config.write_text(config.read_text().replace("Python Starter", f"{name} Bot"))
        text += f'[[entries]]\nplayer = "{name}"\nfolder = "{name}"\n'
    (tmp_path / "event.toml").write_text(text)
    report = tmp_path / "report.html"
    checked = highnoon("check", str(tmp_path / "Ada"), "--runner", "light", "--report", str(report))
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    assert "1 OK" in checked.stdout
    assert ">2,000,000<" in report.read_text(), "the bot's poster must show its chips"
    ended = highnoon("tournament", str(tmp_path / "event.toml"))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (recording,) = (tmp_path / "data/recordings").glob("*.jsonl")
    proof = verify(read_journal(recording).entries)
    assert (proof.games, proof.hands) == (2, 8)
