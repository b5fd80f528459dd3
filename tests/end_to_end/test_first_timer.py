"""An author makes a first bot, changes a line, probes it, spars, practises, opens the bot's page and checks it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.program import highnoon, serving_program
from tests.support.starters import PROGRAMS

CONTEST = "quick-draw"
BOT = PROGRAMS[CONTEST]["python"]


def test_author_of_a_first_bot_succeeds_in_every_step_from_new_to_check(tmp_path: Path, browser: Browser) -> None:
    created = highnoon("new", "my-bot", "--contest", CONTEST, "--language", "python", cwd=tmp_path)
    assert created.returncode == 0, created.stderr
    shutil.copytree(tmp_path / "my-bot", tmp_path / "old")
    _change_one_line(tmp_path / "my-bot" / BOT)
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
        own = re.search(r"'own_url': '([^']+)'", bot.stdout)
        assert own, bot.stdout
        with browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True) as phone:
            page = phone.new_page()
            page.goto(own[1])
            for _ in range(100):
                if page.get_by_role("link", name="Hand by hand").count():
                    break
                page.get_by_role("link", name="Look again").tap()
            page.get_by_role("link", name="Hand by hand").tap()
            expect(page.locator(".decisions tbody tr").first).to_be_visible()


def _change_one_line(program: Path) -> None:
    text = program.read_text()
    line = "    if how_good > 0.7:\n"
    assert text.count(line) == 1
    program.write_text(text.replace(line, "    if how_good > 0.9:\n"))
