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

from server.bots.sandbox.box_limits import PIPED_LOG_BYTES
from server.bots.sandbox.docker import engine as engine_api
from server.bots.sandbox.docker.box import DockerBox, DockerPipedBox, DockerProcess, StartedContainer, attach_streams
from server.bots.sandbox.docker.build_proxy import build_network
from server.bots.sandbox.docker.build_stages import BuildNetwork
from server.bots.sandbox.docker.container_limits import ISOLATION, NOBODY, bot_config, declared_volumes
from server.bots.sandbox.docker.image import build_image
from server.bots.sandbox.docker.network import BotNetwork, close_network, create_network
from server.bots.sandbox.docker.relay import create_relayed_network
from server.bots.sandbox.foreign_programs import image_message, start_failure_hint
from server.bots.sandbox.output_log import OutputLog
from server.bots.sandbox.process import two_pipes
from server.bots.sandbox.runner import BOT_FOLDER, BotCommands, BoxEnvironment, CannotRun, Say
from server.bots.sandbox.threads import run_in_thread
from server.system.processes import LINUX

_BUILD_NETWORK = "Through a proxy, builds reach public web servers, but nothing on this machine or its network."
_STARTS_AT_ONCE = 8
"""How many bots may be starting at the same time. If 200 start at once, the Engine becomes too slow."""


