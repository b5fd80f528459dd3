"""Commands that run the starter bots of each contest."""

import shlex
import shutil
import sys
import textwrap
from pathlib import Path

from server.contests import CONTESTS
from server.paths import ASSETS

PROGRAMS = {contest.id: contest.starters.programs for contest in CONTESTS.values()}
STARTER_ARGUMENTS = {contest.id: contest.command.starter_arguments for contest in CONTESTS.values()}


def starter_command(contest: str) -> str:
    """Returns the command that runs the contest's starter bot in Python."""
    program = ASSETS / "starters" / contest / "python" / PROGRAMS[contest]["python"]
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(program))} {STARTER_ARGUMENTS[contest]}"


def write_starter(folder: Path, lines: str = "pass", *, first: str = "") -> str:
    """Writes Quick Draw's starter bot, with the code `first` at the top and the code `lines` before each decision.

    Returns the command that runs the bot.
    """
    starter = ASSETS / "starters" / "quick-draw" / "python"
    folder.mkdir(parents=True)
    shutil.copyfile(starter / "bot_config.json", folder / "bot_config.json")
    code = (starter / "bot.py").read_text()
    decision = "    me = next("
    assert code.count(decision) == 1
    code = code.replace(decision, f"{textwrap.indent(lines, '    ')}\n{decision}")
    (folder / "bot.py").write_text(f"{first}\n{code}")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(folder / 'bot.py'))} {{server}}"
