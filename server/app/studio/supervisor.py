"""Keeps the studio (the process that makes the show) running: restarts it when it ends or hangs.

While no studio runs, the game continues, and HTTP requests wait on the listening socket, which this process owns. A
spare studio has already started and waits for its first message, so a restart takes a second less. If the studio stays
away too long, the table stops, and this process serves a page that asks the operator what to do.
"""

import asyncio
import contextlib
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from broadcast.api.studio_gone import Gone, OperatorAnswer
from broadcast.obs.websocket import PASSWORD_VARIABLE
from broadcast.web.connections.limits import MAX_CALLER_CONNECTIONS
from broadcast.web.serve import TRUSTED_PROXIES, address_of, serving_on
from server.app.private_links import private_link
from server.app.studio.studio_watch import HEALTHY_AFTER_SECONDS, StudioWatch, gone_app
from server.child_environment import CLOUD_VARIABLES, PYTHON_VARIABLES, environment_for_child
from server.console import LOG_VARIABLE, say
from server.game.events import ControlSet, CueGiven, Event
from server.journal.bus import Bus
from server.journal.studio_link import (
    Answered,
    Grown,
    Health,
    Link,
    Plan,
    Published,
    Requested,
    Shown,
    StudioMessage,
    open_link,
)
from server.paths import ROOT, ROOT_PATH_VARIABLE
from server.process import end_process, exit_status
from server.system.sockets import start_with_sockets
from server.tournament.control_values import set_control
from server.tournament.pause_gate import PauseGate

START_SECONDS = 20.0
"""A new studio may take this many seconds to send its first message."""
HUNG_SECONDS = 5.0
"""A studio that has sent no message for this many seconds is killed."""
RETRY_SECONDS = 1.0
"""The pause between two attempts to serve the operator's page."""
WaitingStudio = tuple[socket.socket, asyncio.subprocess.Process]
"""A studio that waits for its first message: this process's end of the link to the studio, and the studio's process."""
STUDIO_AS_OPERATOR = "the studio"
"""The operator's name in events that this module requests by itself."""


