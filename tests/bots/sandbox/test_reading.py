"""Runners read Dockerfiles and .dockerignore, keep logs, and report how a bot ended and why no bot can run here."""

import asyncio
from pathlib import Path

import pytest

from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.bubblewrap.command import where
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe, read_recipe
from server.bots.sandbox.docker.build_context import kept_paths
from server.bots.sandbox.dockerfile import parse_dockerfile
from server.bots.sandbox.output_log import OutputLog, sanitized
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Limits, exit_of

TWO_STAGES = """\
# syntax=docker/dockerfile:1
FROM node:20 AS built
WORKDIR /elsewhere
CMD ["never"]

from python:3.11-slim
ARG place=bots
ENV GREETING="how do" HOME=/$place
ENV OLD way of saying it
WORKDIR /usr/src/${place}
WORKDIR mine
COPY requirements.txt .
RUN pip install \\
    # the one thing needed
    -r requirements.txt
COPY . /usr/src/bots/mine
COPY --from=built /x /y
EXPOSE 5000
ENTRYPOINT ["python", "-u"]
CMD ["bot.py"]
"""


def _recipe(dockerfile: str) -> Recipe:
    return read_recipe(parse_dockerfile(dockerfile.encode()))


def test_bubblewrap_runs_the_last_stage_and_reports_skipped_instructions() -> None:
    recipe = _recipe(TWO_STAGES)
    assert recipe.folder == "/usr/src/bots/mine"
    assert recipe.command == ("python", "-u", "bot.py")
    assert recipe.environment == {"GREETING": "how do", "HOME": "/bots", "OLD": "way of saying it"}
    assert [" ".join(sentence.split()) for sentence in recipe.skipped] == [
        "Not carried out: RUN pip install -r requirements.txt",
        "Not carried out: COPY --from=built /x /y",
    ]


@pytest.mark.parametrize(
    ("lines", "command"),
    [
        ("CMD python bot.py", ("/bin/sh", "-c", "python bot.py")),
        ('ENTRYPOINT ./bot\nCMD ["ignored"]', ("/bin/sh", "-c", "./bot")),
        ('ENTRYPOINT ["./bot"]', ("./bot",)),
        ('CMD ["a"]\nCMD ["b"]', ("b",)),
        ('CMD ["early"]\nENTRYPOINT ["./bot"]', ("./bot",)),
    ],
)
def test_commands_are_json_lists_or_shell_lines(lines: str, command: tuple[str, ...]) -> None:
    assert _recipe(f"FROM scratch\n{lines}\n").command == command
    with pytest.raises(CannotRun, match="CMD or an ENTRYPOINT"):
        _recipe("FROM scratch\nCOPY . .\n")


@pytest.mark.parametrize(
    ("folder", "path"),
    [
        ("/", "/bot"),
        ("/app", "/app"),
        ("/usr/src/app", "/usr/src/app"),
        *((system, None) for system in ("/usr", "/usr/bin", "/usr/lib/bot", "/etc", "/proc/bot", "/tmp", "/bin")),  # noqa: S108
    ],
)
def test_bubblewrap_bot_runs_in_its_workdir_unless_that_is_a_system_folder(folder: str, path: str | None) -> None:
    recipe = Recipe(folder, {}, ("bot",), ())
    if path:
        assert where(recipe) == path
        return
    with pytest.raises(CannotRun, match="part of the system"):
        where(recipe)


def test_short_log_is_kept_whole_and_a_long_one_loses_its_middle(tmp_path: Path) -> None:
    for count in (18, 1000):
        log, lines = OutputLog(tmp_path / str(count), 100), [f"{number:04}\n" for number in range(count)]
        for line in lines:
            log.write(line.encode())
        log.close()
        left_out = ["\n[4900 bytes or more left out]\n"] if count == 1000 else []
        assert (tmp_path / str(count)).read_text() == "".join([*lines[:10], *left_out, *lines[10:][-10:]])


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (b"\x1b[2Jhowdy\r\n", "?[2Jhowdy?\n"),
        ("Señor\tß\u202e\u200b\x9b".encode(), "Señor\tß???"),
        (b"\xff\xfe\x00", "???"),
    ],
)
def test_log_has_no_terminal_control_characters(written: bytes, kept: str) -> None:
    assert sanitized(written).decode() == kept


@pytest.mark.parametrize(
    ("status", "out_of_memory", "reason"),
    [
        (0, False, "ended by itself"),
        (127, False, "could not be started: its command was not found or is not a program"),
        (137, True, "used more memory than the 100 MB allowed"),
        (137, False, "was ended by SIGKILL, probably because it used more memory than the 100 MB allowed"),
        (1, True, "ended with status 1"),
        (139, False, "crashed (segmentation fault)"),
        (143, False, "was ended by SIGTERM"),
    ],
)
def test_reason_of_an_exit_is_described_unless_the_program_stopped_the_bot(
    status: int, out_of_memory: bool, reason: str
) -> None:
    """Only status 137 and the kernel's report together prove that a bot ran out of memory."""
    assert exit_of(status, out_of_memory, Limits()).reason == reason
    assert exit_of(137, True, Limits(), "was stopped").reason == "was stopped"


EVERYTHING = {"Dockerfile", "bot.py", "a", "a/b.pyc", "a/c", "a/c/d.pyc"}


@pytest.mark.parametrize(
    ("ignored", "kept"),
    [
        ("", EVERYTHING),
        ("# *\n*.pyc\n/bot.py", {"Dockerfile", "a", "a/b.pyc", "a/c", "a/c/d.pyc"}),
        ("**/*.pyc", {"Dockerfile", "bot.py", "a", "a/c"}),
        ("a/**\n!a/c/*", {"Dockerfile", "bot.py", "a", "a/c/d.pyc"}),
        ("*\n! bot.py", {"Dockerfile", "bot.py"}),
        ("[z-a]\n[\n\\\n..\n" + "**/" * 18 + "b\n" + "*a" * 100 + "b", EVERYTHING),
    ],
)
def test_dockerignore_is_applied_as_docker_does_and_quickly(ignored: str, kept: set[str], tmp_path: Path) -> None:
    (tmp_path / "a" / "c").mkdir(parents=True)
    for name in ("Dockerfile", "bot.py", "a/b.pyc", "a/c/d.pyc"):
        (tmp_path / name).touch()
    (tmp_path / ".dockerignore").write_text(ignored)
    assert set(kept_paths(tmp_path)) - {".dockerignore"} == kept


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("docker", r"^Docker is not responding \(.*\): install"),
        ("light", "bubblewrap is not installed: apt-get install"),
        ("auto", "(?s)Docker is not responding.*bubblewrap is not installed"),
    ],
)
def test_error_says_why_no_bot_can_run_here_and_how_to_fix_it(
    kind: RunnerKind, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotRun, match=reason):
        asyncio.run(choose_runner(kind, BoxEnvironment("nowhere")))
