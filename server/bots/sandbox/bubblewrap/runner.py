"""Runs bots without Docker, in bubblewrap boxes on this machine's own read-only system. Knows no poker."""

import asyncio
import itertools
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from server.bots.sandbox.bubblewrap.box import BubblewrapBox, BubblewrapPipedBox, BubblewrapProcess
from server.bots.sandbox.bubblewrap.build import build_command, follow_build, limits_of_build
from server.bots.sandbox.bubblewrap.cgroups import Counting, find_counting
from server.bots.sandbox.bubblewrap.command import Box, box_command, most_files, where
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe, read_recipe
from server.bots.sandbox.bubblewrap.meters import Meter
from server.bots.sandbox.bubblewrap.seccomp import syscall_filter
from server.bots.sandbox.bubblewrap.start import WaitingBox, bubblewrap_fault, start_waiting
from server.bots.sandbox.handed_in import read_dockerfile, windows_scripts, windows_words
from server.bots.sandbox.namespace_sockets import limit_inside, listen_inside
from server.bots.sandbox.output_log import OutputLog
from server.bots.sandbox.pipes import two_pipes
from server.bots.sandbox.process_tree import limit_cpu, resource_limits
from server.bots.sandbox.runner import BOT_FOLDER, PIPED_LOG_BYTES, WEAK, CannotRun, Limits, Orders, Say, Surroundings
from server.bots.sandbox.threads import in_thread

NO_IMAGE = (
    "The light runner builds no image: bots run on this machine's own programs and libraries, and what a Dockerfile"
    " installs is not there."
)
_PREFIX = "highnoon-light-"
Kept = TypeVar("Kept", bound=BubblewrapProcess)
Got = TypeVar("Got")


