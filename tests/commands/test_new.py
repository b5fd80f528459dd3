"""`highnoon spar` lets bots play, `fork` asks them recorded questions, `new` makes bots, `init` makes event files."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from server.app.sparring.sides import read_sides
from server.commands.authors.init import EXAMPLE_FILE, SCHEMA_FILE
from server.commands.authors.new import STARTER_NAMES, STARTERS_FOLDER
from server.config.event_file import EveningPlan, read_event
from server.config.event_keys import KEYS
from server.contests import CONTESTS
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.starters import PROGRAMS, STARTER_ARGUMENTS, starter_command, write_starter
from tests.support.bots.submission import write_bot, write_player
from tests.support.event_schema import schema_faults
from tests.support.ports import free_ports
from tests.support.program import ROOT, highnoon

UNUSED_ADDRESS = "http://127.0.0.1:1"


def json_of(*words: str) -> dict[str, Any]:
    """Runs a command, which must succeed. Returns the JSON that it prints."""
    ended = highnoon(*words, "--json")
    assert ended.returncode == 0, ended.stderr
    result: dict[str, Any] = json.loads(ended.stdout)
    return result


def write_upac_bot(folder: Path, answer: str, code: str = "pass") -> str:
    """Writes a bot for the contest UPAC. The bot runs `code` for each input line, and always answers `answer`.

    Returns the command that starts the bot.
    """
    loop = f"import sys\nfor count, line in enumerate(sys.stdin):\n    {code}\n"
    (folder / "faulty.py").write_text(f"{loop}    line.startswith('STACK') and print({answer!r}, flush=True)\n")
    return f"{shlex.quote(sys.executable)} {folder / 'faulty.py'}"


def test_house_styles_play_and_the_result_is_printed_as_json(tmp_path: Path) -> None:
    words = ("spar", "careful", "--against", "loose,random", "--hands", "60", "--seed", "1")
    result = json_of(*words, "--record", str(tmp_path))
    assert result["hands"] == 60
    assert [bot["name"] for bot in result["bots"]] == ["Careful", "Loose", "Random"]
    assert abs(sum(bot["won_per_100"] for bot in result["bots"])) < 0.1
    assert all(bot["low"] < bot["earned_per_100"] < bot["high"] for bot in result["bots"])
    assert 0 <= result["better"] <= 1  # `better`: the chance that the first bot beats its opponents
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["table-1.jsonl", "table-2.jsonl", "table-3.jsonl"]
    assert highnoon("verify", str(tmp_path / "table-2.jsonl")).returncode == 0
    assert json_of(*words) == result


def test_three_bots_of_a_two_player_contest_play_a_round_robin(tmp_path: Path) -> None:
    words = ("spar", "careful", "--against", "loose,careful", "--contest", "upac", "--hands", "40", "--seed", "1")
    result = json_of(*words, "--record", str(tmp_path))
    pairs = [[bot["name"] for bot in match["bots"]] for match in result["matches"]]
    assert pairs == [["Careful", "Loose"], ["Careful", "Careful 2"], ["Loose", "Careful 2"]]
    earned = [bot["earned_per_100"] for bot in result["bots"]]
    assert (len(earned), earned) == (3, sorted(earned, reverse=True))
    assert sum(earned) == pytest.approx(0, abs=0.1)
    assert all(bot["matches"] == 2 for bot in result["bots"])
    assert len(list(tmp_path.glob("match-*/table-*.jsonl"))) == 6
    printed = highnoon(*words).stdout
    assert printed.count("chips per 100 hands") == 4
    assert "round robin: chips per 100 hands, as the mean of each bot's matches" in printed


def test_clear_match_ends_early_and_draws_a_graph(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    words = ("--hands", "1000", "--contest", "upac", "--page", str(page))
    ended = highnoon("spar", "calling", "--against", write_upac_bot(tmp_path, "F"), *words)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("200 hands: 100 deals, each from every seat")
    assert "Calling is better than faulty: probability " in ended.stdout
    assert "what Calling earned, in chips" in ended.stdout
    assert re.search("for the same deals: --seed [0-9a-f]{64}", ended.stdout)
    assert "hands: 200 of 1000" in ended.stderr
    text = page.read_text()
    assert f"--seed {re.findall('--seed ([0-9a-f]+)', ended.stdout)[0]}<" in text
    assert "Calling is better than faulty: probability " in text
    [line] = re.findall(r'class="line" d="([^"]+)"', text)
    assert len(re.findall(r"[ML]", line)) == 101, "the graph must have a point at the start and one after each deal"
    assert not re.findall(r"(?:src|href)=\"(?!data:)", text), "the page must load no other file"


def test_program_still_running_after_the_match_is_stopped(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = f"echo $$ > {shlex.quote(str(pid_file))}; {starter_command('quick-draw')}; exec sleep 600"
    json_of("spar", f"sh -c {shlex.quote(script)}", "--against", "careful", "--hands", "2")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize("contest", ["quick-draw", "upac"])
def test_bot_in_a_folder_is_built_and_plays_in_its_box(contest: str) -> None:
    folder = str(STARTERS_FOLDER / contest / "python")
    result = json_of("spar", folder, "--against", "careful", "--hands", "6", "--contest", contest)
    assert (result["hands"], result["bots"][0]["name"]) == (6, "python")


@pytest.mark.parametrize(("answer", "code", "status", "error"), [
    ("MAYBE", "pass", 0, "faulty: malformed: an action is F, C, or R followed by a whole number"),
    ("C", "count > 100 and sys.exit(3)", 1, "faulty left: ended with status 3"),
])  # fmt: skip
def test_bot_that_faults_or_leaves_is_named(answer: str, code: str, status: int, error: str, tmp_path: Path) -> None:
    words = ("--against", "calling", "--hands", "40", "--contest", "upac")
    ended = highnoon("spar", write_upac_bot(tmp_path, answer, code), *words)
    assert ended.returncode == status, ended.stderr
    assert error in ended.stderr
    assert "each from every seat" in ended.stdout


@pytest.mark.parametrize(("words", "why"), [
    (("spar", "nonsense", "--against", "careful"), "'nonsense' is neither a house style (careful, loose"),
    (("spar", "python3 bot.py", "--against", "careful"), "has no {server}, which the program needs"),
    (("spar", "python3 nowhere.py {server}", "--against", "careful"), "nowhere ended with status 2"),
    (("spar", UNUSED_ADDRESS, "--against", "careful"), "cannot be asked for its contest: no connection to its server"),
    (("spar", UNUSED_ADDRESS, "--against", "careful", "--contest", "quick-draw"), "are not web servers"),
    (("spar", str(ROOT), "--against", "careful", "--contest", "arena"), "is a folder: for arena give a command"),
    (("spar", "careful", "--against", ",".join(12 * ["loose"]), "--contest", "upac"), "it takes 2 to 12"),
    (("spar", "careful", "--against", "loose,loose", "--contest", "upac", "--page", "x.html"), "shows a single match"),
    (("spar", "careful", "--against", "loose", "--hands", "0"), "'0' is not a whole number from 1 to 1000000"),
    (("new", "x" * 31), "cannot be a bot's name: Name must be at most 30 characters. Choose another with --name"),
    (("new", "bot", "--name", "\u200b"), "cannot be a bot's name"),
    (("new", str(ROOT / "tests")), "already exists and stays as it is"),
    (("new", "bot", "--language", "cobol"), "invalid choice: 'cobol'"),
    (("new", "other", "--contest", "enova", "--name", "***"), "The name needs letters or digits"),
])  # fmt: skip
def test_impossible_match_or_bot_is_refused_and_nothing_is_made(
    words: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    ended = highnoon(*words, cwd=tmp_path)
    assert ended.returncode in (1, 2)
    assert why in ended.stderr
    assert (ended.stdout, [*tmp_path.iterdir()]) == ("", [])


Recordings = dict[str, tuple[Path, str]]
"""For each contest: a recording of a match that a starter (an example bot) played, and the starter's name."""


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    recordings = {}
    for contest in CONTESTS:
        folder = tmp_path_factory.mktemp(contest)
        words = (starter_command(contest), "--against", "calling", "--contest", contest, "--record", str(folder))
        result = json_of("spar", *words, "--hands", "40", "--seed", "f")
        recordings[contest] = (folder / "table-1.jsonl", result["bots"][0]["name"])
    return recordings


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_unchanged_bot_answers_every_question_as_before(contest: str, recordings: Recordings) -> None:
    path, name = recordings[contest]
    result = json_of("fork", str(path), "--bot", name, "--with", starter_command(contest))
    assert result == {"bot": name, "questions": result["questions"], "different": 0, "changes": [], "hands": []}
    assert result["questions"] >= 20


