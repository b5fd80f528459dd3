"""Starts bots in real boxes (sandboxes). For tests of Docker, opens a client of Docker's Engine and serves images."""

import asyncio
import gzip
import hashlib
import json
import os
import re
import socket
import statistics
import tarfile
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from weakref import WeakKeyDictionary

import docker

from server.bots.bot import Bot
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.bubblewrap.cgroups import UsageControl
from server.bots.sandbox.bubblewrap.runner import open_bubblewrap
from server.bots.sandbox.docker.engine import LABEL
from server.bots.sandbox.runner import GAME_PORT, BoxEnvironment, PipedBox, Runner, SocketBox
from server.bots.transports.tcp import TcpConnection
from server.contests.quick_draw.dialect import QuickDrawDialect
from tests.bots.http_servers import make_response
from tests.bots.views import first_turn_view, resolve_action
from tests.support.archives import tar_of
from tests.support.bots.submission import HOST, write_bot

TIMEOUT_SECONDS = 180.0
"""A timeout that no test reaches, even on a slow machine."""
Sandbox = RunnerKind | Literal["uncounted"]
"""What bots run in. "uncounted" is bubblewrap without control groups, so each process is measured by itself."""
_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
_CONFIG = "application/vnd.docker.container.image.v1+json"
_LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip"
_log_paths: "WeakKeyDictionary[SocketBox, Path]" = WeakKeyDictionary()
_game_connections: list[TcpConnection] = []


def box_environment(folder: Path, limits: Limits = Limits()) -> BoxEnvironment:  # noqa: B008 (Limits is frozen)
    """Returns what all boxes of a test have in common. If a bot connects to the address HOST, it reaches the server."""
    return BoxEnvironment(f"test-{folder.name}", (HOST,), ("TOURNAMENT_HOST",), limits)


@asynccontextmanager
async def open_runner(sandbox: Sandbox, folder: Path, limits: Limits = Limits()) -> AsyncIterator[Runner]:  # noqa: B008
    environment = box_environment(folder, limits)
    runner: Runner
    if sandbox == "uncounted":
        runner = open_bubblewrap(environment, UsageControl())
    else:
        runner = await choose_runner(sandbox, environment)
    try:
        yield runner
    finally:
        await runner.close()
        while _game_connections:
            await _game_connections.pop().aclose()


async def start_bot(
    runner: Runner,
    folder: Path,
    behaviour: str = "honest",
    *,
    arguments: Sequence[str] = (),
    dockerfile: str = "",
    program: str = "",
    strict: bool = True,
) -> SocketBox:
    """Starts a sample bot with `behaviour`, which also names its folder and log. If given, `program` is the bot's code.

    If not `strict`, the bot may write to its own files.
    """
    bot = write_bot(folder / behaviour, behaviour.title(), behaviour, arguments=arguments, dockerfile=dockerfile)
    if program:
        (bot / "bot.py").write_text(program)
    built = await runner.build(behaviour, bot, lambda _: None)
    box = await runner.start(behaviour, built, log_path(folder, behaviour), strict=strict)
    _log_paths[box] = log_path(folder, behaviour)
    return box


def log_path(folder: Path, behaviour: str) -> Path:
    return folder / "logs" / f"{behaviour}.log"


def read_log(folder: Path, behaviour: str) -> list[str]:
    return log_path(folder, behaviour).read_text().splitlines()


async def register_bot(box: SocketBox) -> str:
    """Answers the bot's registration on port 5000. Returns the bot's name."""
    loop = asyncio.get_running_loop()
    connection = await _accept(box, box.register_socket)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        with connection:
            request = b""
            while not request.endswith(b"}"):
                received = await loop.sock_recv(connection, 4096)
                assert received, "the bot hung up before its request was complete"
                request += received
            reply = make_response({"portNumber": GAME_PORT, "id": 1}, fields="Connection: close\r\n")
            await loop.sock_sendall(connection, reply)
    assert request.startswith(b"POST /register ")
    return str(json.loads(request.partition(b"\r\n\r\n")[2])["name"])


async def seat_bot(box: SocketBox) -> TcpConnection:
    """Registers a bot. Returns the connection over which the server asks the bot for actions."""
    await register_bot(box)
    connection = TcpConnection(await _accept(box, box.game_socket), asyncio.get_running_loop())
    _game_connections.append(connection)
    return connection


