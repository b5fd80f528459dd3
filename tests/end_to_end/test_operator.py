"""An operator holds an evening in a real browser through a power failure, or with the guide's HTTP requests."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page

from server.game.events import ControlSet, CueGiven, StageCut
from server.paths import GUIDE
from tests.end_to_end.conftest import SMALL, OpenPage, press_twice
from tests.end_to_end.evening import CONTROL, NAMES, EventFolder, RemoteBots, secrets_of, tournament, write_evening
from tests.support.program import SECONDS
from tests.support.programs.browsers import allow_sound

SPEED = "8"
"""The speed at the start; the desk's next step is 10. At a far higher speed, a busy browser would miss the replay."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[EventFolder]:
    folder = write_evening(tmp_path, secrets_of(NAMES), lines='start = "desk"')
    with RemoteBots(folder.register, secrets_of(NAMES), wild=0.0):
        yield folder


def press(desk: Page, button: str, reply: str, *, confirm: bool = False) -> None:
    """Presses a button of the desk, twice if it asks to `confirm`, and waits for the reply."""
    if confirm:
        press_twice(desk, button)
    else:
        desk.click(f"#{button}")
    desk.wait_for_function("(words) => document.getElementById('said')?.textContent.includes(words)", arg=reply)


def wait_for_picture(overlay: Page, condition: str) -> None:
    overlay.wait_for_function(f"() => {{ const state = window.highnoon.state(); return {condition}; }}")


def test_operator_runs_a_show_through_a_crash_to_its_champion(folder: EventFolder, open_page: OpenPage) -> None:
    with tournament(folder, "--speed", SPEED) as terminal:
        terminal.wait_for_output("ready; the tournament begins when START is pressed")
        desk = open_page(terminal.address, **SMALL)
        overlay = open_page(f"{folder.base}/overlay?audio=1&motion=off&debug", **SMALL)
        allow_sound(overlay)
        desk.click("#pages button:has-text('Test sound')")
        for light in ("engine", "journal", "disk", "overlay", "sound"):
            desk.wait_for_selector(f"#lights .light[data-colour='green']:has-text('{light}')")
        for name in NAMES:
            desk.wait_for_selector(f"#bots .light[data-colour='green']:has-text('{name}')")
        press(desk, "start", "started the tournament", confirm=True)
        wait_for_picture(overlay, "state.hand !== null")
        press(desk, "pause", "paused the show")
        press(desk, "pause", "let the show go on")
        press(desk, "faster", "set the pace to 10x")
        wait_for_picture(overlay, "state.desk.speed === 10")
        press(desk, "break", "put up the break card")
        wait_for_picture(overlay, "state.desk.card === 'break'")
        press(desk, "break", "took the card away")
        wait_for_picture(overlay, "state.desk.card === ''")
        wait_for_picture(overlay, "state.hand && state.hand.hand > 1")
        press(desk, "replay", "asked for the last hand again")
        wait_for_picture(overlay, "state.replay")
        wait_for_picture(overlay, "!state.replay && state.hand && state.hand.hand > 2")
        terminal.kill_everything()
        desk.wait_for_selector("#banner:has-text('NO CONNECTION TO THE SERVER')")
    before, show = folder.journal.read_bytes(), overlay.evaluate("() => window.highnoon.epoch()")
    with tournament(folder, "--speed", SPEED) as terminal:
        terminal.wait_for_output("resuming from")
        desk.wait_for_selector("body[data-wire='up']")
        desk.wait_for_selector("#normal .title:has-text('10')")
        desk.wait_for_selector("#log .line:has-text('put up the break card')")
        overlay.wait_for_function("(show) => window.highnoon.epoch() !== show", arg=show)
        wait_for_picture(overlay, "state.hand && state.desk.speed === 10")
        press(desk, "end", "ended the stage after this hand", confirm=True)
        wait_for_picture(overlay, "state.stage.title === 'High Noon' && state.hand")
        press(desk, "end", "ended the stage after this hand", confirm=True)
        wait_for_picture(overlay, "state.scene === 'champion'")
        press(desk, "mute", "muted everything")
        terminal.wait_for_output("the show has ended")
        assert "$12.50" in httpx.get(f"{folder.base}/results", timeout=SECONDS).text
        assert terminal.interrupt() == 0
    assert folder.journal.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    folder.prove()
    done = [event for event in folder.events if isinstance(event, ControlSet | CueGiven)]
    words = "started paused paused speed card card replay stage_end stage_end sound"
    assert " ".join(event.control if isinstance(event, ControlSet) else event.cue for event in done) == words
    assert sum(isinstance(event, StageCut) for event in folder.events) == 2


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
