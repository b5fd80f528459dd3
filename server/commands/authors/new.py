"""`highnoon new FOLDER`: a bot to begin with, which plays as it stands, and what to do with it next."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from server.app.enova.store import taken_name
from server.app.sparring.sides import GIVEN
from server.console import say
from server.errors import Refusal
from server.paths import ASSETS
from server.text.names_and_chat import name_fault

STARTERS = ASSETS / "starters"
CALLED = {
    "python": "Python Starter",
    "javascript": "JavaScript Starter",
    "java": "Java Starter",
    "cpp": "C++ Starter",
}
"""What the bots that are handed out are called in their files, by language."""
NAMED_IN = ("bot_config.json", "bot.json")
PROGRAMS: Mapping[str, Mapping[str, str]] = {
    "quick-draw": {"python": "bot.py", "javascript": "bot.js", "java": "Bot.java", "cpp": "bot.cpp"},
    "enova": {
        "python": "enova_bot.py",
        "javascript": "enova_bot.js",
        "java": "EnovaBot.java",
        "cpp": "enova_bot.cpp",
    },
    "arena": {
        "python": "ai_http_server.py",
        "javascript": "ai_http_server.js",
        "java": "AiHttpServer.java",
        "cpp": "ai_http_server.cpp",
    },
    "upac": {"python": "bot/bot.py", "javascript": "bot/bot.js", "java": "bot/Bot.java", "cpp": "bot/bot.cpp"},
}
"""The file with `decide` in it, by contest and language."""
_RUN = {
    "python": "python3 {path}",
    "javascript": "node {path}",
    "java": "cd {folder} && java {file}",
    "cpp": "cd {folder} && g++ -O2 -std=c++17 -pthread -o {made} {file} && ./{made}",
}
_STARTED = {
    "python": "python3 {path}",
    "javascript": "node {path}",
    "java": "java {path}",
    "cpp": "{folder}/{made}",
}
"""How `highnoon probe` starts it, which knows no shell; one in C++ is built before."""
_NEXT = {
    "quick-draw": """\
  practise        highnoon practice
                  and in another terminal: {program} localhost:5000
  before sending  highnoon check {folder}""",
    "enova": """\
  practise        highnoon practice --contest enova
                  and in another terminal: {program} 3001 {name} http://localhost:5000""",
    "arena": """\
  practise        highnoon practice --contest arena
                  in another terminal: {program} 5001
                  and in a third: curl --data-urlencode name={name} -d url=http://localhost:5001 http://localhost:8000/practice""",
    "upac": """\
  before sending  highnoon check {folder}
  to send         a zip archive of {bot}""",
}


def new_bot(folder: Path, contest: str, language: str, name: str) -> int:
    """Copies the starter of a contest in a language to `folder`, which must not be there; returns 0.

    The bot is called `name`, "": like the folder. Raises Refusal for a name that no bot may have or a folder that is
    there already, OSError.
    """
    name = name or folder.name
    fault = name_fault(name)
    if contest == "enova" and not fault:
        try:
            name = taken_name(name)
        except ValueError as error:
            fault = str(error)
    if fault:
        raise Refusal(f"{name!r} cannot be a bot's name: {fault}. Give another with --name")
    if folder.exists():
        raise Refusal(f"{folder} is there already, and stays as it is: name a folder that is not there yet")
    shutil.copytree(STARTERS / contest / language, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (each for ending in NAMED_IN for each in folder.rglob(ending)):
        text = path.read_text(encoding="utf-8")
        named = text.replace(json.dumps(CALLED[language]), json.dumps(name, ensure_ascii=False))
        path.write_text(named, encoding="utf-8")
    program = folder / PROGRAMS[contest][language]
    say(f"{folder} has a bot that plays as it stands")
    say(f"  to change       the function decide in {program}")
    words = {"path": quote(str(program)), "folder": quote(str(folder)), "file": program.name, "made": program.stem}
    run = _RUN[language].format(**words)
    started = f"{_STARTED[language].format(**words)} {GIVEN[contest]}".rstrip()
    say(
        f"  try it          highnoon probe {quote(started)}{'' if contest == 'quick-draw' else f' --contest {contest}'}"
    )
    say(_NEXT[contest].format(program=run, folder=quote(str(folder)), name=quote(name), bot=quote(str(folder / "bot"))))
    return 0
