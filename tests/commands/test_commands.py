"""Commands print the right words, exit with the right status, and make valid recordings. Shells complete commands."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import httpx
import pytest

from server.command_line.arguments import SHELLS, make_command_parser
from tests.support.program import ROOT, highnoon, serving_program
from tests.support.published import published_entries, published_index, published_json

NO_RECORDING = "pyproject.toml: this is not a High Noon recording (they end in .jsonl); `highnoon import` makes one"
NO_PRACTICE = "UPAC has no practice games. For a test game of a bot against itself, run `highnoon check`"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The output and the recording of a demo that also publishes its contest."""
    data = tmp_path_factory.mktemp("demo")
    arguments = ("--speed", "0", "--port", "0", "--data", str(data), "--seed", "2a", "--publish", str(data / "site"))
    ended = highnoon("demo", *arguments, "--obs", "127.0.0.1:1")  # No OBS listens at this address.
    assert ended.returncode == 0, ended.stderr
    (recording,) = (data / "recordings").glob("*.jsonl")
    return ended.stdout, recording


def test_demo_plays_and_publishes_a_whole_contest(demo: tuple[str, Path]) -> None:
    text, recording = demo
    assert "The Trials, game 1 of 15" in text
    assert "High Noon, game 1 of 1" in text
    rows = text[text.index("place") :].splitlines()[1:13]
    assert [int(row.split()[0]) for row in rows] == list(range(1, 13))
    assert [row.split()[-1] for row in rows[:5]] == ["$25.00", "$15.00", "$10.00", "$5.00", "$5.00"]
    assert text.count("OBS cannot be reached") == 1, "the demo must say only once that OBS is missing"
    site = recording.parents[1] / "site"
    assert published_index(site)["state"] == "over"
    assert "tournament_ended" in [entry["type"] for entry in published_entries(site)]
    assert (site / "recordings" / recording.name).read_bytes() == recording.read_bytes()
    bots = published_json(site / "live/main/all.json")["outline"]["bots"]
    assert len(bots) == 12
    assert all((site / "media" / bot["avatar"]).is_file() for bot in bots)
    assert "Quick Draw" in (site / "index.html").read_text()


def test_demo_is_proved_and_its_house_bots_make_no_mistakes(demo: tuple[str, Path]) -> None:
    _, recording = demo
    proof = highnoon("verify", str(recording))
    assert proof.returncode == 0
    hands = recording.read_text().count('"type":"hand_started"')
    assert f"  {hands} decks: each was sealed before its hand with the hash that is in the recording" in proof.stdout
    assert "5 prizes, $60.00 in all: for the right players" in proof.stdout
    verdict = json.loads(highnoon("verify", "--json", str(recording)).stdout)
    assert (verdict["holds"], verdict["whole"], verdict["fault"]) == (True, True, "")
    assert {claim["of"]: claim["count"] for claim in verdict["claims"]}["decks"] == hands
    entries = [json.loads(line) for line in recording.read_text().splitlines()[1:]]
    assert not [entry for entry in entries if entry["type"] == "fault_noted" or entry.get("fault")]


