"""Our container image and compose files run a practice server, and a contest with bots in boxes (sandboxes)."""

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
STARTER_FOLDER = ROOT / "assets" / "starters" / "quick-draw" / "python"
TIMEOUT_SECONDS = 600.0
BOTS = ("Ada", "Babbage", "Curry")
JOURNAL = "/data/data/recordings/2026-11-21-a-night-in-boxes.jsonl"
LISTEN_ADDRESS = "127.0.77.1"
"""No other test uses this address. The compose file fixes the ports, so at a shared address they might be in use."""
EVENT_FILE = """\
name = "A night in boxes"
date = 2026-11-21
seed = "2a"
start = "bots"
pace = 0
runner = "docker"
host = "0.0.0.0"
bot_addresses = ["129.21.10.4"]
"""
CONNECT_PROGRAM = """
import contextlib, socket, sys
reached = []
for address in sys.argv[2:]:
    with contextlib.suppress(OSError), socket.create_connection((address, int(sys.argv[1])), 2):
        reached.append(address)
print(len(sys.argv[2:]), " ".join(reached), sep="\\n")
"""
"""A program that tries a port at several addresses. It prints the number of addresses, and those that answered."""
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
        self._settings = {**os.environ, "LISTEN": LISTEN_ADDRESS, **settings}

    def __call__(self, *words: str) -> str:
        """Runs docker-compose, which must succeed, and returns its output."""
        command = subprocess.run(
            [*self._command, *words], check=False, cwd=DEPLOY, env=self._settings, capture_output=True,
            text=True, timeout=TIMEOUT_SECONDS,
        )  # fmt: skip
        assert command.returncode == 0, command.stdout + command.stderr
        return command.stdout

    def build(self) -> None:
        """Builds the images without Docker's cache. A cache lookup fails while another test removes an image."""
        self("build", "--no-cache")

    def describe_container(self, service: str) -> Mapping[str, Any]:
        (container,) = self.engine.containers(all=True, filters={"label": f"com.docker.compose.service={service}"})
        description: Mapping[str, Any] = self.engine.inspect_container(container["Id"])
        return description

    def wait_until(self, condition: Callable[[], object]) -> None:
        wait_until(condition, lambda: self("logs"), pause=0.1)

    def wait_until_healthy(self, service: str) -> None:
        self.wait_until(lambda: self.describe_container(service)["State"]["Health"]["Status"] == "healthy")

    def kill(self, service: str) -> None:
        """Kills all processes of a container at once, as a power failure would."""
        self.engine.kill(self.describe_container(service)["Id"])
        self.engine.wait(self.describe_container(service)["Id"])

    def read_journal_of_evening(self) -> bytes:
        try:
            pieces, _ = self.engine.get_archive(self.describe_container("evening")["Id"], JOURNAL)
        except NotFound:
            return b""
        with tarfile.open(fileobj=io.BytesIO(b"".join(pieces))) as tar:
            file = tar.extractfile(tar.getmembers()[0])
            assert file
            return file.read()


@pytest.fixture(scope="module")
def engine(docker_host: str) -> Iterator[docker.APIClient]:
    with closing(docker.APIClient(base_url=docker_host, version="auto", timeout=int(TIMEOUT_SECONDS))) as client:
        yield client


@pytest.fixture(scope="module")
def settings(docker_host: str, python_image: str) -> Mapping[str, str]:
    """The environment variables for docker-compose. They switch off BuildKit, which fails in these tests."""
    socket = docker_host.removeprefix("unix://")
    return {
        "DOCKER_HOST": docker_host, "PYTHON_IMAGE": python_image, "DOCKER_BUILDKIT": "0",
        "DOCKER_SOCKET": socket, "DOCKER_GROUP": str(os.stat(socket).st_gid),
    }  # fmt: skip