def test_different_answers_are_counted_and_listed(recordings: Recordings, tmp_path: Path) -> None:
    path, name = recordings["quick-draw"]
    folding_bot = write_starter(tmp_path / "folds", 'return {"action": "fold", "raise_amount": 0}')
    words = ("fork", str(path), "--bot", name, "--with", folding_bot)
    result = json_of(*words)
    assert 0 < result["different"] < result["questions"]
    assert result["different"] == sum(change["count"] for change in result["changes"]) == len(result["hands"])
    assert {change["now"] for change in result["changes"]} == {"folds"}  # `now`: the new answer
    assert all(change["count"] == change["of"] for change in result["changes"]), "every answer except folds must change"
    assert "fold" not in {hand["was"]["act"] for hand in result["hands"]}
    assert {hand["now"]["act"] for hand in result["hands"]} == {"fold"}
    printed = highnoon(*words).stdout.splitlines()
    assert printed[0].startswith(f"{name}: a different answer to {len(result['hands'])} of {result['questions']} ")
    first = result["hands"][0]
    line = printed[printed.index("hands to look at:") + 1]
    assert line.startswith(f"  hand {first['number']} (game {first['game']} hand ")


@pytest.mark.parametrize(("code", "status", "words"), [
    ("pass", 0, ("now has no valid answer (malformed)", "an action is F, C, or R followed by a whole number")),
    ("sys.exit(3)", 1, ("faulty left: ended with status 3",)),
])  # fmt: skip
def test_broken_version_is_reported_with_the_reason(
    code: str, status: int, words: tuple[str, ...], recordings: Recordings, tmp_path: Path
) -> None:
    path, name = recordings["upac"]
    ended = highnoon("fork", str(path), "--bot", name, "--with", write_upac_bot(tmp_path, "MAYBE", code))
    assert ended.returncode == status, ended.stderr
    assert all(text in ended.stdout + ended.stderr for text in words)