class BubblewrapRunner:
    """Runs bots in bubblewrap boxes. `home` is a folder of this runner alone, removed by `close`."""

    kind = "light"

    def __init__(self, common: Surroundings, home: Path, counting: Counting) -> None:
        self.notes: tuple[str, ...] = (NO_IMAGE,) if counting.counted else (NO_IMAGE, WEAK)
        self._counting = counting
        self._common = common
        self._home = home
        self._ready: dict[str, Box] = {}
        self._hints: dict[str, str] = {}
        """Why a bot may not start, by its copy."""
        self._boxes: list[BubblewrapProcess] = []
        self._numbers = itertools.count()
        self._turns = itertools.count()
        home.chmod(0o755)
        self._hosts = home / "hosts"
        self._hosts.write_text(f"127.0.0.1 localhost bot {' '.join(common.hostnames)}\n")

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """Copies the folder and returns the copy's path; `say` gets what of the Dockerfile is not carried out.

        Raises CannotRun.
        """
        try:
            recipe = read_recipe(await in_thread(lambda: read_dockerfile(folder)))
            where(recipe)
            copy = self._home / f"bot-{next(self._numbers)}"
            await in_thread(lambda: _copy(folder, copy))
        except CannotRun as error:
            raise CannotRun(f"{name} cannot be run: {error}") from None
        except OSError as error:
            raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
        for note in recipe.notes:
            say(note)
        self._ready[str(copy)] = self._box(recipe, copy)
        self._hints[str(copy)] = windows_words(await in_thread(lambda: windows_scripts(copy)))
        return str(copy)

    async def start(self, name: str, built: str, log: Path, *, strict: bool = True) -> BubblewrapBox:
        """Starts the bot in its box, where our sockets listen before the bot begins. Raises CannotRun.

        Every box is strict.
        """
        box, common = self._ready[built], self._common
        most, most_of_disks = resource_limits(common.limits), most_files(box)
        try:
            waiting, meter, sockets = await self._begun(
                box, lambda init: listen_inside(init, common.addresses, most, most_of_disks)
            )
        except (OSError, CannotRun) as error:
            raise CannotRun(f"{name} cannot be started: {error}") from None
        running = BubblewrapBox(
            waiting.process, waiting.init, sockets, meter=meter, limits=common.limits, log=log, hint=self._hints[built]
        )
        self._boxes.append(running)  # Its sockets are closed with the runner, ended or not.
        return running

    # -- bots that play over their standard input and output -----------------------------------------

    async def build_piped(self, name: str, folder: Path, orders: Orders, say: Say) -> str:
        """Copies the folder, runs the build in a box, returns the result's path. Raises CannotRun with the log."""
        copy = self._home / f"bot-{next(self._numbers)}"
        try:
            await in_thread(lambda: _copy(folder, copy))
            if orders.build:
                handed_in, copy = copy, copy.with_name(f"{copy.name}-built")
                for line in await self._build(orders.build, handed_in, copy):
                    say(line)
        except CannotRun as error:
            await in_thread(lambda: shutil.rmtree(copy, ignore_errors=True))
            raise CannotRun(f"{name} cannot be built: {error}") from None
        except OSError as error:
            raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
        self._ready[str(copy)] = self._box(_shell(orders.run), copy)
        return str(copy)

    async def start_piped(self, name: str, built: str, log: Path) -> BubblewrapPipedBox:
        """Starts the bot in its box; it plays over its standard input and output. Raises CannotRun."""
        limits = self._common.limits
        kept = replace(limits, log_bytes=min(limits.log_bytes, PIPED_LOG_BYTES))
        try:
            return await self._piped(self._ready[built], kept, log)
        except (OSError, CannotRun) as error:
            raise CannotRun(f"{name} cannot be started: {error}") from None

    async def _build(self, order: str, handed_in: Path, into: Path) -> list[str]:
        """Runs the build; returns what it printed, and removes the copy of what was handed in."""
        limits, log = limits_of_build(self._common.limits), into.with_suffix(".log")
        box = replace(self._box(_shell(build_command(order)), handed_in), limits=limits, building=True)
        try:
            building = await self._piped(box, limits, log)
            os.close(building.stdin)
            return await follow_build(building, into, limits, log)
        finally:
            await in_thread(lambda: shutil.rmtree(handed_in, ignore_errors=True))

    async def _piped(self, box: Box, limits: Limits, log: Path) -> BubblewrapPipedBox:
        """Starts a box with pipes for its input and output. Raises OSError, CannotRun."""
        OutputLog(log, 0).close()  # Raises before anything is started if the log cannot be written.
        most, most_of_disks = resource_limits(limits), most_files(box)
        with two_pipes() as ends:
            waiting, meter, _ = await self._begun(
                box, lambda init: limit_inside(init, most, most_of_disks), ends.theirs
            )
        return self._kept(
            BubblewrapPipedBox(waiting.process, waiting.init, ends.ours, meter=meter, limits=limits, log=log)
        )

    # ------------------------------------------------------------------------------------------------

    async def _begun(
        self, box: Box, enter: Callable[[int], Got], pipes: tuple[int, int] | None = None
    ) -> tuple[WaitingBox, Meter, Got]:
        """A box just let begin, its meter, and what `enter` got from its first process. Raises OSError, CannotRun."""
        counting, limits = self._counting, box.limits
        rules = syscall_filter(platform.machine(), counted=counting.counted)
        waiting = start_waiting(partial(box_command, box), rules, pipes, counting.command(limits))
        try:
            await in_thread(waiting.ready)
            limit_cpu(waiting.init, _processors(next(self._turns), limits.cpus))
            got = await in_thread(lambda: enter(waiting.init))
            meter = await in_thread(lambda: counting.meter(waiting.process.pid, waiting.init, limits))
        except (OSError, CannotRun) as error:
            raise CannotRun(waiting.give_up() or str(error)) from None
        except BaseException:
            waiting.give_up()
            raise
        waiting.begin()
        return waiting, meter, got

    def _box(self, recipe: Recipe, folder: Path) -> Box:
        return Box(recipe, folder, self._hosts, self._common.limits, counted=self._counting.counted)

    def _kept(self, box: Kept) -> Kept:
        """The same; it is ended with this runner, if it has not ended before."""
        self._boxes = [other for other in self._boxes if not other.over] + [box]
        return box

    async def close(self) -> None:
        """Stops all bots at once and removes their copies. Never raises."""
        await asyncio.gather(*(box.stop() for box in self._boxes))
        self._boxes.clear()
        shutil.rmtree(self._home, ignore_errors=True)


def open_bubblewrap(common: Surroundings, counting: Counting | None = None) -> BubblewrapRunner:
    """A runner, after removing what an earlier run of the same tournament has left. Raises CannotRun.

    Its boxes are counted in the best way this machine has, unless one is given.
    """
    if fault := bubblewrap_fault():
        raise CannotRun(f"The light runner cannot be used: {fault}")
    prefix = f"{_PREFIX}{common.label}-"
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        if left.stat().st_uid == os.geteuid():
            shutil.rmtree(left, ignore_errors=True)
    return BubblewrapRunner(common, Path(tempfile.mkdtemp(prefix=prefix)), counting or find_counting())


def _processors(number: int, cpus: float) -> set[int]:
    """The processors of box number `number`: each box gets `cpus` of them, in rotation."""
    all_of_them = sorted(os.sched_getaffinity(0))
    many = max(1, min(int(cpus), len(all_of_them)))
    return {all_of_them[(number + step) % len(all_of_them)] for step in range(many)}


def _shell(command: str) -> Recipe:
    return Recipe(BOT_FOLDER, {}, ("/bin/sh", "-c", command), ())


def _copy(folder: Path, copy: Path) -> None:
    """For anybody to read. Raises OSError."""
    shutil.copytree(folder, copy, symlinks=True)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)
