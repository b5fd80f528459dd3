"""A real Docker Engine builds bots. No build exceeds its limits, finds a secret, or leaves anything behind."""

import asyncio
import contextlib
import re
import signal
import socket
import subprocess
import sys
import tarfile
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import docker
import pytest
from msgspec import Struct
from msgspec.structs import replace

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.docker.build_proxy import build_network
from server.bots.sandbox.docker.engine import LABEL, inspect_image
from server.bots.sandbox.docker.image import build_image
from server.bots.sandbox.docker.runner import open_docker
from server.bots.sandbox.runner import CannotRun
from server.bots.sandbox.threads import run_in_thread
from tests.bots.sandbox.boxed_bots import (
    box_environment,
    find_leftovers,
    open_engine,
    open_runner,
    registry_with_bomb,
    serve_http,
)
from tests.support.archives import tar_of
from tests.support.background import background_task
from tests.support.bots.submission import write_bot

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_host")]

BASE = "FROM python:3.11-slim\nWORKDIR /bot\n"
CMD = 'CMD ["python", "bot.py"]\n'
PLANTED_TEXT = "the-organisers-own-secret"
WEB = IPv4Address("127.0.0.80")
MEGABYTE = 1 << 20
SMALL_LIMITS = Limits(build_disk_bytes=60 << 20, build_memory_bytes=200 << 20, build_seconds=60, build_files=50_000)


def _run_python(*lines: str) -> str:
    """Returns a Dockerfile instruction that runs a Python program with these lines."""
    quoted = " ".join("'" + line.replace("'", '"') + "'" for line in lines)
    writer = r"import sys; open('/p.py', 'w').write('\\n'.join(sys.argv[1:]))"
    return f'RUN python -c "{writer}" {quoted} && python /p.py\n'


WRITE_ENDLESSLY = "while 1: f.write(bytes(2**20))"
FLOODS = {
    "one file": (_run_python("f = open('/x', 'wb')", WRITE_ENDLESSLY), "3 .*(File too|more than the 60 MB)"),
    "files": (
        _run_python("import itertools", "for n in itertools.count(): open(f'/x{n}', 'wb').write(bytes(2**23))"),
        "3 .*writes more than the 60 MB allowed",
    ),
    "empty files": (
        _run_python("for n in range(10**6): open(f'/bot/{n}', 'w').close()"),
        "3 .*makes more than the 50000 files allowed",
    ),
    "one volume": (
        "VOLUME /v\n" + _run_python("f = open('/v/x', 'wb')", WRITE_ENDLESSLY),
        "4 .*(No space left|File too large)",
    ),
    "memory": (_run_python("a = bytearray()", "while 1: a += bytes(2**24)"), "3 .*(than the 200 MB allowed|code: 137)"),
    "time": ("RUN sleep 600\n", "[23] .*takes longer than 3 s"),
    "output": (_run_python("while 1: print('x' * 9999, end='')"), "3 .*prints more than 8 MB"),
    "copies": (
        "RUN python -c \"open('/x', 'wb').write(bytes(40 << 20))\"\nFROM python:3.11-slim\n"
        "COPY --from=0 /x /1\nCOPY --from=0 /x /2\n",
        "5 .*become larger than the 60 MB",
    ),
    "stages": (
        "RUN python -c \"open('/x', 'wb').write(bytes(25 << 20))\"\n"
        + "FROM python:3.11-slim\nCOPY --from=0 /x /1\n" * 3,
        "7 .*become larger than the 60 MB",
    ),
    "linked files of its folder": ("COPY link* x/\n", "3 .*copies more than"),
    "sparse files": (
        _run_python("for n in range(9): open(f'/x{n}', 'wb').truncate(50 << 20)"),
        "3 .*(writes more than|become larger than) the 60 MB",
    ),
    "volumes": ("VOLUME " + " ".join(f"/v{n}" for n in range(50)) + "\nRUN true\n", "4 .*more than 20 Volumes"),
    "ports": ("EXPOSE 1-1000\nRUN true\n", "4 .*more than 100 ExposedPorts"),
    "archive": ("ADD bomb.tar.gz /x\n", "3 .*ADD does not unpack archives"),
}
"""For each flood: lines of a Dockerfile, and a pattern that matches the failing line's number and its error."""