class StudioSupervisor:
    """Starts and restarts the studio of one tournament. When a studio has run for `spare_after_seconds` seconds, starts
    a spare studio.

    `gate` makes the table wait. `request` records an event that the operator wants. Its arguments are the event, and
    the number of the tournament's stage on air (0 if there is none). It returns "", or why the event is refused.
    """

    def __init__(
        self,
        plan: Plan,
        listener: socket.socket,
        *,
        bus: Bus,
        gate: PauseGate,
        request: Callable[[ControlSet | CueGiven, int], str],
        health: Callable[[], Health],
        spare_after_seconds: float = HEALTHY_AFTER_SECONDS,
    ) -> None:
        self.show_over = asyncio.Event()
        """Set once the show is over."""
        self.published = asyncio.Event()
        """Set once the end of the show has been published. Never set if the show is not published."""
        self.process: asyncio.subprocess.Process | None = None
        self._plan = plan
        self._listener = listener
        self._bus = bus
        self._gate = gate
        self._request = request
        self._health = health
        self._spare_after_seconds = spare_after_seconds
        self._link: Link | None = None
        self._spare_studio: WaitingStudio | None = None
        self._watch = StudioWatch(Path(plan.journal).with_suffix(".air"), time.monotonic)
        self._restart_requested = asyncio.Event()
        """Set when the operator wants a studio to be started at once."""
        self._most_hands_shown = 0
        """The highest number of hands that a studio has shown."""
        bus.listeners.append(self._send_growth)

    def send_health(self) -> None:
        """Sends the health of the table to the studio, if one is running."""
        if self._link:
            self._link.send(self._health())

    async def run(self) -> None:
        """Runs a studio, and starts another studio whenever one ends, until cancelled."""
        self._stop_unseen_play()  # the operator may have let the table play unseen before this program was restarted
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._stop_table_while_gone())
            tasks.create_task(self._serve_operators_page())
            tasks.create_task(self._keep_spare())
            while True:
                self._restart_requested.clear()
                why = await self._run_once()
                if not self._watch.is_gone:
                    say(f"the studio {why}; starting it again (the game continues)")
                self._watch.record_end(why)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._restart_requested.wait(), self._watch.restart_pause_seconds)

    async def _keep_spare(self) -> None:
        """Starts a spare studio when a studio has run for `spare_after_seconds` seconds."""
        try:
            while True:
                await self._watch.wait_until(lambda: self._watch.is_running)
                await asyncio.sleep(self._spare_after_seconds)
                if not self._spare_studio:
                    with contextlib.suppress(OSError):
                        self._spare_studio = await self._start()
                await self._watch.wait_until(lambda: not self._watch.is_running)
        finally:
            if self._spare_studio:
                await _end(self._spare_studio)

    async def _take_studio(self) -> WaitingStudio:
        """Returns the spare studio if it still runs. Otherwise starts and returns a new studio. Raises OSError."""
        spare, self._spare_studio = self._spare_studio, None
        if spare and spare[1].returncode is None:
            return spare
        if spare:
            await _end(spare)
        return await self._start()

    async def _run_once(self) -> str:
        """Runs a studio. Returns how it ended, as the end of a sentence that begins with "the studio"."""
        try:
            link_end, process = await self._take_studio()
        except OSError as error:  # the system may have no file descriptors or processes left, but the game goes on
            return f"cannot be started ({error.strerror})"
        self.process = process
        self._link = link = await open_link(link_end)
        try:
            link.send(self._plan)
            link.send(Grown(len(self._bus.entries)))
            why = await self._listen(link)
            return why or f"ended with status {await exit_status(process)}"
        finally:
            self._link = None
            link.close()
            await end_process(process)

    async def _start(self) -> WaitingStudio:
        link_end, studio_end = socket.socketpair()
        with studio_end:
            try:
                return link_end, await start_with_sockets(
                    (studio_end, self._listener),
                    (sys.executable, "-m", "server.app.studio.process"),
                    cwd=ROOT,
                    env=environment_for_child(
                        *PYTHON_VARIABLES,
                        *CLOUD_VARIABLES,
                        PASSWORD_VARIABLE,
                        ROOT_PATH_VARIABLE,
                        TRUSTED_PROXIES,
                        LOG_VARIABLE,
                    ),
                )
            except BaseException:
                link_end.close()
                raise

    async def _listen(self, link: Link) -> str:
        """Reads the studio's messages until the studio closes the link. Returns why the studio must be killed, or "" if
        the studio has ended by itself.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(START_SECONDS) as timeout:
                async for message in link.studio_messages():
                    timeout.reschedule(loop.time() + HUNG_SECONDS)
                    self._handle(link, message)
        except TimeoutError:
            return "hangs"
        except (msgspec.DecodeError, ValueError) as error:  # ValueError: the line is too long
            return f"sends invalid messages ({error})"
        return ""

    def _handle(self, link: Link, message: StudioMessage) -> None:
        self._watch.record_message()
        match message:
            case Shown(hands=hands, over=over):
                self._gate.set_hands_shown(hands)
                if hands > self._most_hands_shown:
                    self._most_hands_shown = hands
                    self._watch.forget_failures()
                    self._stop_unseen_play()
                if over:
                    self.show_over.set()
            case Published():
                self.published.set()
            case Requested(number=number, event=event, stage=stage):
                link.send(Answered(number, self._request(event, stage)))

    # -- while the studio is gone

    async def _stop_table_while_gone(self) -> None:
        """Stops the table while the studio counts as gone (has been away for too long), and tells the operator in the
        terminal.
        """
        while True:
            await self._watch.wait_until(lambda: self._watch.is_gone)
            self._gate.set_studio_gone(is_gone=True)
            say(f"the studio is gone: it {self._watch.end_reason}. The table waits, so that no hand is played unseen.")
            desk = f"{address_of(self._listener)}/control?token={self._plan.control_token}"
            say(f"  play on unseen, wait, or restart the studio: {private_link(Path(self._plan.journal), desk)}")
            await self._watch.wait_until(lambda: not self._watch.is_gone)
            self._gate.set_studio_gone(is_gone=False)
            say("the studio is back")

    async def _serve_operators_page(self) -> None:
        """Serves the operator's page while no studio serves pages."""
        app = gone_app(self._plan, self._make_gone_state, self._carry_out)
        while True:
            await self._watch.wait_until(lambda: self._watch.is_gone and not self._watch.is_running)
            try:
                listener = self._listener.dup()
            except OSError:  # the system may have no file descriptors left, but the game goes on
                await asyncio.sleep(RETRY_SECONDS)
                continue
            async with serving_on(app, listener, max_connections=MAX_CALLER_CONNECTIONS):
                await self._watch.wait_until(lambda: self._watch.is_running)

    def _make_gone_state(self) -> Gone:
        gate = self._gate
        return Gone(
            why=self._watch.end_reason,
            seconds=int(self._watch.gone_seconds),
            started=gate.controls.started,
            unseen=gate.controls.unseen,
            waiting=max(0, gate.hands_dealt - self._most_hands_shown),
        )

    def _carry_out(self, answer: OperatorAnswer, operator: str) -> str:
        """Carries out the operator's answer. Returns "", or why the answer cannot be carried out."""
        if answer == "restart":
            self._watch.forget_failures()
            self._restart_requested.set()
            if self.process and self.process.returncode is None and not self._watch.is_running:
                self.process.kill()
            return ""
        control = set_control(self._gate.controls, "unseen", answer == "unseen", operator=operator)
        return "" if control.value == control.was else self._request(control, 0)

    def _stop_unseen_play(self) -> None:
        """Makes the table wait for the show again, if the operator had let it play unseen. If the disk is full, this
        fails, and the supervisor tries again when another hand has been shown.
        """
        if self._gate.controls.unseen:
            self._request(set_control(self._gate.controls, "unseen", value=False, operator=STUDIO_AS_OPERATOR), 0)

    def _send_growth(self, _event: Event) -> None:
        """Tells the studio how many entries the contest's recording now has."""
        if self._link:
            self._link.send(Grown(len(self._bus.entries)))


async def _end(studio: WaitingStudio) -> None:
    """Ends a studio that has not received its plan."""
    studio[0].close()
    await end_process(studio[1])
