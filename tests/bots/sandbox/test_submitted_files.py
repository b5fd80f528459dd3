"""Dangerous or oversized files of submitted bots are refused. Dockerfiles are read as Docker reads them."""

import io
import json
import os
import platform
import stat
import tarfile
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.bubblewrap.command import bot_folder_path
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe, read_recipe
from server.bots.sandbox.bubblewrap.unpack import ArchiveTooLarge, BadEntry, unpack
from server.bots.sandbox.docker.build_context import build_context, build_paths, has_archives
from server.bots.sandbox.dockerfile import DockerfileFault, ExpansionLimit, fill_variables, parse_dockerfile
from server.bots.sandbox.dockerfile_rules import allowed_image, check_rules
from server.bots.sandbox.foreign_programs import foreign_message, foreign_programs, image_message
from server.bots.sandbox.runner import CannotRun
from server.bots.sandbox.submitted_folder import read_dockerfile
from server.submissions.command_bots import read_command_bot
from tests.support.archives import Entry, tar_of

BASE = "FROM python:3.11-slim\n"
OTHER_PROCESSOR, OTHER_ELF_NUMBER = ("x86-64", 62) if platform.machine() == "aarch64" else ("64-bit ARM", 183)
"""The name of a processor that this machine does not have, and the processor's number in ELF files."""
FILE, FOLDER, LINK, HARD_LINK = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
WINDOWS_PROGRAM = b"MZ\x90\0\3\0\0\0" + bytes(60)
MakeFile = Callable[[Path], None]


def elf(machine: int) -> bytes:
    """Returns the first 64 bytes of a Linux program (an ELF file) for the processor with the number `machine`."""
    return b"\x7fELF\2\1\1" + bytes(9) + b"\2\0" + machine.to_bytes(2, "little") + b"\1" + bytes(43)


@pytest.mark.parametrize(
    "make_file",
    [
        os.mkfifo,
        lambda path: os.mknod(path, stat.S_IFSOCK),
        lambda path: os.mknod(path, stat.S_IFBLK, os.makedev(7, 200)),
    ],
)
def test_folder_with_anything_but_files_folders_and_links_is_refused(make_file: MakeFile, tmp_path: Path) -> None:
    try:
        make_file(tmp_path / "odd")
    except PermissionError:
        pytest.skip("only root can make devices")
    refusal = pytest.raises(CannotRun, match="'odd' in its folder is neither a file nor a folder nor a link")
    with refusal, build_context(tmp_path, build_paths(tmp_path), "FROM scratch\n"):
        pass


def test_folder_with_too_many_bytes_or_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "weights").open("wb") as file:
        file.truncate(5 << 30)
    refusal = pytest.raises(CannotRun, match="more than 2048 MB")
    with refusal, build_context(tmp_path, build_paths(tmp_path), "FROM scratch\n"):
        pass
    monkeypatch.setattr("server.bots.sandbox.docker.build_context.MAX_FILES", 20)
    for number in range(20):
        (tmp_path / str(number)).touch()
    with pytest.raises(CannotRun, match="more than 20 files"):
        build_paths(tmp_path)


@pytest.mark.parametrize(
    "make_file",
    [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to("/etc/passwd")],
)
def test_dockerfile_must_be_a_regular_file(make_file: MakeFile, tmp_path: Path) -> None:
    make_file(tmp_path / ".dockerignore")
    make_file(tmp_path / "Dockerfile")
    assert set(build_paths(tmp_path)) == {".dockerignore", "Dockerfile"}
    with pytest.raises(CannotRun, match="missing or not a regular file"):
        read_dockerfile(tmp_path)


def test_archives_are_recognised_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "plain.bin").write_bytes(tar_of([("x", FILE, b"")]))
    (tmp_path / "in" / "small.dat").write_bytes(tar_of([("x", FILE, b"")], "w:xz"))
    (tmp_path / "bot.py").write_text("print()")
    sources = ("./plain.bin", "*.bin", "in/*", "/in/small.dat", "bot.py", ".")
    assert [has_archives(tmp_path, [source]) for source in sources] == [True, True, True, True, False, False]