@pytest.mark.parametrize("flood", FLOODS)
def test_build_that_floods_the_machine_is_stopped(flood: str, tmp_path: Path) -> None:
    lines, pattern = FLOODS[flood]
    folder = write_bot(tmp_path / "bot", dockerfile=BASE + lines + CMD)
    (folder / "bomb.tar.gz").write_bytes(tar_of([("zeros", tarfile.REGTYPE, bytes(50 * MEGABYTE))], "w:gz"))
    (folder / "large").write_bytes(bytes(15 * MEGABYTE))
    for number in range(4):
        (folder / f"link{number}").symlink_to("large")
    limits = replace(SMALL_LIMITS, build_seconds=3.0) if flood == "time" else SMALL_LIMITS
    outcome = _build(tmp_path, limits=limits, folder_of_bot=folder)
    assert re.match(f"(?s)Stranger cannot be built: Dockerfile line {pattern}", outcome.reason), outcome.reason[:500]


def test_fork_bomb_in_a_build_stays_below_the_limit_of_processes(tmp_path: Path) -> None:
    bomb = _run_python(
        "import os, time", "n = 0", "try:", "    while n < 3000:", "        if not os.fork(): time.sleep(600)",
        "        n += 1", "except OSError: pass", "print('forked', n, flush=True)", "os.kill(1, 15)",
    )  # fmt: skip
    outcome = _build(tmp_path, BASE + bomb + CMD, replace(SMALL_LIMITS, build_processes=100))
    (forked,) = [int(line.split()[1]) for line in outcome.lines if line.startswith("forked")]
    assert 10 < forked < 100


def test_build_has_no_capability_outside_its_container(tmp_path: Path) -> None:
    attempts = _run_python(
        "import ctypes, os, socket", "c = ctypes.CDLL(None)",
        "def attempt(name, what):", "    try: print(name, what())",
        "    except OSError as error: print(name, error.errno)",
        "attempt('mount', lambda: c.mount(b'x', b'/bot', b'tmpfs', 0, None))",
        "attempt('mknod', lambda: os.mknod('/sda', 0o60600, os.makedev(8, 0)))",
        "attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))",
        "attempt('chroot', lambda: os.chroot('/tmp'))",
        "attempt('chown', lambda: os.chown('/p.py', 65534, 65534))",
    )  # fmt: skip
    outcome = _build(tmp_path, BASE + attempts + CMD)
    results = dict(line.split() for line in outcome.lines if re.match("mount|mknod|raw|chroot|chown", line))
    assert results == {"mount": "-1", "mknod": "1", "raw": "1", "chroot": "1", "chown": "None"}


