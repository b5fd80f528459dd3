"""Starts the bots of a sparring match as their contest would, and seats them. Stops them when the match ends.

A bot in a folder is built and runs in a box (a sandbox). A command is the author's own program and runs without a box.
High Noon calls a bot at an `http://` address. A bot at a `tcp://` address connects to High Noon.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

from fastapi import APIRouter
from msgspec import Struct

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.bot_registration import serve_registration
from server.app.sparring.mirrored_tables import HouseBot
from server.app.sparring.sides import LISTEN_PREFIX, Side, boxed_submission, command_submission, reserve_port
from server.bots.bot import Bot
from server.bots.choose_sandbox import choose_runner
from server.bots.dialects.http_calls import HttpDialect
from server.bots.house.ladder import house_opponents
from server.bots.http_bot import HttpBot
from server.bots.late_starting_bot import LateStartingBot
from server.bots.message_records import RecordFactory, no_record
from server.bots.sandbox.output_log import end_of_log
from server.bots.sandbox.process import LocalProcess, LocalProgram
from server.bots.sandbox.runner import BoxEnvironment, PipedBox, Process, Say
from server.bots.sandbox.shared_runner import SharedRunner
from server.bots.transports.connection import Connection
from server.bots.transports.http import ALL_NETWORKS, Address, HttpConnection, find_host, host_and_port
from server.bots.transports.stdio import StdioConnection
from server.bots.transports.tcp_listener import BotListener, BotNotConnected
from server.child_environment import ALL_VARIABLES
from server.contests import CONTESTS
from server.contests.contest import HOST, NAME, PORT, SERVER
from server.errors import Refusal
from server.game.events import Entrant, Event
from server.season.bot_setup import build_submission
from server.text.characters import printable
from server.tournament.director import ConnectedBot

ARRIVAL_SECONDS = 30.0
"""How many seconds a bot may take to get ready to play."""
MANUAL_START_SECONDS = 600.0
"""How many seconds a bot may take to get ready if its author starts the bot by hand."""
READY_CHECK_SECONDS = 0.1
"""How many seconds pass between two checks whether a bot's server listens."""
LOCALHOST = "127.0.0.1"

WhyNotReady = Callable[[str, Address], Awaitable[str]]
"""A function that takes a bot's name and address. Returns the reason why the bot cannot play, or "" if it can."""
Value = TypeVar("Value")
BotT = TypeVar("BotT", bound=Bot)


class Wrappers(Struct, frozen=True):
    """Functions that wrap the connections and the HTTP dialects of bots. The defaults change nothing."""

    connection: Callable[[Connection], Connection] = lambda connection: connection
    http_dialect: Callable[[HttpDialect], HttpDialect] = lambda dialect: dialect


