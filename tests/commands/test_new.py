"""`highnoon new` makes a folder with a bot that can play at once.

`highnoon init` turns a folder of submissions into an event file that `highnoon tournament` accepts unchanged.
"""

import json
import re
import shlex
import shutil
import tomllib
from datetime import datetime
from itertools import product
from pathlib import Path

import pytest

from server.app.sparring.sides import read_sides
from server.commands.authors.init import EXAMPLE_FILE, SCHEMA_FILE
from server.commands.authors.new import STARTER_NAMES, STARTERS_FOLDER
from server.config.event_file import EveningPlan, read_event
from server.config.event_keys import KEYS
from server.contests import CONTESTS
from tests.support.bots.starters import PROGRAMS
from tests.support.bots.submission import write_bot, write_player
from tests.support.event_schema import schema_faults
from tests.support.program import ROOT, highnoon

CONTESTS_AND_LANGUAGES = [(contest, language) for contest, programs in PROGRAMS.items() for language in programs]


def command_to_try(printed: str) -> list[str]:
    (command,) = re.findall(r"try it +(.+)", printed)
    return shlex.split(command)


def test_every_contest_has_a_bot_in_every_language() -> None:
    folders = {(path.parent.name, path.name) for path in STARTERS_FOLDER.glob("*/*") if path.is_dir()}
    assert folders == set(CONTESTS_AND_LANGUAGES) == set(product(CONTESTS, STARTER_NAMES))


