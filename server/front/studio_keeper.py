"""Keeps the studio's process running: starts it, talks with it, starts it again whenever it ends or hangs.

The table does not notice. Pages wait on the listening socket, which stays ours, until the next studio takes them in.
"""

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from server.bus import Bus
from server.front.words import say
from server.game.events import ControlSet, CueGiven, Event
from server.gate import Gate
from server.link import Answered, FromStudio, Grown, Health, Link, Plan, Shown, Wished, open_link

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 20.0
"""How long a new studio may take to say its first word."""
HUNG_SECONDS = 5.0
"""A studio that has been silent for so long is ended."""
AGAIN_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 5.0
"""Before a studio is started again that never comes to say a word."""


class StudioKeeper:
    """One tournament's studio. `wish` writes down what the operator wants: "" or in words why not."""

    def __init__(
        self,
        plan: Plan,
        listener: socket.socket,
        *,
        bus: Bus,
        gate: Gate,
        wish: Callable[[ControlSet | CueGiven], str],
        health: Callable[[], Health],
    ) -> None:
        self.over = asyncio.Event()
        """Set once the show has come to its end."""
        self.process: asyncio.subprocess.Process | None = None
        self._plan = plan
        self._listener = listener
        self._bus = bus
        self._gate = gate
        self._wish = wish
        self._health = health
        self._link: Link | None = None
        self._spoke = False
        """Whether the present studio has said anything."""
        bus.listeners.append(self._grown)

    def tell_health(self) -> None:
        """Sends how the card room is."""
        if self._link:
            self._link.send(self._health())

    async def run(self) -> None:
        """Keeps a studio running until cancelled."""
        wait = AGAIN_SECONDS
        self._gate.studio(here=False)
        while True:
            self._spoke = False
            why = await self._one_life()
            say(f"the studio {why}; starting it again (the game goes on)")
            wait = AGAIN_SECONDS if self._spoke else min(2 * wait, LONGEST_WAIT_SECONDS)
            await asyncio.sleep(wait)

    async def _one_life(self) -> str:
        """Runs a studio until it ends; how it did."""
        try:
            ours, process = await self._begun()
        except OSError as error:  # No more files or processes are to be had: the game needs none.
            return f"cannot be started ({error.strerror})"
        self.process = process
        self._link = link = await open_link(ours)
        try:
            link.send(self._plan)
            link.send(Grown(len(self._bus.entries)))
            why = await self._listen(link)
            return why or f"ended with status {await _status(process)}"
        finally:
            self._link = None
            self._gate.studio(here=False)
            link.close()
            await _end(process)

    async def _begun(self) -> tuple[socket.socket, asyncio.subprocess.Process]:
        """Our end of the link to a new studio, and the studio. Raises OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return ours, await _start([theirs.fileno(), self._listener.fileno()])
            except BaseException:
                ours.close()
                raise

    async def _listen(self, link: Link) -> str:
        """Hears the studio until it is gone; why it must be ended, if it must."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(START_SECONDS) as patience:
                async for message in link.from_studio():
                    patience.reschedule(loop.time() + HUNG_SECONDS)
                    self._heard(link, message)
        except TimeoutError:
            return "hangs"
        except (msgspec.DecodeError, ValueError) as error:  # asyncio's word for a line without an end
            return f"talks nonsense ({error})"
        return ""

    def _heard(self, link: Link, message: FromStudio) -> None:
        self._spoke = True
        self._gate.studio(here=True)
        match message:
            case Shown(hands=hands, over=over):
                self._gate.has_shown(hands)
                if over:
                    self.over.set()
            case Wished(number=number, event=event):
                link.send(Answered(number, self._wish(event)))
            case _:
                pass

    def _grown(self, _event: Event) -> None:
        if self._link:
            self._link.send(Grown(len(self._bus.entries)))


async def _start(sockets: Sequence[int]) -> asyncio.subprocess.Process:
    """A studio in a session of its own, so that Ctrl-C in the terminal is for the card room alone."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server.front.studio",
        *map(str, sockets),
        cwd=ROOT,
        pass_fds=sockets,
        stdin=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )


async def _status(process: asyncio.subprocess.Process) -> int:
    with contextlib.suppress(TimeoutError):
        return await asyncio.wait_for(process.wait(), 1.0)
    return 0


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
