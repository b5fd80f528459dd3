"""The container image and compose files run a practice server, and a contest with bots in boxes (sandboxes)."""

import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import docker
import httpx
import pytest
from docker.errors import NotFound

from server.bots.sandbox.docker.engine import LABEL
from server.journal.journal import read_journal
from server.verify.recording import verify
from tests.bots.sandbox.boxed_bots import serve_http
from tests.support.bots.submission import write_player
from tests.support.program import wait_until
from tests.support.source_files import ROOT

DEPLOY = ROOT / "assets" / "deploy" / "container"
STARTER = ROOT / "assets" / "starters" / "quick-draw" / "python"
SECONDS = 600.0
BOTS = ("Ada", "Babbage", "Curry")
JOURNAL = "/data/data/recordings/2026-11-21-a-night-in-boxes.jsonl"
LISTEN = "127.0.77.1"
"""An address that no other test uses, because the compose file fixes the ports."""
BASE = f"http://{LISTEN}:8000"
EVENT = """\
name = "A night in boxes"
date = 2026-11-21
seed = "2a"
start = "bots"
pace = 0
runner = "docker"
host = "0.0.0.0"
bot_addresses = ["129.21.10.4"]
"""
PROBE = Path(__file__).with_name("probe_in_container.py")
_REACH = """
import contextlib, socket, sys
reached = []
for address in sys.argv[2:]:
    with contextlib.suppress(OSError), socket.create_connection((address, int(sys.argv[1])), 2):
        reached.append(address)
print(len(sys.argv[2:]), " ".join(reached), sep="\\n")
"""
pytestmark = [
    pytest.mark.docker,
    pytest.mark.programs,
    pytest.mark.skipif(
        not shutil.which("docker-compose"), reason="docker-compose is not installed: apt-get install docker-compose"
    ),
]


class Compose:
    """The containers that the real docker-compose starts from compose files."""

    def __init__(
        self, engine: docker.APIClient, settings: Mapping[str, str], *files: str, project: str, profile: str
    ) -> None:
        self.engine = engine
        self._command = ["docker-compose", "-p", project, *(word for file in files for word in ("-f", file))]
        self._command += ["--profile", profile] if profile else []
        self._settings = {**os.environ, "LISTEN": LISTEN, **settings}

    def __call__(self, *words: str) -> str:
        """Runs docker-compose, which must succeed; returns its output."""
        command = subprocess.run(
            [*self._command, *words], check=False, cwd=DEPLOY, env=self._settings, capture_output=True,
            text=True, timeout=SECONDS,
        )  # fmt: skip
        assert command.returncode == 0, command.stdout + command.stderr
        return command.stdout

    def build(self) -> None:
        """Builds the images without Docker's cache, whose lookup fails while another test removes an image."""
        self("build", "--no-cache")

    def container(self, service: str) -> Mapping[str, Any]:
        """Docker's description of the container of a service."""
        (container,) = self.engine.containers(all=True, filters={"label": f"com.docker.compose.service={service}"})
        description: Mapping[str, Any] = self.engine.inspect_container(container["Id"])
        return description

    def wait_until(self, happens: Callable[[], object]) -> None:
        """Polls until `happens()` is true; at the timeout, fails with the output of all services."""
        wait_until(happens, lambda: self("logs"), pause=0.1)

    def wait_until_healthy(self, service: str) -> None:
        self.wait_until(lambda: self.container(service)["State"]["Health"]["Status"] == "healthy")

    def kill(self, service: str) -> None:
        """Kills all processes of a container at once, as a power failure would."""
        self.engine.kill(self.container(service)["Id"])
        self.engine.wait(self.container(service)["Id"])

    def journal(self) -> bytes:
        """What the evening of `write_evening` has recorded so far."""
        try:
            pieces, _ = self.engine.get_archive(self.container("evening")["Id"], JOURNAL)
        except NotFound:
            return b""
        with tarfile.open(fileobj=io.BytesIO(b"".join(pieces))) as tar:
            file = tar.extractfile(tar.getmembers()[0])
            assert file
            return file.read()


