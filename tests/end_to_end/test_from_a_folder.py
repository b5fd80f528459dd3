"""A first-time organiser with a folder of submissions, who follows only what the terminal and the desk say."""

import json
import re
import shlex
import shutil
from pathlib import Path

from tests.end_to_end.conftest import SMALL, OpenPage, press_twice
from tests.end_to_end.evening import Terminal
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.ports import free_ports
from tests.support.program import ROOT, highnoon

STARTER = ROOT / "assets" / "starters" / "quick-draw" / "python"
PLAYERS = ("Ada", "Babbage", "Curry", "Dijkstra")


def write_submissions(folder: Path) -> None:
    """Writes four differently named starter bots to `folder`, the last one as an archive."""
    for player in PLAYERS:
        bot = shutil.copytree(STARTER, folder / player)
        config = json.loads((bot / "bot_config.json").read_text())
        (bot / "bot_config.json").write_text(json.dumps({**config, "name": f"{player}'s first"}))
    last = folder / PLAYERS[-1]
    shutil.make_archive(str(last), "zip", last)
    shutil.rmtree(last)


def command_in(text: str, row: str) -> list[str]:
    """The command that the terminal prints in the line that begins with `row`."""
    (line,) = (line for line in text.splitlines() if line.strip().startswith(row))
    return shlex.split(line.partition("highnoon ")[2])


@NEEDS_BUBBLEWRAP
def test_printed_commands_bring_four_submissions_to_the_table(tmp_path: Path, open_page: OpenPage) -> None:
    write_submissions(tmp_path / "submissions")
    init = highnoon("init", "submissions", cwd=tmp_path)
    assert init.returncode == 0, init.stderr
    checked = highnoon(*command_in(init.stdout, "to check them"), cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    pages, register = free_ports(2)  # other tests may use the ports in the file
    event = tmp_path / "event.toml"
    text = re.sub(r"^pages = 8000\b", f"pages = {pages}", event.read_text(), flags=re.MULTILINE)
    event.write_text(re.sub(r"^register = 5000\b", f"register = {register}", text, flags=re.MULTILINE))
    with Terminal(*command_in(init.stdout, "the evening"), "--speed", "20", cwd=tmp_path) as terminal:
        terminal.wait_for_output("ready; the tournament begins when START is pressed at the desk")
        desk = open_page(terminal.address, **SMALL)
        overlay = open_page(f"{terminal.wait_for_output('OBS source').split()[2]}&debug", **SMALL)
        desk.wait_for_function(
            "(bots) => document.querySelectorAll('#bots .light[data-colour=\"green\"]').length === bots",
            arg=len(PLAYERS),
        )
        press_twice(desk, "start")
        overlay.wait_for_function("() => window.highnoon.state().seats.some((seat) => seat.cards.length === 2)")
        terminal.wait_for_output("High Noon, game 1")
