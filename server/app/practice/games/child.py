"""Runs a child process of the practice server, and restarts it whenever it ends. The code at the end of this module
runs in the child process.
"""

import asyncio
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from server.child_environment import PYTHON_VARIABLES, environment_for_child
from server.console import LOG_VARIABLE, say, set_up_logging
from server.journal.studio_link import Link, Message, open_link
from server.paths import ROOT
from server.process import end_process, end_with_parent, exit_status, limit_gc
from server.system.sockets import open_passed_socket, pass_sockets, start_with_sockets

RESTART_PAUSE_SECONDS = 1.0
"""The pause before a restart."""
HUNG_SECONDS = 60.0
"""A process that has sent no message for this many seconds is killed."""
END_SECONDS = 5.0
"""When the server ends, a child process may take this many seconds to end."""
ALIVE_SECONDS = 1.0
"""The pause between two `Alive` messages, in seconds."""

Received = TypeVar("Received")


class Alive(Message, frozen=True):
    """A child process sends this message every second. The child's event loop was late by `lag_ms` milliseconds."""

    lag_ms: float = 0.0


class Child(Generic[Received]):
    """A child process. `run` starts it, and restarts it whenever it ends."""

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        decoder: msgspec.json.Decoder[Received],
        on_message: Callable[[Received], object],
        on_end: Callable[[str], str],
    ) -> None:
        """The child runs `module` with `arguments`. `decoder` decodes the child's messages, and `on_message` is called
        with each message.

        When the child ends, `on_end` is called with a text that says how the child ended, such as "ended with status
        -9". `on_end` returns a text that says what this means for users.
        """
        self.pid = 0
        """The id of the process, or 0 while it does not run."""
        self._command = (sys.executable, "-m", module)
        self._arguments = arguments
        self._decoder = decoder
        self._on_message = on_message
        self._on_end = on_end
        self._link: Link | None = None
        self._handover_socket: socket.socket | None = None
        self._unsent_messages: list[tuple[Message, Sequence[socket.socket]]] = []
        """Messages that wait until the process has started, each with its sockets."""

    def send(self, message: Message, passed_sockets: Sequence[socket.socket] = ()) -> None:
        """Sends sockets, followed by a message, as soon as the child has started. The child then owns the sockets.

        Raises OSError if the sockets cannot be handed over.
        """
        if self._link is None or self._handover_socket is None:
            self._unsent_messages.append((message, passed_sockets))
            return
        if passed_sockets:
            try:
                pass_sockets(passed_sockets, self._handover_socket, self.pid)
            finally:
                _close(passed_sockets)
        self._link.send(message)

    async def run(self) -> None:
        """Starts the process, and restarts it whenever it ends, until cancelled."""
        while True:
            why = await self._run_once()
            for _, passed_sockets in self._unsent_messages:
                _close(passed_sockets)
            self._unsent_messages = []
            say(f"a process of the practice server {why}; {self._on_end(why)}")
            await asyncio.sleep(RESTART_PAUSE_SECONDS)

    async def _run_once(self) -> str:
        """Runs the process until it ends. Returns how the process ended, as text."""
        link, handover_socket, process, why = None, None, None, None
        try:
            process, server_end, handover_socket = await self._start()
            self.pid = process.pid
            self._link, self._handover_socket = link, _ = await open_link(server_end), handover_socket
            unsent_messages, self._unsent_messages = self._unsent_messages, []
            for message, passed_sockets in unsent_messages:
                self.send(message, passed_sockets)
            why = await self._listen(link)
            return why or f"ended with status {await exit_status(process)}"
        except OSError as error:  # the system has no file descriptors or processes left, so `run` tries again
            return f"cannot be started ({error.strerror})"
        finally:
            self.pid, self._link, self._handover_socket = 0, None, None
            if link:
                link.close()
            if handover_socket:
                handover_socket.close()
            if process:
                await end_process(process, END_SECONDS if why is None else 0.0)

    async def _start(self) -> tuple[asyncio.subprocess.Process, socket.socket, socket.socket]:
        """Starts a process. Returns the process, the server's end of the link, and the socket through which the server
        hands over sockets.

        Raises OSError.
        """
        (server_end, child_end), (handover_socket, child_handover_socket) = socket.socketpair(), socket.socketpair()
        handover_socket.setblocking(False)
        with child_end, child_handover_socket:
            try:
                process = await start_with_sockets(
                    (child_end, child_handover_socket),
                    self._command,
                    *self._arguments,
                    cwd=ROOT,
                    env=environment_for_child(*PYTHON_VARIABLES, LOG_VARIABLE),
                )
            except BaseException:
                server_end.close()
                handover_socket.close()
                raise
        return process, server_end, handover_socket

    async def _listen(self, link: Link) -> str:
        """Reads messages until the process closes the link. Returns why the process must be killed, or "" if the
        process has ended by itself.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(HUNG_SECONDS) as timeout:
                async for message in link.messages(self._decoder):
                    timeout.reschedule(loop.time() + HUNG_SECONDS)
                    self._on_message(message)
        except TimeoutError:
            return "hung"
        except (msgspec.DecodeError, ValueError) as error:  # ValueError: a line that is too long
            return f"sent an invalid message ({error})"
        return ""


def _close(sockets: Sequence[socket.socket]) -> None:
    for socket_ in sockets:
        socket_.close()


# -- in the child process


def run_child(work: Callable[[Link], Coroutine[Any, Any, None]]) -> None:
    """Calls `work` with the link to the server. `work` runs until the server closes the link. The first command-line
    argument names the link.
    """

    async def run_work() -> None:
        link = await open_link(open_passed_socket(sys.argv[1]))
        alive = asyncio.create_task(_report_alive(link))
        await work(link)
        alive.cancel()

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The server handles Ctrl-C and then closes the link.
    end_with_parent()
    limit_gc()
    set_up_logging()
    asyncio.run(run_work())


async def _report_alive(link: Link) -> None:
    lag_ms = 0.0
    while True:
        link.send(Alive(lag_ms))
        expected_at = time.monotonic() + ALIVE_SECONDS
        await asyncio.sleep(ALIVE_SECONDS)
        lag_ms = (time.monotonic() - expected_at) * 1000
