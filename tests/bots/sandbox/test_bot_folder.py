"""What is read of a bot's folder: regular files only, within limits; and what of it cannot run here is named."""

import json
import os
import platform
import socket
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from server.bots.sandbox.docker import build_context as context
from server.bots.sandbox.docker.build_context import build_context, has_archives, kept_paths
from server.bots.sandbox.foreign_programs import foreign_message, foreign_programs, image_message
from server.bots.sandbox.runner import CannotRun
from server.bots.sandbox.submitted_folder import read_dockerfile
from server.submissions.command_bots import read_command_bot

EVERYTHING = {"Dockerfile", "bot.py", "a", "a/b.pyc", "a/c", "a/c/d.pyc"}
OTHER, NUMBER = ("x86-64", 62) if platform.machine() == "aarch64" else ("64-bit ARM", 183)
"""The name of a processor that this machine does not have, and the processor's number in ELF files."""
WINDOWS = b"MZ\x90\0\3\0\0\0" + bytes(60)
Make = Callable[[Path], None]


def elf(machine: int) -> bytes:
    """The first 64 bytes of an ELF file: a program for Linux on the processor with this number."""
    return b"\x7fELF\2\1\1" + bytes(9) + b"\2\0" + machine.to_bytes(2, "little") + b"\1" + bytes(43)


def _make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


@pytest.mark.parametrize("make", [os.mkfifo, _make_socket, lambda path: os.mknod(path, 0o60600, os.makedev(7, 200))])
def test_folder_with_anything_but_files_folders_and_links_is_refused(make: Make, tmp_path: Path) -> None:
    try:
        make(tmp_path / "odd")
    except PermissionError:
        pytest.skip("only root can make devices")
    refusal = pytest.raises(CannotRun, match="'odd' in its folder is neither a file nor a folder nor a link")
    with refusal, build_context(tmp_path, kept_paths(tmp_path), "FROM scratch\n"):
        pass


def test_folder_with_too_many_bytes_or_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "weights").open("wb") as file:
        file.truncate(5 << 30)
    refusal = pytest.raises(CannotRun, match="more than 2048 MB")
    with refusal, build_context(tmp_path, kept_paths(tmp_path), "FROM scratch\n"):
        pass
    monkeypatch.setattr(context, "MAX_FILES", 20)
    for number in range(20):
        (tmp_path / str(number)).touch()
    with pytest.raises(CannotRun, match="more than 20 files"):
        kept_paths(tmp_path)


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to("/etc/passwd")],
)
def test_dockerfile_and_dockerignore_are_read_only_if_they_are_regular_files(make: Make, tmp_path: Path) -> None:
    make(tmp_path / ".dockerignore")
    make(tmp_path / "Dockerfile")
    assert set(kept_paths(tmp_path)) == {".dockerignore", "Dockerfile"}
    with pytest.raises(CannotRun, match="missing or not a regular file"):
        read_dockerfile(tmp_path)


def test_archives_that_add_would_unpack_are_recognised_by_their_content(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "plain.bin", "w") as tar:
        tar.addfile(tarfile.TarInfo("x"))
    (tmp_path / "in").mkdir()
    with tarfile.open(tmp_path / "in" / "small.dat", "w:xz") as tar:
        tar.addfile(tarfile.TarInfo("x"))
    (tmp_path / "bot.py").write_text("print()")
    sources = ("./plain.bin", "*.bin", "in/*", "/in/small.dat", "bot.py", ".")
    assert [has_archives(tmp_path, [source]) for source in sources] == [True, True, True, True, False, False]


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


def test_message_names_the_processor_of_an_image_unless_it_runs_here() -> None:
    assert image_message("arm64", "amd64").startswith("Its image is for 64-bit ARM, and bots run on Linux")
    assert image_message("amd64", "arm64").startswith("Its image is for x86-64, and bots run on Linux")
    assert not any(image_message(image, "amd64") for image in ("amd64", "386", ""))


def test_upac_bot_with_windows_line_ends_or_windows_programs_is_reported(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.json").write_text(json.dumps({"name": "FOY", "run": "./bot.py"}))
    (bot / "bot.py").write_bytes(b"#!/usr/bin/env python3\r\n")
    (bot / "fine.sh").write_bytes(b"#!/bin/sh\nprintf 'a\r\n'\n")
    (bot / "library.py").write_bytes(b"#!/usr/bin/env python3\r\n")
    (bot / "engine.exe").write_bytes(WINDOWS)
    windows, foreign = read_command_bot(tmp_path, tmp_path / "work").warnings
    assert windows == "bot.py has Windows line endings (CRLF) and cannot start. Save with Unix line endings (LF)."
    assert foreign.startswith("engine.exe is a program for Windows, and bots run on Linux")
