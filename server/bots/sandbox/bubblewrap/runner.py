"""Runs bots without Docker, in bubblewrap boxes. There, bots see this machine's programs and libraries, read-only.
Knows nothing about poker.
"""

import asyncio
import itertools
import os
import platform
import shutil
import socket
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from server.bots.sandbox.box_limits import PIPED_LOG_BYTES, SOCKET_BUFFERS, Limits
from server.bots.sandbox.bubblewrap.box import BubblewrapBox, BubblewrapPipedBox, BubblewrapProcess, StartedProgram
from server.bots.sandbox.bubblewrap.build import build_script, follow_build, limits_of_build
from server.bots.sandbox.bubblewrap.cgroups import UsageControl, find_usage_control
from server.bots.sandbox.bubblewrap.command import BoxSpec, bot_folder_path, box_command, max_files
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe, read_recipe
from server.bots.sandbox.bubblewrap.seccomp import syscall_filter
from server.bots.sandbox.bubblewrap.waiting_box import bubblewrap_fault, start_waiting_box
from server.bots.sandbox.foreign_programs import start_failure_hint
from server.bots.sandbox.namespace_sockets import PORTS, open_box_sockets
from server.bots.sandbox.output_log import OutputLog
from server.bots.sandbox.process import two_pipes
from server.bots.sandbox.process_tree import resource_limits
from server.bots.sandbox.runner import BOT_FOLDER, WEAK_BOXES_WARNING, BotCommands, BoxEnvironment, CannotRun, Say
from server.bots.sandbox.submitted_folder import read_dockerfile
from server.bots.sandbox.threads import run_in_thread

NO_IMAGE = (
    "The light runner builds no image: bots run with this machine's own programs and libraries, without those that a"
    " Dockerfile installs."
)
_SYSCTLS = {**SOCKET_BUFFERS, "user.max_inotify_watches": "1000"}
"""Kernel settings. They limit memory that belongs to no process, such as the buffers of connections."""
_FOLDER_PREFIX = "highnoon-light-"
_NICE = 5


