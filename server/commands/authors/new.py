"""`highnoon new FOLDER`: copies a starter bot, which can play at once, and says what to do next."""

import json
import os
import shutil
from pathlib import Path

from server.console import say
from server.contests import CONTESTS, DEFAULT
from server.errors import Refusal
from server.paths import ASSETS
from server.system.processes import UNIX
from server.system.shell_words import PYTHON, quoted, quoted_within

STARTERS_FOLDER = ASSETS / "starters"
STARTER_NAMES = {
    "python": "Python Starter",
    "javascript": "JavaScript Starter",
    "java": "Java Starter",
    "cpp": "C++ Starter",
}
"""The names that the starter bots have in their own files, keyed by language."""
FILES_WITH_NAME = tuple(contest.marker_file for contest in CONTESTS.values() if contest.marker_file)
_NEXT_LINE = f"\n{'':18}"
_RUN_COMMANDS = {
    "python": f"{PYTHON} {{path}}",
    "javascript": "node {path}",
    "java": f"cd {{folder}}{_NEXT_LINE}java {{file}}",
    "cpp": f"cd {{folder}}{_NEXT_LINE}g++ -O2 -std=c++17 -pthread -o {{made}} {{file}}{_NEXT_LINE}.{os.sep}{{made}}",
}
"""The terminal commands that start the bot, keyed by language. Each command has its own line, because some
versions of PowerShell cannot join commands.
"""
_PROBE_COMMANDS = {"python": f"{PYTHON} {{path}}", "javascript": "node {path}", "java": "java {path}", "cpp": "{built}"}
"""The commands with which `highnoon probe` starts the bot without a shell. A bot in C++ must be built first."""
_CURL = "curl" if UNIX else "curl.exe"  # in PowerShell, "curl" without ".exe" is another command
_REGISTER_COMMANDS = {
    True: 'curl -d \'{"name": "me"}\' http://localhost:5000/register',
    False: 'Invoke-RestMethod http://localhost:5000/register -Method Post -Body \'{"name": "me"}\'',
}
"""The command that registers a bot for practice, keyed by whether the system is Unix. PowerShell needs a command of its
own, because it drops the quotation marks that `curl` needs in JSON.
"""


def new_bot(folder: Path, contest: str, language: str, name: str) -> int:
    """Copies the contest's starter bot in `language` to the new folder `folder`, and names the bot. Returns 0.

    If `name` is empty, the bot gets the folder's name. Raises OSError, or Refusal if the name is not allowed, if the
    folder exists, or if the contest has no starter in this language.
    """
    chosen_contest = CONTESTS[contest]
    wanted_name = name or folder.name
    try:
        name = chosen_contest.bot_name(wanted_name)
    except ValueError as fault:
        raise Refusal(f"{wanted_name!r} cannot be a bot's name: {fault}. Choose another with --name") from None
    if language not in chosen_contest.starters.programs:
        raise Refusal(
            f"{chosen_contest.name} has no starter in {language}, only in {', '.join(chosen_contest.starters.programs)}"
        )
    if folder.exists():
        raise Refusal(f"{folder} already exists and stays as it is: name a new folder")
    shutil.copytree(STARTERS_FOLDER / contest / language, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (path for file_name in FILES_WITH_NAME for path in folder.rglob(file_name)):
        text = path.read_text(encoding="utf-8")
        text = text.replace(json.dumps(STARTER_NAMES[language]), json.dumps(name, ensure_ascii=False))
        path.write_text(text, encoding="utf-8")
    program = folder / chosen_contest.starters.programs[language]
    say(f"{folder} has a bot that already plays")
    say(f"  to change       the function decide in {program}")
    values = {"folder": quoted(str(folder)), "file": program.name, "made": program.stem}
    run = _RUN_COMMANDS[language].format(path=quoted(str(program)), **values)
    paths = {"path": quoted_within(str(program)), "built": quoted_within(str(folder / program.stem))}
    probed = f"{_PROBE_COMMANDS[language].format(**paths)} {chosen_contest.command.starter_arguments}".rstrip()
    say(f"  try it          highnoon probe {quoted(probed)}{'' if contest == DEFAULT else f' --contest {contest}'}")
    say(
        chosen_contest.starters.instructions.format(
            program=run,
            folder=quoted(str(folder)),
            name=quoted(name),
            bot=quoted(str(folder / "bot")),
            curl=_CURL,
            register=_REGISTER_COMMANDS[UNIX],
        )
    )
    return 0
