"""A newcomer's steps to a first bot, as in the guide: from `highnoon new` to the check of the submission."""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.program import highnoon, serving_program
from tests.support.starters import PROGRAMS

Step = tuple[str, float]
"""The name of a step, and how many seconds it took."""
CONTEST = "quick-draw"
BOT = PROGRAMS[CONTEST]["python"]


def first_evening(folder: Path, browser: Browser, *, hands: int) -> Iterator[Step]:
    """Takes all steps in `folder`, with `hands` hands of sparring; yields each step once it is done.

    Raises AssertionError if a step does not do what the guide promises.
    """
    started = time.monotonic()

    def step(name: str) -> Step:
        nonlocal started
        seconds, started = time.monotonic() - started, time.monotonic()
        return name, seconds

    created = highnoon("new", "my-bot", "--contest", CONTEST, "--language", "python", cwd=folder)
    assert created.returncode == 0, created.stderr
    yield step("new")
    shutil.copytree(folder / "my-bot", folder / "old")
    _change_one_line(folder / "my-bot" / BOT)
    yield step("one line changed")
    command = f"{sys.executable} my-bot/{BOT} {{server}}"
    probed = highnoon("probe", command, "--json", cwd=folder)
    assert probed.returncode == 0, probed.stdout + probed.stderr
    assert json.loads(probed.stdout)["failed"] == 0
    yield step("probe")
    against = f"{sys.executable} old/{BOT} {{server}}"
    sparred = highnoon(
        "spar", command, "--against", against, "--hands", str(hands), "--page", "match.html", "--json", cwd=folder,
    )  # fmt: skip
    assert sparred.returncode == 0, sparred.stderr
    assert json.loads(sparred.stdout)["hands"] > 0
    assert "<svg" in (folder / "match.html").read_text()
    yield step(f"spar, {hands} hands")
    yield from _practise(folder, browser, step)
    checked = highnoon("check", "my-bot", "--no-run", "--report", "report.html", cwd=folder)
    assert checked.returncode == 0, checked.stdout
    assert (folder / "report.html").exists()
    yield step("check")


def _practise(folder: Path, browser: Browser, step: Callable[[str], Step]) -> Iterator[Step]:
    with serving_program("practice", "--speed", "0", "--data", str(folder / "data")) as server:
        address = server.base.removeprefix("http://")
        bot = subprocess.run(
            [sys.executable, f"my-bot/{BOT}", address],
            cwd=folder, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert bot.returncode == 0, bot.stderr
        own = re.search(r"'own_url': '([^']+)'", bot.stdout)
        assert own, bot.stdout
        yield step("practice")
        with browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True) as phone:
            page = phone.new_page()
            page.goto(own[1])
            for _ in range(100):
                if page.get_by_role("link", name="Hand by hand").count():
                    break
                page.get_by_role("link", name="Look again").tap()
            page.get_by_role("link", name="Hand by hand").tap()
            expect(page.locator(".decisions tbody tr").first).to_be_visible()
        yield step("its page on a phone")


def _change_one_line(program: Path) -> None:
    text = program.read_text()
    line = "    if how_good > 0.7:\n"
    assert text.count(line) == 1
    program.write_text(text.replace(line, "    if how_good > 0.9:\n"))
