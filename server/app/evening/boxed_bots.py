"""Builds the bots of a tournament, starts each in a box (a sandbox), and seats the bots that connect.

If a bot does not connect, the tournament can start without it. A bot whose program ends is not restarted.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from server.app.bot_registration import serve_registration
from server.app.decisions.author_reports import AuthorReports, ProgramEnd
from server.app.evening.card_room import CardRoom
from server.bots.bot import Bot
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.output_log import OutputLog, end_of_log
from server.bots.sandbox.runner import GAME_PORT, CannotRun, Runner, SocketBox, Usage
from server.bots.transports.tcp import TcpConnection
from server.bots.transports.tcp_listener import BotListener, BotNotConnected
from server.console import ProgressLine, say
from server.contests.contest import Contest
from server.game.events import FaultNoted
from server.registration.register import Registration, RegistrationRefused
from server.text.characters import printable

ARRIVAL_SECONDS = 30.0
"""If a bot has not connected this many seconds after its start, the bot is stopped."""
BUILDS_AT_ONCE = 2
"""At most this many bots are built at once. `DockerRunner` builds only one at a time."""
MAX_STEP_CHARACTERS = 70
"""At most this many characters of a build step are shown."""
MEASURE_SECONDS = 5.0
"""The pause between two measurements of a bot's memory and processor time."""


class BotEntry(Struct, frozen=True):
    """How a bot plays: in a box (`folder`), without a box (`command`), from another machine (`remote`), as an HTTP
    server (`url`), or as an agent (`mcp`).

    A remote bot or an agent has a `secret` to prove who it is. `fault` says why the bot cannot play.
    """

    bot: int
    name: str
    folder: Path | None = None
    remote: bool = False
    secret: str = ""
    fault: str = ""
    url: str = ""
    mcp: bool = False
    command: str = ""

    @property
    def file_name(self) -> str:
        """A file name such as "calamity-jane-07". The bot's number keeps similar names apart."""
        name_parts = re.findall(r"[^\W_]+", self.name.lower())
        return "-".join([*name_parts, f"{self.bot:02}"])


