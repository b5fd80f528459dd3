"""A process of this program beside the practice server, which is started again when it ends: its two sides."""

import asyncio
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from server.console import say
from server.environment import OUR_PYTHON, environment
from server.journal.link import Link, Message, open_link
from server.paths import ROOT
from server.process import end_process, end_with_parent, exit_status, search_seldom

AGAIN_SECONDS = 1.0
"""The pause before it is started again."""
HUNG_SECONDS = 60.0
"""A process that gives no sign of life for so long is killed."""
END_SECONDS = 5.0
"""How long it may take to end when the server does."""
ALIVE_SECONDS = 1.0
"""Between two signs of life."""

Told = TypeVar("Told")


class Alive(Message, frozen=True):
    """A sign of life, once a second, and how late the event loop was at the last one."""

    lag_ms: float = 0.0


class Child(Generic[Told]):
    """One such process, from `run` on. It gives a sign of life once a second."""

    def __init__(
        self,
        module: str,
        words: Sequence[str],
        decoder: msgspec.json.Decoder[Told],
        heard: Callable[[Told], object],
        ended: Callable[[str], str],
    ) -> None:
        """`module` is run with `words`; `heard` is called with each of its messages as `decoder` reads it.

        `ended` is called when it has ended, with how in words ("ended with status -9"), and says what that costs.
        """
        self.pid = 0
        """Its number; 0 while there is none."""
        self._command = (sys.executable, "-m", module)
        self._words = words
        self._decoder = decoder
        self._heard = heard
        self._ended = ended
        self._link: Link | None = None
        self._sockets: socket.socket | None = None
        self._waiting: list[tuple[Message, Sequence[socket.socket]]] = []
        """What is to be sent once it has been started."""

    def send(self, message: Message, handed: Sequence[socket.socket] = ()) -> None:
        """Sends it a message, and before that sockets, which are its own from now on; waits until it has been started.

        Raises OSError where the sockets cannot be handed over.
        """
        if self._link is None or self._sockets is None:
            self._waiting.append((message, handed))
            return
        if handed:
            try:
                socket.send_fds(self._sockets, [b"s"], [each.fileno() for each in handed])
            finally:
                _close(handed)
        self._link.send(message)

    async def run(self) -> None:
        """Keeps it running until cancelled. Never raises for what it does."""
        while True:
            why = await self._one_life()
            for _, handed in self._waiting:
                _close(handed)
            self._waiting = []
            say(f"a process of the practice server {why}; {self._ended(why)}")
            await asyncio.sleep(AGAIN_SECONDS)

    async def _one_life(self) -> str:
        """Runs it until it ends; returns in words how it ended."""
        link, sockets, process, why = None, None, None, None
        try:
            process, ours, sockets = await self._begun()
            self.pid = process.pid
            self._link, self._sockets = link, _ = await open_link(ours), sockets
            waiting, self._waiting = self._waiting, []
            for message, handed in waiting:
                self.send(message, handed)
            why = await self._listen(link)
            return why or f"ended with status {await exit_status(process)}"
        except OSError as error:  # Out of files or processes: it is tried again.
            return f"cannot be started ({error.strerror})"
        finally:
            self.pid, self._link, self._sockets = 0, None, None
            if link:
                link.close()
            if sockets:
                sockets.close()
            if process:
                await end_process(process, END_SECONDS if why is None else 0.0)

    async def _begun(self) -> tuple[asyncio.subprocess.Process, socket.socket, socket.socket]:
        """A new process, our end of the link to it, and our end for sockets. Raises OSError."""
        (ours, theirs), (giving, taking) = socket.socketpair(), socket.socketpair()
        giving.setblocking(False)
        files = (theirs.fileno(), taking.fileno())
        with theirs, taking:
            try:
                # In a session of its own, so that Ctrl-C in the terminal is for the server alone.
                process = await asyncio.create_subprocess_exec(
                    *self._command,
                    *map(str, files),
                    *self._words,
                    cwd=ROOT,
                    env=environment(*OUR_PYTHON),
                    pass_fds=files,
                    stdin=asyncio.subprocess.DEVNULL,
                    start_new_session=True,
                )
            except BaseException:
                ours.close()
                giving.close()
                raise
        return process, ours, giving

    async def _listen(self, link: Link) -> str:
        """Reads its messages until it is gone; returns why it must be killed, "" if it need not be."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(HUNG_SECONDS) as patience:
                async for message in link.messages(self._decoder):
                    patience.reschedule(loop.time() + HUNG_SECONDS)
                    self._heard(message)
        except TimeoutError:
            return "hung"
        except (msgspec.DecodeError, ValueError) as error:  # ValueError: a line that is too long
            return f"talked nonsense ({error})"
        return ""


def _close(sockets: Sequence[socket.socket]) -> None:
    for each in sockets:
        each.close()


# -- in the process itself


def run_child(work: Callable[[Link], Coroutine[Any, Any, None]]) -> None:
    """Does `work` for the server, until the server closes its end of the link, whose number is the first word."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the link.
    end_with_parent()
    search_seldom()
    asyncio.run(_working(int(sys.argv[1]), work))


async def _working(link_end: int, work: Callable[[Link], Coroutine[Any, Any, None]]) -> None:
    link = await open_link(socket.socket(fileno=link_end))
    alive = asyncio.create_task(_say_alive(link))
    await work(link)
    alive.cancel()


async def _say_alive(link: Link) -> None:
    """Sends a sign of life once a second, for ever, with how late it is."""
    lag_ms = 0.0
    while True:
        link.send(Alive(lag_ms))
        due = time.monotonic() + ALIVE_SECONDS
        await asyncio.sleep(ALIVE_SECONDS)
        lag_ms = (time.monotonic() - due) * 1000
