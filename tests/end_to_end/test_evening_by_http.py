"""An operator holds a whole evening by HTTP alone, as with a Stream Deck: no browser, no cookie, no keyboard."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from server.game.events import ControlSet, CueGiven, StageCut
from server.paths import GUIDE
from server.verify.recording import verify
from tests.end_to_end.evening import CONTROL, NAMES, VIEW, EventFolder, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.support.program import SECONDS

Condition = Callable[[Any], bool]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[EventFolder]:
    folder = write_evening(tmp_path, secrets_of(NAMES), lines='start = "desk"')
    with RemoteBots(folder.register, secrets_of(NAMES), wild=0.0):
        yield folder


class Remote:
    """A remote control: it presses buttons, reads the state, and is woken by the show's socket."""

    def __init__(self, web: httpx.Client, socket: ClientConnection) -> None:
        self._web = web
        self._socket = socket

    def press(self, button: str) -> str:
        answer = self._web.post(f"/desk/press/{button}", headers={"authorization": f"Bearer {CONTROL}"})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["said"])

    def read(self, path: str) -> Any:
        return self._web.get(path, headers={"authorization": f"Bearer {VIEW}"}).raise_for_status().json()

    def wait(self, path: str, condition: Condition) -> Any:
        """Reads `path` after every message of the show, at least every two seconds, until `condition` holds."""
        while not condition(found := self.read(path)):
            json.loads(self._socket.recv(timeout=SECONDS))
        return found


def test_evening_is_held_by_http_alone(folder: EventFolder) -> None:
    with tournament(folder, "--speed", "40") as terminal:
        terminal.wait_for_output("ready; the tournament begins when START is pressed")
        with (
            httpx.Client(base_url=f"{folder.base}/api/v1", timeout=SECONDS) as web,
            connect(f"ws{folder.base[4:]}/api/v1/show", proxy=None, max_size=None, open_timeout=SECONDS) as socket,
        ):
            remote = Remote(web, socket)
            _hold(remote)
            results = remote.wait("/results", lambda results: results["finished"])
        terminal.wait_for_output("the show has ended")
        assert terminal.interrupt() == 0
    assert verify(folder.entries).finished
    assert results["rows"][0]["name"] in NAMES
    done = [event for event in folder.events if isinstance(event, ControlSet | CueGiven)]
    words = "started paused paused held held speed card card replay sound sound stage_end stage_end"
    assert " ".join(event.control if isinstance(event, ControlSet) else event.cue for event in done) == words
    assert {event.operator for event in done} == {"remote"}
    assert sum(isinstance(event, StageCut) for event in folder.events) == 2


def _hold(remote: Remote) -> None:
    state = remote.wait("/desk", lambda state: len(state["bots"]) == len(NAMES))
    assert (state["on_air"], state["scene"], state["lit"]) == (False, "starting", [])
    assert remote.press("start") == "started the tournament"
    remote.wait("/on-air", lambda now: now["picture"]["hand"] is not None)
    for button, said, back in (
        ("pause", "paused the show", "let the show go on"),
        ("hold", "held the show after what is on now", "stopped holding the show"),
    ):
        assert remote.press(button) == said
        assert remote.read("/desk")["lit"] == [button]
        assert remote.press(button) == back
    assert remote.press("faster") == "set the pace to 50x"
    assert remote.press("break") == "put up the break card"
    state = remote.wait("/on-air", lambda now: now["picture"]["desk"]["card"] == "break")
    assert state["state"] == "paused"
    assert remote.read("/desk")["on_air"] is False
    assert remote.press("undo") == "took the card away"
    remote.wait("/hands", lambda hands: len(hands["hands"]) > 2)
    assert remote.press("replay") == "asked for the last hand again"
    remote.wait("/on-air", lambda now: now["picture"]["replay"] is not None)
    remote.press("mute")
    remote.press("mute")
    remote.wait("/desk", lambda state: state["stage"] == "The Trials")
    assert remote.press("end") == "ended the stage after this hand"
    remote.wait("/desk", lambda state: state["stage"] == "High Noon" and state["scene"] == "table")
    assert remote.read("/standings")["stage"] == "High Noon"
    assert remote.press("end") == "ended the stage after this hand"
    assert remote.wait("/desk", lambda state: state["scene"] == "champion")["on_air"] is False


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed: apt-get install curl")
def test_evening_in_the_guide_goes_as_it_says(folder: EventFolder) -> None:
    folder.file.write_text(folder.file.read_text().replace("A night in tests", "Friday at the Saloon"))
    text = (GUIDE / "remote.md").read_text(encoding="utf-8").replace("http://127.0.0.1:8000", folder.base)
    typed = re.findall(r"^\$ (.*)\n((?:[^$`].*)?)", text, re.MULTILINE)
    script = "\n".join(f"{command}\necho; echo {PROMPT}" for command, _ in typed)
    with tournament(folder, "--speed", "10") as terminal:
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
"""What the guide's evening has to contain."""


def _without_chance(answer: str) -> str:
    """An answer without what chance decides: names, times and all numbers but those of presses."""
    plain = re.sub("|".join(NAMES), NAMES[0], answer)
    return re.sub(r'("done":)?\d+', lambda found: found[0] if found[1] else "0", plain)
