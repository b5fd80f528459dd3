"""`check` names programs and images for another processor or system, and so does the error when a bot cannot start."""

import asyncio
import json
import platform
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.processors import foreign_message, foreign_programs, image_message
from server.submissions.commands import read_commands
from tests.bots.sandbox.boxed_bots import box_environment, opened, put_in, wait_for_end
from tests.bots.sandbox.registry import registry_with_bomb
from tests.support.program import highnoon
from tests.support.submission import write_bot

OTHER, NUMBER = ("x86-64", 62) if platform.machine() == "aarch64" else ("64-bit ARM", 183)
"""The name of a processor that this machine does not have, and the processor's number in ELF files."""
WINDOWS = b"MZ\x90\0\3\0\0\0" + bytes(60)
BY_A_PROGRAM = 'FROM python:3.11-slim\nWORKDIR /bot\nCOPY . .\nRUN true\nCMD ["./bot"]\n'


def elf(machine: int) -> bytes:
    """The first 64 bytes of an ELF file: a program for Linux on the processor with this number."""
    return b"\x7fELF\2\1\1" + bytes(9) + b"\2\0" + machine.to_bytes(2, "little") + b"\1" + bytes(43)


def test_programs_for_other_systems_and_processors_are_named_but_not_libraries(tmp_path: Path) -> None:
    for name, content in {
        "arm": elf(183), "x86": elf(62), "riscv": elf(243), "odd": elf(9999), "bot.exe": WINDOWS,
        "mac": b"\xcf\xfa\xed\xfe" + bytes(60), "universal": b"\xca\xfe\xba\xbe\0\0\0\2" + bytes(60),
        "Bot.class": b"\xca\xfe\xba\xbe\0\0\0\x41" + bytes(60), "fast.so": elf(183), "libc.so.6": elf(183),
        "MZ.txt": b"MZ is a country code, and this is a text.", "short": b"\x7fELF",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
    others = {"bot.exe": "Windows", "mac": "macOS", "universal": "macOS", "riscv": "RISC-V"}
    others |= {"odd": "another processor (number 9999)"}
    assert foreign_programs(tmp_path, "x86_64") == {"arm": "64-bit ARM", **others}
    assert foreign_programs(tmp_path, "arm64") == {"x86": "x86-64", **others}
    assert set(foreign_programs(tmp_path, "s390x")) == {"bot.exe", "mac", "universal"}
    assert foreign_message({"bot": "64-bit ARM"}, "x86_64") == (
        "bot is a program for 64-bit ARM, and bots run on Linux with the processor x86-64 here. "
        "Compile it for this processor, or let the build compile it: by RUN in a Dockerfile, "
        "or by the build command of a bot.json."
    )


@pytest.mark.parametrize(
    ("image", "engine", "named"),
    [("arm64", "amd64", "64-bit ARM"), ("amd64", "arm64", "x86-64"), ("amd64", "amd64", ""), ("386", "amd64", ""),
     ("", "amd64", "")],
)  # fmt: skip
def test_message_names_the_processor_of_an_image_unless_it_runs_here(image: str, engine: str, named: str) -> None:
    found = image_message(image, engine)
    assert found.startswith(f"Its image is for {named}, and bots run on Linux") if named else not found


async def test_bot_built_for_another_processor_ends_with_a_message_that_says_so(
    kind: RunnerKind, tmp_path: Path
) -> None:
    program = tmp_path / "honest" / "bot"
    program.parent.mkdir()
    program.write_bytes(elf(NUMBER))
    program.chmod(0o755)
    async with opened(kind, tmp_path) as runner:
        end = await wait_for_end(await put_in(runner, tmp_path, dockerfile=BY_A_PROGRAM))

    assert f"bot is a program for {OTHER}, and bots run on Linux" in end


@pytest.mark.docker
@pytest.mark.usefixtures("docker_host")
def test_bot_on_an_image_for_another_processor_ends_with_a_message_that_says_so(tmp_path: Path) -> None:
    docker_name = {"64-bit ARM": "arm64", "x86-64": "amd64"}[OTHER]

    async def run(address: str) -> str:
        common = replace(box_environment(tmp_path), registries=(address,))
        runner = await choose_runner("docker", common)
        try:
            (tmp_path / "honest").mkdir()
            (tmp_path / "honest" / "bot").write_bytes(elf(NUMBER))
            (tmp_path / "honest" / "bot").chmod(0o755)
            dockerfile = f'FROM {address}/bomb:1\nCOPY bot /bot\nCMD ["/bot"]\n'
            return await wait_for_end(await put_in(runner, tmp_path, dockerfile=dockerfile))
        finally:
            await runner.close()

    with registry_with_bomb(1000, docker_name) as address:
        assert f"Its image is for {OTHER}, and bots run on Linux" in asyncio.run(run(address))


def test_check_names_programs_for_another_processor_without_starting_the_bot(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "submissions" / "Ada", "Ada Ace")
    (bot / "engine").write_bytes(elf(NUMBER))
    said = " ".join(highnoon("check", "submissions", "--no-run", cwd=tmp_path).stdout.split())
    assert "TO FIX" in said
    assert f"FIX engine is a program for {OTHER}, and bots run on Linux with the processor" in said


def test_upac_bot_with_windows_line_ends_or_windows_programs_is_reported(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.json").write_text(json.dumps({"name": "FOY", "run": "./bot.py"}))
    (bot / "bot.py").write_bytes(b"#!/usr/bin/env python3\r\n")
    (bot / "library.py").write_bytes(b"#!/usr/bin/env python3\r\n")
    (bot / "engine.exe").write_bytes(WINDOWS)
    windows, foreign = read_commands(tmp_path, tmp_path / "work").mends
    assert windows == "bot.py has Windows line endings (CRLF) and cannot start. Save with Unix line endings (LF)."
    assert foreign.startswith("engine.exe is a program for Windows, and bots run on Linux")
