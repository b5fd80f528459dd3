"""A real OBS imports or builds our scenes, follows the show, has our hotkeys, and streams captions."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from broadcast.obs.requests import split_into_packets
from tests.obs.real_obs import CAPTIONS
from tests.support.source_files import ROOT

pytestmark = [pytest.mark.obs, pytest.mark.alone]  # `alone`: the tests need all processors.
SCENARIO_SECONDS = 900.0
"""The timeout of a scenario. Each wait for OBS has a much shorter timeout, which ends the scenario earlier."""


def run_obs(folder: Path, scenario: str) -> None:
    """Runs a scenario of real_obs.py, and checks that it succeeds. Skips the test on machines where OBS cannot run."""
    missing_programs = [name for name in ("obs", "Xvfb", "unshare", "ffmpeg") if not shutil.which(name)]
    if missing_programs:
        pytest.skip(f"{', '.join(missing_programs)} not installed: apt-get install obs-studio obs-plugins xvfb")
    if os.geteuid() != 0:
        pytest.skip("only root may give OBS its own network")
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine does not allow new network namespaces")
    command = ["unshare", "--net", sys.executable, "-m", "tests.obs.real_obs", str(folder), scenario]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SCENARIO_SECONDS, check=False)
    assert completed.returncode == 0, completed.stderr[-4000:]


def test_real_obs_shows_our_scenes_and_streams_each_caption(tmp_path: Path) -> None:
    run_obs(tmp_path, "stream")
    packets = [packet.replace(" ", "") for packet in read_captions(tmp_path / "on-air.flv")]
    for length, caption in CAPTIONS.items():
        assert len(caption) == length
        # Spaces are not compared, because a packet has none where a row of text ends.
        expected = [packet.replace(" ", "") for packet in split_into_packets(caption)]
        assert [packet for packet in packets if packet in expected] == expected, caption


def read_captions(stream: Path) -> list[str]:
    """Returns the text of each caption packet. Parses the packets itself, because ffmpeg misses OBS's captions.

    A packet (ATSC A/53) has a marker, the number of pairs, another byte, and byte pairs. Each pair follows a type byte.
    """
    packets = []
    for block in stream.read_bytes().split(b"GA94\x03")[1:]:
        pairs = [bytes(byte & 127 for byte in block[at : at + 2]) for at in range(3, 3 + 3 * (block[0] & 31), 3)]
        text = b"".join(pair.strip(b"\0") for pair in pairs if pair >= b" ")  # Other pairs are commands to a decoder.
        packets.append(text.decode("ascii"))
    return packets


def test_hotkeys_in_obs_press_the_buttons_of_the_desk(tmp_path: Path) -> None:
    run_obs(tmp_path, "hotkeys")
