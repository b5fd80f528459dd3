"""An author gets from a first bot to its check; an organiser gets from folders of bots to the evening."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.end_to_end.conftest import SMALL, OpenPage, press_twice
from tests.end_to_end.evening import NAMES, Terminal, write_evening
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.starters import PROGRAMS
from tests.support.bots.submission import HOST, write_player
from tests.support.ports import free_ports
from tests.support.program import ROOT, highnoon, serving_program

CONTEST = "quick-draw"
BOT = PROGRAMS[CONTEST]["python"]


def test_author_of_a_first_bot_succeeds_in_every_step_from_new_to_check(tmp_path: Path, browser: Browser) -> None:
    created = highnoon("new", "my-bot", "--contest", CONTEST, "--language", "python", cwd=tmp_path)
    assert created.returncode == 0, created.stderr
    shutil.copytree(tmp_path / "my-bot", tmp_path / "old")
    program, line = tmp_path / "my-bot" / BOT, "    if how_good > 0.7:\n"
    assert program.read_text().count(line) == 1
    program.write_text(program.read_text().replace(line, "    if how_good > 0.9:\n"))
    command = f"{sys.executable} my-bot/{BOT} {{server}}"
    probed = highnoon("probe", command, "--json", cwd=tmp_path)
    assert probed.returncode == 0, probed.stdout + probed.stderr
    assert json.loads(probed.stdout)["failed"] == 0
    against = f"{sys.executable} old/{BOT} {{server}}"
    sparred = highnoon(
        "spar", command, "--against", against, "--hands", "24", "--page", "match.html", "--json", cwd=tmp_path,
    )  # fmt: skip
    assert sparred.returncode == 0, sparred.stderr
    assert json.loads(sparred.stdout)["hands"] > 0
    assert "<svg" in (tmp_path / "match.html").read_text()
    _practise(tmp_path, browser)
    checked = highnoon("check", "my-bot", "--no-run", "--report", "report.html", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    assert (tmp_path / "report.html").exists()


def _practise(folder: Path, browser: Browser) -> None:
    with serving_program("practice", "--speed", "0", "--data", str(folder / "data")) as server:
        address = server.base.removeprefix("http://")
        bot = subprocess.run(
            [sys.executable, f"my-bot/{BOT}", address],
            cwd=folder, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert bot.returncode == 0, bot.stderr
        own_url = re.search(r"'own_url': '([^']+)'", bot.stdout)
        assert own_url, bot.stdout
        with browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True) as phone:
            page = phone.new_page()
            page.goto(own_url[1])
            for _ in range(100):
                if page.get_by_role("link", name="Hand by hand").count():
                    break
                page.get_by_role("link", name="Look again").tap()
            page.get_by_role("link", name="Hand by hand").tap()
            expect(page.locator(".decisions tbody tr").first).to_be_visible()


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
