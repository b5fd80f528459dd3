"""The program runs without what Windows lacks. On Linux, `without/sitecustomize.py` removes these parts of Python."""

import json
import re
import sys
from pathlib import Path
from shlex import quote
from subprocess import CompletedProcess

import httpx
import pytest

from server.contests import CONTESTS
from server.system.shell_words import words_of
from server.verify.recording import verify
from tests.end_to_end.evening import NAMES, RemoteBots, secrets_of, write_evening
from tests.practice.test_tcp_games import SampleBot, register
from tests.support.games.recordings import wait_until_listed
from tests.support.program import ROOT, highnoon, serving_program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="replaces parts of Linux")
ENVIRONMENT_AS_ON_WINDOWS = {
    "PYTHONPATH": f"{Path(__file__).parent / 'without'}:{ROOT}",
    "PYTHONWARNDEFAULTENCODING": "1",
    "DOCKER_HOST": "tcp://127.0.0.1:1",
}
"""An environment in which programs lack what Windows lacks, and find no Docker."""


def run(*words: str, cwd: Path = ROOT) -> CompletedProcess[str]:
    """Runs a command, which must end without a traceback."""
    completed = highnoon(*words, cwd=cwd, env=ENVIRONMENT_AS_ON_WINDOWS)
    assert "Traceback" not in completed.stdout + completed.stderr, completed.stdout + completed.stderr
    return completed


def run_program(folder: Path, text: str, *words: str) -> CompletedProcess[str]:
    (folder / "program.py").write_text(text, encoding="utf-8")
    environment = {**ENVIRONMENT_AS_ON_WINDOWS, "PYTHONPATH": f"{ENVIRONMENT_AS_ON_WINDOWS['PYTHONPATH']}:{folder}"}
    return highnoon(*words, module="program", cwd=folder, env=environment)


def succeed(*words: str, cwd: Path = ROOT) -> str:
    completed = run(*words, cwd=cwd)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("poker evening with blanks")


def test_program_really_runs_without_what_windows_lacks(folder: Path) -> None:
    code = "import os, socket\nprint(hasattr(os, 'fork'), hasattr(socket, 'AF_UNIX'))\nimport fcntl\n"
    program = run_program(folder, code)
    assert program.stdout == "False False\n"
    assert program.stderr.endswith("ModuleNotFoundError: No module named 'fcntl'\n")
    program = run_program(folder, "import asyncio\nasyncio.new_event_loop().add_signal_handler(15, print)\n")
    assert program.stderr.endswith("NotImplementedError\n")


@pytest.mark.parametrize("command", re.findall(r'case "(\w+)":', (ROOT / "server/__main__.py").read_text("utf-8")))
def test_every_command_starts(command: str) -> None:
    assert succeed(command, "--help").startswith(f"usage: highnoon {command} ")


def test_demo_is_played_proved_exported_measured_published_and_served(folder: Path) -> None:
    output = succeed("demo", "--speed", "0", "--port", "0", "--data", str(folder / "demo data"), "--seed", "2a")
    assert "High Noon, game 1 of 1" in output
    (recording,) = (folder / "demo data" / "recordings").glob("*.jsonl")
    assert " decks: each was sealed before its hand" in succeed("verify", str(recording))
    assert "Señor_Fold" in succeed("export", str(recording), "--text")
    assert json.loads(succeed("luck", str(recording), "--json"))
    assert succeed("highlights", str(recording))
    assert " has 1 finished recording\n" in succeed("index", "--data", str(recording.parents[1]))
    succeed("publish", str(recording), "--to", str(folder / "its site"))
    assert (folder / "its site" / "previews.png").stat().st_size
    succeed("ograf", str(recording), "--out", str(folder / "its graphics"))
    assert (folder / "its graphics" / "table.ograf.json").stat().st_size
    bot = "Annie Oddsley"
    assert json.loads(succeed("decisions", str(recording), "--bot", bot, "--json"))
    assert json.loads(succeed("fork", str(recording), "--bot", bot, "--with", "careful", "--json"))
    with (
        serving_program("serve", str(recording.parents[1]), env=ENVIRONMENT_AS_ON_WINDOWS) as served,
        httpx.Client(base_url=served.base, timeout=60.0) as web,
    ):
        wait_until_listed(web, recording.stem)
        assert web.get(f"/replay/{recording.stem}").status_code == web.get("/guide/").status_code == 200


