"""The first steps of authors, organisers and operators work as the program and its guide say."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from server.game.events import ControlSet, CueGiven, StageCut
from server.paths import GUIDE
from tests.end_to_end.conftest import SMALL_VIEWPORT, OpenPage, press_twice
from tests.end_to_end.evening import CONTROL, NAMES, RemoteBots, Terminal, tournament, write_evening
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.starters import PROGRAMS
from tests.support.bots.submission import HOST, write_player
from tests.support.ports import free_ports
from tests.support.program import ROOT, SECONDS, highnoon, serving_program
from tests.support.programs.browsers import allow_sound

STARTER = ROOT / "assets" / "starters" / "quick-draw" / "python"


def test_author_reads_a_starters_practice_game_hand_by_hand(tmp_path: Path, browser: Browser) -> None:
    with serving_program("practice", "--speed", "0", "--data", str(tmp_path)) as server:
        command = [sys.executable, str(STARTER / PROGRAMS["quick-draw"]["python"]), server.base.removeprefix("http://")]
        bot = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
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


def find_command(text: str, label: str) -> list[str]:
    """Finds the line of `text` that begins with `label`. Returns its command, without the program's name."""
    (line,) = (line for line in text.splitlines() if line.strip().startswith(label))
    return shlex.split(line.partition("highnoon ")[2])