def test_no_instruction_copies_a_secret_of_the_organiser(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(PLANTED_TEXT)
    with serve_http({"/secret": ("text/plain", PLANTED_TEXT.encode())}) as (port, requested_paths):
        for lines in (
            "COPY ../secret* .\nRUN cat secret\n",
            "COPY parent/secret /x\nRUN cat /x\n",
            "COPY link /x\nRUN cat /x\n",
            f"ADD http://127.0.0.1:{port}/secret /x\nRUN cat /x\n",
            f"ARG A=http://127.0.0.1:{port}/secret\nADD $A /x\nRUN cat /x\n",
            f"ENV A=http://127.0.0.1:{port}/secret\nCOPY $A /x\nRUN cat /x\n",
        ):
            folder = write_bot(tmp_path / str(abs(hash(lines))) / "bot", dockerfile=BASE + lines + CMD)
            (folder / "link").symlink_to(tmp_path / "secret")
            (folder / "parent").symlink_to("../..")
            outcome = _build(tmp_path, folder_of_bot=folder)
            assert PLANTED_TEXT not in outcome.reason + "\n".join(outcome.lines) + str(outcome.config)
    assert not requested_paths


def test_image_that_is_too_large_when_unpacked_is_not_kept(tmp_path: Path) -> None:
    """In the registry, the image is compressed to a thousandth of its size."""
    with registry_with_bomb(200 * MEGABYTE) as address:
        outcome = _build(tmp_path, f"FROM {address}/bomb:1\n{CMD}", registries=(address,))
        assert "larger than the 60 MB allowed" in outcome.reason
        with open_engine() as engine:
            assert engine.images(name=f"{address}/bomb") == []


async def test_nobody_builds_on_another_contestants_bot(tmp_path: Path) -> None:
    """A bot's image has no name. Docker also accepts an image's id, or the start of the id. We refuse both."""
    victim = write_bot(tmp_path / "victim")
    (victim / "strategy.txt").write_text(PLANTED_TEXT)
    async with open_runner("docker", tmp_path) as runner:
        image = await runner.build("Billy", victim, lambda _: None)
        digits = image.removeprefix("sha256:")
        for name in (image, digits, digits[:12], digits[:2]):
            for line in (f"FROM {name}\n", f"{BASE}COPY --from={name} /bot/strategy.txt .\n"):
                thief = write_bot(tmp_path / "thief", dockerfile=f"{line}RUN cat strategy.txt\n{CMD}")
                with pytest.raises(CannotRun, match="Dockerfile line") as refusal:
                    await runner.build("Thief", thief, lambda _: None)
                assert PLANTED_TEXT not in str(refusal.value)
        with open_engine() as engine:
            assert inspect_image(engine, image)["RepoTags"] == []


def test_nobody_builds_on_an_image_that_exists_only_on_this_machine(tmp_path: Path) -> None:
    """A build uses the registry's image, not this machine's image of the same name. The build changes no tag."""
    with registry_with_bomb(MEGABYTE) as address, open_engine() as engine:
        public_image = f"{address}/bomb"
        private_images = ((public_image, "1"), (f"{address}/bomb", "mine"), ("acme/private", "1"), ("payroll", "1"))
        content = tar_of([("secret.txt", tarfile.REGTYPE, PLANTED_TEXT.encode())])
        for repository, tag in private_images:
            engine.import_image_from_data(content, repository, tag)

        def list_tags() -> dict[str, str]:
            return {tag: image["Id"] for image in engine.images(name=public_image) for tag in image["RepoTags"] or ()}

        tags_before = list_tags()

        def refuse(copied: str) -> str:
            dockerfile = f"{BASE}COPY --from={copied} .\nRUN cat secret.txt\n{CMD}"
            return _build(tmp_path, dockerfile, registries=(address,)).reason

        try:
            for repository, tag in private_images:
                refusal = refuse(f"{repository}:{tag} /secret.txt")
                assert "Dockerfile line 3" in refusal
                assert PLANTED_TEXT not in refusal
                assert "Build on a public image" in refusal or (repository, tag) == private_images[0]
            assert "Dockerfile line 4" in refuse(f"{public_image}:1 /zeros")
            assert list_tags() == tags_before
        finally:
            for repository, tag in private_images:
                engine.remove_image(f"{repository}:{tag}")


def test_stages_arguments_and_settings_work_as_in_docker(tmp_path: Path) -> None:
    outcome = _build(
        tmp_path,
        """\
# syntax=docker/dockerfile:1
ARG VERSION=3.11
FROM python:${VERSION}-slim AS made
ARG VERSION
ARG WORD="how do"
SHELL ["/bin/sh", "-ec"]
RUN --mount=type=cache,target=/cache echo "$WORD $VERSION" > /out
FROM python:$VERSION-slim AS last
ENV GREETING="how do" PLACE=/bot
WORKDIR $PLACE
COPY --from=made /out ./
FROM last
ADD bot.py .
CMD ["bot.py"]
ENTRYPOINT ["python"]
LABEL highnoon=mine highnoon.source=mine
EXPOSE 5000
RUN cat out
USER 1234
""",
    )
    assert {"how do 3.11", "Successfully built."} <= {*outcome.lines}, outcome.reason
    assert outcome.lines[0] == "Step 1/18 : ARG VERSION=3.11"
    config = outcome.config
    assert (config["Entrypoint"], config["Cmd"], config["WorkingDir"]) == (["python"], ["bot.py"], "/bot")
    assert sorted(config["Env"])[:2] == ["GREETING=how do", "PATH=/usr/local/bin:/usr/bin:/bin"]
    assert (config["User"], list(config["ExposedPorts"])) == ("1234", ["5000/tcp"])
    assert config["Labels"][LABEL] == box_environment(tmp_path).label
    assert config["Labels"][f"{LABEL}.source"] != "mine"


def test_files_in_dockerignore_are_not_in_the_image(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "bot", dockerfile=f"{BASE}COPY . .\nRUN cat secret.txt\n{CMD}")
    (folder / "secret.txt").write_text("hush")
    (folder / ".dockerignore").write_text("# not for you\n*.txt\n")
    assert "secret.txt: No such file" in _build(tmp_path, folder_of_bot=folder).reason


def test_failed_download_says_how_builds_get_a_network(tmp_path: Path) -> None:
    fetch = _run_python("import urllib.request", "urllib.request.urlopen('http://pypi.org/')")
    assert "build_network = true in the event file" in _build(tmp_path, BASE + fetch + CMD).reason


async def test_build_reaches_web_servers_but_not_this_machine(tmp_path: Path) -> None:
    """Tests cannot reach public addresses, so a server at the address WEB stands in for a public one."""
    probe = _run_python(
        "import os, socket, urllib.request",
        "def attempt(what):", "    try: print(what())", "    except Exception as error: print(error)",
        "attempt(lambda: urllib.request.urlopen('http://127.0.0.80/').read().decode())",
        "attempt(lambda: urllib.request.urlopen('http://127.0.0.1/').read().decode())",
        "attempt(lambda: urllib.request.urlopen('http://localhost/').read().decode())",
        "attempt(lambda: urllib.request.urlopen('http://127.0.0.80:22/').read().decode())",
        "attempt(lambda: socket.create_connection(('127.0.0.80', 80), 2) and 'past the proxy')",
        "print('env', os.environ['https_proxy'])",
    )  # fmt: skip
    with serve_http({"/": ("text/plain", b"from the web")}, str(WEB), 80):
        output, config = await _build_with_network(tmp_path, BASE + probe + CMD)
    assert "proxy" not in str(config)
    refused = "HTTP Error 403: Forbidden"
    assert [line for line in output if line in ("from the web", refused)] == ["from the web", refused, refused, refused]
    assert "The build connects to 127.0.0.80." in output
    assert "past the proxy" not in output
    assert find_leftovers(tmp_path) == []


async def test_build_proxy_limits_connections_and_bytes(tmp_path: Path) -> None:
    """A server at the address WEB stands in for a public server, and sends bytes without end."""
    probe = _run_python(
        "import select, socket, time", "def connect(): return socket.create_connection(('127.0.0.1', 5000))",
        "connections, deadline, closed = [connect() for n in range(500)], time.time() + 10, set()",
        "while len(closed) < 436 and time.time() < deadline:",
        "    closed |= set(select.select([c for c in connections if c not in closed], [], [], 1)[0])",
        "print('closed', len(closed))", "for connection in {*connections} - closed:",
        "    connection.shutdown(socket.SHUT_WR)", "    select.select([connection], [], [])  # the proxy hangs up, too",
        "tunnel, received = connect(), 0",
        "tunnel.sendall(b'CONNECT 127.0.0.80:80 HTTP/1.1' + bytes([13, 10, 13, 10]))",
        "while piece := tunnel.recv(2**20): received += len(piece)", "print('received', received)",
    )  # fmt: skip
    with socket.create_server((str(WEB), 80)) as server:
        server.settimeout(SMALL_LIMITS.build_seconds)
        thread = threading.Thread(target=_send_endlessly, args=(server,))
        thread.start()
        output, _ = await _build_with_network(tmp_path, BASE + probe + CMD)
        thread.join()
    counts = dict(line.split() for line in output if line.startswith(("closed ", "received ")))
    assert int(counts["closed"]) == 500 - 64
    head_bytes = len(b"HTTP/1.1 200 Connection established\r\n\r\n")  # the proxy's answer, which precedes WEB's bytes
    assert head_bytes < int(counts["received"]) <= SMALL_LIMITS.build_disk_bytes + head_bytes


async def _build_with_network(folder: Path, dockerfile: str) -> tuple[list[str], Mapping[str, Any]]:
    """Builds a bot, and lets the build reach WEB. Returns the lines of output and the image's settings."""
    environment, bot = box_environment(folder, SMALL_LIMITS), write_bot(folder / "bot", dockerfile=dockerfile)
    lines = list[str]()
    with open_engine() as engine:
        async with build_network(engine, "Web", environment, lines.append, lambda address: address == WEB) as network:
            build = partial(build_image, engine, "Web", bot, environment, say=lines.append)
            image = await run_in_thread(partial(build, cancel_signal=Future(), network=network))
        config: Mapping[str, Any] = inspect_image(engine, image)["Config"]
        engine.remove_image(image)
    return lines, config


def _send_endlessly(server: socket.socket) -> None:
    client, _ = server.accept()
    with client, contextlib.suppress(OSError):
        while True:
            client.sendall(bytes(MEGABYTE))


def test_failed_build_leaves_no_image_of_its_earlier_steps(tmp_path: Path) -> None:
    mark = f"MARK={tmp_path.name}"
    assert "Dockerfile line 4 (COPY nothing .)" in _build(tmp_path, f"{BASE}ENV {mark}\nCOPY nothing .\n{CMD}").reason
    with open_engine() as engine:
        for image in engine.images(all=True):
            with contextlib.suppress(docker.errors.ImageNotFound):  # another test may just have removed the image
                assert image["RepoTags"] or mark not in str(inspect_image(engine, str(image["Id"]))["Config"])


async def test_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "bot", dockerfile=f"{BASE}RUN echo on && sleep 600\n{CMD}")
    is_running = asyncio.Event()
    async with open_runner("docker", tmp_path) as runner:
        build = runner.build("Slow", folder, lambda line: is_running.set() if line == "on" else None)
        async with background_task(build):
            await is_running.wait()  # Then the end of this block interrupts the build.
    assert find_leftovers(tmp_path) == []


