"""The script for OBS gives a real OBS one hotkey for each button of the desk."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from broadcast.desk.buttons import BUTTONS
from tests.obs.test_real_obs import skip_without_obs
from tests.support.source_files import ROOT

pytestmark = pytest.mark.obs


def test_hotkeys_in_obs_press_the_buttons_of_the_desk(tmp_path: Path) -> None:
    skip_without_obs()
    command = ["unshare", "--net", sys.executable, "-m", "tests.obs.real_obs_hotkeys", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=270, check=False)
    assert ended.returncode == 0, ended.stderr[-4000:]
    seen = json.loads(ended.stdout)
    assert [each for each in seen["hotkeys"] if each.startswith("highnoon_")] == [
        f"highnoon_{name}" for name in BUTTONS
    ]
    assert seen["done"] == ["paused True", "speed 1.25", "next", "speed 1.0", "card break"]
    assert set(seen["by"]) == {"OBS"}
