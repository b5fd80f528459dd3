"""Which bots start in a box and what they inherit, what their log keeps, and how it is reported why a bot ended."""

import asyncio
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.output_log import OutputLog, sanitized
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Limits, exit_of
from tests.bots.sandbox.boxed_bots import box_environment, logged, opened, put_in, registered, wait_for_end
from tests.bots.sandbox.docker_engine import registry_with_bomb
from tests.bots.sandbox.test_bot_folder import NUMBER, OTHER, elf

PRINTS_WHAT_IT_FINDS = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
CMD python -c "import os; print(*sorted(os.listdir('/proc/self/fd')), oct(os.umask(0)))" && \\
    python -c "import socket; print(socket.gethostbyname('TOURNAMENT_HOST'))" && exec python bot.py honest
"""


def write_program(folder: Path, content: bytes) -> None:
    """Writes the executable file `bot` into the folder of the bot "honest"."""
    program = folder / "honest" / "bot"
    program.parent.mkdir()
    program.write_bytes(content)
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"#!/bin/sh\r\nexec python bot.py honest\r\n", "bot has Windows line endings (CRLF)"),
        (elf(NUMBER), f"bot is a program for {OTHER}, and bots run on Linux"),
    ],
    ids=["Windows line endings", "another processor"],
)
async def test_bot_that_cannot_start_here_ends_with_a_message_that_names_its_program(
    content: bytes, said: str, kind: RunnerKind, tmp_path: Path
) -> None:
    write_program(tmp_path, content)
    dockerfile = 'FROM python:3.11-slim\nWORKDIR /bot\nCOPY . .\nRUN true\nCMD ["./bot"]\n'
    async with opened(kind, tmp_path) as runner:
        assert said in await wait_for_end(await put_in(runner, tmp_path, dockerfile=dockerfile))


@pytest.mark.docker
@pytest.mark.usefixtures("docker_host")
async def test_bot_on_an_image_for_another_processor_ends_with_a_message_that_says_so(tmp_path: Path) -> None:
    with registry_with_bomb(1000, {"64-bit ARM": "arm64", "x86-64": "amd64"}[OTHER]) as address:
        runner = await choose_runner("docker", replace(box_environment(tmp_path), registries=(address,)))
        try:
            write_program(tmp_path, elf(NUMBER))
            dockerfile = f'FROM {address}/bomb:1\nCOPY bot /bot\nCMD ["/bot"]\n'
            end = await wait_for_end(await put_in(runner, tmp_path, dockerfile=dockerfile))
        finally:
            await runner.close()
    assert f"Its image is for {OTHER}, and bots run on Linux" in end


def test_bot_inherits_no_open_file_and_no_umask(kind: RunnerKind, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("of the organiser")

    async def run() -> None:
        async with opened(kind, tmp_path) as runner:
            await registered(await put_in(runner, tmp_path, dockerfile=PRINTS_WHAT_IT_FINDS))

    with (tmp_path / "secret").open() as secret:
        os.set_inheritable(secret.fileno(), True)
        before = os.umask(0)
        try:
            asyncio.run(run())  # The first connection to Docker opens files that stay open.
            open_files = len(os.listdir("/proc/self/fd"))
            asyncio.run(run())
        finally:
            os.umask(before)
        assert len(os.listdir("/proc/self/fd")) <= open_files, "starting a bot must leave no file open in this process"
    inherited, server, *_ = logged(tmp_path, "honest")
    assert inherited == "0 1 2 3 0o22", "the bot has only 0 to 2 open; 3 is the folder that it lists"
    assert server == "127.0.0.1", "the server's name must resolve"


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
        (127, False, "could not be started: its command was not found or is not a program"),
        (137, True, "used more memory than the 100 MB allowed"),
        (137, False, "was ended by SIGKILL, probably because it used more memory than the 100 MB allowed"),
        (1, True, "ended with status 1"),
        (139, False, "crashed (segmentation fault)"),
    ],
)
def test_reason_of_an_exit_is_described_unless_the_program_stopped_the_bot(
    status: int, out_of_memory: bool, reason: str
) -> None:
    """Only status 137 and the kernel's report together prove that a bot ran out of memory."""
    assert exit_of(status, out_of_memory, Limits()).reason == reason
    assert exit_of(137, True, Limits(), "was stopped").reason == "was stopped"


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
