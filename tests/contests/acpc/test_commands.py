"""The commands with the ACPC: a demo, practice, a check, an evening in boxes, export and import of the log."""

import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.contests.acpc.dealer import LOCAL, STARTER
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

[table]
most_hands = 4
duplicate = true

[ports]
pages = {pages}
register = {register}

"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording of a demo."""
    data = tmp_path_factory.mktemp("demo")
    (port,) = free_ports(1)
    words = ("--contest", "acpc", "--speed", "0", "--data", str(data), "--port", str(port))
    ended = highnoon("demo", *words)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (recording,) = (data / "recordings").glob("*.jsonl")
    return recording


def test_demo_is_a_proved_match_of_six(demo: Path) -> None:
    proof = verify(read_journal(demo).entries)
    assert proof.finished
    assert (proof.hands, len(proof.placings)) == (100, 6)


def test_log_is_exported_and_imported(demo: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    assert highnoon("export", str(demo), "--acpc", "--out", str(log)).returncode == 0
    text = log.read_text()
    assert text.count("STATE:") == 100
    assert text.count("SCORE:") == 1
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
def test_starter_passes_the_check(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    ended = highnoon("check", str(STARTER.parent), "--runner", "light", "--report", str(report))
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    assert "1 well" in ended.stdout
    assert ">2,000,000<" in report.read_text(), "the chips on its poster"


@NEEDS_BUBBLEWRAP
def test_bots_in_boxes_play_duplicates(tmp_path: Path) -> None:
    pages, register = free_ports(2)
    text = EVENT.format(pages=pages, register=register)
    for name in ("Ada", "Bea"):
        shutil.copytree(STARTER.parent, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        config = tmp_path / name / "bot_config.json"
        config.write_text(config.read_text().replace("Python Starter", f"{name} Bot"))
        text += f'[[entries]]\nplayer = "{name}"\nfolder = "{name}"\n'
    (tmp_path / "event.toml").write_text(text)
    ended = highnoon("tournament", str(tmp_path / "event.toml"))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (recording,) = (tmp_path / "data/recordings").glob("*.jsonl")
    proof = verify(read_journal(recording).entries)
    assert (proof.games, proof.hands) == (2, 8)
