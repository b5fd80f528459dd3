"""Boxes (sandboxes) of every kind build and start bots, limit them, keep their logs, and report why they ended."""

import asyncio
import os
import re
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.output_log import OutputLog, sanitized
from server.bots.sandbox.runner import BotCommands, BoxEnvironment, CannotRun, SocketBox, exit_of
from tests.bots.sandbox.boxed_bots import (
    Sandbox,
    box_environment,
    list_own_addresses,
    log_path,
    measure_think_ms,
    open_runner,
    read_log,
    register_bot,
    registry_with_bomb,
    seat_bot,
    start_bot,
    wait_for_end,
)
from tests.bots.sandbox.test_submitted_files import OTHER_ELF_NUMBER, OTHER_PROCESSOR, elf
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.bots.submission import HOST

MEGABYTE = 1 << 20
TOO_MUCH_MEMORY = "used more memory than the 100 MB allowed"
BUILD_CMD = "echo built by $(id -u) > made && ls && (echo x > /etc/passwd) 2> /dev/null || echo no permission elsewhere"
RUN_CMD = "exec python3 bot.py"


async def test_hostile_bots_stay_within_limits_and_delay_no_other_bot(sandbox: Sandbox, tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    async with open_runner(sandbox, tmp_path) as runner:
        honest = await seat_bot(await start_bot(runner, tmp_path, "honest"))
        alone_ms = await measure_think_ms(honest, 10)
        memory_box = await start_bot(runner, tmp_path, "memory")
        for behaviour in ("forks", "disk", "empties"):
            assert await register_bot(await start_bot(runner, tmp_path, behaviour)) == behaviour.title()
        await register_bot(stubborn_box := await start_bot(runner, tmp_path, "stubborn"))
        await start_bot(runner, tmp_path, "flood")
        spinning = await seat_bot(spinning_box := await start_bot(runner, tmp_path, "affinity"))
        started_at, seconds_before = loop.time(), (await spinning_box.usage()).cpu_seconds
        assert await measure_think_ms(honest, 10) <= 10 * alone_ms + 500, "hostile bots must not delay other bots much"
        while (cpu_seconds := (await spinning_box.usage()).cpu_seconds - seconds_before) < 0.4:
            await measure_think_ms(spinning, 5)
        assert cpu_seconds < (loop.time() - started_at) * 1.3, "the bot's four processes must share one processor"
        await spinning_box.stop()
        await stubborn_box.stop()
        assert TOO_MUCH_MEMORY in await wait_for_end(memory_box)
        assert await wait_for_end(stubborn_box) == "was stopped (-9)", "the bot must be killed, and so must its child"
    assert sandbox == "docker" or "no other processor" in log_path(tmp_path, "affinity").read_text()
    forked = int(log_path(tmp_path, "forks").read_text().partition("forked ")[2].partition(":")[0])
    assert 0 < forked < 64
    writes = [line.split() for line in read_log(tmp_path, "disk") if line.startswith("wrote")]
    assert len(writes) == 5
    assert {path.rstrip(":") for _, count, _, path, *_ in writes if int(count)} == {"/tmp", "/dev/shm"}  # noqa: S108
    assert max(int(count) for _, count, *_ in writes) <= 16 * MEGABYTE
    file_counts = [int(line.split()[1]) for line in read_log(tmp_path, "empties") if line.startswith("made")]
    assert len(file_counts) == 3
    assert 0 < max(file_counts) <= Limits().scratch_files, "empty files must be limited: each costs 1 kB of memory"
    flood_log = log_path(tmp_path, "flood").read_bytes()
    assert MEGABYTE / 2 < len(flood_log) <= MEGABYTE + 100
    assert not {0x1B, 0x07} & {*flood_log}, "no escape sequence may reach a terminal"
    # Docker keeps only the end of a long log. On a busy machine, the beginning may be lost before we read it.
    assert flood_log.startswith(b"flood since") or sandbox == "docker"


@pytest.mark.parametrize("behaviour", ["mapped", "memfds", "unlinked", "tables", "sockets"])
async def test_memory_outside_of_processes_is_limited(behaviour: str, sandbox: Sandbox, tmp_path: Path) -> None:
    """Above the limit, a bot gets no more memory or is killed. Bubblewrap kills the bots "tables" and "sockets"."""
    is_killed = sandbox != "docker" and behaviour in ("tables", "sockets")
    async with open_runner(sandbox, tmp_path) as runner:
        box = await start_bot(runner, tmp_path, behaviour)
        # A bot may register before it is killed. So if it must be killed, the test waits for its end.
        outcome = await (wait_for_end(box) if is_killed else _wait_for_play_or_end(box))
        assert re.match(f".*{TOO_MUCH_MEMORY}" if is_killed else f"it plays on|.*{TOO_MUCH_MEMORY}", outcome)
    lines = [line.split() for line in read_log(tmp_path, behaviour)]
    held = [int(words[1]) for words in lines if words[0] == "holds"]
    # Without control groups ("uncounted"), boxes forbid some kinds of memory. The bots "tables" and "sockets" print
    # nothing until they hold all their memory, so they may be killed before they print.
    was_refused = sandbox == "uncounted" and any(words[0] == "refused:" for words in lines)
    was_killed = behaviour in ("tables", "sockets") and outcome != "it plays on"
    assert held or was_refused or was_killed, "the bot must have tried to take memory"
    # Without control groups, memory is only measured now and then. Between two measurements, a bot may exceed 100 MB.
    max_megabytes = 500 if sandbox == "uncounted" else 100
    assert max(held, default=0) <= max_megabytes * MEGABYTE


async def test_bot_reaches_only_its_own_two_ports(sandbox: Sandbox, tmp_path: Path) -> None:
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server((host, 0))) for host in ("127.0.0.1", "0.0.0.0")]  # noqa: S104
        ports = [listener.getsockname()[1] for listener in listeners]
        open_to_bot = [f"{address}:{port}" for port in (5000, 5001) for address in ("127.0.0.1", HOST)]
        hosts = {*list_own_addresses(), "127.0.0.1", "127.0.0.2", "0.0.0.0", "172.17.0.1"}  # noqa: S104
        closed_to_bot = [f"{address}:{port}" for address in hosts for port in ports]
        async with open_runner(sandbox, tmp_path) as runner:
            box = await start_bot(runner, tmp_path, "network", arguments=[*open_to_bot, *closed_to_bot])
            for _ in range(2):  # At first, the bot connects to port 5000 of each address without sending anything.
                with pytest.raises(AssertionError, match="hung up"):
                    await register_bot(box)
            assert await register_bot(box) == "Network"
    lines = read_log(tmp_path, "network")
    assert {line.partition(" ")[2] for line in lines if line.startswith("reached")} == set(open_to_bot)
    assert "knocked everywhere" in lines


