"""`highnoon clip`: each refusal is one sentence, and an interrupted clip leaves no half-made file."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from server.__main__ import main
from tests.support.program import ROOT, SECONDS
from tests.support.recordings import small_contest, write


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("recordings") / "one.jsonl", small_contest())


def error_of(recording: Path, *words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command says on standard error before it ends with 1."""
    assert main(["clip", str(recording), *words]) == 1
    output = capsys.readouterr()
    assert output.err.count("\n") == 1
    return output.err.strip()


@pytest.mark.parametrize("hand", ["0", "-1", "8", "4000"])
def test_a_hand_that_does_not_exist_is_refused_with_the_number_of_hands(
    hand: str, recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    error = error_of(recording, f"--hand={hand}", "--out", str(tmp_path / "x.mp4"), capsys=capsys)
    assert error == f"highnoon: there is no hand {hand} in this recording: its hands are 1 to 7"


def test_a_length_that_no_hand_fits_into_is_refused(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    error = error_of(recording, "--highlights", "2s", "--out", str(tmp_path / "x.mp4"), capsys=capsys)
    assert "no highlight is as short as that" in error


@pytest.mark.parametrize("length", ["soon", "0", "3 miles"])
def test_a_bad_length_is_refused(length: str, recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["clip", str(recording), "--highlights", length])
    assert ended.value.code == 2
    assert "write it like 3m" in capsys.readouterr().err


def test_a_hand_or_highlights_must_be_asked_for(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["clip", str(recording)])
    assert "one of the arguments --hand --best --highlights is required" in capsys.readouterr().err


def test_what_is_not_installed_is_named_with_how_to_get_it(
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


def test_where_a_file_is_or_none_can_be_nothing_is_begun(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there.mp4"
    there.write_bytes(b"somebody's")
    for target, why in ((there, "is there already"), (tmp_path / "x.avi", "must end in .mp4")):
        assert why in error_of(recording, "--hand", "1", "--out", str(target), capsys=capsys)
    nowhere = str(tmp_path / "nowhere" / "x.mp4")
    assert "nothing can be written into" in error_of(recording, "--hand", "1", "--out", nowhere, capsys=capsys)
    preview = ("--preview", str(tmp_path / "x.gif"))
    free = str(tmp_path / "x.mp4")
    assert "must end in .webp" in error_of(recording, "--hand", "1", "--out", free, *preview, capsys=capsys)
    assert there.read_bytes() == b"somebody's"


def test_several_films_go_into_a_folder_where_none_of_them_may_be(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one-hand-3.mp4").write_bytes(b"somebody's")
    error = error_of(recording, "--hand", "1,3", "--out", str(tmp_path), capsys=capsys)
    assert error == f"highnoon: {tmp_path / 'one-hand-3.mp4'} is there already"
    error = error_of(recording, "--hand", "1,8", "--out", str(tmp_path / "clips"), capsys=capsys)
    assert error == "highnoon: there is no hand 8 in this recording: its hands are 1 to 7"
    error = error_of(recording, "--best", "3", "--preview", str(tmp_path / "x.webp"), capsys=capsys)
    assert error == "highnoon: --preview is for one film: ask for one hand, or --highlights"
    with pytest.raises(SystemExit) as ended:
        main(["clip", str(recording), "--hand", "1;3"])
    assert ended.value.code == 2
    assert "give 12, or 12,15,31" in capsys.readouterr().err


def test_a_clip_that_is_broken_off_leaves_nothing_behind(recording: Path, tmp_path: Path) -> None:
    words = ["clip", str(recording), "--hand", "1", "--out", str(tmp_path / "x.mp4")]
    with TemporaryDirectory() as work:  # of a short name: sockets of the browser have room for no longer one
        command = subprocess.Popen(
            [sys.executable, "-m", "server", *words], cwd=ROOT, env={**os.environ, "TMPDIR": work}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        with command:
            assert command.stderr
            assert command.stderr.readline().startswith("filming: 0 of ")
            command.send_signal(signal.SIGINT)
            error, complained = command.communicate(timeout=SECONDS)
        assert (command.returncode, error, complained) == (0, "\nstopped\n", "")
        assert not list(tmp_path.iterdir())
        assert not list(Path(work).glob("high-noon-*"))
