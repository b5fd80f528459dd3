"""A Quick Draw bot on a real TCP connection, with a fake clock; the test is the bot's program."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine
from typing import Any

from server.bots.bot import Answer, Bot
from server.bots.transports.tcp import GAP_SECONDS
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDraw
from server.game.events import Event
from tests.bots.fakes import FakeClock
from tests.bots.views import asked_view, resolved
from tests.support.event_loop import in_event_loop

HOST = "127.0.0.1"
CALL = b'{"command":"take_action","action":"call"}'
FOLD = b'{"command":"take_action","action":"fold"}'
HOWDY = b'{"command":"send_chat","message":"Howdy"}'


class TcpClient:
    """Both ends of a bot's connection: `bot` is the server's end, and the methods act as the bot's program."""

    def __init__(self, bot: Bot, clock: FakeClock, connection: socket.socket, events: list[Event]) -> None:
        self.bot = bot
        self.clock = clock
        self.connection = connection
        self.events = events

    def ask(self) -> asyncio.Task[Answer]:
        """The server asks the bot. Returns a task whose result is the answer."""
        return asyncio.create_task(self.bot.ask(asked_view(), resolved))

    async def request(self) -> asyncio.Task[Answer]:
        """The server asks the bot; returns once its program has read the request, so its time is running."""
        answer = self.ask()
        assert (await self.read())["command"] == "request_action"
        return answer

    async def say(self, *pieces: bytes) -> None:
        """The bot writes each of `pieces` separately."""
        for piece in pieces:
            await asyncio.get_running_loop().sock_sendall(self.connection, piece)
            await settle()

    async def receive(self) -> bytes:
        """What one `recv(4096)` returns. Advances the clock by the pause between messages if necessary."""
        for _ in range(4):
            await settle()
            try:
                return self.connection.recv(4096)
            except BlockingIOError:
                self.clock.advance(GAP_SECONDS)
        raise AssertionError("the server has sent nothing")

    async def read(self) -> dict[str, Any]:
        """The next message, which must arrive as one whole line."""
        received = await self.receive()
        assert received.endswith(b"\n")
        assert received.count(b"\n") == 1
        message: dict[str, Any] = json.loads(received)
        return message

    def close(self) -> None:
        self.connection.close()


async def settle() -> None:
    """Lets the event loop poll its sockets a few times: on loopback, bytes arrive at once."""
    for _ in range(20):
        await asyncio.sleep(0)


async def connected() -> TcpClient:
    """A bot that has connected through a real listener."""
    clock = FakeClock()
    events: list[Event] = []
    listener = await listen_for_bot(HOST, HOST, 30.0, clock=clock)
    connection = await connect(listener.port)
    accepted = await listener.accept()
    return TcpClient(Bot(7, QuickDraw(), accepted, events.append, clock), clock, connection, events)


async def connect(port: int, address: str = HOST) -> socket.socket:
    """A connection to `port` that comes from `address`."""
    connection = socket.socket()
    connection.setblocking(False)
    connection.bind((address, 0))
    try:
        await asyncio.get_running_loop().sock_connect(connection, (HOST, port))
    except OSError:
        connection.close()
        raise
    return connection


def over_tcp(script: Callable[[TcpClient], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Makes `script` a test: runs it with a fresh connection, which it closes afterwards."""

    @in_event_loop
    async def test() -> None:
        client = await connected()
        try:
            await script(client)
        finally:
            client.bot.hang_up()
            client.clock.advance(60.0)
            client.close()

    return test