async def _wait_for_play_or_end(box: SocketBox) -> str:
    """Waits until the bot registers or ends. Returns why it has ended, or "it plays on" if it has not ended."""
    registering, ending = asyncio.ensure_future(register_bot(box)), asyncio.ensure_future(wait_for_end(box))
    await asyncio.wait({registering, ending}, return_when=asyncio.FIRST_COMPLETED)
    if not ending.done():
        await registering
        ending.cancel()
        return "it plays on"
    with suppress(AssertionError):
        await registering
    return ending.result()


PIPED_BOT = """\
import resource, socket, sys

def attempt(what):
    try:
        what()
        return "possible"
    except OSError as error:
        return type(error).__name__

print("no action, only for the log", file=sys.stderr)
word = sys.stdin.readline().strip()
print(word, open("made").read().strip())
print("own folder:", attempt(lambda: open("made", "w")))
print("scratch folder:", attempt(lambda: open("/tmp/notes", "w")))
print("network:", attempt(lambda: socket.create_connection(("192.0.2.1", 80), 2)))
print("open files:", resource.getrlimit(resource.RLIMIT_NOFILE))
sys.exit(3)
"""


async def test_bot_may_write_to_its_folder_only_during_its_build(sandbox: Sandbox, tmp_path: Path) -> None:
    async with open_runner(sandbox, tmp_path) as runner:
        lines: list[str] = []
        built = await runner.build_piped("Talker", _write_bot(tmp_path), BotCommands(RUN_CMD, BUILD_CMD), lines.append)
        assert [line for line in lines if line in ("bot.py", "no permission elsewhere")] or sandbox == "docker"
        bot = await runner.start_piped("Talker", built, log_path(tmp_path, "talker"))
        os.write(bot.stdin, b"howdy,\n")
        output = b""
        while piece := await asyncio.to_thread(os.read, bot.stdout, 4096):
            output += piece
        assert await wait_for_end(bot) == "ended with status 3 (3)"
        os.close(bot.stdin)
        os.close(bot.stdout)
        await bot.stop()
    built_by, own_folder, *others = output.decode().splitlines()
    assert built_by.startswith("howdy, built by")
    assert own_folder in ("own folder: OSError", "own folder: PermissionError")
    assert others == ["scratch folder: possible", "network: OSError", "open files: (256, 256)"]
    assert read_log(tmp_path, "talker") == ["no action, only for the log"]