@NEEDS_BUBBLEWRAP
def test_printed_commands_bring_four_submissions_to_the_table(tmp_path: Path, open_page: OpenPage) -> None:
    for player in NAMES[:4]:
        bot = shutil.copytree(STARTER, tmp_path / "submissions" / player)
        config = json.loads((bot / "bot_config.json").read_text())
        (bot / "bot_config.json").write_text(json.dumps({**config, "name": f"{player}'s first"}))
    shutil.make_archive(str(bot), "zip", bot)  # The last player submits an archive.
    shutil.rmtree(bot)
    init = highnoon("init", "submissions", cwd=tmp_path)
    assert init.returncode == 0, init.stderr
    checked = highnoon(*find_command(init.stdout, "to check them"), cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    pages, register = free_ports(2)  # Other tests may be using the ports that `init` wrote.
    event = tmp_path / "event.toml"
    text = re.sub(r"^pages = 8000\b", f"pages = {pages}", event.read_text(), flags=re.MULTILINE)
    event.write_text(re.sub(r"^register = 5000\b", f"register = {register}", text, flags=re.MULTILINE))
    with Terminal(*find_command(init.stdout, "the evening"), "--speed", "20", cwd=tmp_path) as terminal:
        terminal.wait_for_output("ready; the tournament begins when START is pressed at the desk")
        desk = open_page(terminal.address, **SMALL_VIEWPORT)
        overlay = open_page(f"{terminal.wait_for_output('OBS source').split()[2]}&debug", **SMALL_VIEWPORT)
        desk.wait_for_function("document.querySelectorAll('#bots .light[data-colour=\"green\"]').length === 4")
        press_twice(desk, "start")
        overlay.wait_for_function("() => window.highnoon.state().seats.some((seat) => seat.cards.length === 2)")
        terminal.wait_for_output("High Noon, game 1")


@NEEDS_BUBBLEWRAP
def test_terminal_and_desk_show_when_a_bot_died_and_what_it_printed(tmp_path: Path, open_page: OpenPage) -> None:
    players = {name: write_player(tmp_path / name, name) for name in NAMES[1:3]}
    players[NAMES[0]] = write_player(tmp_path / NAMES[0], NAMES[0], behaviour="crash")
    lines = f'start = "bots"\nrunner = "light"\nbot_addresses = ["{HOST}"]'
    evening = write_evening(tmp_path / "evening", (), players, lines=lines)
    with Terminal("tournament", evening.file, "--speed", "20") as terminal:
        desk = open_page(terminal.address, width=390, height=844)
        terminal.wait_for_output(f"{NAMES[0]} has been gone since hand ")
        assert str(evening.data) in terminal.wait_for_output("what it printed is in")
        light = desk.locator("#bots .light", has_text=NAMES[0])
        expect(light).to_contain_text("gone since hand ")
        light.locator("summary").click()
        expect(light.locator("pre")).to_contain_text("RuntimeError: cannot think about request_action")
        view_only_desk = open_page(terminal.wait_for_output("view only").split()[-1])
        expect(view_only_desk.locator("#bots .light", has_text=NAMES[0])).to_contain_text("gone since")
        expect(view_only_desk.locator("#bots summary:visible")).to_have_count(0)


def press(desk: Page, button: str, reply: str, *, confirm: bool = False) -> None:
    """Presses a button of the control desk (the operator's page) once, or twice with `confirm`. Waits for `reply`."""
    if confirm:
        press_twice(desk, button)
    else:
        desk.click(f"#{button}")
    desk.wait_for_function("(words) => document.getElementById('said')?.textContent.includes(words)", arg=reply)


def wait_for_state(overlay: Page, condition: str) -> None:
    overlay.wait_for_function(f"() => {{ const state = window.highnoon.state(); return {condition}; }}")


def test_operator_runs_a_show_through_a_crash_to_its_champion(tmp_path: Path, open_page: OpenPage) -> None:
    folder = write_evening(tmp_path, NAMES, lines='start = "desk"')
    bots = RemoteBots(folder.register, NAMES, all_in_rate=0.0)
    speed = ("--speed", "8")  # The button "faster" makes it 10. At far higher speeds, a busy browser misses the replay.
    with bots, tournament(folder, *speed) as terminal:
        terminal.wait_for_output("ready; the tournament begins when START is pressed")
        desk = open_page(terminal.address, **SMALL_VIEWPORT)
        overlay = open_page(f"{folder.base}/overlay?audio=1&motion=off&debug", **SMALL_VIEWPORT)
        allow_sound(overlay)
        desk.click("#pages button:has-text('Test sound')")
        for light in ("engine", "journal", "disk", "overlay", "sound"):
            desk.wait_for_selector(f"#lights .light[data-colour='green']:has-text('{light}')")
        for name in NAMES:
            desk.wait_for_selector(f"#bots .light[data-colour='green']:has-text('{name}')")
        press(desk, "start", "started the tournament", confirm=True)
        wait_for_state(overlay, "state.hand !== null")
        press(desk, "pause", "paused the show")
        press(desk, "pause", "let the show go on")
        press(desk, "faster", "set the pace to 10x")
        wait_for_state(overlay, "state.desk.speed === 10")
        press(desk, "break", "put up the break card")
        wait_for_state(overlay, "state.desk.card === 'break'")
        press(desk, "break", "took the card away")
        wait_for_state(overlay, "state.desk.card === ''")
        wait_for_state(overlay, "state.hand && state.hand.hand > 1")
        press(desk, "replay", "asked for the last hand again")
        wait_for_state(overlay, "state.replay")
        wait_for_state(overlay, "!state.replay && state.hand && state.hand.hand > 2")
        terminal.kill_everything()
        desk.wait_for_selector("#banner:has-text('NO CONNECTION TO THE SERVER')")
    journal_before, epoch = folder.journal.read_bytes(), overlay.evaluate("() => window.highnoon.epoch()")
    with bots, tournament(folder, *speed) as terminal:
        terminal.wait_for_output("resuming from")
        desk.wait_for_selector("body[data-wire='up']")
        desk.wait_for_selector("#normal .title:has-text('10')")
        desk.wait_for_selector("#log .line:has-text('put up the break card')")
        overlay.wait_for_function("(epoch) => window.highnoon.epoch() !== epoch", arg=epoch)
        wait_for_state(overlay, "state.hand && state.desk.speed === 10")
        press(desk, "end", "ended the stage after this hand", confirm=True)
        wait_for_state(overlay, "state.stage.title === 'High Noon' && state.hand")
        press(desk, "end", "ended the stage after this hand", confirm=True)
        wait_for_state(overlay, "state.scene === 'champion'")
        press(desk, "mute", "muted everything")
        terminal.wait_for_output("the show has ended")
        assert "$12.50" in httpx.get(f"{folder.base}/results", timeout=SECONDS).text
        assert terminal.interrupt() == 0
    assert folder.journal.read_bytes().startswith(journal_before[: journal_before.rfind(b"\n") + 1])
    folder.verify_recording()
    changes = [event for event in folder.events if isinstance(event, ControlSet | CueGiven)]
    expected = "started paused paused speed card card replay stage_end stage_end sound"
    assert " ".join(event.control if isinstance(event, ControlSet) else event.cue for event in changes) == expected
    assert sum(isinstance(event, StageCut) for event in folder.events) == 2


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed: apt-get install curl")
def test_evening_by_http_goes_as_the_guide_says(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, NAMES, lines='start = "desk"')
    folder.file.write_text(folder.file.read_text().replace("A night in tests", "Friday at the Saloon"))
    text = (GUIDE / "remote.md").read_text(encoding="utf-8").replace("http://127.0.0.1:8000", folder.base)
    steps = re.findall(r"^\$ (.*)\n((?:[^$`].*)?)", text, re.MULTILINE)
    separator = "-- next --"
    script = "\n".join(f"{command}\necho; echo {separator}" for command, _ in steps)
    with RemoteBots(folder.register, NAMES, all_in_rate=0.0), tournament(folder, "--speed", "10") as terminal:
        terminal.wait_for_output("ready; the tournament begins when START is pressed")
        output = subprocess.run(
            ["bash", "-c", script], check=True, capture_output=True, text=True, timeout=SECONDS,
            env={**os.environ, "TOKEN": CONTROL},
        ).stdout.split(separator)  # fmt: skip
        terminal.wait_for_output("the show has ended")
    answers = [replace_random_parts(answer.strip()) for answer in output[:-1]]
    expected = [replace_random_parts(answer) for _, answer in steps]
    assert [answer[: len(expected_start)] for answer, expected_start in zip(answers, expected, strict=True)] == expected
    used_controls = {word for command, _ in steps for word in re.findall(r"/(?:press|set)/(\w+)", command)}
    assert used_controls >= {"start", "pause", "next", "hold", "break", "end", "speed"}


def replace_random_parts(answer: str) -> str:
    """Replaces names and numbers, which differ from run to run. Keeps numbers after "done", which count presses."""
    text = re.sub("|".join(NAMES), NAMES[0], answer)
    return re.sub(r'("done":)?\d+', lambda number: number[0] if number[1] else "0", text)