async def _accept(box: SocketBox, listener: socket.socket) -> socket.socket:
    """Accepts the bot's connection. Fails at once, with the bot's last output, if the bot ends before it connects."""
    listener.setblocking(False)
    connecting = asyncio.ensure_future(asyncio.get_running_loop().sock_accept(listener))
    ending = asyncio.ensure_future(box.wait_for_exit())
    try:
        await asyncio.wait({connecting, ending}, timeout=TIMEOUT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not connecting.done():
            reason = ending.result().reason if ending.done() else "it still runs"
            log = _log_paths[box].read_text(errors="replace")
            raise AssertionError(f"the bot did not connect: {reason}\n{log[-2000:]}")
        return (await connecting)[0]
    finally:
        connecting.cancel()
        ending.cancel()


async def measure_think_ms(connection: TcpConnection, questions: int) -> float:
    """Returns the bot's median thinking time in milliseconds. Fails if a fault other than a timeout occurs."""
    bot = Bot(1, QuickDrawDialect(), connection, lambda _: None)
    answers = [await bot.ask(first_turn_view(), resolve_action) for _ in range(questions)]
    assert {answer.fault for answer in answers} <= {"", "timeout"}
    return statistics.median(answer.think_ms for answer in answers)


async def wait_for_end(box: SocketBox | PipedBox) -> str:
    """Waits until the bot ends. Returns why it ended, such as "ended by itself (0)"."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        exit_ = await box.wait_for_exit()
    return f"{exit_.reason} ({exit_.status})"


def list_own_addresses() -> list[str]:
    """Reads this machine's addresses from the kernel, because not every machine can resolve its own name."""
    return re.findall(r"-- (\S+)\n +/32 host LOCAL", Path("/proc/net/fib_trie").read_text(encoding="ascii"))


@contextmanager
def open_engine() -> Iterator[docker.APIClient]:
    with closing(docker.APIClient(base_url=os.environ["DOCKER_HOST"], version="auto")) as engine:
        yield engine


def own_label_filter(folder: Path) -> dict[str, str]:
    """Returns the filter with which Docker's Engine lists only what belongs to the tournament of `folder`."""
    return {"label": f"{LABEL}={box_environment(folder).label}"}


def find_leftovers(folder: Path) -> list[str]:
    """Returns the ids of all containers, networks and images of the tournament of `folder`."""
    own_filter = own_label_filter(folder)
    with open_engine() as engine:
        leftovers = [*engine.containers(all=True, filters=own_filter), *engine.networks(filters=own_filter)]
        return [str(leftover["Id"]) for leftover in [*leftovers, *engine.images(all=True, filters=own_filter)]]


@contextmanager
def serve_http(
    files: Mapping[str, tuple[str, bytes]], address: str = "127.0.0.1", port: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Serves `files`, which maps paths to content types and contents. Yields the port and a list of requested paths."""
    requested_paths = list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested_paths.append(self.path)
            content_type, content = files.get(self.path, ("", b""))
            self.send_response(200 if content_type else 404)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Docker-Content-Digest", _digest(content))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer((address, port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1], requested_paths
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def registry_with_bomb(size: int, processor: str = "amd64") -> Iterator[str]:
    """Yields the address of a registry. Its image `bomb:1` for `processor` has one file of `size` zero bytes."""
    layer = tar_of([("zeros", tarfile.REGTYPE, bytes(size))])
    rootfs = {"type": "layers", "diff_ids": [_digest(layer)]}
    config = json.dumps({"architecture": processor, "os": "linux", "config": {}, "rootfs": rootfs}).encode()
    blobs = ((_CONFIG, config), (_LAYER, gzip.compress(layer)))
    described_config, described_layer = (
        {"mediaType": content_type, "size": len(blob), "digest": _digest(blob)} for content_type, blob in blobs
    )
    image = {"schemaVersion": 2, "mediaType": _MANIFEST, "config": described_config, "layers": [described_layer]}
    manifest = json.dumps(image).encode()
    files = {f"/v2/bomb/blobs/{_digest(blob)}": (content_type, blob) for content_type, blob in blobs}
    files |= {f"/v2/bomb/manifests/{name}": (_MANIFEST, manifest) for name in ("1", _digest(manifest))}
    with serve_http({"/v2/": (_LAYER, b"{}"), **files}) as (port, _):
        yield f"127.0.0.1:{port}"


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
