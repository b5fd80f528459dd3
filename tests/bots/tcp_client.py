"""A bot of the contest Quick Draw with a real TCP connection and a fake clock. A test acts as the bot, step by step."""

import asyncio
import bisect
import json
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec import Struct

from server.bots.bot import Answer, Bot
from server.bots.message_records import BotFault, Record
from server.bots.owed_answers import LATE_SECONDS
from server.bots.transports.connection import Connection
from server.bots.transports.tcp import MESSAGE_GAP_SECONDS
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.game.events import Event
from server.game.view import View
from tests.bots.views import first_turn_view, resolve_action
from tests.support.idle_loop import settle

HOST = "127.0.0.1"
CALL = b'{"command":"take_action","action":"call"}'
FOLD = b'{"command":"take_action","action":"fold"}'
CHAT = b'{"command":"send_chat","message":"Howdy"}'


class FakeTimer(Struct):
    when: float
    callback: Callable[[], object] | None

    def cancel(self) -> None:
        self.callback = None


class FakeClock:
    """A clock in seconds that moves only with `advance`. Its `call_at` works like `call_at` of an event loop."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._timers: list[FakeTimer] = []

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], object], /) -> FakeTimer:
        timer = FakeTimer(when, callback)
        bisect.insort(self._timers, timer, key=lambda queued: queued.when)
        return timer

    def advance(self, seconds: float) -> None:
        """Moves the clock forward. Runs each callback as soon as the clock has reached the callback's time."""
        end = self._now + seconds
        while self._timers and self._timers[0].when <= end:
            timer = self._timers.pop(0)
            self._now = max(self._now, timer.when)
            if timer.callback:
                timer.callback()
        self._now = end


class FaultRecord(Record):
    def __init__(self) -> None:
        self.faults: list[BotFault] = []

    def record_fault(self, fault: BotFault) -> None:
        self.faults.append(fault)


class TcpClient:
    """Both sides of a connection: `bot` is the server's side, and `connection` is the side of the bot's program."""

    def __init__(self, server_connection: Connection, clock: FakeClock, connection: socket.socket) -> None:
        self.clock = clock
        self.connection = connection
        self.events: list[Event] = []
        self.record = FaultRecord()
        self.bot = Bot(7, QuickDrawDialect(), server_connection, self.events.append, clock, record=self.record)
        self._unread_messages: list[dict[str, Any]] = []
        self._read_messages: list[dict[str, Any]] = []

    def ask(self, view: View | None = None) -> asyncio.Task[Answer]:
        return asyncio.create_task(self.bot.ask(view or first_turn_view(), resolve_action))

    async def ask_late(self) -> asyncio.Task[Answer]:
        """The server waits in vain for a late answer to an earlier request, and then sends the bot a new request."""
        answer = self.ask()
        await settle()
        self.clock.advance(LATE_SECONDS)
        await settle()
        return answer

    async def request(self, view: View | None = None) -> asyncio.Task[Answer]:
        """The server asks the bot, and the bot reads the request. The bot's time has begun."""
        await self.read_all("request_action")  # This skips all earlier requests.
        answer = self.ask(view)
        while (await self.read())["command"] != "request_action":
            pass
        return answer

    async def turn(self, *messages: bytes, after: float = 0.0, view: View | None = None) -> Answer:
        """The server asks the bot, which sends `messages` when `after` seconds have passed."""
        answer = await self.request(view)
        self.clock.advance(after)
        await self.say(b"".join(messages))
        if not answer.done():
            self.clock.advance(3.0 - after)
        return await answer

    async def miss_turn(self) -> None:
        """The server asks the bot. The bot answers neither this request nor an earlier one."""
        answer = await self.ask_late()
        self.clock.advance(3.0)
        assert (await answer).fault == "timeout"

    async def say(self, *pieces: bytes) -> None:
        for piece in pieces:
            await asyncio.get_running_loop().sock_sendall(self.connection, piece)
            await settle()

    async def receive(self) -> bytes:
        """Returns what the bot's next `recv(4096)` gets. Moves the clock forward while nothing has arrived."""
        for _ in range(4):
            await settle()
            try:
                return self.connection.recv(4096)
            except BlockingIOError:
                self.clock.advance(MESSAGE_GAP_SECONDS)
        raise TimeoutError("the server has sent nothing")

    async def read(self) -> dict[str, Any]:
        while not self._unread_messages:
            received = await self.receive()
            assert received.endswith(b"\n"), "a message must not arrive in two pieces"
            self._unread_messages += [json.loads(line) for line in received.splitlines()]
        self._read_messages.append(self._unread_messages.pop(0))
        return self._read_messages[-1]

    async def read_all(self, command: str) -> list[dict[str, Any]]:
        """Returns all messages with the command `command` that the server has sent to the bot."""
        with suppress(TimeoutError):
            while True:
                await self.read()
        return [message for message in self._read_messages if message["command"] == command]

    def close(self) -> None:
        self.connection.close()


async def connect_client() -> TcpClient:
    clock = FakeClock()
    listener = await listen_for_bot(HOST, HOST, 30.0, clock=clock)
    connection = await connect(listener.port)
    return TcpClient(await listener.accept(), clock, connection)


async def connect(port: int, address: str = HOST) -> socket.socket:
    """Returns a connection from `address` to `port`."""
    connection = socket.socket()
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # The kernel must not delay messages.
    connection.bind((address, 0))
    try:
        await asyncio.get_running_loop().sock_connect(connection, (HOST, port))
    except OSError:
        connection.close()
        raise
    return connection
