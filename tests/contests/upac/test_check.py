"""`highnoon check` for UPAC: it recognises bots by bot.json, builds them, and lets each play against itself."""

import json
import re
import shutil
from pathlib import Path

from server.submissions.commands import commands_in
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.submission import write_bot
from tests.support.program import highnoon
from tests.support.source_files import ROOT

STARTERS = ROOT / "assets" / "starters" / "upac"

LEAVES_AT_A_RAISE = """while read word mine _ theirs _; do
    case $word in STACK) [ $theirs -gt $mine ] && [ $theirs -gt 2 ] && exit 4; echo C;; esac
done"""
"""A bot that exits when it faces a raise. It never raises, so it never exits in games against itself."""


def submit(folder: Path, **fields: object) -> Path:
    """Writes a submission whose bot.json has these fields."""
    (folder / "bot").mkdir(parents=True)
    (folder / "bot" / "bot.json").write_text(json.dumps(fields))
    return folder


@NEEDS_BUBBLEWRAP
def test_every_bot_is_built_and_plays_against_itself_and_every_fault_is_reported(tmp_path: Path) -> None:
    bots = tmp_path / "bots"
    shutil.copytree(STARTERS / "python", bots / "alice")
    submit(bots / "bob", name="", build=5)
    submit(bots / "carl", name="Carl", run="echo 'no such card' >&2; exit 3")
    submit(bots / "eve", name="Eve", run="while read word rest; do case $word in STACK) echo R50;; esac; done")
    submit(bots / "fay", name="Fay", run="while read word rest; do case $word in STACK) echo raise 6;; esac; done")
    submit(bots / "gil", name="Gil", run=LEAVES_AT_A_RAISE)
    submit(bots / "dora", name="Dora", build="echo first; echo no compiler; exit 1", run="./bot")
    checked = highnoon("check", str(bots), "--runner", "light", "--report", str(tmp_path / "pages"))
    assert (checked.returncode, checked.stderr) == (1, "")
    text = " ".join(checked.stdout.split())
    # The starter bets at random, and may lose all its chips to itself before the fifth round.
    alice = r"OK alice: Python Starter box light rounds played [1-5] of 5, against itself(: one of .* chips)? answers"
    assert re.search(alice, text), text
    assert 'FAULT "name" is empty.' in text
    assert 'FAULT bot.json has no "run"' in text
    assert 'FAULT "build" must be a text in double quotes, not a number.' in text
    assert "FAULT It did not pass its test game: ended with status 3. last output: | no such card" in text
    assert "FAULT Dora cannot be built: its build ended with status 1." in text
    assert "first / no compiler" in text
    assert "of 5, against itself: one of the two had lost all its chips" in text
    assert "on a line of its own, not 'raise 6'" in text
    assert "FAULT When it faces a raise: it left: ended with status 4" in text
    assert "7 bots of 7 players: 2 OK, 5 unfit" in text
    pages = {page.name: page.read_text() for page in (tmp_path / "pages").iterdir()}
    assert sorted(pages) == ["alice.html", "bob.html", "carl.html", "dora.html", "eve.html", "fay.html", "gil.html"]
    assert " of 5, against itself" in pages["alice.html"]


def test_submission_is_recognised_by_its_bot_json_and_broken_submissions_are_listed_too(tmp_path: Path) -> None:
    one = submit(tmp_path / "all" / "one", name="One", run="./bot")
    zipped = Path(shutil.make_archive(str(tmp_path / "all" / "two"), "zip", one))
    wrapped = Path(shutil.make_archive(str(tmp_path / "wrapped"), "zip", tmp_path / "all", "one"))
    assert commands_in(one) == [one]
    assert commands_in(one / "bot") == [one / "bot"]
    assert commands_in(zipped) == [zipped]
    assert commands_in(wrapped) == [wrapped]
    assert commands_in(tmp_path / "all") == [one, zipped]
    empty, damaged = tmp_path / "all" / "empty", tmp_path / "all" / "three.zip"
    empty.mkdir()
    damaged.write_bytes(b"PK")
    (tmp_path / "all" / "notes.txt").write_text("who handed in what")
    assert commands_in(tmp_path / "all") == [empty, one, damaged, zipped]


def test_quick_draw_submissions_are_not_read_as_upac(tmp_path: Path) -> None:
    abe = write_bot(tmp_path / "all" / "abe")
    archive = Path(shutil.make_archive(str(tmp_path / "abe"), "zip", abe))
    (abe / "bot.json").write_text("{}")  # a folder with a Dockerfile is for Quick Draw even if it has a bot.json
    submit(tmp_path / "all" / "one", name="One", run="./bot")
    assert [commands_in(path) for path in (abe, archive, tmp_path / "all", tmp_path)] == [[], [], [], []]
