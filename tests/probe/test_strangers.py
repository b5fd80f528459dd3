"""`highnoon probe` reports no fault in bots written from the rule book alone, whatever their style."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.probe.test_probe import probe_all

STRANGERS = Path(__file__).parents[1] / "data" / "strangers"
ARGUMENTS = {"quick-draw": "{server}", "enova": "{port}", "arena": "{port}", "upac": ""}
INTERPRETERS = {
    ".py": (sys.executable,), ".js": ("node",), ".pl": ("perl",), ".sh": ("bash",),
    ".awk": ("mawk", "-W", "interactive", "-f"),
}  # fmt: skip
PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
"""Where programs are looked for: first beside Python, as a clone has its own Node.js there."""


@pytest.mark.parametrize("contest", ARGUMENTS)
def test_five_bots_written_from_the_rule_book_alone_pass_every_check(contest: str) -> None:
    bots = sorted(each for each in (STRANGERS / contest).iterdir() if each.suffix in INTERPRETERS)
    assert len(bots) == 5
    programs = {bot: shutil.which(INTERPRETERS[bot.suffix][0], path=PATH) for bot in bots}
    commands = [
        f"{program} {' '.join(INTERPRETERS[bot.suffix][1:])} {bot} {ARGUMENTS[contest]}"
        for bot, program in programs.items()
        if program
    ]
    reported = probe_all(contest, commands, 0)
    assert not [check for each in reported for check in each["checks"] if not check["ok"]]
    if missing := [bot.name for bot, program in programs.items() if not program]:
        pytest.skip(f"there is no program for {', '.join(missing)}; the others pass")