def write_evening(folder: Path) -> None:
    """Writes an event file and bots with the names in BOTS, which play in boxes."""
    for name in BOTS:
        write_player(folder / "submissions" / name, f"{name} bot", behaviour="folds")
    entries = [f'[[entries]]\nplayer = "{name}"\nfolder = "submissions/{name}"\n' for name in BOTS]
    (folder / "event.toml").write_text("\n".join([EVENT, *entries]))


def play_starter(server: str) -> Iterator[str]:
    """Runs the Python starter against `server`; yields the lines that it prints."""
    starter = [sys.executable, "-u", str(STARTER / "bot.py"), server]
    with subprocess.Popen(starter, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as bot:
        assert bot.stdout
        yield from bot.stdout
        bot.kill()


@pytest.fixture(scope="module")
def engine(docker_host: str) -> Iterator[docker.APIClient]:
    with closing(docker.APIClient(base_url=docker_host, version="auto", timeout=int(SECONDS))) as client:
        yield client


@pytest.fixture(scope="module")
def settings(docker_host: str, python_image: str) -> Mapping[str, str]:
    """The variables that an organiser sets for docker-compose. BuildKit is off: it fails on the tests' own daemon."""
    socket = docker_host.removeprefix("unix://")
    return {
        "DOCKER_HOST": docker_host, "PYTHON_IMAGE": python_image, "DOCKER_BUILDKIT": "0",
        "DOCKER_SOCKET": socket, "DOCKER_GROUP": str(os.stat(socket).st_gid),
    }  # fmt: skip


@pytest.fixture
def compose(engine: docker.APIClient, settings: Mapping[str, str]) -> Iterator[Callable[..., Compose]]:
    """A function that opens compose files with further settings; everything that they start is removed at the end."""
    projects: list[Compose] = []

    def open_files(*files: str, project: str = "high-noon-tests", profile: str = "", **more: str) -> Compose:
        projects.append(Compose(engine, {**settings, **more}, *files, project=project, profile=profile))
        return projects[-1]

    yield open_files
    for opened in reversed(projects):
        opened("down", "-v")


def test_practice_runs_in_a_read_only_container(
    compose: Callable[..., Compose], engine: docker.APIClient, tmp_path: Path
) -> None:
    server = compose()
    server.build()
    server("up", "-d")
    server.wait_until_healthy("practice")
    assert any("hand 2 is over" in line for line in play_starter(f"{LISTEN}:5000"))
    status = re.findall("/practice/status/[0-9a-f]+", server("logs"))
    container = server.container("practice")
    assert (container["HostConfig"]["ReadonlyRootfs"], container["Config"]["User"]) == (True, "10001:10001")
    assert {mount["Destination"] for mount in container["Mounts"] if mount["RW"]} == {"/data", "/tmp"}  # noqa: S108

    server.kill("practice")
    server("up", "-d")
    server.wait_until_healthy("practice")
    assert re.findall("/practice/status/[0-9a-f]+", server("logs"))[-1:] == status, "the container must keep its data"
    assert httpx.get(f"{BASE}{status[0]}?json", timeout=SECONDS).status_code == 200

    shutil.copytree(STARTER, tmp_path / "ada")
    dockerfile = tmp_path / "ada" / "Dockerfile"
    dockerfile.write_text(dockerfile.read_text().replace('"bot.py"]', '"bot.py", "highnoon:5000"]'))
    ada = compose("compose.bot.yaml", project="ada", BOT=str(tmp_path / "ada"))
    ada.build()
    ada("up", "-d")
    ada.wait_until(lambda: "hand 1 is over" in ada("logs"))
    (network,) = ada.container("bot")["NetworkSettings"]["Networks"].values()
    description = engine.inspect_network(network["NetworkID"])
    assert description["Internal"], "Docker must let no bot out of this network"
    (pool,) = description["IPAM"]["Config"]
    gateway = str(next(ip_network(pool["Subnet"]).hosts()))
    addresses = [gateway, *_list_addresses("global"), *(f"{address}%eth0" for address in _list_addresses("link"))]
    assert _find_reached(ada, addresses) == [], "a bot must not reach this machine, either"
    assert ada.container("bot")["HostConfig"]["Dns"] == ["192.0.2.1"], (
        "a bot's name server must be an address where nobody answers"
    )


def test_evening_in_a_container_continues_after_a_kill(
    compose: Callable[..., Compose], engine: docker.APIClient, tmp_path: Path
) -> None:
    write_evening(tmp_path)
    evening = compose("compose.yaml", "compose.boxes.yaml", profile="evening", EVENING=str(tmp_path))
    evening.build()
    evening("up", "-d", "evening")
    evening.wait_until(lambda: evening.journal().count(b'"hand_ended"') > 3)
    evening.kill("evening")
    journal_before = evening.journal()
    journal_before = journal_before[: journal_before.rfind(b"\n") + 1]
    boxes = _list_boxes(engine)
    assert len(boxes) == 2 * len(BOTS), "the boxes must survive the kill of the server"
    evening("up", "-d", "evening")
    evening.wait_until(lambda: evening.container("evening")["State"]["Status"] == "exited")
    assert evening.container("evening")["State"]["ExitCode"] == 0, evening("logs")
    assert evening.journal().startswith(journal_before)
    (tmp_path / "whole.jsonl").write_bytes(evening.journal())
    assert verify(read_journal(tmp_path / "whole.jsonl").entries).finished
    logs = engine.logs(evening.container("evening")["Id"]).decode()  # docker-compose sometimes leaves out lines
    assert logs.count(": docker, strict") == 2 * len(BOTS), logs
    assert _list_boxes(engine) == []

    (tmp_path / "submissions" / "probe").mkdir()
    (tmp_path / "submissions" / "probe" / "Dockerfile").write_text("FROM python:3.11-slim\n")
    own_address = _list_addresses("global")[0]
    with serve_http({}, own_address, 80):
        words = ("run", "--rm", "-T", "--entrypoint", "python3", "evening", "-c", PROBE.read_text(), own_address)
        proxys_answer, reason = evening(*words).splitlines()[:2]
    assert f"{own_address} is this machine" in proxys_answer
    assert "it makes more than the 2000 files allowed" in reason


def _list_addresses(scope: str) -> list[str]:
    """The addresses of this machine in `scope`: "global" or "link"."""
    links = subprocess.run(["ip", "-json", "address"], check=True, capture_output=True, text=True).stdout
    addresses = [address for link in json.loads(links) for address in link["addr_info"]]
    return [address["local"] for address in addresses if address["scope"] == scope]


def _find_reached(bot: Compose, addresses: list[str]) -> list[str]:
    """The `addresses` at which a bot's container reaches a server that listens on all addresses of this machine.

    The container is a new one, because the bot's own container ends with the game.
    """
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as server:
        port = str(server.getsockname()[1])
        words = ("run", "--rm", "-T", "--entrypoint", "python3", "bot", "-c", _REACH, port, *addresses)
        tried, reached = bot(*words).split("\n")[:2]
    assert int(tried) == len(addresses)
    return reached.split()


def _list_boxes(engine: docker.APIClient) -> list[str]:
    """The containers of this evening's bots. Other tests that run now have bots with other names."""
    names = [f"{name} bot" for name in BOTS]
    containers = engine.containers(all=True, filters={"label": LABEL})
    # The containers of a build have the label, too, but no bot's name.
    return [container["Id"] for container in containers if container["Labels"].get(f"{LABEL}.bot") in names]
