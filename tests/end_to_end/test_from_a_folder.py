"""When bots come from folders, the terminal and the desk tell a new organiser what to do next, and why a bot died."""

import json
import re
import shlex
import shutil
from pathlib import Path

from playwright.sync_api import expect

from tests.end_to_end.conftest import SMALL, OpenPage, press_twice
from tests.end_to_end.evening import NAMES, Terminal, write_evening
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.ports import free_ports
from tests.support.program import ROOT, highnoon
from tests.support.submission import HOST, write_player

STARTER = ROOT / "assets" / "starters" / "quick-draw" / "python"
PLAYERS = ("Ada", "Babbage", "Curry", "Dijkstra")


def command_in(text: str, row: str) -> list[str]:
    """The command in the line of `text` that begins with `row`."""
    (line,) = (line for line in text.splitlines() if line.strip().startswith(row))
    return shlex.split(line.partition("highnoon ")[2])


@NEEDS_BUBBLEWRAP
def test_printed_commands_bring_four_submissions_to_the_table(tmp_path: Path, open_page: OpenPage) -> None:
    for player in PLAYERS:
        bot = shutil.copytree(STARTER, tmp_path / "submissions" / player)
        config = json.loads((bot / "bot_config.json").read_text())
        (bot / "bot_config.json").write_text(json.dumps({**config, "name": f"{player}'s first"}))
    shutil.make_archive(str(bot), "zip", bot)  # the last player submits an archive
    shutil.rmtree(bot)
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


@NEEDS_BUBBLEWRAP
def test_terminal_and_desk_show_when_a_bot_died_and_its_output(tmp_path: Path, open_page: OpenPage) -> None:
    players = {name: write_player(tmp_path / name, name) for name in NAMES[1:3]}
    players[NAMES[0]] = write_player(tmp_path / NAMES[0], NAMES[0], behaviour="crash")
    lines = f'start = "bots"\nrunner = "light"\nbot_addresses = ["{HOST}"]'
    evening = write_evening(tmp_path / "evening", {}, players, lines=lines)
    with Terminal("tournament", evening.file, "--speed", "20") as terminal:
        desk = open_page(terminal.address, width=390, height=844)
        terminal.wait_for_output(f"{NAMES[0]} has been gone since hand ")
        assert str(evening.data) in terminal.wait_for_output("what it printed is in")
        row = desk.locator("#bots .light", has_text=NAMES[0])
        expect(row).to_contain_text("gone since hand ")
        row.locator("summary").click()
        expect(row.locator("pre")).to_contain_text("RuntimeError: cannot think about request_action")
        looking = open_page(terminal.wait_for_output("view only").split()[-1])
        expect(looking.locator("#bots .light", has_text=NAMES[0])).to_contain_text("gone since")
        expect(looking.locator("#bots summary:visible")).to_have_count(0)