@NEEDS_BUBBLEWRAP
async def test_build_that_fails_ends_with_the_reason(tmp_path: Path) -> None:
    small_limits = Limits(disk_bytes=1 << 20)
    many_files = "i=0; while [ $i -lt 200 ]; do : > $i || exit 1; i=$((i + 1)); done"
    for limits, command, reason in (
        (Limits(), "echo gcc: no such file; exit 2", "(?s)status 2.*gcc: no such file"),
        (Limits(build_seconds=0.5), "while :; do sleep 1; done", "longer than 0.5 s"),
        (small_limits, "head -c 3000000 /dev/zero > big", "wrote more than the 1 MB"),
        (small_limits, "truncate -s 900000 sparse and more", "left more than the 1 MB"),
        (small_limits, "exec 3> hidden; rm hidden; head -c 3000000 /dev/zero >&3", "wrote more than the 1 MB"),
        (Limits(disk_files=100), many_files, "wrote more than the 64 MB or 100 files"),
    ):
        async with open_runner("light", tmp_path, limits) as runner:
            with pytest.raises(CannotRun, match=reason):
                await runner.build_piped("Builder", _write_bot(tmp_path), BotCommands(RUN_CMD, command), lambda _: None)


def _write_bot(folder: Path) -> Path:
    bot = folder / "bot"
    bot.mkdir(exist_ok=True)
    (bot / "bot.py").write_text(PIPED_BOT)
    return bot


