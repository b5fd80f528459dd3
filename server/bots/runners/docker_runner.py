"""Bots in Docker containers: builds images, starts boxes, clears everything away. Knows no poker."""

import asyncio
import contextlib
from concurrent.futures import Future
from pathlib import Path

from docker import APIClient
from docker.errors import APIError

from server.bots.runners.docker_box import DockerBox
from server.bots.runners.docker_engine import ENGINE_FAULTS, clear_leftovers, connect, in_words, labels, look_at_image
from server.bots.runners.docker_flags import NOBODY, bot_config, declared_volumes
from server.bots.runners.docker_image import build_image
from server.bots.runners.docker_network import BotNetwork, close_network, hold_network, own_network
from server.bots.runners.log_file import LogFile
from server.bots.runners.runner import CannotRun, Say, Surroundings
from server.bots.runners.threads import in_thread

_OWN_NETWORK = (
    "The bots' boxes cannot be entered from here ({reason}), so each bot has an internal network of its own: it can"
    " reach what this machine serves on 0.0.0.0, and addresses hard-coded in bots are not answered."
)


class DockerRunner:
    """Bots in containers of their own. `enter` False takes internal networks although boxes could be entered."""

    kind = "docker"

    def __init__(self, engine: APIClient, common: Surroundings, *, enter: bool = True) -> None:
        self.notes: tuple[str, ...] = () if enter else (_OWN_NETWORK.format(reason="as was wished"),)
        self._engine = engine
        self._common = common
        self._limits = common.limits
        self._enter = enter
        self._boxes: list[DockerBox] = []

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """The id of the bot's image; `say` hears every step. Raises CannotRun with the last of the log."""
        loop = asyncio.get_running_loop()
        given_up: Future[None] = Future()

        def tell(line: str) -> None:
            with contextlib.suppress(RuntimeError):  # The loop is closed.
                loop.call_soon_threadsafe(say, line)

        try:
            return await in_thread(
                lambda: build_image(self._engine, name, folder, self._limits, say=tell, given_up=given_up)
            )
        finally:
            given_up.set_result(None)

    async def start(self, name: str, built: str, log: Path, *, strict: bool = True) -> DockerBox:
        """The bot in its box, with our sockets open in it before the bot begins. Raises CannotRun."""
        try:
            network = await in_thread(lambda: self._network(name))
            container, quota = await in_thread(lambda: self._started(name, built, network, strict))
        except ENGINE_FAULTS as error:
            raise CannotRun(f"{name} cannot be started: {in_words(error)}.") from None
        words = ["docker", "strict" if strict else "relaxed", *(["own network"] if network.network else [])]
        kept = LogFile(log, self._limits.log_bytes)
        box = DockerBox(self._engine, container, network, limits=self._limits, log=kept, box=", ".join(words))
        if not strict and not quota:
            box.watch_disk()
        self._boxes.append(box)
        return box

    async def close(self) -> None:
        """Stops all bots at once and clears away whatever carries the label. Never raises."""
        await asyncio.gather(*(box.stop() for box in self._boxes))
        self._boxes.clear()
        with contextlib.suppress(*ENGINE_FAULTS):
            await in_thread(lambda: clear_leftovers(self._engine, self._common.label))
        self._engine.close()

    def _network(self, name: str) -> BotNetwork:
        if self._enter:
            try:
                return hold_network(self._engine, name, self._common)
            except CannotRun as error:
                self._enter = False
                self.notes = (_OWN_NETWORK.format(reason=error),)
        return own_network(self._engine, name, self._common)

    def _started(self, name: str, image: str, network: BotNetwork, strict: bool) -> tuple[str, bool]:
        """The bot's container, and whether Docker itself limits its disk. Raises what the Engine raises."""
        try:
            try:
                return self._start_once(name, image, network, strict)
            except APIError as error:
                if not error.is_server_error():
                    raise
            # Now and then the Engine loses a race against itself ("cannot start an already running container").
            return self._start_once(name, image, network, strict)
        except BaseException:
            close_network(self._engine, network)
            raise

    def _start_once(self, name: str, image: str, network: BotNetwork, strict: bool) -> tuple[str, bool]:
        container, quota = self._created(name, image, network, strict)
        try:
            self._engine.start(container)
        except BaseException:
            with contextlib.suppress(*ENGINE_FAULTS):
                self._engine.remove_container(container, force=True, v=True)
            raise
        return container, quota

    def _created(self, name: str, image: str, network: BotNetwork, strict: bool) -> tuple[str, bool]:
        """With a limited disk where strict does not make it read-only and the storage driver can."""
        if not strict:
            with contextlib.suppress(APIError):
                return self._create(name, image, network, strict=False, quota=True), True
        return self._create(name, image, network, strict=strict, quota=False), False

    def _create(self, name: str, image: str, network: BotNetwork, *, strict: bool, quota: bool) -> str:
        volumes = declared_volumes(look_at_image(self._engine, image))
        engine = self._engine
        created = engine.create_container(
            image,
            user=NOBODY if strict else None,
            labels=dict(labels(self._common.label, name)),
            healthcheck={"test": ["NONE"]},
            host_config=bot_config(
                engine, self._limits, network.mode, network.hosts, volumes, strict=strict, quota=quota
            ),
        )
        return str(created["Id"])


async def open_docker(common: Surroundings, *, enter: bool = True) -> DockerRunner:
    """A runner, after clearing away what an earlier run of the same tournament has left. Raises CannotRun."""
    engine = await in_thread(connect)
    try:
        await in_thread(lambda: clear_leftovers(engine, common.label))
    except ENGINE_FAULTS as error:
        raise CannotRun(f"Docker cannot be used: {in_words(error)}.") from None
    return DockerRunner(engine, common, enter=enter)