class BoxedBots:
    """The submitted bots of a tournament, each in its box."""

    def __init__(self, runner: Runner, room: CardRoom, reports: AuthorReports, logs: Path, contest: Contest) -> None:
        """What the bots' authors may see goes into `reports`. The bots' output goes into the folder `logs`."""
        self._runner = runner
        self._director = room.director
        self._health = room.health
        self._logs = logs
        self._contest = contest
        self._reports = reports
        self._build_slots = asyncio.Semaphore(BUILDS_AT_ONCE)
        self._exit_stack = AsyncExitStack()
        self._progress_line = ProgressLine()
        self._misnamed_bots: set[int] = set()
        """Bots that registered under a wrong name. The fault is recorded once for each of these bots."""

    async def start_all(self, entries: Sequence[BotEntry]) -> None:
        """Builds and starts the bots of all entries, and prints a line for each. Returns when every bot has connected
        or failed.
        """
        self._logs.mkdir(parents=True, exist_ok=True)
        done = 0

        async def start(entry: BotEntry) -> None:
            nonlocal done
            why = await self._build_and_start(entry)
            done += 1
            self._health.preparing = f"{done} of {len(entries)} bots are ready"
            say(f"  [{done}/{len(entries)}] {printable(entry.name)}: {why or self._health.bots[entry.bot].box}")

        await asyncio.gather(*(start(entry) for entry in entries))
        for remark in self._runner.remarks:
            say(f"  {remark}")

    async def stop_all(self) -> None:
        """Stops all bots and removes their boxes and images."""
        await self._exit_stack.aclose()
        await self._runner.close()

    async def _build_and_start(self, entry: BotEntry) -> str:
        """Builds and starts a bot. Returns "" if the bot connects, otherwise the reason why it did not."""
        assert entry.folder is not None, "only bots in folders are started"
        self._health.update_bot(entry.bot, state="starting")
        self._reports.record_end(entry.bot, ProgramEnd())
        try:
            async with self._build_slots:
                built = await self._runner.build(entry.name, entry.folder, self._build_reporter(entry))
            why = await self._start(entry, built, strict=True)
            if why:
                self._health.update_bot(entry.bot, note=f"{why}; trying again in a less strict box")
                why = await self._start(entry, built, strict=False)
        except CannotRun as error:
            why = str(error)
        except Exception as error:  # one bot's failure must not stop the other bots
            why = f"it cannot be run here ({error!r})"
        if why:  # if the bot connects, the event BotConnected sets the bot's state
            self._health.update_bot(entry.bot, note=why, state="missing")
            await self._record_end(entry, why)
        return why

    def _build_reporter(self, entry: BotEntry) -> Callable[[str], object]:
        """Returns a function that takes a line of the build's output. The function logs the line and shows it to the
        operator.
        """
        log = OutputLog(self._logs / f"{entry.file_name}-build.log", Limits().log_bytes)
        self._exit_stack.callback(log.close)

        def report(line: str) -> None:
            log.write(f"{line}\n".encode(errors="replace"))
            step = printable(line)[:MAX_STEP_CHARACTERS]
            self._health.update_bot(entry.bot, note=f"building: {step}")
            self._progress_line.show("  building", f" {printable(entry.name)}: {step}")

        return report

    async def _start(self, entry: BotEntry, built: str, *, strict: bool) -> str:
        """Starts a bot, which may write to its own files unless `strict`. Returns "", or why it did not connect."""
        socket_box = await self._runner.start(entry.name, built, self._log_path(entry), strict=strict)
        self._health.update_bot(entry.bot, box=socket_box.box)
        listener = BotListener(socket_box.game_socket, "", ARRIVAL_SECONDS)
        self._exit_stack.callback(listener.close)
        connecting = asyncio.ensure_future(self._accept(listener))
        check = partial(self._check_registration, entry, connecting)
        has_registration = self._contest.has_registration
        # Registration closes when this block ends, because a connected bot no longer needs it.
        async with serve_registration(
            socket_box.register_socket, GAME_PORT, entry.bot, check, has_registration=has_registration
        ):
            why = await self._seat(entry, socket_box, listener, connecting)
        if why:
            await socket_box.stop()
        else:
            self._exit_stack.callback(asyncio.create_task(self._watch(entry, socket_box)).cancel)
        return why

    async def _accept(self, listener: BotListener) -> TcpConnection:
        connection = await listener.accept()
        self._exit_stack.push_async_callback(connection.aclose)
        return connection

    def _log_path(self, entry: BotEntry) -> Path:
        return self._logs / f"{entry.file_name}.log"

    def _check_registration(
        self, entry: BotEntry, connecting: asyncio.Future[TcpConnection], registration: Registration
    ) -> None:
        if connecting.done():
            raise RegistrationRefused(409, f"{entry.name} is already connected and cannot join twice")
        if registration.name != entry.name and entry.bot not in self._misnamed_bots:
            self._misnamed_bots.add(entry.bot)
            fault = f'it registered as "{registration.name}", but plays under the name that it was entered with'
            self._director.record_bot_event(FaultNoted(entry.bot, "illegal", fault))

    async def _seat(
        self, entry: BotEntry, socket_box: SocketBox, listener: BotListener, connecting: asyncio.Future[TcpConnection]
    ) -> str:
        """Waits until the bot connects, ends or is too late. Seats the bot if it connects. Returns "", or why the bot
        did not connect.
        """
        end_task = asyncio.ensure_future(socket_box.wait_for_exit())
        outcomes: set[asyncio.Future[Any]] = {connecting, end_task}
        await asyncio.wait(outcomes, return_when=asyncio.FIRST_COMPLETED)
        end_task.cancel()
        if not connecting.done():
            listener.close()
            await asyncio.wait({connecting})
        try:
            connection = connecting.result()
        except BotNotConnected:
            if end_task.done() and not end_task.cancelled():
                return f"it ended before it connected: {end_task.result().reason}"
            return f"it did not connect within {ARRIVAL_SECONDS:.0f} seconds"
        self._director.add_bot(
            Bot(
                entry.bot,
                self._contest.make_dialect(),
                connection,
                self._director.record_bot_event,
                record=self._reports.record_of(entry.bot),
            )
        )
        return ""

    async def _watch(self, entry: BotEntry, socket_box: SocketBox) -> None:
        """Measures a bot's memory and processor time until the bot ends. Then records how the bot ended."""
        end_task = asyncio.ensure_future(socket_box.wait_for_exit())
        try:
            used = Usage()
            while not end_task.done():
                used = used.updated_with(await socket_box.usage())
                self._reports.record_usage(entry.bot, used)
                self._health.update_bot(entry.bot, memory_limit_bytes=Limits().memory_bytes, **asdict(used))
                await asyncio.wait({end_task}, timeout=MEASURE_SECONDS)
            reason = end_task.result().reason
            await self._record_end(entry, f"its program {reason}")
            self._director.record_bot_event(FaultNoted(entry.bot, "disconnected", reason))
            say(f"  {printable(entry.name)}: {printable(reason)}; what it printed is in {self._log_path(entry)}")
        finally:
            end_task.cancel()

    async def _record_end(self, entry: BotEntry, how: str) -> None:
        log = self._log_path(entry)
        printed = await asyncio.to_thread(end_of_log, log)
        self._reports.record_end(entry.bot, ProgramEnd(how, printed))
        self._health.update_bot(entry.bot, log=f"all in {log}:\n{printed or 'it printed nothing'}")