@pytest.fixture
def compose(engine: docker.APIClient, settings: Mapping[str, str]) -> Iterator[Callable[..., Compose]]:
    """Yields a function that opens compose files with extra settings. Removes their containers after the test."""
    projects: list[Compose] = []

    def open_files(*files: str, project: str = "high-noon-tests", profile: str = "", **extra_settings: str) -> Compose:
        projects.append(Compose(engine, {**settings, **extra_settings}, *files, project=project, profile=profile))
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
    starter = [sys.executable, "-u", str(STARTER_FOLDER / "bot.py"), f"{LISTEN_ADDRESS}:5000"]
    with subprocess.Popen(starter, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as bot:
        assert bot.stdout
        assert any("hand 2 is over" in line for line in bot.stdout)
        bot.kill()
    status = re.findall("/practice/status/[0-9a-f]+", server("logs"))
    container = server.describe_container("practice")
    assert (container["HostConfig"]["ReadonlyRootfs"], container["Config"]["User"]) == (True, "10001:10001")
    assert {mount["Destination"] for mount in container["Mounts"] if mount["RW"]} == {"/data", "/tmp"}  # noqa: S108

    server.kill("practice")
    server("up", "-d")
    server.wait_until_healthy("practice")
    assert re.findall("/practice/status/[0-9a-f]+", server("logs"))[-1:] == status, "the container must keep its data"
    assert httpx.get(f"http://{LISTEN_ADDRESS}:8000{status[0]}?json", timeout=TIMEOUT_SECONDS).status_code == 200

    shutil.copytree(STARTER_FOLDER, tmp_path / "ada")
    dockerfile = tmp_path / "ada" / "Dockerfile"
    dockerfile.write_text(dockerfile.read_text().replace('"bot.py"]', '"bot.py", "highnoon:5000"]'))
    ada = compose("compose.bot.yaml", project="ada", BOT=str(tmp_path / "ada"))
    ada.build()
    ada("up", "-d")
    ada.wait_until(lambda: "hand 1 is over" in ada("logs"))
    (network,) = ada.describe_container("bot")["NetworkSettings"]["Networks"].values()
    description = engine.inspect_network(network["NetworkID"])
    assert description["Internal"], "Docker must let no bot out of this network"
    (pool,) = description["IPAM"]["Config"]
    gateway = str(next(ip_network(pool["Subnet"]).hosts()))
    addresses = [gateway, *list_addresses("global"), *(f"{address}%eth0" for address in list_addresses("link"))]
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as listener:
        # CONNECT_PROGRAM needs a new container, because the bot's own container ends with the game.
        words = ("run", "--rm", "-T", "--entrypoint", "python3", "bot", "-c", CONNECT_PROGRAM)
        tried, reached = ada(*words, str(listener.getsockname()[1]), *addresses).split("\n")[:2]
    assert (tried, reached) == (f"{len(addresses)}", ""), "a bot must not reach this machine, either"
    assert ada.describe_container("bot")["HostConfig"]["Dns"] == ["192.0.2.1"], "a bot must not reach any name server"


def test_evening_in_a_container_continues_after_a_kill(
    compose: Callable[..., Compose], engine: docker.APIClient, tmp_path: Path
) -> None:
    for name in BOTS:
        write_player(tmp_path / "submissions" / name, f"{name} bot", behaviour="folds")
    entries = [f'[[entries]]\nplayer = "{name}"\nfolder = "submissions/{name}"\n' for name in BOTS]
    (tmp_path / "event.toml").write_text("\n".join([EVENT_FILE, *entries]))
    evening = compose("compose.yaml", "compose.boxes.yaml", profile="evening", EVENING=str(tmp_path))
    evening.build()
    evening("up", "-d", "evening")
    evening.wait_until(lambda: evening.read_journal_of_evening().count(b'"hand_ended"') > 3)
    evening.kill("evening")
    journal_before = evening.read_journal_of_evening()
    journal_before = journal_before[: journal_before.rfind(b"\n") + 1]
    assert len(list_boxes(engine)) == 2 * len(BOTS), "the boxes must survive the kill of the server"
    evening("up", "-d", "evening")
    evening.wait_until(lambda: evening.describe_container("evening")["State"]["Status"] == "exited")
    ended_container = evening.describe_container("evening")
    assert ended_container["State"]["ExitCode"] == 0, evening("logs")
    assert evening.read_journal_of_evening().startswith(journal_before)
    (tmp_path / "whole.jsonl").write_bytes(evening.read_journal_of_evening())
    assert verify(read_journal(tmp_path / "whole.jsonl").entries).finished
    logs = engine.logs(ended_container["Id"]).decode()  # `docker-compose logs` sometimes omits lines.
    assert logs.count(": docker, strict") == 2 * len(BOTS), logs
    assert list_boxes(engine) == []

    (tmp_path / "submissions" / "probe").mkdir()
    (tmp_path / "submissions" / "probe" / "Dockerfile").write_text("FROM python:3.11-slim\n")
    own_address = list_addresses("global")[0]
    probe = Path(__file__).with_name("probe_in_container.py").read_text()
    with serve_http({}, own_address, 80):
        words = ("run", "--rm", "-T", "--entrypoint", "python3", "evening", "-c", probe, own_address)
        proxys_answer, reason = evening(*words).splitlines()[:2]
    assert f"{own_address} is this machine" in proxys_answer
    assert "it makes more than the 2000 files allowed" in reason


def list_addresses(scope: str) -> list[str]:
    """Returns the addresses of this machine in `scope`: "global" or "link"."""
    links = subprocess.run(["ip", "-json", "address"], check=True, capture_output=True, text=True).stdout
    addresses = [address for link in json.loads(links) for address in link["addr_info"]]
    return [address["local"] for address in addresses if address["scope"] == scope]


def list_boxes(engine: docker.APIClient) -> list[str]:
    """Returns the ids of the containers of BOTS. Each running bot has two: one for itself, and one for its network."""
    containers = engine.containers(all=True, filters={"label": LABEL})
    names = [f"{name} bot" for name in BOTS]
    return [container["Id"] for container in containers if container["Labels"].get(f"{LABEL}.bot") in names]