def test_leftovers_of_a_killed_program_are_removed_at_the_next_start(tmp_path: Path) -> None:
    write_bot(tmp_path / "bot", dockerfile=f"{BASE}COPY . .\nRUN echo first > x\nRUN echo on && sleep 600\n{CMD}")
    script = f"""
import asyncio
from pathlib import Path
from server.bots.sandbox.docker.runner import open_docker
from tests.bots.sandbox.boxed_bots import box_environment
async def main():
    runner = await open_docker(box_environment(Path({str(tmp_path)!r})))
    await runner.build("Slow", Path({str(tmp_path)!r}, "bot"), lambda line: print(line, flush=True))
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert any(line == "on\n" for line in program.stdout)
        program.send_signal(signal.SIGKILL)
    assert len(find_leftovers(tmp_path)) > 2

    async def open_and_close() -> None:
        await (await open_docker(box_environment(tmp_path))).close()

    asyncio.run(open_and_close())
    assert find_leftovers(tmp_path) == []


async def test_images_survive_an_interrupted_evening_but_not_a_finished_one(tmp_path: Path) -> None:
    """If an interrupted evening (tournament and show) is resumed, its bots need no new build."""
    folder = write_bot(tmp_path / "bot", dockerfile=f"{BASE}COPY . .\nRUN echo built\n{CMD}")
    is_built, first_lines, second_lines = asyncio.Event(), list[str](), list[str]()

    async def hold_evening(lines: list[str], end: asyncio.Event) -> None:
        runner = await open_docker(replace(box_environment(tmp_path), is_resumable=True))
        try:
            await runner.build("Billy", folder, lines.append)
            is_built.set()
            await end.wait()
        finally:
            await runner.close()

    async with background_task(hold_evening(first_lines, asyncio.Event())):
        await is_built.wait()  # Then the end of this block interrupts the evening.
    assert len(find_leftovers(tmp_path)) >= 1
    await hold_evening(second_lines, is_built)
    assert ("built" in first_lines, second_lines) == (True, [])
    assert find_leftovers(tmp_path) == []


class Outcome(Struct):
    """The result of a build: why it failed, its output, and the image's settings."""

    reason: str
    lines: list[str]
    config: Mapping[str, Any]


def _build(
    folder: Path,
    dockerfile: str = "",
    limits: Limits = SMALL_LIMITS,
    *,
    folder_of_bot: Path | None = None,
    registries: tuple[str, ...] = (),
) -> Outcome:
    """Builds a bot with `dockerfile`, or the bot in `folder_of_bot`. Fails if anything is left behind."""
    bot = folder_of_bot or write_bot(folder / "bot", dockerfile=dockerfile)
    outcome = Outcome("", [], {})

    async def run() -> None:
        runner = await open_docker(replace(box_environment(folder, limits), registries=registries))
        try:
            image = await runner.build("Stranger", bot, outcome.lines.append)
            with open_engine() as engine:
                outcome.config = inspect_image(engine, image)["Config"]
        except CannotRun as error:
            outcome.reason = str(error)
            assert find_leftovers(folder) == [], "a failed build must leave nothing, even before the runner is closed"
        finally:
            await runner.close()

    asyncio.run(run())
    assert find_leftovers(folder) == []
    return outcome
