"""What all kinds of boxes (sandboxes) for submitted bots have in common: their methods, and how bots end."""

import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from server.bots.sandbox.box_limits import Limits
from server.system.processes import KILL

REGISTER_PORT = 5000
"""The port at which `POST /register` reaches the server from a box. Many bots contain this number in their code."""
GAME_PORT = 5001
BOT_FOLDER = "/bot"
"""The folder of a bot without a Dockerfile, in its box."""
WEAK_BOX = "light, weak"
WEAK_BOXES_WARNING = (
    "Boxes are weak on this machine, because it has no control groups for them. Memory is measured only twenty times a"
    " second, and the kernel's memory for a bot's file locks and memory areas is not counted. Use Docker for untrusted"
    " bots."
)

Say = Callable[[str], object]
"""A function that is called with each line of progress for the organiser."""


class BoxEnvironment(Struct, frozen=True):
    """The settings that all boxes of a tournament share."""

    label: str
    """The name of a tournament, a check, a sparring match or a worker (a machine that plays games for tournaments). By
    this name, a later run finds what an earlier run left behind.

    On a worker, the label of a tournament begins with the worker's own label and a hyphen. So the worker's next run
    finds what any earlier run left behind.
    """
    addresses: tuple[str, ...] = ()
    """IPv4 addresses hard-coded in bots. Inside the boxes, they lead to the server."""
    hostnames: tuple[str, ...] = ()
    """Host names that lead to the server inside the boxes."""
    limits: Limits = Limits()
    image: str = "python:3.11-slim"
    """The base image for bots without a Dockerfile."""
    build_network: bool = False
    """Whether Dockerfile builds reach the public web, through a proxy."""
    registries: tuple[str, ...] = ()
    """Registries besides Docker Hub from which Dockerfiles may use images."""
    is_resumable: bool = False
    """Whether an interrupted run can be continued. If so, the images of its bots are kept."""


class Usage(Struct, frozen=True):
    """The resources that a bot has used so far. An unknown amount is 0."""

    memory_bytes: int = 0
    peak_memory_bytes: int = 0
    cpu_seconds: float = 0.0

    def updated_with(self, new: "Usage") -> "Usage":
        """Returns this usage, updated with the measurement `new`. The peak and the processor time never shrink,
        although they can be 0 in `new` once the bot has ended.
        """
        peak = max(new.peak_memory_bytes, new.memory_bytes, self.peak_memory_bytes)
        return Usage(new.memory_bytes, peak, max(new.cpu_seconds, self.cpu_seconds))


class Exit(Struct, frozen=True):
    """How a bot ended: its exit status (negative for a signal), and the `reason` as text."""

    status: int
    reason: str


class CannotRun(Exception):
    """This machine cannot run a certain bot, or cannot run bots at all. The message tells the organiser why."""


class Process(Protocol):
    """A bot in its box."""

    box: str
    """The kind of box: "docker, strict", "docker, relaxed", "light", or `WEAK_BOX`."""

    async def wait_for_exit(self) -> Exit:
        """Waits until the bot has ended by itself or was stopped."""

    async def usage(self) -> Usage:
        """Returns the bot's current usage or, once the bot has ended, the last measurement."""

    async def stop(self) -> None:
        """Asks the bot to end, and kills it if that takes too long. Then removes everything that the bot left behind.
        Never raises.
        """


class SocketBox(Process, Protocol):
    """A bot whose box has two listening sockets. No other bot can connect to them."""

    register_socket: socket.socket
    game_socket: socket.socket


class PipedBox(Process, Protocol):
    """A bot that plays over its standard input and output.

    The caller owns the two pipes. The bot's standard error goes to its log.
    """

    stdin: int
    stdout: int


class BotCommands(Struct, frozen=True):
    """How to build and start a bot without a Dockerfile: shell commands, run in the bot's own folder."""

    run: str
    build: str = ""
    """The build command, or "" for no build. The command runs once, and may write to the folder."""


class Runner(Protocol):
    """Builds and starts bots."""

    kind: str
    remarks: tuple[str, ...]
    """Sentences for the organiser about the boxes on this machine."""

    async def build(self, name: str, folder: Path, say: Say) -> str:
        """Builds the bot in `folder`, and returns a handle for `start`. Raises CannotRun with the end of the log."""

    async def start(self, name: str, handle: str, log: Path, *, strict: bool = True) -> SocketBox:
        """Starts a built bot and logs its output to the file `log`, within a limit. Raises CannotRun.

        If not `strict`, the bot may write to its own files, and runs as the user that its image specifies.
        """

    async def build_piped(self, name: str, folder: Path, commands: BotCommands, say: Say) -> str:
        """Builds the bot in a copy of `folder`, in a box without a network. Returns a handle for `start_piped`.

        `say` gets the output of the build. Raises CannotRun with the end of that output.
        """

    async def start_piped(self, name: str, handle: str, log: Path) -> PipedBox:
        """Starts a built bot, which may write only to /tmp. A bot may run several times at once. Raises CannotRun."""

    async def close(self) -> None:
        """Stops all running bots and removes everything they left behind."""


_CRASH_SIGNALS = {signal.SIGSEGV: "crashed (segmentation fault)", signal.SIGABRT: "crashed (it aborted)"}


def exit_of(status: int, out_of_memory: bool, limits: Limits, cause: str = "", hint: str = "") -> Exit:
    """Returns how a bot ended. `status` is what a shell or Docker reports. Both report a signal as 128 plus its number.

    `cause` is why High Noon ended the bot, or "" if it did not. `hint` is a possible reason why a failed bot never
    started. `out_of_memory` says whether the kernel killed the bot, or a child of the bot, for using too much memory.
    The kill matters only if SIGKILL ended the bot itself. Docker does not notice every kill. So a SIGKILL without a
    `cause` probably means a lack of memory, even if `out_of_memory` is False.
    """
    number = 128 - status if 128 < status < 128 + 65 else status
    if cause:
        return Exit(number, cause)
    if number == -KILL:
        too_much = f"used more memory than the {limits.memory_bytes >> 20} MB allowed"
        return Exit(number, too_much if out_of_memory else f"was ended by SIGKILL, probably because it {too_much}")
    return Exit(number, f"{_describe_status(number)}. {hint}" if hint and number > 0 else _describe_status(number))


def _describe_status(status: int) -> str:
    if status == 0:
        return "ended by itself"
    if status in (126, 127):
        return "could not be started: its command was not found or is not a program"
    if status > 0:
        return f"ended with status {status}"
    try:
        signal_number = signal.Signals(-status)
    except ValueError:
        return f"was ended by signal {-status}"
    return _CRASH_SIGNALS.get(signal_number, f"was ended by {signal_number.name}")