def write_program(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    path.chmod(0o755)


async def test_message_says_why_a_program_cannot_start_here(sandbox: Sandbox, tmp_path: Path) -> None:
    dockerfile = 'FROM python:3.11-slim\nWORKDIR /bot\nCOPY . .\nRUN true\nCMD ["./bot"]\n'
    async with open_runner(sandbox, tmp_path) as runner:
        for folder_name, content, message in (
            ("windows", b"#!/bin/sh\r\nexec python bot.py honest\r\n", "bot has Windows line endings (CRLF)"),
            ("foreign", elf(OTHER_ELF_NUMBER), f"bot is a program for {OTHER_PROCESSOR}, and bots run on Linux"),
        ):
            write_program(tmp_path / folder_name / "bot", content)
            assert message in await wait_for_end(await start_bot(runner, tmp_path, folder_name, dockerfile=dockerfile))


@pytest.mark.docker
@pytest.mark.usefixtures("docker_host")
async def test_image_for_another_processor_is_reported(tmp_path: Path) -> None:
    # Other tests pull a huge image (a bomb) from this registry. Here it unpacks to only a thousand bytes.
    with registry_with_bomb(1000, {"64-bit ARM": "arm64", "x86-64": "amd64"}[OTHER_PROCESSOR]) as address:
        runner = await choose_runner("docker", replace(box_environment(tmp_path), registries=(address,)))
        try:
            write_program(tmp_path / "honest" / "bot", elf(OTHER_ELF_NUMBER))
            dockerfile = f'FROM {address}/bomb:1\nCOPY bot /bot\nCMD ["/bot"]\n'
            reason = await wait_for_end(await start_bot(runner, tmp_path, dockerfile=dockerfile))
        finally:
            await runner.close()
    assert f"Its image is for {OTHER_PROCESSOR}, and bots run on Linux" in reason


def test_bot_inherits_no_open_file_and_no_umask(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("of the organiser")
    program = "import os, socket\nprint(*sorted(os.listdir('/proc/self/fd')), oct(os.umask(0)))\n"
    program += "print(socket.gethostbyname('TOURNAMENT_HOST'))\n"

    async def run() -> None:
        async with open_runner(sandbox, tmp_path) as runner:
            assert await wait_for_end(await start_bot(runner, tmp_path, program=program)) == "ended by itself (0)"

    with (tmp_path / "secret").open() as secret:
        os.set_inheritable(secret.fileno(), True)
        umask = os.umask(0)
        try:
            asyncio.run(run())  # The first connection to Docker opens files that stay open.
            open_files = len(os.listdir("/proc/self/fd"))
            asyncio.run(run())
        finally:
            os.umask(umask)
        assert len(os.listdir("/proc/self/fd")) <= open_files, "starting a bot must leave no file open in this process"
    inherited, server = read_log(tmp_path, "honest")
    assert inherited == "0 1 2 3 0o22", "the bot may inherit only files 0 to 2. It opens file 3 to list a folder"
    assert server == "127.0.0.1", "the server's name must resolve"


def test_long_log_loses_its_middle_and_no_log_keeps_control_characters(tmp_path: Path) -> None:
    for count in (18, 1000):
        log, lines = OutputLog(tmp_path / str(count), 100), [f"{number:04}\n" for number in range(count)]
        for line in lines:
            log.write(line.encode())
        log.close()
        gap = ["\n[4900 bytes or more left out]\n"] if count == 1000 else []
        assert (tmp_path / str(count)).read_text() == "".join([*lines[:10], *gap, *lines[10:][-10:]])
    assert sanitized(b"\x1b[2Jhowdy\r\n\xff\x00").decode() == "?[2Jhowdy?\n??"
    assert sanitized("Señor\tß\u202e\u200b\x9b".encode()).decode() == "Señor\tß???"


def test_end_of_a_bot_is_explained_unless_the_server_stopped_it() -> None:
    """Only status 137 and the kernel's report together prove that a bot ran out of memory."""
    for status, out_of_memory, reason in (
        (127, False, "could not be started: its command was not found or is not a program"),
        (137, True, "used more memory than the 100 MB allowed"),
        (137, False, "was ended by SIGKILL, probably because it used more memory than the 100 MB allowed"),
        (1, True, "ended with status 1"),
        (139, False, "crashed (segmentation fault)"),
    ):
        assert exit_of(status, out_of_memory, Limits()).reason == reason
        assert exit_of(137, True, Limits(), "was stopped").reason == "was stopped"


def test_error_says_why_no_bot_can_run_here_and_how_to_fix_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    monkeypatch.setenv("PATH", str(tmp_path))
    reasons: dict[RunnerKind, str] = {
        "docker": r"^Docker is not responding \(.*\): install",
        "light": "bubblewrap is not installed: apt-get install",
        "auto": "(?s)Docker is not responding.*bubblewrap is not installed",
    }
    for kind, reason in reasons.items():
        with pytest.raises(CannotRun, match=reason):
            asyncio.run(choose_runner(kind, BoxEnvironment("nowhere")))
