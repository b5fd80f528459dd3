"""The base class of running programs in every kind of box (sandbox), and classes for programs without a box."""

import asyncio
import contextlib
import os
import subprocess
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from server.bots.sandbox.box_limits import PIPED_LOG_BYTES, Limits
from server.bots.sandbox.output_log import OutputLog, copy_to_log
from server.bots.sandbox.runner import Exit, Usage, exit_of
from server.bots.sandbox.threads import run_in_thread
from server.child_environment import PYTHON_VARIABLES, environment_for_child
from server.paths import ROOT
from server.system.processes import KILL, TERM, own_group_arguments, signal_group
from server.system.sockets import close, make_watchable

_STOP_SIGNALS = ((TERM, 2.0), (KILL, 10.0))
"""The signals that end a program, in order, and how many seconds to wait after each."""


class WatchedProcess(ABC):
    """A running program, with the methods of the protocol `Process` in `runner.py`."""

    def __init__(self, box: str) -> None:
        """Starts watching. Subclasses call this last, because `_supervise` needs their attributes."""
        self.box = box
        self._usage = Usage()
        self._stop_reason = ""
        """Why High Noon ended the program, or "" if it did not."""
        self._ended_event = threading.Event()
        self._exit_future = asyncio.ensure_future(run_in_thread(self._supervise))

    @property
    def has_ended(self) -> bool:
        """Whether the program has ended and everything is cleaned up."""
        return self._ended_event.is_set()

    async def wait_for_exit(self) -> Exit:
        return await asyncio.shield(self._exit_future)

    async def usage(self) -> Usage:
        return self._usage

    async def stop(self) -> None:
        """Sends SIGTERM and, if the program still runs two seconds later, SIGKILL. Never raises."""
        self._stop_reason = self._stop_reason or "was stopped"
        for number, seconds in _STOP_SIGNALS:
            if not self._ended_event.is_set():
                await run_in_thread(partial(self._signal, number))
            if (await asyncio.wait([self._exit_future], timeout=seconds))[0]:
                return

    @abstractmethod
    def _supervise(self) -> Exit:
        """Keeps the log until the program ends. Then sets `_ended_event` and returns the exit. Runs in a thread."""

    @abstractmethod
    def _signal(self, number: int) -> None:
        """Sends the program a signal. Never raises."""


PipeEnds = tuple[int, int]
"""One end of the pipe for the bot's input, and one end of the pipe for the bot's output."""


@contextlib.contextmanager
def two_pipes() -> Iterator[tuple[PipeEnds, PipeEnds]]:
    """Yields this process's ends of two new pipes, and the bot's ends.

    Leaving the `with` block closes the bot's ends, because the bot has copies of them. An error also closes this
    process's ends.
    """
    bot_in, own_in = os.pipe()
    own_out, bot_out = os.pipe()
    try:
        own_ends = make_watchable(own_in, own_out)
        try:
            yield own_ends, (bot_in, bot_out)
        except BaseException:
            for end in own_ends:
                close(end)
            raise
    finally:
        os.close(bot_in)
        os.close(bot_out)


class LocalProgram(WatchedProcess):
    """A trusted program that runs without a box. Its output goes to the file `log`. What it uses is not measured."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        folder: Path = ROOT,
        *variable_names: str,
        pipes: PipeEnds | None = None,
    ) -> None:
        """Starts `command` in `folder`. The program gets only the environment variables `variable_names`. If none are
        named, it gets those that Python needs. Raises OSError if the program cannot start.

        `pipes` are for the program's standard input and output. With `pipes`, the log gets only its standard error.
        """
        self._log = OutputLog(log, PIPED_LOG_BYTES)
        self._process = subprocess.Popen(  # noqa: S603
            command,
            stdin=pipes[0] if pipes else subprocess.DEVNULL,
            stdout=pipes[1] if pipes else subprocess.PIPE,
            stderr=subprocess.PIPE if pipes else subprocess.STDOUT,
            cwd=folder,
            env=environment_for_child(*(variable_names or PYTHON_VARIABLES)),
            **own_group_arguments(),  # Ctrl-C must not end the program: this process ends it.
        )
        super().__init__("process")

    @property
    def pid(self) -> int:
        return self._process.pid

    def _signal(self, number: int) -> None:
        """Sends the signal to the program and to everything that it has started."""
        signal_group(self._process.pid, number)

    def _supervise(self) -> Exit:
        output = self._process.stdout or self._process.stderr
        assert output is not None, "standard output or standard error is a pipe"
        with output:
            copy_to_log(output.fileno(), self._log, self._ended_event)
            status = self._process.wait()
        self._signal(KILL)  # The processes that the program has started must not outlive it.
        self._ended_event.set()
        self._log.close()
        return exit_of(status, False, Limits(), self._stop_reason)


class LocalProcess(LocalProgram):
    """A program that plays over its standard input and output. The caller owns the two pipes."""

    def __init__(self, command: Sequence[str], log: Path, folder: Path = ROOT, *variable_names: str) -> None:
        with two_pipes() as (own_ends, bot_ends):
            self.stdin, self.stdout = own_ends
            super().__init__(command, log, folder, *variable_names, pipes=bot_ends)
