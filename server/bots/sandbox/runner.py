"""What all boxes for submitted bots have in common: limits, the protocols of runners and boxes, how a bot ended."""

import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

REGISTER_PORT = 5000
"""Where bots expect `POST /register`, on whatever address; hard-coded in many."""
GAME_PORT = 5001
BOT_FOLDER = "/bot"
"""Where a bot without a Dockerfile lies in its box."""
PIPED_LOG_BYTES = 64 << 10
"""Most bytes of a bot's standard error that are kept of one game: a season has thousands of them."""

WEAK_BOX = "light, weak"
WEAK = (
    "Boxes are weak here: no control groups, so memory is only measured twenty times a second, and what the kernel"
    " keeps for a bot's file locks and memory areas is not counted; use Docker for bots of strangers."
)

Say = Callable[[str], object]
"""Called with a line of progress, in words for the organiser."""


class Limits(Struct, frozen=True):
    """What a box allows: "Memory limit: 100MB", "CPU limit: 1 core"."""

    memory_bytes: int = 100 << 20
    cpus: float = 1.0
    processes: int = 64
    files: int = 256
    scratch_bytes: int = 16 << 20
    """Most bytes of each disk in memory that a bot may write to."""
    scratch_files: int = 4_000
    log_bytes: int = 1 << 20
    """Most bytes of a bot's output that are kept."""
    disk_bytes: int = 64 << 20
    """What a bot may write in a box whose disk is not read-only."""
    disk_files: int = 20_000
    """As many files a build may leave."""
    build_seconds: float = 600.0
    build_memory_bytes: int = 2 << 30
    build_cpus: float = 2.0
    build_processes: int = 512
    build_disk_bytes: int = 4 << 30
    """What an image may add to the one it builds on."""
    build_files: int = 500_000


class Surroundings(Struct, frozen=True):
    """What all boxes of a tournament have in common."""

    label: str
    """The tournament's name: what an earlier run of it has left is found by it."""
    addresses: tuple[str, ...] = ()
    """IPv4 addresses that bots have hard-coded; the server answers on them inside the boxes."""
    hostnames: tuple[str, ...] = ()
    """Names under which bots look for the server."""
    limits: Limits = Limits()
    image: str = "python:3.11-slim"
    """The base image for bots without a Dockerfile."""
    build_network: bool = False
    """Whether builds of Dockerfiles reach the public web, by a proxy and no other way."""
    registries: tuple[str, ...] = ()
    """Registries besides Docker Hub whose images a Dockerfile may name."""
    resumes: bool = False
    """Whether an interrupted run goes on later: then images that are built are kept for it."""


class Usage(Struct, frozen=True):
    """What a bot has used so far; 0 where that is not known."""

    memory_bytes: int = 0
    peak_memory_bytes: int = 0
    cpu_seconds: float = 0.0

    def then(self, now: "Usage") -> "Usage":
        """What is known after it was measured again: a bot that has ended may be measured as using nothing."""
        peak = max(now.peak_memory_bytes, now.memory_bytes, self.peak_memory_bytes)
        return Usage(now.memory_bytes, peak, max(now.cpu_seconds, self.cpu_seconds))


class Exit(Struct, frozen=True):
    """How a bot ended: its exit status (negative: a signal), and `reason` in words."""

    status: int
    reason: str


class CannotRun(Exception):
    """Why a bot, or all of them, cannot be run here, in words for the organiser."""


class Process(Protocol):
    """A bot in its box."""

    box: str
    """How it runs, in a word or two: "docker, strict", "docker, relaxed", "light", or `WEAK_BOX`."""

    async def ended(self) -> Exit:
        """Waits until the bot has ended by itself or was stopped."""

    async def usage(self) -> Usage:
        """What it uses now; after its end, what was measured last."""

    async def stop(self) -> None:
        """Asks the bot to end, kills it some seconds later, and removes everything it had. Never raises."""


class Running(Process, Protocol):
    """A bot whose box has two sockets that listen inside it, so only this bot can connect to them."""

    register: socket.socket
    game: socket.socket


class Piped(Process, Protocol):
    """A bot that plays over its standard input and output.

    The caller owns the two pipes; the bot's standard error goes to its log.
    """

    stdin: int
    stdout: int


class Orders(Struct, frozen=True):
    """How a bot without a Dockerfile is made and started: commands for a shell, in the bot's own folder."""

    run: str
    build: str = ""
    """Run once, and may write to the folder; "" for no build."""


class Runner(Protocol):
    """Builds and starts bots."""

    kind: str
    notes: tuple[str, ...]
    """What an organiser should know about the boxes of this machine, in sentences."""

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """Builds the bot in `folder`; returns a handle for `start`. Raises CannotRun with the end of the log."""

    async def start(self, name: str, built: str, log: Path, *, strict: bool = True) -> Running:
        """Starts a built bot; its standard output and error go to the file `log`, up to a limit. Raises CannotRun.

        Not `strict`: it may write to its own files and run as the user its image names, for bots that need it.
        """

    async def build_piped(self, name: str, folder: Path, orders: Orders, say: Say) -> str:
        """Runs the build in a copy of `folder`, boxed and without a network; returns a handle for `start_piped`.

        `say` gets what the build prints. Raises CannotRun with the end of it.
        """

    async def start_piped(self, name: str, built: str, log: Path) -> Piped:
        """Starts it, also several times at once; it may read its folder and write to /tmp. Raises CannotRun."""

    async def close(self) -> None:
        """Stops all bots that still run and removes what is left of them."""


_CRASHES = {signal.SIGSEGV: "crashed (segmentation fault)", signal.SIGABRT: "crashed (it aborted)"}


def exit_of(status: int, out_of_memory: bool, limits: Limits, cause: str = "", hint: str = "") -> Exit:
    """An `Exit` from the status of a shell or of Docker, where 128 and more is a signal; `cause`: why we ended it.

    `hint` says why a bot that failed may not have started. `out_of_memory` counts only with SIGKILL: the kernel may
    have ended a child of the bot, which went on. Docker sometimes misses it; only the kernel kills without a `cause`.
    """
    number = 128 - status if 128 < status < 128 + 65 else status
    if cause:
        return Exit(number, cause)
    if number == -signal.SIGKILL:
        too_much = f"used more memory than the {limits.memory_bytes >> 20} MB it may"
        return Exit(number, too_much if out_of_memory else f"was ended by SIGKILL, probably because it {too_much}")
    return Exit(number, f"{_words(number)}. {hint}" if hint and number > 0 else _words(number))


def _words(status: int) -> str:
    if status == 0:
        return "ended by itself"
    if status in (126, 127):
        return "could not be started: its command was not found or is not a program"
    if status > 0:
        return f"ended with status {status}"
    try:
        caught = signal.Signals(-status)
    except ValueError:
        return f"was ended by signal {-status}"
    return _CRASHES.get(caught, f"was ended by {caught.name}")