class BotLauncher(AsyncExitStack):
    """Starts and seats the bots of one match. When the context ends, stops the started bots."""

    def __init__(  # noqa: PLR0917 (who plays what, and where)
        self,
        contest_id: str,
        entrants: Sequence[Entrant],
        on_event: Callable[[Event], object],
        work_folder: Path,
        say: Say,
        wrappers: Wrappers | None = None,
        shared_runner: SharedRunner | None = None,
        make_record: RecordFactory = no_record,
        environment: Sequence[str] = ALL_VARIABLES,
    ) -> None:
        """Calls `on_event` with events that bots cause outside their turns, and `say` with the progress. Files go into
        `work_folder`.

        A program without a box gets only the environment variables that match a pattern in `environment`.

        Matches may share `shared_runner`, which builds and starts bots in boxes. If it is None, this match opens a
        runner when it needs one. `make_record` makes a record of the messages to and from each bot that is not a house
        bot.
        """
        super().__init__()
        self._wrappers = wrappers or Wrappers()
        self.contest = CONTESTS[contest_id]
        self._entrants = entrants
        self._on_event = on_event
        self.work_folder = work_folder
        self._say = say
        self._shared_runner = shared_runner
        self._make_record = make_record
        self._environment = environment
        self.unboxed: list[LocalProgram] = []
        """Programs that run without a box."""

    async def launch(self, bot: int, side: Side, seed: bytes) -> ConnectedBot:
        """Starts and seats bot number `bot`, which `side` describes. The choices of a house bot follow from `seed`.

        Raises OSError, Refusal if the bot cannot play, or CannotRun if this machine cannot run boxes.
        """
        if side.kind == "house":
            return HouseBot(bot, house_opponents()[side.text], seed)
        self._say(f"{printable(side.name)}: starts")
        return await self.contest.seat_bot(self, bot, side)

    async def launch_connecting_bot(self, bot: int, side: Side) -> Bot:
        """Starts a bot that connects over TCP. In some contests, it first registers over HTTP."""
        if side.kind != "folder":
            return await self._launch_unboxed_bot(bot, side)
        shared_runner = await self.open_shared_runner()

        async def build() -> str:
            return await shared_runner.runner.build(
                side.name, boxed_submission(side, self._unpack_folder(bot)).folder, self._say
            )

        built = await shared_runner.build_once(f"{self.contest.id} {side.text}", build)
        # Some bots fail in a strict box, where they cannot write to their own files. They get a second try without this
        # restriction.
        for strict in (True, False):
            socket_box = await shared_runner.runner.start(side.name, built, self._log_path(bot), strict=strict)
            self.push_async_callback(socket_box.stop)
            try:
                return await self._wait_for_bot(
                    bot, side, socket_box.register_socket, socket_box.game_socket, _end_reason(socket_box)
                )
            except Refusal:
                if not strict:
                    raise
        raise AssertionError("the last try returns or raises")

    async def _launch_unboxed_bot(self, bot: int, side: Side) -> Bot:
        """Starts a bot's command without a box. If the side's kind is "listen", asks the author to start the bot."""
        host, port = host_and_port(side.text.removeprefix(LISTEN_PREFIX)) if side.kind == "listen" else (LOCALHOST, 0)
        ports = (port, 0) if self.contest.has_registration else (0, port)
        register_socket, game_socket = (socket.create_server((host, own_port)) for own_port in ports)
        server = _host_and_port(register_socket)
        if side.kind == "listen":
            action = (
                f"registers at http://{server}/register"
                if self.contest.has_registration
                else f"connects to {_host_and_port(game_socket)}"
            )
            self._say(f"start the bot now: it {action}")
            return await self._wait_for_bot(bot, side, register_socket, game_socket, asyncio.Future())
        values = {SERVER: server, HOST: LOCALHOST, PORT: str(game_socket.getsockname()[1]), NAME: side.name}
        program_end = self._start_program(bot, side, values)
        return await self._wait_for_bot(bot, side, register_socket, game_socket, program_end)

    async def _wait_for_bot(
        self,
        bot: int,
        side: Side,
        register_socket: socket.socket,
        game_socket: socket.socket,
        program_end: Awaitable[str],
    ) -> Bot:
        seconds = MANUAL_START_SECONDS if side.kind == "listen" else ARRIVAL_SECONDS
        listener = BotListener(game_socket, "", seconds)
        try:
            # Whoever registers here is taken for this bot.
            async with serve_registration(
                register_socket, listener.port, bot, has_registration=self.contest.has_registration
            ):
                connection = await _await_unless_ended(program_end, listener.accept(), side)
        except BotNotConnected:
            action = "register and connect" if self.contest.has_registration else "connect"
            raise Refusal(f"{printable(side.name)} did not {action} within {seconds:g} seconds") from None
        finally:
            listener.close()
        return self.make_bot(Bot, bot, connection)

    def make_bot(self, bot_class: type[BotT], bot: int, connection: Connection) -> BotT:
        """Returns a bot of the class `bot_class` that plays over `connection` until the match ends."""
        wrapped = self._wrappers.connection(connection)
        new_bot = bot_class(bot, self.contest.make_dialect(), wrapped, self._on_event, record=self._make_record(bot))
        self.callback(new_bot.hang_up)
        return new_bot

    async def launch_http_bot(
        self, bot: int, side: Side, why_not_ready: WhyNotReady, registration: APIRouter | None = None
    ) -> HttpBot:
        """Returns a bot that is an HTTP server. Raises Refusal if `why_not_ready` returns a reason why the bot cannot
        play.

        If the side is a command, starts the command first. If the command has a placeholder for a server's address,
        also serves `registration`, so that the program can register as in a tournament.
        """
        if side.kind != "address":
            address, program_end = await self._start_http_server(bot, side, registration)
        else:
            address, program_end = await find_host(*host_and_port(side.text), ALL_NETWORKS), asyncio.Future()
        if why := await _await_unless_ended(program_end, _call_until_ready(why_not_ready, side.name, address), side):
            raise Refusal(f"{printable(side.name)} cannot play: {printable(why)}")
        dialect = self.contest.make_http_dialect(self._entrants)
        http_bot = HttpBot(
            bot,
            self._wrappers.http_dialect(dialect),
            HttpConnection(address),
            self._on_event,
            record=self._make_record(bot),
        )
        self.push_async_callback(http_bot.close)
        return http_bot

    async def _start_http_server(
        self, bot: int, side: Side, registration: APIRouter | None
    ) -> tuple[Address, Awaitable[str]]:
        port: int = self.enter_context(reserve_port()).getsockname()[1]
        values = {PORT: str(port), NAME: side.name}
        if registration and SERVER in side.text:
            app = guarded_app()
            app.include_router(registration)
            base = await self.enter_async_context(serving(app, LOCALHOST, 0))
            values[SERVER] = base.removeprefix("http://")
        program_end = self._start_program(bot, side, values)
        return Address(f"{LOCALHOST}:{port}", (LOCALHOST,), port), program_end

    async def launch_piped_bot(self, bot: int, side: Side) -> LateStartingBot:
        """Starts a bot that plays over its standard input and output."""
        if side.kind == "command":
            program = LocalProcess(side.words, self._log_path(bot), Path.cwd(), *self._environment)
            self.unboxed.append(program)
            piped_box: PipedBox = program
        else:
            shared_runner = await self.open_shared_runner()

            async def build() -> str:
                return await build_submission(
                    command_submission(side, self._unpack_folder(bot)), shared_runner.runner, self._say
                )

            built = await shared_runner.build_once(f"{self.contest.id} {side.text}", build)
            piped_box = await shared_runner.runner.start_piped(side.name, built, self._log_path(bot))
        self.push_async_callback(piped_box.stop)
        loop = asyncio.get_running_loop()
        return self.make_bot(
            LateStartingBot,
            bot,
            StdioConnection(piped_box.stdin, piped_box.stdout, lambda: _end_reason(piped_box), loop),
        )

    async def open_shared_runner(self) -> SharedRunner:
        """Returns the shared runner, or opens one for this match. Raises CannotRun if this machine has no boxes."""
        if self._shared_runner is None:
            runner = await choose_runner("auto", BoxEnvironment(f"spar-{self.work_folder.name}", build_network=True))
            self.push_async_callback(runner.close)
            self._shared_runner = SharedRunner(runner)
            for remark in runner.remarks:
                self._say(remark)
        return self._shared_runner

    def _start_program(self, bot: int, side: Side, values: dict[str, str]) -> Awaitable[str]:
        """Starts a side's command, after replacing each placeholder with its value. Raises OSError.

        Returns an awaitable that waits for the program's end and then says how the program ended.
        """
        words = side.words
        for placeholder, value in values.items():
            words = [word.replace(placeholder, value) for word in words]
        program = LocalProgram(words, self._log_path(bot), Path.cwd(), *self._environment)
        self.unboxed.append(program)
        self.push_async_callback(program.stop)
        return _end_reason(program, self._log_path(bot))

    def _unpack_folder(self, bot: int) -> Path:
        return self.work_folder / f"unpacked-{bot}"

    def _log_path(self, bot: int) -> Path:
        return self.work_folder / f"printed-{bot}.log"