class DockerRunner:
    """Runs each bot in a container."""

    kind = "docker"

    def __init__(self, engine: APIClient, box_environment: BoxEnvironment) -> None:
        self.remarks: tuple[str, ...] = (_BUILD_NETWORK,) if box_environment.build_network else ()
        self._engine = engine
        self._box_environment = box_environment
        self._limits = box_environment.limits
        self._boxes: list[DockerProcess] = []
        self._start_slots = asyncio.Semaphore(_STARTS_AT_ONCE)
        # Only one build runs at a time. Otherwise the files of another build on the same disk would be counted, too.
        self._build_lock = asyncio.Lock()
        self._builds: set[asyncio.Future[str]] = set()
        self._hints: dict[str, str] = {}
        """Why a bot might fail to start, keyed by its image."""

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """Builds the bot's image and returns its id. `say` gets each line of output.

        Raises CannotRun with the end of the log.
        """
        if not self._box_environment.build_network:
            return await self._build(name, folder, say, BuildNetwork())
        async with build_network(self._engine, name, self._box_environment, say) as network:
            return await self._build(name, folder, say, network)

    async def build_piped(self, name: str, folder: Path, commands: BotCommands, say: Say) -> str:
        """Builds the image of a bot that plays over its standard input and output. Returns the image's id.

        Makes the Dockerfile from `commands`, and builds without a network. Raises CannotRun.
        """
        with tempfile.TemporaryDirectory(prefix="highnoon-build-") as temporary_folder:
            copy = Path(temporary_folder, "bot")
            try:
                await run_in_thread(lambda: _copy_with_commands(folder, copy, commands, self._box_environment.image))
            except OSError as error:
                raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
            return await self._build(name, copy, say, BuildNetwork())

    async def _build(self, name: str, folder: Path, say: Say, network: BuildNetwork) -> str:
        loop = asyncio.get_running_loop()
        cancel_signal: Future[None] = Future()

        def report(line: str) -> None:
            with contextlib.suppress(RuntimeError):  # The loop may be closed.
                loop.call_soon_threadsafe(say, line)

        build = partial(build_image, self._engine, name, folder, self._box_environment)
        async with self._build_lock:
            building = asyncio.ensure_future(
                run_in_thread(lambda: build(say=report, cancel_signal=cancel_signal, network=network))
            )
            self._builds.add(building)
            building.add_done_callback(self._builds.discard)
            building.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # marks any error as seen
            try:
                built = await asyncio.shield(building)
                self._hints[built] = await run_in_thread(lambda: self._start_failure_hint(built, folder))
                return built
            finally:
                cancel_signal.set_result(None)

    def _start_failure_hint(self, image: str, folder: Path) -> str:
        try:
            image_processor = str(engine_api.inspect_image(self._engine, image).get("Architecture") or "")
            engine_processor = str(self._engine.version().get("Arch") or "")
        except engine_api.ENGINE_FAULTS:
            image_processor = engine_processor = ""
        hints = (image_message(image_processor, engine_processor), start_failure_hint(folder))
        return " ".join(filter(None, hints))

    async def start(self, name: str, handle: str, log: Path, *, strict: bool = True) -> DockerBox:
        """Starts the bot. `handle` is the id of its image. If not `strict`, the bot may write to its own files, and
        runs as the user that its image specifies. Raises CannotRun.
        """
        try:
            async with self._start_slots:
                network = await run_in_thread(lambda: self._create_network(name))
                container = await run_in_thread(lambda: self._start_container(name, handle, network, strict=strict))
        except engine_api.ENGINE_FAULTS as error:
            raise CannotRun(f"{name} cannot be started: {engine_api.describe_error(error)}.") from None
        output_log = OutputLog(log, self._limits.log_bytes)
        started = StartedContainer(self._engine, container, self._limits, output_log, self._hints.get(handle, ""))
        box = DockerBox(started, network, f"docker, {'strict' if strict else 'relaxed'}")
        if not strict:
            box.watch_disk()
        self._boxes.append(box)
        return box

    async def start_piped(self, name: str, handle: str, log: Path) -> DockerPipedBox:
        output_log = OutputLog(log, min(self._limits.log_bytes, PIPED_LOG_BYTES))
        try:
            with two_pipes() as (own_ends, bot_ends):
                start = partial(self._start_piped_container, name, handle)
                container, stream = await run_in_thread(lambda: engine_api.with_retries(start))
                started = StartedContainer(
                    self._engine, container, self._limits, output_log, self._hints.get(handle, "")
                )
                box = DockerPipedBox(started, stream, own_ends, bot_ends)
        except engine_api.ENGINE_FAULTS as error:
            raise CannotRun(f"{name} cannot be started: {engine_api.describe_error(error)}.") from None
        self._boxes = [other for other in self._boxes if not other.has_ended] + [box]
        return box

    def _create_network(self, name: str) -> BotNetwork:
        if not LINUX:
            return create_relayed_network(self._engine, name, self._box_environment)
        return create_network(self._engine, name, self._box_environment)

    def _start_container(self, name: str, image: str, network: BotNetwork, *, strict: bool) -> str:
        """Starts the bot's container. Returns its id. Raises ENGINE_FAULTS."""
        try:
            return engine_api.with_retries(lambda: self._start_once(name, image, network, strict=strict))
        except BaseException:
            close_network(self._engine, network)
            raise

    def _start_once(self, name: str, image: str, network: BotNetwork, *, strict: bool) -> str:
        """Tries to start the container once. If not `strict`, the bot may write to its disk. The size of this disk is
        limited if Docker's storage driver can do this.
        """
        container = ""
        if not strict:
            with contextlib.suppress(APIError):
                container = self._create_container(name, image, network.mode, strict=False, quota=True)
        container = container or self._create_container(name, image, network.mode, strict=strict)
        try:
            self._engine.start(container)
        except BaseException:
            engine_api.remove_container(self._engine, container)
            raise
        return container

    def _start_piped_container(self, name: str, image: str) -> tuple[str, socket.socket]:
        """Attaches to the container's streams before starting it, so that no output is lost. Raises ENGINE_FAULTS."""
        container = self._create_container(name, image, "none", piped=True)
        with contextlib.ExitStack() as cleanup:
            cleanup.callback(engine_api.remove_container, self._engine, container)
            stream = cleanup.enter_context(attach_streams(self._engine, container))
            self._engine.start(container)
            cleanup.pop_all()
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
        """Creates a container without starting it, and returns its id. Raises ENGINE_FAULTS."""
        volumes = declared_volumes(engine_api.inspect_image(self._engine, image))
        created = self._engine.create_container(
            image,
            user=NOBODY if strict else None,
            labels=engine_api.make_labels(self._box_environment.label, name),
            **ISOLATION,
            host_config=bot_config(self._engine, self._limits, network, volumes, strict=strict, quota=quota),
            stdin_open=piped,
        )
        return str(created["Id"])

    async def close(self) -> None:
        """Stops all bots at once and removes everything with this tournament's label. Never raises.

        If the tournament was interrupted and can resume, keeps its images, because building them again might need a
        network.
        """
        await asyncio.gather(*(box.stop() for box in self._boxes))
        self._boxes.clear()
        if self._builds:
            await asyncio.wait(self._builds)
        with contextlib.suppress(*engine_api.ENGINE_FAULTS):
            await run_in_thread(lambda: engine_api.clear_leftovers(self._engine, self._box_environment.label))
        task = asyncio.current_task()
        if not (self._box_environment.is_resumable and task and task.cancelling()):
            with contextlib.suppress(*engine_api.ENGINE_FAULTS):
                await run_in_thread(lambda: engine_api.remove_built_images(self._engine, self._box_environment.label))
        self._engine.close()


def _copy_with_commands(folder: Path, copy: Path, commands: BotCommands, image: str) -> None:
    shutil.copytree(folder, copy, symlinks=True)
    # A file may be a link, and writing through the link would change another file.
    for name in ("Dockerfile", ".dockerignore"):
        (copy / name).unlink(missing_ok=True)
    lines = [f"FROM {image}", f"WORKDIR {BOT_FOLDER}", "COPY . ."]
    lines += [f"RUN {_shell(commands.build)}"] if commands.build else []
    text = "\n".join([*lines, f"CMD {_shell(commands.run)}", ""])
    (copy / "Dockerfile").write_text(text, encoding="utf-8", newline="\n")


def _shell(command: str) -> str:
    return json.dumps(["/bin/sh", "-c", command])


async def open_docker(box_environment: BoxEnvironment) -> DockerRunner:
    """Opens a runner. Removes what an earlier run of the same tournament left behind. Raises CannotRun."""
    engine = await run_in_thread(engine_api.connect_to_docker)
    try:
        await run_in_thread(lambda: engine_api.clear_leftovers(engine, box_environment.label))
    except engine_api.ENGINE_FAULTS as error:
        raise CannotRun(f"Docker cannot be used: {engine_api.describe_error(error)}.") from None
    return DockerRunner(engine, box_environment)
