"""Runs bots in Docker containers: builds images, starts containers, removes them. Knows nothing about poker."""

import asyncio
import contextlib
import json
import shutil
import socket
import tempfile
from concurrent.futures import Future
from functools import partial
from pathlib import Path

from docker import APIClient
from docker.errors import APIError

from server.bots.sandbox.docker import engine as engine_api
from server.bots.sandbox.docker.box import DockerBox, DockerPipedBox, DockerProcess, Started, attach
from server.bots.sandbox.docker.build_proxy import build_network
from server.bots.sandbox.docker.build_stages import BuildNetwork
from server.bots.sandbox.docker.flags import ISOLATION, NOBODY, bot_config, declared_volumes
from server.bots.sandbox.docker.image import build_image
from server.bots.sandbox.docker.network import BotNetwork, close_network, hold_network
from server.bots.sandbox.docker.relay import relayed_network
from server.bots.sandbox.output_log import OutputLog
from server.bots.sandbox.process import two_pipes
from server.bots.sandbox.processors import image_message, why_not_started
from server.bots.sandbox.runner import BOT_FOLDER, PIPED_LOG_BYTES, BoxEnvironment, CannotRun, Orders, Say
from server.bots.sandbox.threads import in_thread
from server.system.processes import LINUX

_BUILD_NETWORK = "Through a proxy, builds reach public web servers, but nothing on this machine or its network."
_STARTS_AT_ONCE = 8
"""How many bots may be starting at the same time. If 200 start at once, the Engine becomes too slow."""


