"""A real OBS imports or builds our scenes, follows the show, has our hotkeys, and streams with captions."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from broadcast.desk.buttons import BUTTONS
from broadcast.obs.requests import split_into_packets
from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE_NAME, browser_settings
from tests.obs.real_obs import CAPTIONS, ORIGIN
from tests.support.source_files import ROOT

pytestmark = [pytest.mark.obs, pytest.mark.alone]
SECONDS = 900.0
"""A timeout that no run reaches, even on a slow machine: every wait for OBS has a timeout of its own."""
_CAPTIONS = b"GA94\x03"
"""The beginning of a block of captions. Then come the number of pairs, another byte, and three bytes for each pair."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("obs")


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Any]:
    return run_obs(folder, "stream")


def run_obs(folder: Path, story: str) -> dict[str, Any]:
    """What the program real_obs has seen; skips the test where OBS cannot run."""
    missing = [name for name in ("obs", "Xvfb", "unshare", "ffmpeg") if not shutil.which(name)]
    if missing:
        pytest.skip(
            f"{', '.join(missing)} not installed: apt-get install --no-install-recommends obs-studio obs-plugins xvfb"
        )
    if os.geteuid() != 0:
        pytest.skip("only root may give OBS its own network")
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine does not allow new network namespaces")
    command = ["unshare", "--net", sys.executable, "-m", "tests.obs.real_obs", str(folder), story]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert finished.returncode == 0, finished.stderr[-4000:]
    return json.loads(finished.stdout)  # type: ignore[no-any-return]


def test_obs_imports_all_scenes_in_order_writes_them_back_and_follows_the_show(results: dict[str, Any]) -> None:
    assert (results["missing"], results["refused"]) == ([], "")
    assert results["scenes"] == ["Starting", "Table", "Break", "Champion"]
    assert [each["name"] for each in results["collection"]["scene_order"]] == [*SCENES, OVERLAY]
    sources = {source["name"]: source for source in results["collection"]["sources"]}
    shown = {name: [item["name"] for item in sources[name]["settings"]["items"]] for name in (*SCENES, OVERLAY)}
    assert shown == {scene: [OVERLAY] for scene in SCENES} | {OVERLAY: [SOURCE_NAME]}
    assert sources[SOURCE_NAME]["id"] == "browser_source"
    assert browser_settings(f"{ORIGIN}/overlay?audio=1").items() <= sources[SOURCE_NAME]["settings"].items()


def test_scenes_are_built_once_beside_existing_ones_and_a_marked_hand_is_saved(results: dict[str, Any]) -> None:
    made, left, made_again, left_again = results["built"]
    assert made[: len(SCENES) + 1] == [*SCENES, OVERLAY]
    assert (made_again, left_again) == ([], left)
    assert results["still_missing"] == []
    assert {scene: items[0] for scene, items in results["shown"].items() if items} == dict.fromkeys(SCENES, OVERLAY)
    before, after = results["foreign"]
    assert before == after
    assert results["stayed"]
    assert [Path(path).stat().st_size > 10_000 for path in results["saved"]] == [True]


def test_obs_shows_the_scenes_in_order_and_the_checklist_says_what_obs_does(results: dict[str, Any]) -> None:
    shown = iter(results["switches"])
    assert all(scene in shown for scene in ("Break", "Table", "Champion")), results["switches"]
    steps = {step["of"]: step for step in json.loads(results["steps"])["steps"]}
    assert steps["OBS is streaming"]["words"] == "and recording"
    assert steps["OBS follows the show"]["words"].startswith(f"OBS {results['version']} shows Break")
    assert "refused" not in steps["OBS follows the show"]["words"]


@pytest.mark.usefixtures("results")
def test_stream_contains_the_captions_each_piece_in_its_own_packet_in_western_characters(folder: Path) -> None:
    sent = read_captions(folder / "on-air.flv")
    assert "High Noon" in "".join(sent)
    assert "wins" in "".join(sent)
    solid = [packet.replace(" ", "") for packet in sent]  # rows are joined without a space
    for length, caption in CAPTIONS.items():
        assert len(caption) == length
        expected = [packet.replace(" ", "") for packet in split_into_packets(caption)]
        assert [packet for packet in solid if packet in expected] == expected, caption


def read_captions(stream: Path) -> list[str]:
    """Returns the captions in each packet (CEA-608 as in ATSC A/53). ffmpeg does not find the captions of OBS."""
    found = []
    for block in stream.read_bytes().split(_CAPTIONS)[1:]:
        pairs = [bytes(byte & 127 for byte in block[at : at + 2]) for at in range(3, 3 + 3 * (block[0] & 31), 3)]
        text = b"".join(pair.strip(b"\0") for pair in pairs if pair >= b" ")  # other pairs are commands for the decoder
        found.append(text.decode("ascii"))
    return found


def test_hotkeys_in_obs_press_the_buttons_of_the_desk(tmp_path: Path) -> None:
    seen = run_obs(tmp_path, "hotkeys")
    ours = [each for each in seen["hotkeys"] if each.startswith("highnoon_")]
    assert ours == [f"highnoon_{name}" for name in BUTTONS]
    assert seen["done"] == ["paused True", "speed 1.25", "next", "speed 1.0", "card break"]
    assert set(seen["by"]) == {"OBS"}
