"""Plants a secret of the organiser wherever a contestant's program might look, and searches output and files for it."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from msgspec import Struct

from broadcast.web.serve import network_address
from tests.support.bots.boxes import BASE_IMAGE

_SERVER_PROGRAM = """\
import socket, sys
with socket.create_server((sys.argv[1], 0)) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        server.accept()[0].sendall(sys.argv[2].encode())
"""


class PlantedSecret(Struct, frozen=True):
    """A secret and its places. The places are paths and addresses, which the program snoop.py tries to read."""

    secret: str
    places: tuple[str, ...]

    def find(self, *outputs: str | bytes, folder: Path | None = None) -> list[str]:
        """Returns the text around the secret's first occurrence in each output and in each file of `folder`."""
        texts = [output.encode() if isinstance(output, str) else output for output in outputs]
        texts += [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()] if folder else []
        secret = self.secret.encode()
        return [repr(text[max(0, text.find(secret) - 80) :][:160]) for text in texts if secret in text]


@contextlib.contextmanager
def plant_secret() -> Iterator[PlantedSecret]:
    """Plants a secret in the environment, in files, at ports, in a network namespace and, with Docker, in a container.

    If the namespace or the container is impossible here, the test runs without it, and is then reported as skipped.
    """
    secret, impossible = secrets.token_hex(16), list[str]()
    plants = [("network namespace", _plant_namespace), ("container", _plant_container)]
    with contextlib.ExitStack() as closing:
        places = list[str]()
        for folder in (Path.home(), tempfile.gettempdir()):
            file = closing.enter_context(tempfile.NamedTemporaryFile("w", prefix="planted-", dir=folder))
            file.write(secret)
            file.flush()
            Path(file.name).chmod(0o644)  # Home folders often have files that every user may read.
            places.append(file.name)
        for host, address in (("127.0.0.1", "127.0.0.1"), ("0.0.0.0", network_address())):  # noqa: S104
            places.append(f"{address}:{closing.enter_context(_serve_secret(secret, host))}")
        for kind, plant in plants if "DOCKER_HOST" in os.environ else plants[:1]:
            places += (new_places := closing.enter_context(plant(secret)))
            impossible += [] if new_places else [kind]
        proxies = Path(closing.enter_context(tempfile.TemporaryDirectory()), "config.json")
        proxies.write_text(json.dumps({"proxies": {"default": {"httpProxy": f"http://me:{secret}@192.0.2.9:3128"}}}))
        environment = closing.enter_context(pytest.MonkeyPatch.context())
        environment.setenv("ORGANISERS_PASSWORD", secret)
        environment.setenv("DOCKER_CONFIG", str(proxies.parent))  # Docker gives containers the proxies in this folder.
        yield PlantedSecret(secret, tuple(places))
    if impossible:
        pytest.skip(f"the secret was not planted in a {' and a '.join(impossible)}")


@contextlib.contextmanager
def _serve_secret(secret: str, host: str, *prefix: str) -> Iterator[int]:
    """Serves the secret, with a command that begins with `prefix`. Yields the server's port."""
    command = [*prefix, sys.executable, "-c", _SERVER_PROGRAM, host, secret]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, contextlib.ExitStack() as closing:
        closing.callback(server.kill)
        assert server.stdout
        yield int(server.stdout.readline())


@contextlib.contextmanager
def _plant_namespace(secret: str) -> Iterator[list[str]]:
    """If run as root, serves the secret in another network namespace. Yields an address that this machine can reach."""
    name, net = f"hn{os.getpid()}", f"198.18.{os.getpid() % 256}"
    if os.geteuid() != 0 or not shutil.which("ip") or _ip(f"netns add {name}"):
        yield []
        return
    try:
        for words in (
            f"link add {name}a type veth peer name {name}b netns {name}",
            f"addr add {net}.1/30 dev {name}a",
            f"link set {name}a up",
            f"-n {name} addr add {net}.2/30 dev {name}b",
            f"-n {name} link set {name}b up",
        ):
            assert not _ip(words), words
        with _serve_secret(secret, f"{net}.2", "ip", "netns", "exec", name) as port:
            with socket.create_connection((f"{net}.2", port), timeout=5.0) as connection:
                assert connection.recv(100) == secret.encode()
            yield [f"{net}.2:{port}"]
    finally:
        _ip(f"link del {name}a")  # Otherwise the link's name stays in use for a moment.
        _ip(f"netns del {name}")


def _ip(words: str) -> int:
    return subprocess.run(["ip", *words.split()], check=False, stderr=subprocess.DEVNULL).returncode


@contextlib.contextmanager
def _plant_container(secret: str) -> Iterator[list[str]]:
    """If $DOCKER_HOST names a socket, makes a container with the secret in a label. Yields the socket's path, or []."""
    address = os.environ["DOCKER_HOST"]
    if not address.startswith("unix://"):
        yield []
        return
    with contextlib.closing(docker.APIClient(base_url=address, version="auto")) as engine:
        container = engine.create_container(":".join(BASE_IMAGE), command=["true"], labels={"password": secret})["Id"]
        try:
            yield [address.removeprefix("unix://")]
        finally:
            engine.remove_container(container, force=True)
