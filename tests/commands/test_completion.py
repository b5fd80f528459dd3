"""With the output of `highnoon completion`, shells complete commands, options, choices and files; help is complete."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from server.command_line.arguments import SHELLS, command_line
from tests.support.program import highnoon

BASH = """
source completion
complete=$(complete -p highnoon)
function=$(sed 's/.*-F \\([^ ]*\\).*/\\1/' <<<"$complete")
COMP_WORDS=(highnoon "$@") COMP_CWORD=$#
$function highnoon "${!#}" "${COMP_WORDS[$#-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""A script that completes the last of its arguments as bash does when Tab is pressed."""
FISH = 'source completion; complete -C "highnoon $argv"'
needs_fish = pytest.mark.skipif(not shutil.which("fish"), reason="needs fish: apt-get install fish")
needs_zsh = pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh: apt-get install zsh")
TYPED = [
    ("tourn", {"tournament"}),
    ("demo --sp", {"--speed"}),
    ("demo --contest a", {"acpc", "arena"}),
    ("completion p", {"powershell"}),
]


@cache
def script(shell: str) -> str:
    ended = highnoon("completion", shell)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.mark.parametrize(("typed", "offered"), [*TYPED, ("verify fri", {"friday.jsonl"})])
def test_bash_completes_what_is_typed(typed: str, offered: set[str], tmp_path: Path) -> None:
    (tmp_path / "completion").write_text(script("bash"))
    (tmp_path / "friday.jsonl").touch()
    command = ["bash", "--norc", "-c", BASH, "bash", *typed.split()]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (set(ended.stdout.split()), ended.stderr) == (offered, "")


@needs_fish
@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_fish_completes_what_is_typed(typed: str, offered: set[str], tmp_path: Path) -> None:
    (tmp_path / "completion").write_text(script("fish"))
    command = ["fish", "--no-config", "-c", FISH, *typed.split()]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert {line.partition("\t")[0] for line in ended.stdout.splitlines() if line} == offered


@needs_zsh
def test_script_for_zsh_has_no_syntax_error(tmp_path: Path) -> None:
    (tmp_path / "completion").write_text(script("zsh"))
    subprocess.run(["zsh", "-n", "completion"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("shell", SHELLS)
def test_script_for_every_shell_has_every_command(shell: str) -> None:
    assert not [name for name in command_line().commands if name not in script(shell)]


def test_help_is_printed_without_any_argument_and_lists_every_command_once() -> None:
    ended = highnoon()
    assert (ended.returncode, ended.stdout) == (0, highnoon("--help").stdout)
    titles = "\n".join(line for line in ended.stdout.splitlines() if line.endswith(":"))
    assert titles.startswith("to have a look:\nfor authors of bots:\nto hold a contest:\n")
    listed = ended.stdout.partition("to have a look:")[2].partition("options:")[0]
    names = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
    assert names == list(command_line().commands)