class BubblewrapRunner:
    """Runs bots in bubblewrap boxes. `home` is this runner's own folder, which `close` removes."""

    kind = "light"

    def __init__(self, box_environment: BoxEnvironment, home: Path, usage_control: UsageControl) -> None:
        self.remarks: tuple[str, ...] = (
            (NO_IMAGE,) if usage_control.counts_all_memory else (NO_IMAGE, WEAK_BOXES_WARNING)
        )
        self._usage_control = usage_control
        self._box_environment = box_environment
        self._home = home
        self._box_specs: dict[str, BoxSpec] = {}
        self._boxes: list[BubblewrapProcess] = []
        self._numbers = itertools.count()
        self._processor_turns = itertools.count()
        home.chmod(0o755)
        self._hosts = home / "hosts"
        self._hosts.write_text(f"127.0.0.1 localhost bot {' '.join(box_environment.hostnames)}\n")

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """Copies the folder and returns the copy's path. `say` gets a line for each instruction of the Dockerfile that
        this runner skips. Raises CannotRun.
        """
        try:
            recipe = read_recipe(await run_in_thread(lambda: read_dockerfile(folder)))
            bot_folder_path(recipe)
            copy = await self._copy_folder(folder)
        except CannotRun as error:
            raise CannotRun(f"{name} cannot be run: {error}") from None
        except OSError as error:
            raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
        for sentence in recipe.skipped:
            say(sentence)
        hint = await run_in_thread(lambda: start_failure_hint(copy))
        self._box_specs[str(copy)] = replace(self._box_spec(recipe, copy, self._box_environment.limits), hint=hint)
        return str(copy)

    async def start(self, name: str, handle: str, log: Path, *, strict: bool = True) -> BubblewrapBox:
        """Opens the server's sockets in a box, then starts the bot. Ignores `strict`, because no bubblewrap box lets a
        bot write to its own files. Raises CannotRun.
        """
        try:
            started, (register, game) = await self._start_box(self._box_specs[handle], log, PORTS)
        except (OSError, CannotRun) as error:
            raise CannotRun(f"{name} cannot be started: {error}") from None
        running = BubblewrapBox(started, (register, game))
        # A box stays in this list after its bot has ended, because `close` closes the box's sockets.
        self._boxes.append(running)
        return running

    async def build_piped(self, name: str, folder: Path, commands: BotCommands, say: Say) -> str:
        """Copies the folder of a bot that plays over its standard input and output. Builds the copy in a box, and
        returns the path of the result. Raises CannotRun with the log.
        """
        try:
            copy = await self._copy_folder(folder)
            if commands.build:
                copy, lines = await self._build_in_box(commands.build, copy)
                for line in lines:
                    say(line)
        except CannotRun as error:
            raise CannotRun(f"{name} cannot be built: {error}") from None
        except OSError as error:
            raise CannotRun(f"{name} cannot be copied: {error.strerror or error}.") from None
        limits = self._box_environment.limits
        limits = replace(limits, log_bytes=min(limits.log_bytes, PIPED_LOG_BYTES))
        hint = await run_in_thread(lambda: start_failure_hint(copy))
        self._box_specs[str(copy)] = replace(self._box_spec(_shell_recipe(commands.run), copy, limits), hint=hint)
        return str(copy)

    async def start_piped(self, name: str, handle: str, log: Path) -> BubblewrapPipedBox:
        try:
            return await self._start_piped_box(self._box_specs[handle], log)
        except (OSError, CannotRun) as error:
            raise CannotRun(f"{name} cannot be started: {error}") from None

    async def _build_in_box(self, command: str, submission: Path) -> tuple[Path, list[str]]:
        """Returns the built folder and the lines that the build printed. Removes `submission`, the unbuilt folder."""
        into = submission.with_name(f"{submission.name}-built")
        limits, log = limits_of_build(self._box_environment.limits), into.with_suffix(".log")
        box = replace(self._box_spec(_shell_recipe(build_script(command)), submission, limits), is_build=True)
        try:
            building = await self._start_piped_box(box, log)
            os.close(building.stdin)
            return into, await follow_build(building, into, limits, log)
        except BaseException:
            await run_in_thread(lambda: shutil.rmtree(into, ignore_errors=True))
            raise
        finally:
            await run_in_thread(lambda: shutil.rmtree(submission, ignore_errors=True))

    async def _start_piped_box(self, box: BoxSpec, log: Path) -> BubblewrapPipedBox:
        """Starts a box with pipes as its input and output. Raises OSError or CannotRun."""
        with two_pipes() as (own_ends, bot_ends):
            started, _ = await self._start_box(box, log, pipes=bot_ends)
        running = BubblewrapPipedBox(started, own_ends)
        self._boxes = [other for other in self._boxes if not other.has_ended] + [running]
        return running

    async def _start_box(
        self, box: BoxSpec, log: Path, ports: Sequence[int] = (), *, pipes: tuple[int, int] | None = None
    ) -> tuple[StartedProgram, list[socket.socket]]:
        """Starts a program in its box. Returns the program, and sockets that listen in the box on `ports`. Raises
        OSError or CannotRun.
        """
        OutputLog(log, 0).close()  # If the log is not writable, this raises before anything starts.
        usage_control, limits = self._usage_control, box.limits
        addresses = self._box_environment.addresses if ports else ()
        seccomp_filter = syscall_filter(platform.machine(), counts_all_memory=usage_control.counts_all_memory)
        waiting = start_waiting_box(partial(box_command, box), seccomp_filter, pipes, usage_control.command(limits))
        try:
            await run_in_thread(waiting.wait_until_ready)
            init_pid, process_limits, files = waiting.init_pid, resource_limits(limits), max_files(box)
            os.sched_setaffinity(init_pid, _processors(next(self._processor_turns), limits.cpus))
            os.setpriority(os.PRIO_PROCESS, init_pid, _NICE)
            sockets = await run_in_thread(
                lambda: open_box_sockets(init_pid, ports, addresses, process_limits, files, sysctls=_SYSCTLS)
            )
            meter = await run_in_thread(lambda: usage_control.meter(waiting.process.pid, init_pid, limits))
        except (OSError, CannotRun) as error:
            raise CannotRun(waiting.kill_box() or str(error)) from None
        except BaseException:
            waiting.kill_box()
            raise
        waiting.start_bot()
        return StartedProgram(waiting.process, init_pid, meter, limits, log, box.hint), sockets

    def _box_spec(self, recipe: Recipe, folder: Path, limits: Limits) -> BoxSpec:
        return BoxSpec(recipe, folder, self._hosts, limits, counts_all_memory=self._usage_control.counts_all_memory)

    async def _copy_folder(self, folder: Path) -> Path:
        """Copies the folder, readable for every user, and returns the copy's path. Raises OSError."""
        copy = self._home / f"bot-{next(self._numbers)}"
        await run_in_thread(lambda: _copy_readable(folder, copy))
        return copy

    async def close(self) -> None:
        """Stops all bots at once and removes their copies. Never raises."""
        await asyncio.gather(*(box.stop() for box in self._boxes))
        self._boxes.clear()
        shutil.rmtree(self._home, ignore_errors=True)


def open_bubblewrap(box_environment: BoxEnvironment, usage_control: UsageControl | None = None) -> BubblewrapRunner:
    """Opens a runner. Removes what an earlier run of the same tournament left behind. Raises CannotRun.

    `usage_control` measures what the boxes use. By default, it is the best one that works on this machine.
    """
    if fault := bubblewrap_fault():
        raise CannotRun(f"The light runner cannot be used: {fault}")
    prefix = f"{_FOLDER_PREFIX}{box_environment.label}-"
    for leftover in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        if leftover.stat().st_uid == os.geteuid():
            shutil.rmtree(leftover, ignore_errors=True)
    return BubblewrapRunner(
        box_environment, Path(tempfile.mkdtemp(prefix=prefix)), usage_control or find_usage_control()
    )


def _processors(number: int, cpus: float) -> set[int]:
    """Returns `cpus` neighbouring processors, at least one, for box number `number`. From box to box, the choice moves
    on by one processor.
    """
    usable = sorted(os.sched_getaffinity(0))
    count = max(1, min(int(cpus), len(usable)))
    return {usable[(number + step) % len(usable)] for step in range(count)}


def _shell_recipe(command: str) -> Recipe:
    return Recipe(BOT_FOLDER, {}, ("/bin/sh", "-c", command), ())


def _copy_readable(folder: Path, copy: Path) -> None:
    shutil.copytree(folder, copy, symlinks=True)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)