@pytest.mark.parametrize(("contest", "language"), CONTESTS_AND_LANGUAGES)
def test_new_bot_is_the_starter_with_another_name_and_can_be_tried(contest: str, language: str, tmp_path: Path) -> None:
    ended = highnoon("new", "My Ünicorn", "--contest", contest, "--language", language, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    made, starter = tmp_path / "My Ünicorn", STARTERS_FOLDER / contest / language
    assert re.search(r"\bdecide\(", (made / PROGRAMS[contest][language]).read_text())
    files, whole = ({path.relative_to(at) for path in at.rglob("*") if path.is_file()} for at in (made, starter))
    assert files == {path for path in whole if "__pycache__" not in path.parts}
    assert not [path for path in made.rglob("*.json") if STARTER_NAMES[language] in path.read_text()]
    for path in made.rglob("*.json"):
        assert json.loads(path.read_text())["name"] == "My Ünicorn"
    command = command_to_try(ended.stdout)
    if language != "cpp" and shutil.which({"python": "python3", "javascript": "node"}.get(language, language)):
        (side,) = read_sides([command[2]], command[-1] if len(command) > 3 else "quick-draw")
        assert side.kind == "command"


def test_printed_commands_work_even_with_a_space_in_the_folders_name(tmp_path: Path) -> None:
    assert f"highnoon check {tmp_path / 'my-bot'}" in highnoon("new", "my-bot", cwd=tmp_path).stdout
    checked = highnoon("check", str(tmp_path / "my-bot"), "--no-run")
    assert checked.returncode == 0, checked.stdout
    command = command_to_try(highnoon("new", "My bot", "--contest", "upac", cwd=tmp_path).stdout)
    probed = highnoon(*command[1:])
    assert probed.returncode == 0, probed.stdout
    enova = highnoon("new", "enova-bot", "--contest", "enova", cwd=tmp_path).stdout
    assert "enova_bot.py 3001 enovabot http://localhost:5000" in enova, (
        "the printed command must have the name that the tournament will use"
    )


@pytest.mark.parametrize(("words", "why"), [
    (("x" * 31,), "cannot be a bot's name: Name must be at most 30 characters. Choose another with --name"),
    (("bot", "--name", "\u200b"), "cannot be a bot's name"),
    ((str(ROOT / "tests"),), "already exists and stays as it is"),
    (("bot", "--language", "cobol"), "invalid choice: 'cobol'"),
    (("other", "--contest", "enova", "--name", "***"), "The name needs letters or digits"),
])  # fmt: skip
def test_impossible_bot_is_refused_and_nothing_is_made(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    ended = highnoon("new", *words, cwd=tmp_path)
    assert ended.returncode in (1, 2)
    assert why in ended.stderr
    assert not list(tmp_path.iterdir())


STRANGE_NAMES = ('Doc "the Quick"', "Back\\slash", "Tab\there", "x" * 60, "Ada", "ada", "Player 7", "\u200b")
UPAC = ROOT / "assets" / "starters" / "upac" / "python"


def plan_of(folder: Path) -> EveningPlan:
    """Runs init in `folder`, which has the submissions; returns the plan in the event file."""
    ended = highnoon("init", "submissions", cwd=folder)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert not schema_faults((folder / "event.toml").read_text())
    return read_event(folder / "event.toml")


def test_event_file_enters_every_player_and_explains_every_setting(tmp_path: Path) -> None:
    players = tmp_path / "submissions"
    write_player(players / "Calamity", "Jane One", "Jane Two")
    shutil.make_archive(str(players / "Wyatt"), "zip", write_bot(tmp_path / "zipped", "Wyatt Burp"))
    plan = plan_of(tmp_path)
    entered = {entry.player: entry.folder for entry in plan.entries}
    assert entered == {"Calamity": players / "Calamity", "Wyatt": players / "Wyatt.zip"}
    text = (tmp_path / "event.toml").read_text()
    assert "# Jane One, Jane Two\n[[entries]]" in text
    assert (plan.name, plan.date) == (f"{plan.date:%A} at the Saloon", datetime.now().astimezone().date())
    assert (plan.contest, plan.buy_in_cents, plan.finish_trials_by, plan.seed) == ("quick-draw", 500, None, b"")
    assert not [key for key in KEYS[""] if key in EXAMPLE_FILE.read_text() and key not in text]
    assert "#     highnoon tournament event.toml --rehearse" in text
    assert "remote = true" in text


def test_strange_names_survive_writing_and_reading(tmp_path: Path) -> None:
    for number, stranger in enumerate(STRANGE_NAMES):
        write_bot(tmp_path / "submissions" / stranger, f"Bot {number}")
    entries = plan_of(tmp_path).entries
    assert {entry.folder for entry in entries} == {tmp_path / "submissions" / name for name in STRANGE_NAMES}
    assert 'Doc "the Quick"' in {entry.player for entry in entries}
    assert len({entry.player.casefold() for entry in entries}) == len(STRANGE_NAMES)


def test_folders_without_a_bot_are_commented_out_and_a_bots_own_folder_is_refused(tmp_path: Path) -> None:
    players = tmp_path / "submissions"
    write_bot(players / "Ada", "Ada Ace")
    (players / "Doc").mkdir()
    (players / "Eve.tar").write_bytes(b"")
    write_bot(players / "Zed", "Zed Zero")
    (players / "Zed" / "Dockerfile").unlink()
    ended = highnoon("init", "submissions", cwd=tmp_path)
    assert f"{tmp_path}/event.toml written: 2 players, 2 bots, 1 of them with faults" in ended.stdout
    assert "left out        Doc: There is no bot in here." in ended.stdout
    assert "left out        Eve.tar: Only folders and zip archives are read." in ended.stdout
    assert [entry.player for entry in read_event(tmp_path / "event.toml").entries] == ["Ada", "Zed"]
    text = (tmp_path / "event.toml").read_text()
    assert "# Zed Zero; highnoon check says what is wrong\n[[entries]]" in text
    assert '# [[entries]]\n# player = "Doc"' in text
    (players / "Zed").rename(tmp_path / "Zed")
    one = highnoon("init", "submissions", "--out", "one.toml", cwd=tmp_path)
    assert f"{tmp_path}/one.toml written: 1 player, 1 bot\n" in one.stdout
    single = highnoon("init", "submissions/Ada", "--out", "single.toml", cwd=tmp_path)
    assert single.returncode == 1
    assert "contains no folder or zip archive with a bot: name the folder of all players" in single.stderr
    assert not (tmp_path / "single.toml").exists()


def test_existing_event_file_is_not_changed(tmp_path: Path) -> None:
    write_bot(tmp_path / "submissions" / "Ada")
    plan_of(tmp_path)
    before = (tmp_path / "event.toml").read_bytes()
    again = highnoon("init", "submissions", cwd=tmp_path)
    assert (again.returncode, "already exists and stays as it is" in again.stderr) == (1, True)
    assert (tmp_path / "event.toml").read_bytes() == before
    elsewhere = tmp_path / "other" / "night.toml"
    elsewhere.parent.mkdir()
    assert highnoon("init", "submissions", "--out", str(elsewhere), cwd=tmp_path).returncode == 0
    assert read_event(elsewhere).entries[0].folder == tmp_path / "submissions" / "Ada"


def test_init_overwrites_only_its_own_schema_and_follows_no_link(tmp_path: Path) -> None:
    write_bot(tmp_path / "submissions" / "Ada", "Ada")
    beside, elsewhere = tmp_path / "event.schema.json", tmp_path / "elsewhere.json"
    for there in (None, SCHEMA_FILE.read_bytes()):
        if there:
            elsewhere.write_bytes(there.replace(b"\n", b"\n\n", 1))
        beside.symlink_to(elsewhere)
        ended = highnoon("init", "submissions", cwd=tmp_path)
        assert (ended.returncode, "stays as it is" in ended.stderr) == (1, True)
        assert elsewhere.read_bytes() != there if there else not elsewhere.exists()
        beside.unlink()
    beside.write_bytes(elsewhere.read_bytes())
    plan_of(tmp_path)
    assert beside.read_bytes() == SCHEMA_FILE.read_bytes(), "an older copy of the schema must be replaced"
    (tmp_path / "event.toml").unlink()
    beside.write_text("mine")
    ended = highnoon("init", "submissions", cwd=tmp_path)
    assert f"{beside} is not a schema of High Noon and stays as it is" in ended.stderr
    assert (ended.returncode, beside.read_text(), (tmp_path / "event.toml").exists()) == (1, "mine", False)


def test_event_file_for_upac_bots_is_for_a_season(tmp_path: Path) -> None:
    for name in ("Ada", "Doc"):
        bot = shutil.copytree(UPAC, tmp_path / "submissions" / name)
        (config,) = bot.rglob("bot.json")
        config.write_text(json.dumps({**json.loads(config.read_text()), "name": f"{name}'s"}))
    plan = plan_of(tmp_path)
    assert (plan.contest, plan.buy_in_cents) == ("upac", 0)
    assert [entry.player for entry in plan.entries] == ["Ada", "Doc"]
    assert "remote" not in tomllib.loads((tmp_path / "event.toml").read_text())