class DockerRunner:
    """Runs each bot in a container."""

    kind = "docker"

    def __init__(self, engine: APIClient, common: BoxEnvironment) -> None:
        self.notes: tuple[str, ...] = (_BUILD_NETWORK,) if common.build_network else ()
        self._engine = engine
        self._common = common
        self._limits = common.limits
        self._boxes: list[DockerProcess] = []
        self._starting = asyncio.Semaphore(_STARTS_AT_ONCE)
        self._building: set[asyncio.Future[str]] = set()
        self._hints: dict[str, str] = {}
        """Why a bot might fail to start, by image."""

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """Builds the bot's image and returns its id; `say` gets each line. Raises CannotRun with the end of the log."""
        if not self._common.build_network:
            return await self._build(name, folder, say, BuildNetwork())
        async with build_network(self._engine, name, self._common, say) as network:
            return await self._build(name, folder, say, network)

    async def build_piped(self, name: str, folder: Path, orders: Orders, say: Say) -> str:
        """Builds like `build`, with a Dockerfile made from `orders` and without a network. Raises CannotRun."""
        with tempfile.TemporaryDirectory(prefix="highnoon-build-") as work:
            copy = Path(work, "bot")
            try:
                await in_thread(lambda: _copy_with_orders(folder, copy, orders, self._common.image))
            except OSError as error:
                raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
            return await self._build(name, copy, say, BuildNetwork())

    async def _build(self, name: str, folder: Path, say: Say, network: BuildNetwork) -> str:
        loop = asyncio.get_running_loop()
        given_up: Future[None] = Future()

        def report(line: str) -> None:
            with contextlib.suppress(RuntimeError):  # The loop is closed.
                loop.call_soon_threadsafe(say, line)

        build = partial(build_image, self._engine, name, folder, self._common)
        building = asyncio.ensure_future(in_thread(lambda: build(say=report, given_up=given_up, network=network)))
        self._building.add(building)
        building.add_done_callback(self._building.discard)
        building.add_done_callback(lambda each: each.cancelled() or each.exception())  # marks any error as seen
        try:
            built = await asyncio.shield(building)
            self._hints[built] = await in_thread(lambda: self._why_not_started(built, folder))
            return built
        finally:
            given_up.set_result(None)

    def _why_not_started(self, image: str, folder: Path) -> str:
        try:
            made_for = str(engine_api.inspect_image(self._engine, image).get("Architecture") or "")
            here = str(self._engine.version().get("Arch") or "")
        except engine_api.ENGINE_FAULTS:
            made_for = here = ""
        return " ".join(filter(None, (image_message(made_for, here), why_not_started(folder))))

    async def start(self, name: str, built: str, log: Path, *, strict: bool = True) -> DockerBox:
        try:
            async with self._starting:
                network = await in_thread(lambda: self._network(name))
                container, quota = await in_thread(lambda: self._start_container(name, built, network, strict=strict))
        except engine_api.ENGINE_FAULTS as error:
            raise CannotRun(f"{name} cannot be started: {engine_api.in_words(error)}.") from None
        kept = OutputLog(log, self._limits.log_bytes)
        started = Started(self._engine, container, self._limits, kept, self._hints.get(built, ""))
        box = DockerBox(started, network, f"docker, {'strict' if strict else 'relaxed'}")
        if not strict and not quota:
            box.watch_disk()
        self._boxes.append(box)
        return box

    async def start_piped(self, name: str, built: str, log: Path) -> DockerPipedBox:
        kept = OutputLog(log, min(self._limits.log_bytes, PIPED_LOG_BYTES))
        try:
            with two_pipes() as (own_ends, bot_ends):
                begin = partial(self._start_piped_container, name, built)
                container, stream = await in_thread(lambda: engine_api.with_retries(begin))
                started = Started(self._engine, container, self._limits, kept, self._hints.get(built, ""))
                box = DockerPipedBox(started, stream, own_ends, bot_ends)
        except engine_api.ENGINE_FAULTS as error:
            raise CannotRun(f"{name} cannot be started: {engine_api.in_words(error)}.") from None
        self._boxes = [other for other in self._boxes if not other.over] + [box]
        return box

    def _network(self, name: str) -> BotNetwork:
        if not LINUX:
            return relayed_network(self._engine, name, self._common)
        return hold_network(self._engine, name, self._common)

    def _start_container(self, name: str, image: str, network: BotNetwork, *, strict: bool) -> tuple[str, bool]:
        """Starts the bot's container. Returns it, and whether Docker limits its disk. Raises ENGINE_FAULTS."""
        try:
            return engine_api.with_retries(lambda: self._start_once(name, image, network, strict=strict))
        except BaseException:
            close_network(self._engine, network)
            raise

    def _start_once(self, name: str, image: str, network: BotNetwork, *, strict: bool) -> tuple[str, bool]:
        """Tries to start the container once. Limits the disk if it is writable and the storage driver can do so."""
        container = ""
        if not strict:
            with contextlib.suppress(APIError):
                container = self._create_container(name, image, network.mode, strict=False, quota=True)
        quota = bool(container)
        container = container or self._create_container(name, image, network.mode, strict=strict)
        try:
            self._engine.start(container)
        except BaseException:
            engine_api.remove_container(self._engine, container)
            raise
        return container, quota

    def _start_piped_container(self, name: str, image: str) -> tuple[str, socket.socket]:
        """Attaches to the container's stream before starting it, so that no output is lost. Raises ENGINE_FAULTS."""
        container = self._create_container(name, image, "none", piped=True)
        with contextlib.ExitStack() as failing:
            failing.callback(engine_api.remove_container, self._engine, container)
            stream = failing.enter_context(attach(self._engine, container))
            self._engine.start(container)
            failing.pop_all()
        return container, stream

    def _create_container(
        self,
        name: str,
        image: str,
        network: str,
        *,
        strict: bool = True,
        quota: bool = False,
        piped: bool = False,
    ) -> str:
        """Creates a container without starting it; returns its id. Raises ENGINE_FAULTS."""
        volumes = declared_volumes(engine_api.inspect_image(self._engine, image))
        created = self._engine.create_container(
            image,
            user=NOBODY if strict else None,
            labels=engine_api.labels(self._common.label, name),
            **ISOLATION,
            host_config=bot_config(self._engine, self._limits, network, volumes, strict=strict, quota=quota),
            stdin_open=piped,
        )
        return str(created["Id"])

    async def close(self) -> None:
        """Stops all bots at once and removes everything with this tournament's label. Never raises.

        Keeps the images of an interrupted tournament that will resume, because builds may have no network then.
        """
        await asyncio.gather(*(box.stop() for box in self._boxes))
        self._boxes.clear()
        if self._building:
            await asyncio.wait(self._building)
        with contextlib.suppress(*engine_api.ENGINE_FAULTS):
            await in_thread(lambda: engine_api.clear_leftovers(self._engine, self._common.label))
        task = asyncio.current_task()
        if not (self._common.resumes and task and task.cancelling()):
            with contextlib.suppress(*engine_api.ENGINE_FAULTS):
                await in_thread(lambda: engine_api.remove_built(self._engine, self._common.label))
        self._engine.close()


def _copy_with_orders(folder: Path, copy: Path, orders: Orders, image: str) -> None:
    shutil.copytree(folder, copy, symlinks=True)
    for name in ("Dockerfile", ".dockerignore"):  # writing to a link would change a file elsewhere
        (copy / name).unlink(missing_ok=True)
    lines = [f"FROM {image}", f"WORKDIR {BOT_FOLDER}", "COPY . ."]
    lines += [f"RUN {_shell(orders.build)}"] if orders.build else []
    text = "\n".join([*lines, f"CMD {_shell(orders.run)}", ""])
    (copy / "Dockerfile").write_text(text, encoding="utf-8", newline="\n")


def _shell(command: str) -> str:
    return json.dumps(["/bin/sh", "-c", command])


async def open_docker(common: BoxEnvironment) -> DockerRunner:
    """Opens a runner. Removes what an earlier run of the same tournament left behind. Raises CannotRun."""
    engine = await in_thread(engine_api.connect)
    try:
        await in_thread(lambda: engine_api.clear_leftovers(engine, common.label))
    except engine_api.ENGINE_FAULTS as error:
        raise CannotRun(f"Docker cannot be used: {engine_api.in_words(error)}.") from None
    return DockerRunner(engine, common)
