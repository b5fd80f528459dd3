"""An operator can hold a whole evening with the HTTP requests in the guide, for example from a Stream Deck."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from server.paths import GUIDE
from tests.end_to_end.evening import CONTROL, NAMES, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.support.program import SECONDS


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed: apt-get install curl")
def test_evening_by_http_goes_as_the_guide_says(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, secrets_of(NAMES), lines='start = "desk"')
    folder.file.write_text(folder.file.read_text().replace("A night in tests", "Friday at the Saloon"))
    text = (GUIDE / "remote.md").read_text(encoding="utf-8").replace("http://127.0.0.1:8000", folder.base)
    typed = re.findall(r"^\$ (.*)\n((?:[^$`].*)?)", text, re.MULTILINE)
    script = "\n".join(f"{command}\necho; echo {PROMPT}" for command, _ in typed)
    bots = RemoteBots(folder.register, secrets_of(NAMES), wild=0.0)
    with bots, tournament(folder, "--speed", "10") as terminal:
        terminal.wait_for_output("ready; the tournament begins when START is pressed")
        said = subprocess.run(
            ["bash", "-c", script], check=True, capture_output=True, text=True, timeout=SECONDS,
            env={**os.environ, "TOKEN": CONTROL},
        ).stdout.split(PROMPT)  # fmt: skip
        terminal.wait_for_output("the show has ended")
    printed = [_without_chance(each.strip()) for each in said[:-1]]
    shown = [_without_chance(answer) for _, answer in typed]
    assert [each[: len(answer)] for each, answer in zip(printed, shown, strict=True)] == shown
    assert {word for command, _ in typed for word in re.findall(r"/press/(\w+)|/set/(\w+)", command)} >= ASKED


PROMPT = "-- next --"
ASKED = {*((button, "") for button in ("start", "pause", "next", "hold", "break", "end")), ("", "speed")}
"""The buttons and settings that the guide's evening must use."""


def _without_chance(answer: str) -> str:
    """An answer without the parts that differ from run to run: names, times, and all numbers but those of presses."""
    plain = re.sub("|".join(NAMES), NAMES[0], answer)
    return re.sub(r'("done":)?\d+', lambda found: found[0] if found[1] else "0", plain)
