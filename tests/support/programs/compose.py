"""Runs the compose files and their containers as an organiser does, with the real docker-compose."""

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import docker
from docker.errors import NotFound

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


class Compose:
    """The containers that the real docker-compose starts from compose files."""

    def __init__(
        self, engine: docker.APIClient, settings: Mapping[str, str], *files: str, project: str, profile: str
    ) -> None:
        self.engine = engine
        self._command = ["docker-compose", "-p", project, *(word for file in files for word in ("-f", file))]
        self._command += ["--profile", profile] if profile else []
        self._settings = {**os.environ, "LISTEN": LISTEN, **settings}

    def __call__(self, *words: str, **more: str) -> str:
        """Runs docker-compose, which must succeed; returns its output. `more` are environment variables."""
        made = subprocess.run(
            [*self._command, *words], check=False, cwd=DEPLOY, env={**self._settings, **more}, capture_output=True,
            text=True, timeout=SECONDS,
        )  # fmt: skip
        assert made.returncode == 0, made.stdout + made.stderr
        return made.stdout

    def build(self, **more: str) -> None:
        """Builds the images without Docker's cache, whose lookup fails while another test removes an image."""
        self("build", "--no-cache", **more)

    def container(self, service: str) -> Mapping[str, Any]:
        """What Docker says about the container of a service."""
        (found,) = self.engine.containers(all=True, filters={"label": f"com.docker.compose.service={service}"})
        about: Mapping[str, Any] = self.engine.inspect_container(found["Id"])
        return about

    def until(self, wanted: Callable[[], object]) -> None:
        """Polls until `wanted()` is true; at the timeout, fails with the output of all services."""
        wait_until(wanted, lambda: self("logs"), pause=0.1)

    def healthy(self, service: str) -> bool:
        return bool(self.container(service)["State"]["Health"]["Status"] == "healthy")

    def kill(self, service: str) -> None:
        """Kills all processes of a container at once, as a power failure would."""
        self.engine.kill(self.container(service)["Id"])
        self.engine.wait(self.container(service)["Id"])

    def journal(self) -> bytes:
        """What the evening of `write_evening` has recorded so far."""
        with suppress(NotFound):
            return _read(self.engine, self.container("evening")["Id"], JOURNAL)
        return b""


def settings_for(docker_host: str, python_image: str) -> Mapping[str, str]:
    """Returns the variables that an organiser sets for docker-compose.

    BuildKit is off: it fails on the tests' own daemon.
    """
    socket = docker_host.removeprefix("unix://")
    return {
        "DOCKER_HOST": docker_host, "PYTHON_IMAGE": python_image, "DOCKER_BUILDKIT": "0",
        "DOCKER_SOCKET": socket, "DOCKER_GROUP": str(os.stat(socket).st_gid),
    }  # fmt: skip


def write_evening(folder: Path) -> None:
    """Writes an event file and bots with the names in BOTS, which play in boxes."""
    for name in BOTS:
        write_player(folder / "submissions" / name, f"{name} bot", behaviour="folds")
    entries = [f'[[entries]]\nplayer = "{name}"\nfolder = "submissions/{name}"\n' for name in BOTS]
    (folder / "event.toml").write_text("\n".join([EVENT, *entries]))


def play(server: str) -> Iterator[str]:
    """Runs the Python starter against `server`; yields the lines that it prints."""
    starter = [sys.executable, "-u", str(STARTER / "bot.py"), server]
    with subprocess.Popen(starter, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as bot:
        assert bot.stdout
        yield from bot.stdout
        bot.kill()


def _read(engine: docker.APIClient, container: str, path: str) -> bytes:
    """A file in a container. Raises NotFound."""
    pieces, _ = engine.get_archive(container, path)
    with tarfile.open(fileobj=io.BytesIO(b"".join(pieces))) as tar:
        found = tar.extractfile(tar.getmembers()[0])
        assert found
        return found.read()
