"""`make install` and `make setup` install nothing with apt. A skipped test names the missing program that it needs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.program import ROOT

TIMEOUT_SECONDS = 300.0
NEEDED_PROGRAMS = ("bash", "sh", "env", "sed", "expand", "make", "git", "python3", "uname", "cat", "ldd")
"""The only programs on the path. Chromium, FFmpeg and Docker are missing."""
SKIPPED_TESTS = {
    "tests/media/test_corpora.py::test_picture_that_chromium_shows_is_accepted_or_refused_by_its_true_kind",
    "tests/media/test_corpora.py::test_sound_that_chromium_plays_is_accepted_or_refused_by_its_true_kind",
    "tests/video/test_frames.py::test_preview_is_small_and_moves",
    "tests/bots/sandbox/test_docker_boxes.py",
}
SKIP_REASONS = {
    "Chromium is not installed: apt-get install chromium, or set CHROMIUM=/its/path",
    "FFmpeg is not installed: apt-get install ffmpeg",
    "no Docker daemon: set DOCKER_HOST, or be root with docker.io installed",
}
pytestmark = pytest.mark.programs


@pytest.fixture
def minimal_env(tmp_path: Path) -> dict[str, str]:
    """Returns an environment with only NEEDED_PROGRAMS, and an apt-get that notes its arguments in a file."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in NEEDED_PROGRAMS:
        if path := shutil.which(name):
            (programs / name).symlink_to(path)
    (programs / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\nexit 1\n')
    (programs / "apt-get").chmod(0o755)
    return {"HOME": str(tmp_path), "PATH": str(programs), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}


@pytest.mark.parametrize("target", ["install", "setup"])
def test_install_and_setup_install_nothing_by_apt(target: str, minimal_env: dict[str, str], tmp_path: Path) -> None:
    """`make` runs in this clone, whose Python packages are installed already."""
    if target == "setup" and not (ROOT / "static" / "node_modules").exists():
        pytest.skip("`make setup` has not fetched the packages of static/package-lock.json in this clone")
    make = subprocess.run(
        ["make", target, f"PYTHON={sys.executable}"], check=False, cwd=ROOT, env=minimal_env, capture_output=True,
        text=True, timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    assert make.returncode == 0, make.stdout + make.stderr
    assert not (tmp_path / "asked").exists()
    if target == "install":
        assert "Installed: .venv/bin/highnoon" in make.stdout
    else:
        assert re.search(r"Tests that need one of these are skipped: ffmpeg, .*docker\.io, .*chromium\n", make.stdout)


@pytest.mark.skipif(Path("/var/run/docker.sock").exists(), reason="a Docker daemon runs on this machine")
def test_skipped_test_names_the_missing_program_and_how_to_install_it(minimal_env: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *sorted(SKIPPED_TESTS), "-n", "0", "-rs", "-p", "no:cacheprovider"],
        check=False, cwd=ROOT, env=minimal_env, capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    assert set(re.findall(r"^SKIPPED \[\d+\] \S+ (.*)$", run.stdout, re.MULTILINE)) == SKIP_REASONS, run.stdout
    assert not re.search(r"\d (passed|failed|error)", run.stdout)
