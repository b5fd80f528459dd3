"""`highnoon clip` explains a refusal in one line, and leaves no unfinished file when it is interrupted."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from server.__main__ import main
from tests.support.games.recordings import small_contest, write
from tests.support.program import ROOT, SECONDS
from tests.support.programs.browsers import film_tools

OUT_FILE = ("--out", "{folder}/x.mp4")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("recordings") / "one.jsonl", small_contest())


def error_of(recording: Path, *words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["clip", str(recording), *words]) == 1
    output = capsys.readouterr()
    assert output.err.count("\n") == 1
    return output.err.strip()


@pytest.mark.parametrize(("words", "error"), [
    (("--hand=0", *OUT_FILE), "highnoon: there is no hand 0 in this recording: its hands are 1 to 7"),
    (("--hand=8", *OUT_FILE), "highnoon: there is no hand 8 in this recording: its hands are 1 to 7"),
    (("--highlights", "2s", *OUT_FILE), "no highlight is short enough"),
    (("--hand", "1", "--out", "{folder}/theirs.mp4"), "highnoon: {folder}/theirs.mp4 already exists"),
    (("--hand", "1,3", "--out", "{folder}"), "highnoon: {folder}/one-hand-3.mp4 already exists"),
    (("--evening", "--out", "{folder}"), "highnoon: {folder}/one-60s-tall.txt already exists"),
    (("--hand", "1", "--out", "{folder}/x.avi"), "must end in .mp4"),
    (("--hand", "1", *OUT_FILE, "--preview", "{folder}/x.gif"), "must end in .webp"),
    (("--hand", "1", "--out", "{folder}/nowhere/x.mp4"), "no file can be written to"),
    (("--best", "3", "--preview", "{folder}/x.webp"), "--preview is for a single film: use it"),
])  # fmt: skip
def test_impossible_clip_is_refused_and_nothing_is_made(
    words: Sequence[str], error: str, recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = {tmp_path / "theirs.mp4", tmp_path / "one-hand-3.mp4", tmp_path / "one-60s-tall.txt"}
    for path in theirs:
        path.write_bytes(b"somebody's")
    said = error_of(recording, *(word.format(folder=tmp_path) for word in words), capsys=capsys)
    assert error.format(folder=tmp_path) in said
    assert set(tmp_path.iterdir()) == theirs
    assert {path.read_bytes() for path in theirs} == {b"somebody's"}


def test_missing_program_is_named_with_how_to_install_it(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--hand", "1", "--out", str(tmp_path / "x.mp4"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert error_of(recording, *words, capsys=capsys) == (
        "highnoon: a clip needs Chromium: apt-get install chromium, or set CHROMIUM=/its/path"
    )
    monkeypatch.setenv("CHROMIUM", "/bin/true")
    assert error_of(recording, *words, capsys=capsys) == "highnoon: a clip needs FFmpeg: apt-get install ffmpeg"


def test_interrupted_clip_leaves_nothing_behind(recording: Path, tmp_path: Path) -> None:
    film_tools()
    words = ["clip", str(recording), "--hand", "1", "--out", str(tmp_path / "x.mp4")]
    with TemporaryDirectory() as work:  # a short path: the browser's sockets have no room for a longer one
        command = subprocess.Popen(
            [sys.executable, "-m", "server", *words], cwd=ROOT, env={**os.environ, "TMPDIR": work}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        with command:
            assert command.stderr
            assert command.stderr.readline().startswith("filming: 0 of ")
            command.send_signal(signal.SIGINT)
            output, errors = command.communicate(timeout=SECONDS)
        assert (command.returncode, output, errors) == (0, "\nstopped\n", "")
        assert not list(tmp_path.iterdir())
        assert not list(Path(work).glob("high-noon-*"))