def test_exit_status_distinguishes_altered_from_incomplete_recordings(demo: tuple[str, Path], tmp_path: Path) -> None:
    _, recording = demo
    whole_bytes = recording.read_bytes()
    altered, cut = tmp_path / "altered.jsonl", tmp_path / "cut.jsonl"
    altered.write_bytes(whole_bytes.replace(b'"act":"call"', b'"act":"fold"', 1))
    cut.write_bytes(whole_bytes[: len(whole_bytes) // 2])
    for path, status, beginning, reason in (
        (altered, 1, "REFUTED ", "the checksum does not match"),
        (cut, 3, f"verified as far as it goes, but its end is missing: {cut}\n", "the tournament has not ended"),
        (ROOT / "README.md", 1, "NOT A RECORDING ", ""),
    ):
        verdict = highnoon("verify", str(path))
        assert (verdict.returncode, verdict.stderr) == (status, "")
        assert verdict.stdout.startswith(beginning)
        assert reason in verdict.stdout
        assert highnoon("verify", "--json", str(path)).returncode == status
    verdict = json.loads(highnoon("verify", "--json", str(cut)).stdout)
    assert (verdict["holds"], verdict["whole"]) == (True, False)  # `whole`: the recording has its end
    assert "3 a recording is valid as far as it goes, but its end is missing" in highnoon("--help").stdout


def test_full_disk_ends_a_demo_with_one_line_and_a_valid_recording(tmp_path: Path) -> None:
    demo = ("-m", "server", "demo", "--speed", "0", "--port", "0", "--data", str(tmp_path))
    command = ("prlimit", "--fsize=100000", sys.executable, *demo)
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert ended.stderr.startswith("highnoon: ")
    (recording,) = (tmp_path / "recordings").glob("*.jsonl")
    assert highnoon("verify", str(recording)).returncode == 3


def test_mistake_is_reported_in_one_line() -> None:
    for words, status, complaint in (
        ("verify nothing.jsonl", 2, "there is no file or folder 'nothing.jsonl'"),
        ("demo --sped 8", 2, "highnoon demo: error: no such option or argument: '--sped'; did you mean --speed?"),
        ("verify README.md surplus", 2, "highnoon verify: error: no such option or argument: 'surplus'"),
        ("replay pyproject.toml", 1, NO_RECORDING),
        ("demo --obs 4455", 2, "--obs: should be an address with a port, such as 127.0.0.1:4455"),
        ("demo --seed xyz", 2, "hexadecimal"),
        ("verify server", 1, "server: it is a folder"),
        ("demo --speed fast", 2, "--speed: should be 0 (as fast as possible) to 1000 ("),
        ("practice --contest upac", 2, NO_PRACTICE),
        ("practice --contest poker", 2, "invalid choice: 'poker'"),
        ("worker --cores many", 2, "--cores: 'many' is not a whole number from 0 to 1024"),
        ("nonsense", 2, "no such command: 'nonsense'; highnoon --help lists all commands"),
        ("Verfy README.md", 2, "no such command: 'Verfy'; did you mean verify?"),
    ):
        ended = highnoon(*words.split())
        assert ended.returncode == status, words
        assert complaint in ended.stderr.splitlines()[-1]
        assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("module", ["__main__", "commands.publish"])
def test_command_loads_only_what_it_needs(module: str) -> None:
    slow_modules = {"fastapi", "portalocker", "server.config.event_file"}
    program = f"import sys, server.{module}; print({slow_modules} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.strip() == "set()"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_closed_output_pipe_leaves_no_traceback(unbuffered: str) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as closed_pipe:
        ended = subprocess.run(
            [sys.executable, "-m", "server", "verify", "--json", "README.md"], cwd=ROOT, check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=closed_pipe, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_port_in_use_is_reported_with_advice(tmp_path: Path) -> None:
    with serving_program("demo", "--data", str(tmp_path / "demo")) as program:
        ended = highnoon("practice", "--port", str(program.port), "--data", str(tmp_path / "data"))
        assert httpx.get(f"{program.base}/healthz", timeout=60.0).json()["status"] == "ok"
        status, text = program.interrupt()
    assert (status, text.splitlines()[-1], "Traceback" in text) == (0, "stopped", False)
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["demo"], "the refused command must leave no file"
    why = f"highnoon: cannot serve on 127.0.0.1:{program.port}: the port is in use: stop whatever is using it, or "
    assert ended.stderr.startswith(why)


BASH = """
source completion
complete=$(complete -p highnoon)
function=$(sed 's/.*-F \\([^ ]*\\).*/\\1/' <<<"$complete")
COMP_WORDS=(highnoon "$@") COMP_CWORD=$#
$function highnoon "${!#}" "${COMP_WORDS[$#-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""A script for bash that completes the last of its arguments, as a press of Tab does."""
FISH = 'source completion; complete -C "highnoon $argv"'
NEEDS_FISH = pytest.mark.skipif(not shutil.which("fish"), reason="needs fish: apt-get install fish")
COMPLETIONS = {
    "tourn": {"tournament"}, "demo --sp": {"--speed"}, "demo --contest a": {"acpc", "arena"},
    "completion p": {"powershell"}, "verify fri": {"friday.jsonl"},
}  # fmt: skip
"""For each typed text: the words that a shell must offer when Tab is pressed."""


@cache
def completion_script(shell: str) -> str:
    ended = highnoon("completion", shell)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.mark.parametrize("shell", ["bash", pytest.param("fish", marks=NEEDS_FISH)])
def test_shell_completes_what_is_typed(shell: str, tmp_path: Path) -> None:
    (tmp_path / "completion").write_text(completion_script(shell))
    (tmp_path / "friday.jsonl").touch()
    command = ["bash", "--norc", "-c", BASH, "bash"] if shell == "bash" else ["fish", "--no-config", "-c", FISH]
    for typed, offered in COMPLETIONS.items():
        ended = subprocess.run([*command, *typed.split()], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert {line.partition("\t")[0] for line in ended.stdout.splitlines() if line} == offered, typed


@pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh: apt-get install zsh")
def test_script_for_zsh_has_no_syntax_error(tmp_path: Path) -> None:
    (tmp_path / "completion").write_text(completion_script("zsh"))
    subprocess.run(["zsh", "-n", "completion"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("shell", SHELLS)
def test_script_for_every_shell_has_every_command(shell: str) -> None:
    assert not [name for name in make_command_parser().commands if name not in completion_script(shell)]


def test_help_lists_every_command_once() -> None:
    ended = highnoon()
    assert (ended.returncode, ended.stdout) == (0, highnoon("--help").stdout)
    listed = ended.stdout.partition("to have a look:")[2].partition("options:")[0]
    names = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
    assert names == list(make_command_parser().commands)
