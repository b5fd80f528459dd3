"""A first-time organiser: a folder of submissions, then only what the terminal prints and the desk asks for."""

import json
import re
import shlex
import shutil
from pathlib import Path

from playwright.sync_api import Page

from tests.end_to_end.conftest import SMALL, OpenPage
from tests.end_to_end.evening import Terminal
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.ports import free_ports
from tests.support.program import ROOT, highnoon

STARTER = ROOT / "assets" / "starters" / "quick-draw" / "python"
PLAYERS = ("Ada", "Babbage", "Curry", "Dijkstra")


def hand_in(folder: Path) -> None:
    """Four starters under names of their own, the last of them as an archive."""
    for player in PLAYERS:
        bot = shutil.copytree(STARTER, folder / player)
        papers = json.loads((bot / "bot_config.json").read_text())
        (bot / "bot_config.json").write_text(json.dumps({**papers, "name": f"{player}'s first"}))
    last = folder / PLAYERS[-1]
    shutil.make_archive(str(last), "zip", last)
    shutil.rmtree(last)


def command_in(text: str, row: str) -> list[str]:
    """The words of the command that the terminal names in the line that begins with `row`."""
    (line,) = (line for line in text.splitlines() if line.strip().startswith(row))
    return shlex.split(line.partition("highnoon ")[2])


def press_start(desk: Page) -> None:
    """Presses START, and again when it asks; a second press in the same moment would count as a double click."""
    desk.click("#start")
    desk.wait_for_selector("#start[data-sure]")
    desk.wait_for_function("(since) => performance.now() - since > 400", arg=desk.evaluate("performance.now()"))
    desk.click("#start")


@NEEDS_BUBBLEWRAP
def test_four_submissions_come_to_a_hand_on_air_by_what_the_terminal_says(tmp_path: Path, open_page: OpenPage) -> None:
    hand_in(tmp_path / "submissions")
    begun = highnoon("init", "submissions", cwd=tmp_path)
    assert begun.returncode == 0, begun.stderr
    checked = highnoon(*command_in(begun.stdout, "to check them"), cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    set_ports(tmp_path / "event.toml")
    with Terminal(*command_in(begun.stdout, "the evening"), "--speed", "20", cwd=tmp_path) as terminal:
        terminal.hears("ready; the tournament begins when START is pressed at the desk")
        desk = open_page(terminal.address, **SMALL)
        overlay = open_page(f"{terminal.hears('OBS source').split()[2]}&debug", **SMALL)
        desk.wait_for_function(
            "(bots) => document.querySelectorAll('#bots .light[data-colour=\"green\"]').length === bots",
            arg=len(PLAYERS),
        )
        press_start(desk)
        overlay.wait_for_function("() => window.highnoon.state().seats.some((seat) => seat.cards.length === 2)")
        terminal.hears("High Noon, game 1")


def set_ports(event: Path) -> None:
    """Other tests run on this machine: the ports of the file may be taken."""
    pages, register = free_ports(2)
    text = re.sub(r"^pages = 8000\b", f"pages = {pages}", event.read_text(), flags=re.MULTILINE)
    event.write_text(re.sub(r"^register = 5000\b", f"register = {register}", text, flags=re.MULTILINE))
