"""Bots without Docker: in bubblewrap boxes on this machine's own read-only system. Knows no poker."""

import asyncio
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from server.bots.runners.box_start import WaitingBox, bubblewrap_fault, start_waiting
from server.bots.runners.bubblewrap import NOBODY, box_command, where
from server.bots.runners.dockerfile import Recipe, read_recipe
from server.bots.runners.inside import limit_inside, listen_inside
from server.bots.runners.light_box import LightBox, LightPipedBox, LightProcess
from server.bots.runners.light_build import follow_build, limits_of_build
from server.bots.runners.log_file import LogFile
from server.bots.runners.pipes import two_pipes
from server.bots.runners.process_tree import give_way, resource_limits
from server.bots.runners.runner import BOT_FOLDER, PIPED_LOG_BYTES, CannotRun, Limits, Orders, Say, Surroundings
from server.bots.runners.threads import in_thread

NOTES = (
    "The light runner builds no image: bots run on this machine's own programs and libraries, and what a Dockerfile"
    " installs is not there.",
    "Memory is watched twenty times a second and a bot that uses too much is ended; it is no wall as Docker's is, so"
    " take it for bots of people you know.",
)
_PREFIX = "highnoon-light-"
Box = TypeVar("Box", bound=LightProcess)


class _Ready(Struct, frozen=True):
    """A bot's copy and how it is started."""

    recipe: Recipe
    folder: Path


class LightRunner:
    """Bots in bubblewrap boxes. `home` is a folder of this runner alone, removed at the end."""

    kind = "light"

    def __init__(self, common: Surroundings, home: Path) -> None:
        self.notes: tuple[str, ...] = NOTES
        self._common = common
        self._home = home
        self._ready: dict[str, _Ready] = {}
        self._boxes: list[LightProcess] = []
        self._numbers = itertools.count()
        home.chmod(0o755)
        self._hosts = home / "hosts"
        self._hosts.write_text(f"127.0.0.1 localhost bot {' '.join(common.hostnames)}\n")

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """A copy of the folder; `say` hears what of the Dockerfile is not carried out. Raises CannotRun."""
        try:
            text = (folder / "Dockerfile").read_text(encoding="utf-8", errors="replace")
            recipe = read_recipe(text)
            where(recipe)
            copy = self._home / f"bot-{next(self._numbers)}"
            await in_thread(lambda: _copy(folder, copy))
        except CannotRun as error:
            raise CannotRun(f"{name} cannot be run: {error}") from None
        except OSError as error:
            raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
        for note in recipe.notes:
            say(note)
        self._ready[str(copy)] = _Ready(recipe, copy)
        return str(copy)

    async def start(self, name: str, built: str, log: Path, *, strict: bool = True) -> LightBox:
        """The bot in its box, with our sockets open in it before the bot begins. Raises CannotRun.

        Every box is strict.
        """
        ready, common = self._ready[built], self._common
        try:
            waiting = start_waiting(partial(box_command, ready.recipe, ready.folder, self._hosts, common.limits))
            try:
                await in_thread(waiting.ready)
                give_way(waiting.init, _processors(len(self._boxes), common.limits.cpus))
                most = resource_limits(common.limits)
                sockets = await in_thread(lambda: listen_inside(waiting.init, common.addresses, most))
            except (OSError, CannotRun) as error:
                raise CannotRun(waiting.give_up() or str(error)) from None
            except BaseException:
                waiting.give_up()
                raise
        except (OSError, CannotRun) as error:
            raise CannotRun(f"{name} cannot be started: {error}") from None
        waiting.begin()
        box = LightBox(waiting.process, waiting.init, sockets, limits=common.limits, log=log)
        self._boxes.append(box)
        return box

    # -- bots that play over their standard input and output -----------------------------------------

    async def build_piped(self, name: str, folder: Path, orders: Orders, say: Say) -> str:
        """A copy of the folder, in which the build has been carried out. Raises CannotRun with the last of the log."""
        copy = self._home / f"bot-{next(self._numbers)}"
        try:
            await in_thread(lambda: _copy(folder, copy))
            if orders.build:
                await in_thread(lambda: _hand_over(copy))
                for line in await self._build(orders.build, copy):
                    say(line)
        except CannotRun as error:
            await in_thread(lambda: shutil.rmtree(copy, ignore_errors=True))
            raise CannotRun(f"{name} cannot be built: {error}") from None
        except OSError as error:
            raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
        self._ready[str(copy)] = _Ready(_shell(orders.run), copy)
        return str(copy)

    async def start_piped(self, name: str, built: str, log: Path) -> LightPipedBox:
        """The bot in its box, reading its standard input. Raises CannotRun."""
        ready, limits = self._ready[built], self._common.limits
        try:
            LogFile(log, 0).close()  # If that cannot be, nothing is started.
            with two_pipes() as ends:
                waiting = await self._waiting(ready, limits, pipes=ends.theirs)
        except (OSError, CannotRun) as error:
            raise CannotRun(f"{name} cannot be started: {error}") from None
        kept = replace(limits, log_bytes=min(limits.log_bytes, PIPED_LOG_BYTES))
        return self._kept(LightPipedBox(waiting.process, waiting.init, ends.ours, limits=kept, log=log))

    async def _build(self, command: str, copy: Path) -> list[str]:
        limits, log = limits_of_build(self._common.limits), copy.with_suffix(".log")
        waiting = await self._waiting(_Ready(_shell(command), copy), limits, writable=True)
        box = self._kept(LightProcess(waiting.process, waiting.init, limits=limits, log=log))
        return await follow_build(box, copy, limits, log)

    async def _waiting(
        self, ready: _Ready, limits: Limits, *, pipes: tuple[int, int] | None = None, writable: bool = False
    ) -> WaitingBox:
        """A box that has just been let begin. Raises OSError, CannotRun."""
        command = partial(box_command, ready.recipe, ready.folder, self._hosts, limits, writable=writable)
        waiting = start_waiting(command, pipes)
        try:
            await in_thread(waiting.ready)
            give_way(waiting.init, _processors(next(self._numbers), limits.cpus))
            await in_thread(lambda: limit_inside(waiting.init, resource_limits(limits)))
        except (OSError, CannotRun) as error:
            raise CannotRun(waiting.give_up() or str(error)) from None
        except BaseException:
            waiting.give_up()
            raise
        waiting.begin()
        return waiting

    def _kept(self, box: Box) -> Box:
        """The same; it is ended with this runner, if it has not ended before."""
        self._boxes = [other for other in self._boxes if not other.over] + [box]
        return box

    # ------------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Stops all bots at once and removes their copies. Never raises."""
        await asyncio.gather(*(box.stop() for box in self._boxes))
        self._boxes.clear()
        shutil.rmtree(self._home, ignore_errors=True)