def read_command_to_try(printed: str) -> list[str]:
    (command,) = re.findall(r"try it +(.+)", printed)
    return shlex.split(command)


@pytest.mark.parametrize(("contest", "language"), [*product(CONTESTS, STARTER_NAMES)])
def test_new_bot_is_the_starter_with_another_name_and_can_be_tried(contest: str, language: str, tmp_path: Path) -> None:
    ended = highnoon("new", "My Ünicorn", "--contest", contest, "--language", language, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    bot, starter = tmp_path / "My Ünicorn", STARTERS_FOLDER / contest / language
    assert re.search(r"\bdecide\(", (bot / PROGRAMS[contest][language]).read_text())
    files, starter_files = (
        {path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        for folder in (bot, starter)
    )
    assert files == starter_files
    for path in bot.rglob("*.json"):
        assert STARTER_NAMES[language] not in path.read_text()
        assert json.loads(path.read_text())["name"] == "My Ünicorn"
    command = read_command_to_try(ended.stdout)
    if language != "cpp" and shutil.which({"python": "python3", "javascript": "node"}.get(language, language)):
        (side,) = read_sides([command[2]], command[-1] if len(command) > 3 else "quick-draw")
        assert side.kind == "command"


def test_printed_commands_work_with_a_space_in_the_folders_name(tmp_path: Path) -> None:
    assert f"highnoon check {tmp_path / 'my-bot'}" in highnoon("new", "my-bot", cwd=tmp_path).stdout
    result = highnoon("check", str(tmp_path / "my-bot"), "--no-run")
    assert result.returncode == 0, result.stdout
    command = read_command_to_try(highnoon("new", "My bot", "--contest", "upac", cwd=tmp_path).stdout)
    probe_result = highnoon(*command[1:])
    assert probe_result.returncode == 0, probe_result.stdout
    enova = highnoon("new", "enova-bot", "--contest", "enova", cwd=tmp_path).stdout
    assert "enova_bot.py 3001 enovabot http://localhost:5000" in enova, "the name for Enova must have no hyphen"


def init_event(folder: Path) -> EveningPlan:
    """Runs `highnoon init` for the submissions in `folder`. Returns the plan that the new event file contains."""
    ended = highnoon("init", "submissions", cwd=folder)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert not schema_faults((folder / "event.toml").read_text())
    return read_event(folder / "event.toml")


def test_new_event_file_enters_every_player_and_explains_every_setting(tmp_path: Path) -> None:
    players = tmp_path / "submissions"
    write_player(players / "Calamity", "Jane One", "Jane Two")
    shutil.make_archive(str(players / "Wyatt"), "zip", write_bot(tmp_path / "zipped", "Wyatt Burp"))
    plan = init_event(tmp_path)
    folders = {entry.player: entry.folder for entry in plan.entries}
    assert folders == {"Calamity": players / "Calamity", "Wyatt": players / "Wyatt.zip"}
    text = (tmp_path / "event.toml").read_text()
    assert "# Jane One, Jane Two\n[[entries]]" in text
    assert (plan.name, plan.date) == (f"{plan.date:%A} at the Saloon", datetime.now().astimezone().date())
    assert (plan.contest, plan.buy_in_cents, plan.finish_trials_by, plan.seed) == ("quick-draw", 500, None, b"")
    assert not [key for key in KEYS[""] if key in EXAMPLE_FILE.read_text() and key not in text]  # top-level keys
    assert "#     highnoon tournament event.toml --rehearse" in text
    assert "remote = true" in text


def test_strange_names_survive_writing_and_reading(tmp_path: Path) -> None:
    names = ('Doc "the Quick"', "Back\\slash", "Tab\there", "x" * 60, "Ada", "ada", "Player 7", "\u200b")
    for number, name in enumerate(names):
        write_bot(tmp_path / "submissions" / name, f"Bot {number}")
    entries = init_event(tmp_path).entries
    assert {entry.folder for entry in entries} == {tmp_path / "submissions" / name for name in names}
    assert 'Doc "the Quick"' in {entry.player for entry in entries}
    assert len({entry.player.casefold() for entry in entries}) == len(names)


def test_folder_without_a_bot_is_commented_out(tmp_path: Path) -> None:
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
    of_one_player = highnoon("init", "submissions", "--out", "one.toml", cwd=tmp_path)
    assert f"{tmp_path}/one.toml written: 1 player, 1 bot\n" in of_one_player.stdout
    of_one_bot = highnoon("init", "submissions/Ada", "--out", "bot.toml", cwd=tmp_path)
    assert of_one_bot.returncode == 1
    assert "contains no folder or zip archive with a bot: name the folder of all players" in of_one_bot.stderr
    assert not (tmp_path / "bot.toml").exists()


def test_init_overwrites_only_its_own_schema_and_follows_no_link(tmp_path: Path) -> None:
    write_bot(tmp_path / "submissions" / "Ada", "Ada")
    event, schema, target = (tmp_path / name for name in ("event.toml", "event.schema.json", "elsewhere.json"))
    older_schema = SCHEMA_FILE.read_bytes().replace(b"\n", b"\n\n", 1)

    def refused_init() -> str:
        ended = highnoon("init", "submissions", cwd=tmp_path)
        assert ended.returncode == 1
        return ended.stderr

    schema.symlink_to(target)
    assert "stays as it is" in refused_init()
    assert not target.exists()
    target.write_bytes(older_schema)
    assert "stays as it is" in refused_init()
    assert target.read_bytes() == older_schema
    schema.unlink()
    schema.write_bytes(older_schema)
    init_event(tmp_path)
    assert schema.read_bytes() == SCHEMA_FILE.read_bytes(), "an older copy of the schema must be replaced"
    event.write_text(changed := f"{event.read_text()}# changed")
    assert "already exists and stays as it is" in refused_init()
    assert event.read_text() == changed
    event.unlink()
    schema.write_text("mine")
    assert f"{schema} is not a schema of High Noon and stays as it is" in refused_init()
    assert (schema.read_text(), event.exists()) == ("mine", False)
    elsewhere = tmp_path / "other" / "night.toml"
    elsewhere.parent.mkdir()
    assert highnoon("init", "submissions", "--out", str(elsewhere), cwd=tmp_path).returncode == 0
    assert read_event(elsewhere).entries[0].folder == tmp_path / "submissions" / "Ada"


def test_event_file_for_upac_bots_is_for_a_season(tmp_path: Path) -> None:
    for name in ("Ada", "Doc"):
        bot = shutil.copytree(STARTERS_FOLDER / "upac" / "python", tmp_path / "submissions" / name)
        (config,) = bot.rglob("bot.json")
        config.write_text(json.dumps({**json.loads(config.read_text()), "name": f"{name}'s"}))
    plan = init_event(tmp_path)
    assert (plan.contest, plan.buy_in_cents) == ("upac", 0)
    assert [entry.player for entry in plan.entries] == ["Ada", "Doc"]
    assert "remote" not in tomllib.loads((tmp_path / "event.toml").read_text())


COMPLAINTS = {
    "quick-draw": ("no server answers at ", "{address}"),
    "enova": ("no tournament answers at ", "0", "A bot", "http://{address}"),
}
"""For contests whose bots register: what a starter prints if no server answers, and the starter's arguments."""
NO_NAME = "there is no bot_config.json with a name "
INTERPRETERS = {"python": sys.executable, "javascript": str(Path(sys.executable).parent / "node")}
COMPILERS = {"java": "javac", "cpp": "g++"}


def check_complaint(words: str, *command: str, folder: Path | None = None) -> None:
    """Checks that the command fails at once, and prints one line that begins with `words`."""
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr
    assert ended.stderr.startswith(words), ended.stderr


def check_complaints(contest: str, command: Sequence[str]) -> None:
    """Checks what a starter says if no server answers, and if another program uses the starter's port."""
    if contest in COMPLAINTS:
        [port] = free_ports(1)
        words, *arguments = (text.replace("{address}", f"127.0.0.1:{port}") for text in COMPLAINTS[contest])
        check_complaint(f"{words}{arguments[-1]} (", *command, *arguments)
    if contest in ("arena", "enova"):
        with socket.create_server(("127.0.0.1", 0)) as occupied:
            port_in_use = str(occupied.getsockname()[1])
            check_complaint(f"port {port_in_use} is not available (", *command, port_in_use)


@pytest.mark.parametrize("language", INTERPRETERS)
def test_starter_reports_in_one_line_what_is_missing(language: str, tmp_path: Path) -> None:
    for contest in ("quick-draw", "enova", "arena"):
        program = str(STARTERS_FOLDER / contest / language / PROGRAMS[contest][language])
        check_complaints(contest, [INTERPRETERS[language], program])
        if contest == "quick-draw":
            check_complaint(NO_NAME, INTERPRETERS[language], shutil.copy(program, str(tmp_path)), folder=tmp_path)


def build_starter(contest: str, language: str, folder: Path) -> str:
    """Copies a starter to `folder` and builds it by its own instructions. Returns the command that starts it."""
    shutil.copytree(STARTERS_FOLDER / contest / language, folder, dirs_exist_ok=True)
    program = folder / PROGRAMS[contest][language]
    if (config := program.parent / "bot.json").exists():
        commands = json.loads(config.read_text())
        build, run = commands["build"], commands["run"]
    elif language == "java":  # `java Bot.java` would build the bot again at each start.
        build, run = f"javac {program.name}", f"java {program.stem}"
    else:
        comments = re.sub(r"\n?// +", " ", program.read_text())
        build = re.findall(r"(g\+\+ [^&]*?\.cpp)", comments)[0]
        run = f"./{program.stem}"
    subprocess.run(shlex.split(build), cwd=program.parent, check=True)
    start = f'cd {shlex.quote(str(program.parent))} && exec {run} "$@"'
    return f"sh -c {shlex.quote(start)} bot"


@pytest.fixture(params=COMPILERS)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A language whose compiler is installed. Java runs with only its quick JIT compiler, which suits short tests."""
    language: str = request.param
    if not shutil.which(COMPILERS[language]):
        pytest.skip(f"{COMPILERS[language]} is not installed")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    return language


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_compiled_starter_passes_every_check(
    contest: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = build_starter(contest, language, tmp_path)
    ended = highnoon("probe", f"{command} {STARTER_ARGUMENTS[contest]}", "--contest", contest)
    assert not ended.returncode, ended.stdout + ended.stderr
    monkeypatch.delenv("JAVA_TOOL_OPTIONS")  # With this variable, Java prints a line of its own.
    check_complaints(contest, shlex.split(command))
    if contest == "quick-draw":
        (tmp_path / "bot_config.json").unlink()
        check_complaint(NO_NAME, *shlex.split(command), folder=tmp_path)


@NEEDS_BUBBLEWRAP
def test_compiled_starter_is_built_in_a_seasons_box(language: str) -> None:
    result = highnoon("check", str(STARTERS_FOLDER / "upac" / language), "--runner", "light")
    assert (result.returncode, result.stderr) == (0, ""), result.stdout