def _host_and_port(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"{host}:{port}"


async def _await_unless_ended(program_end: Awaitable[str], arrival: Coroutine[Any, Any, Value], side: Side) -> Value:
    """Awaits `arrival` and returns its result. Raises Refusal if the bot's program ends first."""
    ending, arriving = asyncio.ensure_future(program_end), asyncio.create_task(arrival)
    try:
        await asyncio.wait({ending, arriving}, return_when=asyncio.FIRST_COMPLETED)
        if arriving.done():
            return arriving.result()
        raise Refusal(f"{printable(side.name)} {printable(ending.result())}")
    finally:
        for task in (ending, arriving):
            task.cancel()


async def _call_until_ready(why_not_ready: WhyNotReady, name: str, address: Address) -> str:
    """Calls a bot until the bot is ready, and then returns "". If the bot is not ready after `ARRIVAL_SECONDS`, returns
    the reason.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + ARRIVAL_SECONDS
    while (why := await why_not_ready(name, address)) and loop.time() < until:  # noqa: ASYNC110  no program can notify us
        await asyncio.sleep(READY_CHECK_SECONDS)
    return why


async def _end_reason(process: Process, log: Path | None = None) -> str:
    reason = (await process.wait_for_exit()).reason
    lines = end_of_log(log).splitlines() if log else []
    return f"{reason}: {lines[-1][:200]}" if lines else reason
