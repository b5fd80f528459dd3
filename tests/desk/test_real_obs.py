"""A real OBS loads our scenes, keeps them as they were meant, and follows the show."""

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from broadcast.obs import OVERLAY, SCENES, SOURCE, browser_settings
from tests.desk.real_obs import ORIGIN
from tests.house_files import ROOT

pytestmark = pytest.mark.obs


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of an evening at OBS."""
    _skip_without_obs()
    words = ["unshare", "--net", sys.executable, "-m", "tests.desk.real_obs", str(tmp_path_factory.mktemp("obs"))]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _skip_without_obs() -> None:
    missing = [name for name in ("obs", "Xvfb", "unshare") if not shutil.which(name)]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: apt-get install --no-install-recommends obs-studio xvfb")
    if os.geteuid() != 0:
        pytest.skip("only root may give OBS a network of its own")
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no network of its own can be made here")


def kept(seen: dict[str, Any]) -> dict[str, Any]:
    """The sources of the collection as OBS wrote it at its end."""
    return {source["name"]: source for source in seen["kept"]["sources"]}


def test_obs_finds_all_our_scenes_and_keeps_their_order(seen: dict[str, Any]) -> None:
    assert seen["missing"] == []
    assert [each["name"] for each in seen["kept"]["scene_order"]] == [*SCENES, OVERLAY]


def test_what_obs_writes_back_is_what_was_meant(seen: dict[str, Any]) -> None:
    sources = kept(seen)
    shown = {name: [item["name"] for item in sources[name]["settings"]["items"]] for name in (*SCENES, OVERLAY)}
    assert shown == {scene: [OVERLAY] for scene in SCENES} | {OVERLAY: [SOURCE]}
    assert sources[SOURCE]["id"] == "browser_source"
    assert browser_settings(ORIGIN).items() <= sources[SOURCE]["settings"].items()


def test_its_scenes_follow_the_show_while_it_records(seen: dict[str, Any]) -> None:
    assert seen["scenes"] == ["Starting", "Table", "Break", "Champion"]
    assert min(seen["recorded"]) > 10_000
    assert seen["refused"] == ""