def test_practice_game_is_played_in_a_separate_process(folder: Path) -> None:
    data = folder / "practice data"
    with serving_program("practice", "--speed", "0", "--data", str(data), env=ENVIRONMENT_AS_ON_WINDOWS) as practice:
        reply = register(practice, name="Win Dow", test_game_size=2, test_hand_count=3)
        with SampleBot(reply["port_number"]) as bot:
            results = bot.play(3, action_type="call")
        assert results
        assert httpx.get(reply["watch_url"], timeout=60.0).status_code == 200
        status, output = practice.interrupt()
    assert (status, "a process of the practice server" in practice.output + output) == (0, False), output
    (recording,) = (data / "recordings" / "practice").glob("*.jsonl")
    assert recording.stat().st_size


def test_evening_passes_the_socket_for_pages_to_its_studio(folder: Path) -> None:
    secrets = secrets_of(NAMES[:3])
    evening = write_evening(folder / "club night", secrets)
    with RemoteBots(evening.register, secrets, all_in_rate=0.5):
        output = succeed("tournament", str(evening.file), "--speed", "0")
    assert "the studio is gone" not in output
    assert verify(evening.entries).finished


@pytest.mark.parametrize("contest", CONTESTS)
def test_printed_commands_suit_powershell_and_the_old_prompt(contest: str, folder: Path) -> None:
    """No printed command contains `&&`, which old PowerShell lacks, or nested quotes, which PowerShell drops."""
    for language, file in CONTESTS[contest].starters.programs.items():
        bot = Path(f"{contest} {language}")
        output = succeed("new", str(bot), "--contest", contest, "--language", language, cwd=folder)
        (command,) = re.findall(r'try it +highnoon probe "([^"]*)"', output)
        assert any((folder / word).is_relative_to(folder / bot) for word in words_of(command, unix=False)), command
        assert "&&" not in output
        assert (folder / bot / file).exists()


@pytest.mark.parametrize("contest", ["quick-draw", "upac"])
def test_new_bot_can_be_probed_and_can_spar(folder: Path, contest: str) -> None:
    succeed("new", f"my {contest} bot", "--contest", contest, cwd=folder)
    (bot,) = (folder / f"my {contest} bot").rglob("bot.py")
    command = f'{quote(sys.executable)} "{bot}" {CONTESTS[contest].command.starter_arguments}'.rstrip()
    assert json.loads(succeed("probe", command, "--contest", contest, "--json"))["failed"] == 0
    spar_arguments = (command, "--against", "careful", "--hands", "12", "--seed", "1", "--contest", contest, "--json")
    assert json.loads(succeed("spar", *spar_arguments))["hands"] == 12


@pytest.mark.parametrize("waste", ["held = [b'x' * (1 << 20) for _ in range(1 << 12)]", "while True: pass"])
def test_process_that_wastes_memory_or_time_is_ended(folder: Path, waste: str) -> None:
    limit = "from server.system.processes import limit_usage\nlimit_usage(256 << 20, 2, writes=False)\n"
    assert run_program(folder, limit + waste).returncode < 0


def test_check_without_docker_mentions_the_alternative_in_one_line(folder: Path) -> None:
    succeed("new", "submitted", "--contest", "upac", cwd=folder)
    check = run("check", "submitted", cwd=folder)
    reason = "No bot was run: .*install Docker Desktop and start it.* Use --no-run to check only the files."
    assert (check.returncode, bool(re.fullmatch(reason, check.stdout.splitlines()[-1]))) == (1, True)
    succeed("check", "submitted", "--no-run", "--report", "its reports", cwd=folder)
    assert (folder / "its reports" / "submitted.html").stat().st_size