def test_dockerignore_means_the_same_as_in_docker(tmp_path: Path) -> None:
    (tmp_path / "a" / "c").mkdir(parents=True)
    for name in ("Dockerfile", "bot.py", "a/b.pyc", "a/c/d.pyc"):
        (tmp_path / name).touch()
    everything = {"Dockerfile", "bot.py", "a", "a/b.pyc", "a/c", "a/c/d.pyc"}
    for ignore_lines, kept_names in (
        ("", everything),
        ("# *\n*.pyc\n/bot.py", everything - {"bot.py"}),
        ("**/*.pyc", everything - {"a/b.pyc", "a/c/d.pyc"}),
        ("a/**\n!a/c/*", everything - {"a/b.pyc", "a/c"}),
        ("*\n! bot.py", {"Dockerfile", "bot.py"}),
        ("[z-a]\n[\n\\\n..\n" + "**/" * 18 + "b\n" + "*a" * 100 + "b", everything),
    ):
        (tmp_path / ".dockerignore").write_text(ignore_lines)
        assert set(build_paths(tmp_path)) - {".dockerignore"} == kept_names, ignore_lines


def test_programs_and_images_for_other_machines_are_reported(tmp_path: Path) -> None:
    for name, content in {
        "arm": elf(183), "x86": elf(62), "riscv": elf(243), "odd": elf(9999), "bot.exe": WINDOWS_PROGRAM,
        "mac": b"\xcf\xfa\xed\xfe" + bytes(60), "universal": b"\xca\xfe\xba\xbe\0\0\0\2" + bytes(60),
        "Bot.class": b"\xca\xfe\xba\xbe\0\0\0\x41" + bytes(60), "fast.so": elf(183), "libc.so.6": elf(183),
        "MZ.txt": b"MZ is a country code, and this is a text.", "short": b"\x7fELF",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
    always_foreign = {"bot.exe": "Windows", "mac": "macOS", "universal": "macOS", "riscv": "RISC-V"}
    always_foreign |= {"odd": "another processor (number 9999)"}
    assert foreign_programs(tmp_path, "x86_64") == {"arm": "64-bit ARM", **always_foreign}
    assert foreign_programs(tmp_path, "arm64") == {"x86": "x86-64", **always_foreign}
    assert set(foreign_programs(tmp_path, "s390x")) == {"bot.exe", "mac", "universal"}
    assert foreign_message({"bot": "64-bit ARM"}, "x86_64") == (
        "bot is a program for 64-bit ARM, and bots run on Linux with the processor x86-64 here. "
        "Compile it for this processor, or let the build compile it: by RUN in a Dockerfile, "
        "or by the build command of a bot.json."
    )
    assert image_message("arm64", "amd64").startswith("Its image is for 64-bit ARM, and bots run on Linux")
    assert image_message("amd64", "arm64").startswith("Its image is for x86-64, and bots run on Linux")
    assert not any(image_message(image, "amd64") for image in ("amd64", "386", ""))


def test_windows_line_ends_and_windows_programs_are_reported(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.json").write_text(json.dumps({"name": "FOY", "run": "./bot.py"}))
    (bot / "bot.py").write_bytes(b"#!/usr/bin/env python3\r\n")
    (bot / "fine.sh").write_bytes(b"#!/bin/sh\nprintf 'a\r\n'\n")
    (bot / "library.py").write_bytes(b"#!/usr/bin/env python3\r\n")
    (bot / "engine.exe").write_bytes(WINDOWS_PROGRAM)
    windows, foreign = read_command_bot(tmp_path, tmp_path / "work").warnings
    assert windows == "bot.py has Windows line endings (CRLF) and cannot start. Save with Unix line endings (LF)."
    assert foreign.startswith("engine.exe is a program for Windows, and bots run on Linux")


def test_instructions_are_parsed_as_docker_parses_them() -> None:
    for text, instructions in (
        ("\ufefffrom a\r\nrUn b\r\n", ["1 FROM a", "2 RUN b"]),
        ("\n# c\n  FROM\ta\n\n\tRUN   b  \n", ["3 FROM a", "5 RUN b"]),
        ("FROM a\nRUN b \\\n  c\\  \nd", ["1 FROM a", "2 RUN b   cd"]),
        ("FROM a\nRUN b \\\n# not c\n\n  # nor this\n d\nUSER e", ["1 FROM a", "2 RUN b  d", "7 USER e"]),
        ("FROM a\nRUN b \\\\\nUSER c", ["1 FROM a", "2 RUN b \\\\", "3 USER c"]),
        ("#Escape = `\nFROM a\nRUN b `\n c \\\nUSER d", ["2 FROM a", "3 RUN b  c \\", "5 USER d"]),
        ("# syntax=docker/dockerfile:1\n# escape=`\nFROM a`\nb", ["3 FROM ab"]),
        ("FROM a\nRUN b \\", ["1 FROM a", "2 RUN b"]),
        ('FROM a\nRUN ["sh", "-c", "cat <<EOF"]', ["1 FROM a", '2 RUN ["sh", "-c", "cat <<EOF"]']),
        ("FROM a\nCOPY --chown=x --from=b c d", ["1 FROM a", "2 COPY chown=x from=b c d"]),
    ):
        parsed = parse_dockerfile(text.encode()).instructions
        assert [f"{step.line} {' '.join([step.name, *step.flags, step.rest])}" for step in parsed] == instructions


def test_forbidden_instruction_or_syntax_is_refused_with_the_reason() -> None:
    for lines, line_number, reason in (
        ("ADD http://127.0.0.1:24300/secret /x", 2, "not allowed"),
        ("AD\\\nD \\\n# c\n\nht\\\ntp://127.0.0.1/x /x", 2, "not allowed"),
        ('ADD ["http://127.0.0.1/x", "/x"]', 2, "not allowed"),
        ('ADD ["bot.py", "\\u0068ttp://127.0.0.1/x", "/x"]', 2, "not allowed"),
        ("ARG URL=http://127.0.0.1/x\nADD $URL /x", 3, "not allowed"),
        ("ENV S http\nCOPY ${S:+http}://x/y /x", 3, "not allowed"),
        ("ADD github.com/ada/bot /x", 2, "not allowed"),
        ("ADD some/where.git#main:sub /x", 2, "not allowed"),
        ('COPY ["' + ".git#" * 40_000 + '\\n\\n", "/x"]', 2, "not allowed"),
        ("ADD --checksum=sha256:00 http://a/b /x", 2, "--checksum"),
        ("COPY --chmod=755 a b", 2, "RUN chmod"),
        ('COPY --from="a b" c d', 2, "--from"),
        ("RUN --mount=type=secret,id=aws cat /run/secrets/aws", 2, "--mount=type=secret"),
        ("RUN --mount=type=cache,target=/c --mount=from=python:3,target=/p ls", 2, "COPY the files"),
        ("RUN --network=host ls", 2, "--network=host"),
        ("ONBUILD ADD http://127.0.0.1/x /x", 2, "ONBUILD"),
        ("RUN <<EOF\nADD http://127.0.0.1/x /x\nEOF", 2, "<<"),
        ("INCLUDE other", 2, "'INCLUDE' is not an instruction"),
        ("RUN a\rADD http://x /x", 2, "control character"),
        ("ENV a=b \\\n c=d\\\v\nCOPY x y", 3, "control character"),
        ("COPY \u00a0--network=host a b", 2, "--network=host"),
        ("COPY --from=0 /a /b /c/", 2, "one file or folder"),
        ("COPY " + "a " * 102, 2, "more than 100 things"),
        ("ENV A=" + "a" * 2000 + "\nENV B=" + "$A" * 500 + "\nENV C=" + "$B" * 500, 4, "more than 1024 kB"),
        ("RUN a\n" * 400, 301, "more than 300"),
        ("RUN " + "a" * 300_000, 1, "more than 256 kB"),
    ):
        with pytest.raises(DockerfileFault) as refusal:
            check_rules(parse_dockerfile(f"{BASE}{lines}\n".encode()))
        assert str(refusal.value).startswith(f"Dockerfile line {line_number}: ")
        assert reason in str(refusal.value)
    for text, reason in (
        *((text, "no FROM line") for text in ("", "ARG a\nRUN ls\nFROM x")),
        (f"#SYNTAX=127.0.0.1:5000/docker/dockerfile:1\n{BASE}", "the syntax .* is not supported"),
    ):
        with pytest.raises(DockerfileFault, match=reason):
            check_rules(parse_dockerfile(text.encode()))


def test_ordinary_dockerfiles_are_allowed() -> None:
    for lines in (
        BASE + "ADD --chown=nobody:nogroup bot.py models/ /bot/\nCOPY --link a b",
        BASE + "RUN --mount=type=cache,target=/root/.cache/pip pip install -r requirements.txt",
        BASE + "RUN git clone https://github.com/ada/bot.git && curl http://example.org # ADD http://x",
        "ARG V=3.11\nFROM --platform=$BUILDPLATFORM python:$V AS build\nFROM scratch\nCOPY --from=build /b /b",
        BASE + 'HEALTHCHECK --interval=5s CMD curl http://127.0.0.1\nSHELL ["/bin/bash", "-c"]\nVOLUME /x',
        BASE + "RUN x=$((1 << 4)) && echo '<< here'",
        BASE + "COPY " + "a " * 100 + "/bot/",
    ):
        check_rules(parse_dockerfile(lines.encode()))


def test_images_come_from_docker_hub_and_the_registries_of_the_event_file() -> None:
    for image, name in (
        ("python", "python:latest"),
        ("python:3.11-slim", "python:3.11-slim"),
        ("docker.io/library/python:3", "library/python:3"),
        ("ghcr.io/astral-sh/uv:0.5", "ghcr.io/astral-sh/uv:0.5"),
        ("python@sha256:" + "a" * 64, "python@sha256:" + "a" * 64),
    ):
        assert allowed_image(1, image, ["ghcr.io"]) == name
    for image in (
        *("127.0.0.1:5000/x", "localhost/x", "LOCALHOST/x", "registry:5000/x", "[::1]:5000/x"),
        *("quay.io/x", "docker.io.evil.org/x", "http://10.0.0.1/x", "python:3*", "$NONE", ""),
        *("." * 200_000, "sha256:" + "a" * 64, "a" * 64),
    ):
        with pytest.raises(DockerfileFault, match="line 1: "):
            allowed_image(1, image, ["ghcr.io"])


def test_variables_are_substituted_but_cannot_make_an_instruction_too_long() -> None:
    """Each "$" counts as a variable with the longest value so far. So the estimated length is never too low."""
    assert fill_variables("$a-${a} ${b:-c} ${a:-c} ${a:+c}${b:+d} \\$a $b.", {"a": "x"}) == "x-x c x c $a ."
    for lines, reason in (
        ("ENV A=" + "a" * 2000 + "\nENV B=" + "\\$A" * 500 + "\nLABEL C=" + "`$B" * 500, "more than 1024 kB"),
        ("ENV A=" + "a" * 2000 + "\nENV A=$A${A}\n" * 10, "more than 1024 kB"),
        ("ENV A=a\nENV B=${A//a/bb}", "write variables as"),
        ("ENV PATH=/a:$PATH\n" * 50 + "ENV B=${C:-d}${E-f}\n" * 9, ""),
        ("RUN echo ${A//a/b} " + "$A" * 9999 + "\nCMD echo ${A%b}", ""),
    ):
        limit = ExpansionLimit()
        limit.add_variables(["BASE=" + "b" * 20])
        with pytest.raises(CannotRun, match=reason) if reason else nullcontext():
            for instruction in parse_dockerfile(f"{BASE}{lines}\n".encode()).instructions:
                limit.add(instruction)


def test_bubblewrap_runs_the_last_stage_and_reports_skipped_instructions() -> None:
    dockerfile = b"""\
# syntax=docker/dockerfile:1
FROM node:20 AS built
WORKDIR /elsewhere
CMD ["never"]

from python:3.11-slim
ARG folder=bots
ENV GREETING="how do" HOME=/$folder
ENV OLD way of saying it
WORKDIR /usr/src/${folder}
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
    recipe = read_recipe(parse_dockerfile(dockerfile))
    assert recipe.folder == "/usr/src/bots/mine"
    assert recipe.command == ("python", "-u", "bot.py")
    assert recipe.environment == {"GREETING": "how do", "HOME": "/bots", "OLD": "way of saying it"}
    assert [" ".join(sentence.split()) for sentence in recipe.skipped] == [
        "Not carried out: RUN pip install -r requirements.txt",
        "Not carried out: COPY --from=built /x /y",
    ]


def test_command_is_a_json_list_or_a_shell_line() -> None:
    for lines, command in (
        ("CMD python bot.py", ("/bin/sh", "-c", "python bot.py")),
        ('ENTRYPOINT ./bot\nCMD ["ignored"]', ("/bin/sh", "-c", "./bot")),
        ('CMD ["a"]\nCMD ["b"]', ("b",)),
        ('CMD ["early"]\nENTRYPOINT ["./bot"]', ("./bot",)),
    ):
        assert read_recipe(parse_dockerfile(f"FROM scratch\n{lines}\n".encode())).command == command
    with pytest.raises(CannotRun, match="CMD or an ENTRYPOINT"):
        read_recipe(parse_dockerfile(b"FROM scratch\nCOPY . .\n"))


def test_bubblewrap_bot_runs_in_its_workdir() -> None:
    for folder, path in (("/", "/bot"), ("/app", "/app"), ("/usr/src/app", "/usr/src/app")):
        assert bot_folder_path(Recipe(folder, {}, ("bot",), ())) == path
    for system_folder in ("/usr", "/usr/bin", "/usr/lib/bot", "/etc", "/proc/bot", "/tmp", "/bin"):  # noqa: S108
        with pytest.raises(CannotRun, match="part of the system"):
            bot_folder_path(Recipe(system_folder, {}, ("bot",), ()))


def test_folders_files_and_links_are_unpacked(tmp_path: Path) -> None:
    cases: list[tuple[list[Entry], dict[str, object]]] = [
        ([], {}),
        ([("./a", FOLDER, b""), ("./a/b", FILE, b"x")], {"a": None, "a/b": b"x"}),
        ([("a", LINK, "/etc/passwd")], {"a": "/etc/passwd"}),
        ([("a", FILE, b"x"), ("b", HARD_LINK, "a")], {"a": b"x", "b": b"x"}),
        ([("a", tarfile.FIFOTYPE, b""), ("b", tarfile.CHRTYPE, b"")], {}),
        ([("n" * 200, FILE, b"x")], {"n" * 200: b"x"}),
    ]
    for number, (entries, unpacked) in enumerate(cases):
        _unpack(tar_of(entries), tmp_path / str(number))
        contents: dict[str, object] = {}
        for path in (into := tmp_path / str(number) / "into").rglob("*"):
            content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            contents[path.relative_to(into).as_posix()] = content
        assert contents == unpacked


def test_archive_with_a_harmful_entry_is_refused(tmp_path: Path) -> None:
    archives: list[list[Entry]] = [
        [("../outside", FILE, b"x")],
        [("/tmp/outside", FILE, b"x")],  # noqa: S108 (nothing is written there)
        [("a", LINK, ".."), ("a/outside", FILE, b"x")],
        [("a", LINK, "/etc"), ("b", HARD_LINK, "a/passwd")],
        [("n" * 100_000, FILE, b"x")],
        [("/".join(["d" * 200] * 30), FILE, b"x")],
        [("a", FILE, b"x"), ("a/b", FILE, b"y")],
        [("a/b", FILE, b"x")],
        [("a", LINK, "")],
        [("a", LINK, "x" * 5000)],
        [("a", FOLDER, b""), ("b", HARD_LINK, "a")],
    ]
    for number, entries in enumerate(archives):
        folder = tmp_path / str(number)
        with pytest.raises(BadEntry):
            _unpack(tar_of(entries), folder)
        assert [path.name for path in folder.iterdir()] == ["into"], entries


@pytest.mark.parametrize("headers", [{"path": "a\0b"}, {"GNU.sparse.map": "0,x", "GNU.sparse.size": "-1"}])
def test_truncated_or_corrupt_archive_is_refused(headers: dict[str, str], tmp_path: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        entry = tarfile.TarInfo("a")
        entry.pax_headers, entry.size = headers, 1
        tar.addfile(entry, io.BytesIO(b"x"))
    with pytest.raises((BadEntry, tarfile.TarError)):
        _unpack(archive.getvalue(), tmp_path)
    for number, content in enumerate((tar_of([("a", FILE, b"x" * 5000)])[:3000], b"howdy" * 200)):
        with pytest.raises(tarfile.TarError):
            _unpack(content, tmp_path / str(number))


def test_unpacking_stops_at_the_limits(tmp_path: Path) -> None:
    large_file = [("a", FILE, b"x" * 100_001)]
    two_files = [(name, FILE, b"x" * 60_000) for name in "ab"]
    many_files = [(str(number), FILE, b"") for number in range(30)]
    for number, content in enumerate((tar_of(large_file), tar_of(two_files), tar_of(many_files), bytes(1_000_000))):
        with pytest.raises(ArchiveTooLarge):
            _unpack(content, tmp_path / str(number))
    folder = tarfile.TarInfo("a")
    folder.type, folder.size = FOLDER, -(10**9)
    with pytest.raises((BadEntry, tarfile.TarError)):
        _unpack(folder.tobuf(tarfile.GNU_FORMAT) + tar_of([("b", FILE, b"x")]), tmp_path)
    assert not (tmp_path / "into" / "b").exists()


def _unpack(content: bytes, folder: Path) -> None:
    """Unpacks the archive `content` into `folder / "into"`. The archive comes through a pipe, as after a real build."""
    folder.mkdir(exist_ok=True)
    read_end, write_end = os.pipe()

    def write() -> None:
        with open(write_end, "wb", buffering=0) as pipe, suppress(BrokenPipeError):
            pipe.write(content)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        unpack(read_end, folder / "into", Limits(disk_bytes=100_000, disk_files=20))
    finally:
        writer.join()