def open_light(common: Surroundings) -> LightRunner:
    """A runner, after removing what an earlier run of the same tournament has left. Raises CannotRun."""
    if fault := bubblewrap_fault():
        raise CannotRun(f"The light runner cannot be used: {fault}")
    prefix = f"{_PREFIX}{common.label}-"
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        if left.stat().st_uid == os.geteuid():
            shutil.rmtree(left, ignore_errors=True)
    return LightRunner(common, Path(tempfile.mkdtemp(prefix=prefix)))


def _processors(number: int, cpus: float) -> set[int]:
    """The processors of the box of that number: the boxes go round, each has as many as it may."""
    all_of_them = sorted(os.sched_getaffinity(0))
    many = max(1, min(int(cpus), len(all_of_them)))
    return {all_of_them[(number + step) % len(all_of_them)] for step in range(many)}


def _shell(command: str) -> Recipe:
    return Recipe(BOT_FOLDER, {}, ("/bin/sh", "-c", command), ())


def _hand_over(copy: Path) -> None:
    """Makes a copy the property of who is in the box. Raises OSError."""
    if os.geteuid() == 0:
        for path in _all_of(copy):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def _copy(folder: Path, copy: Path) -> None:
    """For anybody to read. Raises OSError."""
    shutil.copytree(folder, copy, symlinks=True)
    for path in _all_of(copy):
        if not path.is_symlink():
            path.chmod(0o755)


def _all_of(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.rglob("*")
