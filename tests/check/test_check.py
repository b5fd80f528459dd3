"""`highnoon check`, run as a process, has the right output, files and exit status."""

import json
import shutil
from pathlib import Path

import pytest

from tests.bots.sandbox.test_bot_folder import NUMBER, OTHER, elf
from tests.support.bots.submission import write_bot, write_player
from tests.support.program import highnoon


@pytest.fixture
def players(tmp_path: Path) -> Path:
    """A folder with the bots of three players. Bob's is broken; Carl's has a broken sound and cannot run here."""
    folder = tmp_path / "all"
    write_player(folder / "alice", "Honest Abe", "Bart", extras=True)
    broken = write_bot(folder / "bob", "B\\u001b[2Job")
    (broken / "Dockerfile").rename(broken / "dockerfile")
    (broken / "mugshot.png").write_text("a drawing of Bob")
    write_bot(folder / "carl", "Carl", extras=True)
    (folder / "carl" / "yeehaw.wav").write_bytes(b"RIFF\0\0\0\0WAVE")
    (folder / "carl" / "engine").write_bytes(elf(NUMBER))
    return folder


def test_every_bot_has_its_own_part_of_the_output_even_if_another_is_broken(players: Path, tmp_path: Path) -> None:
    checked = highnoon("check", str(players), "--no-run", "--report", str(tmp_path / "report.html"))
    assert (checked.returncode, checked.stderr) == (1, "")
    verdicts = [line.split(":")[0] for line in checked.stdout.splitlines() if line.startswith(("OK ", "UNFIT ", "TO "))]
    assert verdicts == ["OK       alice/bot-1", "OK       alice/bot-2", "UNFIT    bob", "TO FIX   carl"]
    text = " ".join(checked.stdout.split())
    for finding in (
        'FAULT There is no Dockerfile. There is "dockerfile": rename or move it',
        "FIX The avatar: it is not a PNG, JPEG, GIF or WebP picture. Until you replace it, the house's face is shown.",
        "FIX The sound: it is damaged, or not a WAV file at all. Until you replace it, the house's sound is played.",
        f"FIX engine is a program for {OTHER}, and bots run on Linux with the processor",
    ):
        assert finding in text
    assert "FAULT bot_config.json can't be read" not in text
    assert "4 bots of 3 players: 2 OK, 1 to fix, 1 unfit" in text
    assert "\x1b" not in checked.stdout
    assert (tmp_path / "report.html").read_text().count('<article class="sheet"') == 4


def test_report_is_available_as_json_and_as_a_page_for_each_player(players: Path, tmp_path: Path) -> None:
    checked = highnoon("check", str(players), "--no-run", "--json", "--report", str(tmp_path / "pages"))
    assert checked.returncode == 1
    report = json.loads(checked.stdout)
    assert [(bot["label"], bot["verdict"], bot["game"]) for bot in report["bots"]] == [
        ("alice/bot-1", "well", None), ("alice/bot-2", "well", None), ("bob", "unfit", None), ("carl", "mend", None),
    ]  # fmt: skip
    assert report["bots"][3]["findings"][0]["kind"] == "mend"
    assert "4 bots of 3 players" in checked.stderr
    pages = {path.name: path.read_text() for path in (tmp_path / "pages").iterdir()}
    assert sorted(pages) == ["alice.html", "bob.html", "carl.html"]
    assert pages["alice.html"].count('<article class="sheet"') == 2
    assert "Carl" not in pages["alice.html"]


def test_bots_in_an_archive_are_checked_and_no_files_remain(tmp_path: Path) -> None:
    alice = write_player(tmp_path / "all" / "alice", "Abe", "Bart", extras=True)
    archive = shutil.make_archive(str(tmp_path / "alice"), "zip", alice)
    before = sorted(tmp_path.rglob("*"))
    checked = highnoon("check", archive, "--no-run")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.splitlines()[-1] == "2 bots of 1 player: 2 OK"
    assert sorted(tmp_path.rglob("*")) == before
