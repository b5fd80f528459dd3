"""Quick Draw bots on real TCP connections. A test plays one of them step by step; others play whole hands."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from server.bots.bot import Answer, Bot
from server.bots.transports.tcp import GAP_SECONDS
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import Entrant, Event
from server.game.hand import next_blind
from server.journal.bus import Bus
from server.shuffle import deck_of
from server.tournament.dealer import Table
from server.tournament.resumable_log import ResumableLog
from tests.bots.fakes import FakeClock
from tests.bots.views import asked_view, resolved

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
        """The server asks the bot; returns once the bot has read the request, so the bot's time is running."""
        answer = self.ask()
        assert (await self.read())["command"] == "request_action"
        return answer

    async def say(self, *pieces: bytes) -> None:
        """Sends each of `pieces` separately, as the bot."""
        for piece in pieces:
            await asyncio.get_running_loop().sock_sendall(self.connection, piece)
            await settle()

    async def receive(self) -> bytes:
        """Returns what the bot's next `recv(4096)` gets. Advances the clock to the next message if there is none."""
        for _ in range(4):
            await settle()
            try:
                return self.connection.recv(4096)
            except BlockingIOError:
                self.clock.advance(GAP_SECONDS)
        raise AssertionError("the server has sent nothing")

    async def read(self) -> dict[str, Any]:
        """Returns the next message to the bot, which must arrive as one whole line."""
        received = await self.receive()
        assert received.endswith(b"\n")
        assert received.count(b"\n") == 1
        message: dict[str, Any] = json.loads(received)
        return message

    def close(self) -> None:
        self.connection.close()


async def settle() -> None:
    """Lets the event loop poll its sockets a few times, which is enough on loopback, where bytes arrive at once."""
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


Program = Callable[[int, str], Coroutine[Any, Any, None]]
"""A bot's program. It is called with the port to connect to and the bot's name."""


async def play_hands(programs: Sequence[Program], hands: int) -> tuple[list[int], list[Event]]:
    """Plays up to `hands` hands of Quick Draw among `programs`; returns the stacks after them, and all events."""
    bus = Bus(None, lambda: 0.0)
    bots: list[Bot] = []
    tasks: list[asyncio.Task[None]] = []
    names = [f"Bot {seat}" for seat in range(len(programs))]
    for seat, program in enumerate(programs):
        listener = await listen_for_bot(HOST, HOST, 5.0)
        tasks.append(asyncio.create_task(program(listener.port, names[seat])))
        bots.append(Bot(seat + 1, QuickDraw(), await listener.accept(), bus.publish))
    entrants = tuple(Entrant(seat + 1, name) for seat, name in enumerate(names))
    table = Table(QUICK_DRAW, 1, entrants, tuple(bots), ResumableLog(bus, lambda _: None))
    stacks, big = [5000] * len(programs), len(programs) - 2
    for number in range(1, hands + 1):
        if sum(stack > 0 for stack in stacks) < 2:
            break
        button, big = next_blind(QUICK_DRAW, big, stacks)
        hand = await table.play_hand(number, button, stacks, deck_of(number.to_bytes(32, "big")))
        stacks = [seat.stack for seat in hand.seats]
    for bot in bots:
        bot.hang_up()
    async with asyncio.timeout(10):
        await asyncio.gather(*tasks)
    return stacks, [entry.event for entry in bus.entries]


class SampleBot:
    """A bot like the original sample bot: `recv(4096)`, split at newlines; its answers have no newline.

    A line over 4096 bytes, or one that arrives in two pieces, breaks it.
    """

    def __init__(self, choose: Callable[[dict[str, Any]], tuple[str, int]]) -> None:
        self._choose = choose
        self.heard: list[dict[str, Any]] = []

    async def __call__(self, port: int, name: str) -> None:
        loop = asyncio.get_running_loop()
        connection = await connect(port)
        try:
            while received := await loop.sock_recv(connection, 4096):
                for line in filter(None, received.decode().split("\n")):
                    message = json.loads(line)
                    self.heard.append(message)
                    if message["command"] == "request_action":
                        action, amount = self._choose(message)
                        await self._send(connection, action_type=action, raise_amount=str(amount))
        except ConnectionError:
            pass
        finally:
            connection.close()

    async def _send(self, connection: socket.socket, **action: str) -> None:
        text = json.dumps({"command": "take_action", **action})
        await asyncio.get_running_loop().sock_sendall(connection, text.encode())
